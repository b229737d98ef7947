import type { Screen } from '../../menu/screen.ts';

export const payouts: readonly Screen[] = [
  {
    path: '/money/payouts',
    name: 'payouts',
    under: '/money',
    who: 'account',
    load: () => import('./list.tsx'),
  },
  {
    path: '/money/payouts/$payoutId',
    name: 'payouts',
    who: 'account',
    load: () => import('./one.tsx'),
  },
  {
    path: '/money/bank-account',
    name: 'bankAccount',
    under: '/money',
    who: 'account',
    load: () => import('./bank-account.tsx'),
  },
];
