import { IconListDetails } from '@tabler/icons-react';
import type { Screen } from '../../menu/screen.ts';

export const transactions: readonly Screen[] = [
  {
    path: '/transactions',
    name: 'transactions',
    icon: IconListDetails,
    key: 't',
    who: 'account',
    load: () => import('./list.tsx'),
  },
  { path: '/transactions/new', name: 'newPayment', who: 'write', load: () => import('./new/new.tsx') },
  { path: '/transactions/$transactionId', name: 'transactions', who: 'account', load: () => import('./one/one.tsx') },
];
