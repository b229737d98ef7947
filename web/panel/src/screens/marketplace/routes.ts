import type { Screen } from '../../menu/screen.ts';

export const marketplace: readonly Screen[] = [
  {
    path: '/marketplace/transactions',
    name: 'marketTransactions',
    under: '/marketplace',
    who: 'marketplace',
    load: () => import('./list.tsx'),
  },
  {
    path: '/marketplace/transactions/$transactionId',
    name: 'marketTransactions',
    who: 'marketplace',
    load: () => import('./one.tsx'),
  },
];
