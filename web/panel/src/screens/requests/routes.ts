import type { Screen } from '../../menu/screen.ts';

export const requests: readonly Screen[] = [
  {
    path: '/developers/requests',
    name: 'requests',
    under: '/developers',
    who: 'account',
    load: () => import('./list.tsx'),
  },
  { path: '/developers/requests/$requestId', name: 'requests', who: 'account', load: () => import('./one.tsx') },
];
