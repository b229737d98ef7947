import type { Screen } from '../../menu/screen.ts';

export const account: readonly Screen[] = [
  {
    path: '/settings/account',
    name: 'account',
    under: '/settings',
    who: 'account',
    load: () => import('./screen.tsx'),
  },
];
