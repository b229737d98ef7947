import type { Screen } from '../../menu/screen.ts';

export const routing: readonly Screen[] = [
  {
    path: '/operator/routes',
    name: 'routing',
    under: '/operator',
    who: 'operator',
    load: () => import('./screen.tsx'),
  },
];
