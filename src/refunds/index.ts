// Refunds: full and partial, sent to the payer, held, canceled, listed. Endpoints E4 to E7, F1 to F3.
// Owns: refund, refund_counter, refund_total, refund_part, part_refund_total, line_refund_total.
// Guarantees: amount and fee leave the balance with the request, or nothing happens; the refunds of a transaction never
// exceed what was paid; a refund is one outgoing refund of `banking`, so that the payer gets it once; if the bank
// declines it or the merchant cancels it, amount and fee are returned; every status change is an event.
// Never: calls the bank, which is the part of `banking`.
export { refundExceedsPaid, refundsFailures } from './failures.ts';
export type { ListQuery } from './list.ts';
export { listOfOne, listRefunds } from './list.ts';
export type {
  ChosenLine,
  ChosenPart,
  Refund,
  RefundablePart,
  RefundPart,
  RefundStatus,
  RefundWithTitle,
  RequestedRefund,
} from './model.ts';
export type { Refunds } from './open.ts';
export { openRefunds } from './open.ts';
export type { SplitRefund } from './split.ts';
export { listRefundable } from './split.ts';
export { listOfTransaction } from './store/lists.ts';
export { decodeLines, listLineCounts, listRefundParts } from './store/parts.ts';
export { findAnyRefund, findRefund } from './store/refunds.ts';
export type { Consequence } from './tools.ts';
export { verifyRefunds } from './verify.ts';
