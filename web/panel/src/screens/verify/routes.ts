import type { Screen } from '../../menu/screen.ts';

export const verify: readonly Screen[] = [
  { path: '/operator/verify', name: 'verify', under: '/operator', who: 'operator', load: () => import('./screen.tsx') },
];
