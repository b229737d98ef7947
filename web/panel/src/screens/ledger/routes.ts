import type { Screen } from '../../menu/screen.ts';

export const ledger: readonly Screen[] = [
  { path: '/money/ledger', name: 'ledger', under: '/money', who: 'account', load: () => import('./list.tsx') },
];
