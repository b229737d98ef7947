// Transactions: creating, paying, canceling, showing and listing them. Endpoints E1, E2, T1 to T5.
// Owns: transaction, transaction_part, transaction_count, transaction_count_change, transaction_added.
// Guarantees: a transaction is durable before the response; ids and titles are unique; a merchant sees only its own
// transactions; at most one payment counts for a transaction, and any other capture is returned to the payer; a timeout
// is not a failure.
// Never: calls the bank inside a database transaction.
export { nextExpiry, payableFor } from './cancel.ts';
export { endCharges, startCharges } from './charges.ts';
export { declineOf, declines } from './declines.ts';
export { alreadyRefunded, belongsToMarketplace, transactionCanceled, transactionsFailures } from './failures.ts';
export { type ListQuery, list as listTransactions } from './list.ts';
export { moneyMail } from './mail.ts';
export type {
  Attempt,
  AttemptState,
  ListedAttempt,
  PayRequest,
  SixHourBuckets,
  Transaction,
  TransactionCommand,
  TransactionPart,
  TransactionStatus,
} from './model.ts';
export { transactionEvent } from './notify.ts';
export type { Transactions } from './open.ts';
export { openTransactions } from './open.ts';
export { attemptsAtMost } from './pay.ts';
export type { PayerInstrument, PayerView } from './payer.ts';
export { nextAttempt } from './payer.ts';
export { payPageUrl, sixHourBucketsOf } from './rules.ts';
export { forgetAdded, transactionCounts } from './store/lists.ts';
export { insertSplit, listParts, listPartsIn, listShares } from './store/parts.ts';
export type { RefundableTransaction } from './store/refundable.ts';
export {
  findTransactionByTitle,
  lockForRefund,
  updateTransactionsPaidAgain,
  updateTransactionsRefunded,
} from './store/refundable.ts';
export { findTransaction, findTransactions, readTransaction } from './store/transactions.ts';
export { blankTransaction } from './table.ts';
export { openTitles, type Titles } from './titles.ts';
export { verifyTransactions } from './verify.ts';
export { paymentErrors, serializeAttempt, serializeResult, serializeTransaction } from './wire.ts';
