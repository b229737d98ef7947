// Refunds: full and partial, on their way to the payer, held, canceled, listed.
// Owns: refund, refund_counter, refund_total, refund_work. Endpoints E4 to E7, F1 to F3.
// Promises: amount and fee leave the balance with the request, or nothing happens; the refunds of a transaction never
// exceed what was paid; a refund is sent under one key for ever, so that the payer gets it once; what the bank refuses or
// the merchant cancels returns, amount and fee; every status that a refund comes to is an event.
// Never: asks the bank inside a database transaction; takes a timeout for a refusal.
export { receiveRefundCallback } from './callback.ts';
export { cancelRefund, holdRefund, releaseRefund } from './change.ts';
export { createRefund } from './create.ts';
export type { ListQuery, RefundPage } from './list.ts';
export { listOfOne, listRefunds } from './list.ts';
export type { Refund, RefundStatus, RefundWithTitle, RequestedRefund } from './model.ts';
export { dueRefunds, moveRefunds, nextRefundStep } from './move.ts';
export type { Refunds } from './open.ts';
export { openRefunds } from './open.ts';
export { refundRoutes } from './routes.ts';
export { listParked as listParkedRefunds } from './store/moves.ts';
export { findAnyRefund, findRefund } from './store/refunds.ts';
export { verifyRefunds } from './verify.ts';
