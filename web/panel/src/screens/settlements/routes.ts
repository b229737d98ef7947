import type { Screen } from '../../menu/screen.ts';

export const settlements: readonly Screen[] = [
  {
    path: '/money/settlements',
    name: 'settlements',
    under: '/money',
    who: 'account',
    load: () => import('./list.tsx'),
  },
  {
    path: '/money/settlements/$settlementId',
    name: 'settlements',
    who: 'account',
    load: () => import('./one.tsx'),
  },
];
