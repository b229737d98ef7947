import type { Screen } from '../../menu/screen.ts';

export const notifications: readonly Screen[] = [
  {
    path: '/developers/notifications',
    name: 'notifications',
    under: '/developers',
    key: 'n',
    who: 'account',
    load: () => import('./list.tsx'),
  },
  {
    path: '/developers/notifications/$eventId',
    name: 'notifications',
    who: 'account',
    load: () => import('./one.tsx'),
  },
];
