// Mutants of reconciliation: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const reconciliationMutants: readonly Mutant[] = [
  {
    file: 'src/reconciliation/run.ts',
    line: 'if (before && hasDied(tools, before)) {',
    instead: 'if (before) {',
    bug: 'a run that is at work is ended by the next one',
    tests: { 'test/reconciliation/reconcile.test.ts': ['one run at a time; one that died does not block the next'] },
  },
  {
    file: 'src/reconciliation/payouts.ts',
    line: 'if (isNew(payout) && grossOf(bank) > 0n && grossOf(bank) <= judging.owedMinor) {',
    instead: 'if (isNew(payout) && grossOf(bank) > 0n) {',
    bug: 'a payout of more than the acquirer owes is booked',
    tests: { 'test/reconciliation/decided.test.ts': ['of more than the acquirer owes'] },
  },
];
