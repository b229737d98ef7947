import type { Screen } from '../../menu/screen.ts';

export const users: readonly Screen[] = [
  {
    path: '/settings/users',
    name: 'users',
    under: '/settings',
    key: 'u',
    who: 'owner',
    load: () => import('./list.tsx'),
  },
];
