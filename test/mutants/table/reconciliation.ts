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
  {
    file: 'src/reconciliation/payouts.ts',
    line: "if (bank === null) return grossOf(ours) === 0n ? undefined : 'not_at_bank';",
    instead: 'if (bank === null) return undefined;',
    bug: 'a payout that the statement no longer has is not named',
    tests: { 'test/reconciliation/decided.test.ts': ['that the statement no longer has'] },
  },
  {
    file: 'src/reconciliation/decide.ts',
    line: 'await updatePayout(sql, payout);',
    instead: '',
    bug: 'a payout that an operator corrected keeps its old row',
    tests: {
      'test/reconciliation/decided.test.ts': ['shown again with another amount', 'that the statement no longer has'],
    },
  },
  {
    file: 'src/reconciliation/rules.ts',
    line: 'lossMinor: -toLoss,',
    instead: 'lossMinor: toLoss,',
    bug: "the loss of a refund's difference is booked as a gain",
    tests: {
      'test/reconciliation/decided.test.ts': [
        '20.00 shown as 5.00, decided, corrected to 20.00',
        'a capture that goes, returns and goes',
      ],
    },
  },
  {
    file: 'src/reconciliation/judge.ts',
    line: 'const isNew = booked.correctedMinor === null && facts.row === null;',
    instead: 'const isNew = true;',
    bug: 'a fee that the acquirer amends is booked again, on top of what is booked',
    tests: { 'test/reconciliation/fees.test.ts': ['amended, named, and booked as decided'] },
  },
  {
    file: 'src/reconciliation/payouts.ts',
    line: 'const back = owed ? await sumUnbookedReturns(sql, run) : 0n;',
    instead: 'const back = 0n;',
    bug: 'a payout that is repeated after it came back is parked, as if the acquirer did not owe it',
    tests: { 'test/reconciliation/returned-payouts.test.ts': ['and was paid out again'] },
  },
  {
    file: 'src/reconciliation/judge.ts',
    line: "return kind !== 'payout_returned' || (askedMinor !== null && (bankMinor ?? 0n) <= askedMinor);",
    instead: 'return true;',
    bug: 'more of a payout comes back than was paid out',
    tests: {
      'test/reconciliation/returned-payouts.test.ts': ['of a payout that nobody knows, or of more than was paid'],
    },
  },
  {
    file: 'src/reconciliation/compare.ts',
    line: 'await this.#missLines();',
    instead: '',
    bug: 'a fee that the statement no longer has is not named',
    tests: { 'test/reconciliation/fees.test.ts': ['gone, and there again'] },
  },
  {
    file: 'src/reconciliation/decide.ts',
    line: 'if (isAboutBooking(item)) await correctLine(sql, change.item);',
    instead: '',
    bug: 'a fee that an operator corrected keeps its old row',
    tests: { 'test/reconciliation/fees.test.ts': ['amended, named, and booked as decided'] },
  },
];
