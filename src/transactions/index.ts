// Transactions: creating, paying, canceling, showing and listing them.
// Owns: transaction, transaction_count, transaction_count_change, payment_attempt, surplus_refund. Endpoints E1, E2, T1 to T5.
// Promises: an answered transaction is durable; ids and titles are unique; a transaction is seen by its merchant only; at
// most one payment of a transaction stands, and every other capture goes back to the payer; a timeout is not a failure.
// Never: asks the bank inside a database transaction.
export { receiveCallback } from './attempts/callback.ts';
export { decideParked } from './attempts/decide.ts';
export { cardInstrument } from './attempts/instrument.ts';
export { attemptsAtMost } from './attempts/pay.ts';
export type { PayerInstrument, PayerView } from './attempts/payer.ts';
export { findForPayer, nextAttempt, payAsPayer } from './attempts/payer.ts';
export { dueAttempts, nextAttemptDue, resolveAttempts } from './attempts/resolve.ts';
export type { AttemptState } from './attempts/rules.ts';
export { isOpen } from './attempts/rules.ts';
export { listParked } from './attempts/store.ts';
export { dueSurplus, nextSurplusDue, refundSurplus } from './attempts/surplus.ts';
export { cancel as cancelTransaction, expireTransactions, nextExpiry, payableFor } from './cancel.ts';
export type { ChargeEnd } from './charges.ts';
export { endCharges, giveBackCharge, startCharges } from './charges.ts';
export { addCounts, nextCount } from './listing/counts.ts';
export { type ListWish, list as listTransactions } from './listing/list.ts';
export { transactionEvent } from './notify.ts';
export type { Transactions } from './open.ts';
export { openTransactions } from './open.ts';
export type { RefundGround } from './refunding/store.ts';
export {
  findTransactionByTitle,
  lockForRefund,
  updateTransactionsPaidAgain,
  updateTransactionsRefunded,
} from './refunding/store.ts';
export { transactionRoutes } from './routes.ts';
export type { Transaction, TransactionStatus } from './store.ts';
export { findTransaction } from './store.ts';
export { openTitles, type Titles } from './titles.ts';
export { verifyTransactions } from './verify.ts';
export { writeTransaction } from './wire.ts';
