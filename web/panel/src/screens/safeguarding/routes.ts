import type { Screen } from '../../menu/screen.ts';

export const safeguarding: readonly Screen[] = [
  {
    path: '/operator/safeguarding',
    name: 'safeguarding',
    under: '/operator',
    who: 'operator',
    load: () => import('./screen.tsx'),
  },
];
