import type { Screen } from '../../menu/screen.ts';

export const profile: readonly Screen[] = [
  { path: '/profile', name: 'profile', key: 'i', who: 'anyone', load: () => import('./screen.tsx') },
];
