// Reconciliation: the books against the acquirer's statement.
// Owns: reconciliation_run, reconciliation_line, reconciliation_item.
// Guarantees: every capture and refund that the bank names is in the books or named here, once, and the reverse; money
// that nobody knows is booked to the payers' unallocated money and waits for an operator; each payout is booked once.
// Never: changes a payment or a refund. What their rooms can settle is passed on to them as a result of the bank.
export { type Progress, type Reconciliation, reconcile } from './compare.ts';
export type { Run } from './model.ts';
export { openReconciliation } from './open.ts';
