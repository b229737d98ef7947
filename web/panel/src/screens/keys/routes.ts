import type { Screen } from '../../menu/screen.ts';

export const keys: readonly Screen[] = [
  {
    path: '/developers/keys',
    name: 'keys',
    under: '/developers',
    who: 'accountOwner',
    load: () => import('./list.tsx'),
  },
];
