import type { Screen } from '../../menu/screen.ts';

export const parked: readonly Screen[] = [
  { path: '/operator/parked', name: 'parked', under: '/operator', who: 'operator', load: () => import('./list.tsx') },
];
