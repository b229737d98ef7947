import type { Screen } from '../../menu/screen.ts';

export const bank: readonly Screen[] = [
  { path: '/operator/bank', name: 'bank', under: '/operator', who: 'operator', load: () => import('./screen.tsx') },
];
