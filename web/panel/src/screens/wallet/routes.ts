import type { Screen } from '../../menu/screen.ts';

export const wallet: readonly Screen[] = [
  { path: '/settings/wallet', name: 'wallet', under: '/settings', who: 'account', load: () => import('./screen.tsx') },
];
