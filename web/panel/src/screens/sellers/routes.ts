import type { Screen } from '../../menu/screen.ts';

export const sellers: readonly Screen[] = [
  {
    path: '/marketplace/sellers',
    name: 'sellers',
    under: '/marketplace',
    who: 'marketplace',
    load: () => import('./list.tsx'),
  },
  { path: '/marketplace/sellers/$accountId', name: 'sellers', who: 'marketplace', load: () => import('./one.tsx') },
];
