import type { Screen } from '../../menu/screen.ts';

export const pos: readonly Screen[] = [
  { path: '/settings/pos', name: 'pos', under: '/settings', who: 'account', load: () => import('./list.tsx') },
];
