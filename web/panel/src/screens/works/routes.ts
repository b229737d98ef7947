import type { Screen } from '../../menu/screen.ts';

export const works: readonly Screen[] = [
  { path: '/operator/works', name: 'works', under: '/operator', who: 'operator', load: () => import('./screen.tsx') },
];
