// What payers are shown of the simulated bank: its banks, and values for trying (docs/api.md#test-values).

import type { ShownToPayers } from '../../acquirer/index.ts';

/** By letter. */
const banks = ['Alfa', 'Beta', 'Delta', 'Gamma', 'Kappa', 'Lambda', 'Omega', 'Sigma', 'Theta', 'Zeta'];

export const shownToPayers: ShownToPayers = {
  blikSeconds: 120,
  banks: banks.map((name) => `Bank ${name}`),
  testValues: {
    blik: [
      ['777 123', { outcome: 'approved' }],
      ['770 123', { outcome: 'later' }],
      ['111 111', { outcome: 'wrong code' }],
      ['222 222', { outcome: 'insufficient funds' }],
      ['333 333', { outcome: 'payer rejected' }],
      ['500 000', { outcome: 'timed out' }],
    ],
    card: [
      ['4111 1111 1111 1111', { with: '12/39 · 123' }],
      ['…5 · …6', { outcome: 'declined by amount' }],
    ],
  },
};
