// Reconciliation: the books against the acquirer's statement.
// Owns: reconciliation_run, reconciliation_total, reconciliation_line, reconciliation_item, reconciliation_record,
// acquirer_payout, acquirer_line, acquirer_named, acquirer_noted.
// Guarantees: whatever is booked for a key of the bank, in sum, is what the bank says, or an open difference names both;
// a closed one is named again when an amount changes; sums that no difference explains are named; money that nobody knows
// is booked to the payers' unallocated money and waits for an operator; each payout is booked once, and never more than
// the acquirer owes; runs, differences and decisions are chained.
// Never: changes a payment or a refund. What their rooms can settle is passed on to them as a result of the bank.
export { type Progress, type Reconciliation, reconcile } from './compare.ts';
export type { Run, Total } from './model.ts';
export { openReconciliation } from './open.ts';
