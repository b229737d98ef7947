// What an operator can choose from, and whether it can be decided otherwise afterwards.

import type { Answer } from '../../api/endpoints.ts';

type Item = Answer<'GET /panel/api/operator/parked'>['parked'][number];
export type Decided = 'captured' | 'not_captured';

/** The two answers that an operator can choose from: for most items, whether the money moved. */
export function choicesOf({ why }: Pick<Item, 'why'>) {
  if (why.code === 'dispute_unclaimed' || why.code === 'dispute_paid_back') return ['isLoss', 'givenBack'] as const;
  if (why.code === 'dispute_unsettled') return ['stands', 'toCorrect'] as const;
  if (why.code === 'dispute_other_charge') return ['rightForCharges', 'toCorrectSoon'] as const;
  if (why.code !== 'line_suspended') return ['captured', 'not_captured'] as const;
  return why.parameters.kind === 'other_taken'
    ? (['isCost', 'givenBack'] as const)
    : (['isGain', 'takenBack'] as const);
}

/** What an operator is told of a decision: while the bank is to correct something, it may be decided otherwise. */
export function finalityOf({ kind, why }: Pick<Item, 'kind' | 'why'>, decision: Decided) {
  const isCaptured = decision === 'captured';
  switch (why.code) {
    case 'dispute_unclaimed':
    case 'dispute_paid_back':
    case 'dispute_unsettled':
      return isCaptured ? 'final' : 'askedAgain';
    case 'not_at_bank':
      return isCaptured ? 'correctable' : 'final';
    case 'capture_not_booked':
    case 'refund_not_booked':
    case 'return_not_booked':
    case 'payout_return_not_booked':
    case 'payout_exceeds':
    case 'dispute_other_charge':
    case 'line_suspended':
      return isCaptured ? 'final' : 'correctable';
    // It depends on the amount, or on what it was before.
    case 'amounts_differ':
    case 'line_repeated':
    case 'promised':
    case 'promise_not_kept':
      return 'finalUnlessCorrected';
    // The other answer is not possible.
    case 'other_charge':
    case 'rows_missing':
    case 'totals_differ':
      return 'final';
    default:
      // Of a capture that no payment has, the statement is to say that the bank reversed it.
      return kind === 'capture' && !isCaptured ? 'correctable' : 'final';
  }
}
