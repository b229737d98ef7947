import type { Screen } from '../../menu/screen.ts';

export const recurring: readonly Screen[] = [
  {
    path: '/recurring/all',
    name: 'recurringList',
    under: '/recurring',
    who: 'account',
    load: () => import('./list.tsx'),
  },
  {
    path: '/recurring/calendar',
    name: 'calendar',
    under: '/recurring',
    who: 'account',
    load: () => import('./calendar.tsx'),
  },
  { path: '/recurring/$recurringId', name: 'recurring', who: 'account', load: () => import('./one.tsx') },
];
