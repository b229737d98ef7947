import type { Screen } from '../../menu/screen.ts';

export const payoutBatches: readonly Screen[] = [
  {
    path: '/operator/batches',
    name: 'payoutBatches',
    under: '/operator',
    who: 'operator',
    load: () => import('./list.tsx'),
  },
  { path: '/operator/batches/$batchId', name: 'payoutBatches', who: 'operator', load: () => import('./one.tsx') },
];
