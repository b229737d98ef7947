import type { Screen } from '../../menu/screen.ts';

export const audit: readonly Screen[] = [
  {
    path: '/settings/audit',
    name: 'audit',
    under: '/settings',
    key: 'a',
    who: 'owner',
    load: () => import('./list.tsx'),
  },
];
