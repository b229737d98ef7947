import type { Screen } from '../../menu/screen.ts';

export const sandbox: readonly Screen[] = [
  {
    path: '/developers/sandbox',
    name: 'sandbox',
    under: '/developers',
    who: 'sandbox',
    load: () => import('./screen.tsx'),
  },
];

export const operatorSandbox: readonly Screen[] = [
  {
    path: '/operator/sandbox',
    name: 'sandbox',
    under: '/operator',
    who: 'sandboxOperator',
    load: () => import('./screen.tsx'),
  },
];
