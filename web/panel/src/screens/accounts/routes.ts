import type { Screen } from '../../menu/screen.ts';

export const accounts: readonly Screen[] = [
  {
    path: '/operator/accounts',
    name: 'accounts',
    under: '/operator',
    who: 'operator',
    load: () => import('./list.tsx'),
  },
  { path: '/operator/accounts/$accountId', name: 'accounts', who: 'operator', load: () => import('./one.tsx') },
];
