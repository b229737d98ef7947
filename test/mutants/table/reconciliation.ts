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
    line: 'if (isNew(payout) && grossOf(bank) > 0n && grossOf(bank) <= judging.owedMinor + payout.takenSinceMinor) {',
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
    file: 'src/reconciliation/payouts.ts',
    line: 'grossOf(bank) <= judging.owedMinor + payout.takenSinceMinor) {',
    instead: 'grossOf(bank) <= judging.owedMinor) {',
    bug: 'a payout is parked because of a refund or a dispute that came after it',
    tests: { 'test/reconciliation/returned-payouts.test.ts': ['before a fee that takes all of it'] },
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
    line: "if (isAboutBooking(item) && item.difference !== 'suspended') await correctLine(sql, change.item);",
    instead: '',
    bug: 'a fee that an operator corrected keeps its old row',
    tests: { 'test/reconciliation/fees.test.ts': ['amended, named, and booked as decided'] },
  },
  {
    file: 'src/reconciliation/rules.ts',
    line: 'if (isOwnKind(kind)) return ownMoves(kind, `${kind} corrected`, minor, booked.unallocatedMinor === 0n);',
    instead: 'if (isOwnKind(kind)) return ownMoves(kind, `${kind} corrected`, minor, true);',
    bug: 'what is corrected of a line that nobody knows becomes a fee while the line waits in suspense',
    tests: { 'test/reconciliation/suspense.test.ts': ['amended and gone while it waits'] },
  },
  {
    file: 'src/reconciliation/rules.ts',
    line: 'if (isOwnKind(kind)) return ownMoves(kind, `${kind} corrected`, minor, booked.unallocatedMinor === 0n);',
    instead: 'if (isOwnKind(kind)) return ownMoves(kind, `${kind} corrected`, minor, false);',
    bug: 'what is corrected of a line after the decision about it stays in suspense, and nobody is told',
    tests: { 'test/reconciliation/suspense.test.ts': ['gone after it was decided'] },
  },
  {
    file: 'src/reconciliation/changes.ts',
    line: '!isHeld(item) &&',
    instead: '',
    bug: 'what waits in suspense is closed by the next run, without a decision',
    tests: { 'test/reconciliation/suspense.test.ts': ['taken and added'] },
  },
  {
    file: 'src/reconciliation/decide.ts',
    line: "if (item.difference !== 'suspended' && step.moves) await followInSuspense(tools, sql, item, booked, step.moves);",
    instead: '',
    bug: 'what waits in suspense keeps its old amount when the line is corrected',
    tests: { 'test/reconciliation/suspense.test.ts': ['amended and gone while it waits'] },
  },
  {
    file: 'src/reconciliation/store/lines.ts',
    line: 'update acquirer_line set amount_minor = ${amountMinor}, told_at = null',
    instead: 'update acquirer_line set amount_minor = ${amountMinor}',
    bug: 'the merchant bears what a line of a dispute was before an operator corrected it',
    tests: { 'test/reconciliation/dispute-lines.test.ts': ['amended: the merchant bears what moved'] },
  },
  {
    file: 'src/reconciliation/tell.ts',
    line: "const stage = kind === 'dispute_won' ? 'won' : 'opened';",
    instead: "const stage = 'opened';",
    bug: 'what a dispute gave back by the statement is not given to the merchant',
    tests: { 'test/reconciliation/dispute-lines.test.ts': ['taken and given back, each booked once'] },
  },
  {
    file: 'src/reconciliation/give-back.ts',
    line: "if (await isBooked(sql, outgoing.chargeKey)) return { kind: 'park', why: 'settled_by_payment' };",
    instead: '',
    bug: 'a capture is given back although a payment took it meanwhile',
    tests: {
      'test/refunds/changed-amount.test.ts': [
        'a capture that a payment took after 0 tries',
        'a capture that a payment took after 1 tries',
      ],
    },
  },
  {
    file: 'src/reconciliation/give-back.ts',
    line: "return decided && isAsDecided(outgoing, decided) ? undefined : { kind: 'park', why: 'return_changed' };",
    instead: 'return undefined;',
    bug: 'what belongs to nobody is given back with an amount that nobody decided',
    tests: {
      'test/refunds/changed-amount.test.ts': [
        'a capture that belongs to nobody, after 0 tries',
        'a capture that belongs to nobody, after 1 tries',
      ],
    },
  },
];
