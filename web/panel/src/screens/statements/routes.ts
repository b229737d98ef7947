import type { Screen } from '../../menu/screen.ts';

export const statements: readonly Screen[] = [
  {
    path: '/money/statements',
    name: 'statements',
    under: '/money',
    who: 'account',
    load: () => import('./screen.tsx'),
  },
];
