// Refunds: full and partial, sent to the payer, held, canceled, listed. Endpoints E4 to E7, F1 to F3.
// Owns: refund, refund_counter, refund_total, refund_work, refund_part, part_refund_total, line_refund_total.
// Guarantees: amount and fee leave the balance with the request, or nothing happens; the refunds of a transaction never
// exceed what was paid; a refund keeps one key forever, so that the payer gets it once; if the bank declines it or the
// merchant cancels it, amount and fee are returned; every status change is an event.
// Never: calls the bank inside a database transaction; treats a timeout as a decline.
export { refundExceedsPaid, refundsFailures } from './failures.ts';
export type { ListQuery } from './list.ts';
export { listOfOne, listRefunds } from './list.ts';
export type {
  ChosenLine,
  ChosenPart,
  Refund,
  RefundablePart,
  RefundedLine,
  RefundPart,
  RefundStatus,
  RefundWithTitle,
  RequestedRefund,
} from './model.ts';
export { dueRefunds } from './move.ts';
export type { Refunds } from './open.ts';
export { openRefunds } from './open.ts';
export type { BalanceChange, SplitRefund } from './split.ts';
export { listRefundable } from './split.ts';
export { listOfTransaction } from './store/lists.ts';
export { listParked as listParkedRefunds } from './store/moves.ts';
export { listLineBytes, listRefundParts, readLines } from './store/parts.ts';
export { findAnyRefund, findRefund } from './store/refunds.ts';
export { verifyRefunds } from './verify.ts';
