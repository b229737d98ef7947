// Refunds: full and partial, on their way to the payer, held, canceled, listed.
// Owns: refund, refund_counter, refund_total, refund_work. Endpoints E4 to E7, F1 to F3.
// Promises: amount and fee leave the balance with the request, or nothing happens; the refunds of a transaction never
// exceed what was paid; a refund is sent under one key forever, so that the payer gets it once; what the bank refuses or
// the merchant cancels returns, amount and fee; every status that a refund comes to is an event.
// Never: asks the bank inside a database transaction; takes a timeout for a refusal.
export type { ListQuery } from './list.ts';
export { listOfOne, listRefunds } from './list.ts';
export type { Refund, RefundStatus, RefundWithTitle, RequestedRefund } from './model.ts';
export { dueRefunds } from './move.ts';
export type { Refunds } from './open.ts';
export { openRefunds } from './open.ts';
export { listParked as listParkedRefunds } from './store/moves.ts';
export { findAnyRefund, findRefund } from './store/refunds.ts';
export { verifyRefunds } from './verify.ts';
