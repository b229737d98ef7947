import { IconArrowBackUp } from '@tabler/icons-react';
import type { Screen } from '../../menu/screen.ts';

export const refunds: readonly Screen[] = [
  {
    path: '/refunds',
    name: 'refunds',
    icon: IconArrowBackUp,
    key: 'r',
    who: 'account',
    load: () => import('./list.tsx'),
  },
  { path: '/refunds/$refundId', name: 'refunds', who: 'account', load: () => import('./one.tsx') },
];
