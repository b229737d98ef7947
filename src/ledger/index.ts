// The ledger: every grosz, in double entry.
// Owns: ledger_account, ledger_balance, journal, entry, journal_unsealed, journal_seal, ledger_checkpoint.
// Guarantees: each journal sums to zero and is posted once; no floor account goes below zero; nothing is changed or
// deleted.
// Never: knows what a transaction or a refund is; callers say what moves.
export { ledgerAccounts } from './accounts.ts';
export { sealJournals } from './chain.ts';
export { insufficientFunds, ledgerFailures } from './failures.ts';
export { openLedger } from './open.ts';
export { openCommonAccounts, openMerchantAccounts, openOwedAccounts, post, postOpening } from './post.ts';
export type { Borne, Fee, Journal, PayoutMoved, RefundMoves, Share } from './rules.ts';
export {
  bankAllocationJournal,
  bankLineJournal,
  borneBy,
  disputeJournal,
  disputeLossJournal,
  paymentFee,
  paymentJournal,
  payoutCreatedJournal,
  payoutMovedJournal,
  payoutReturnedJournal,
  reconciledJournal,
  refundCameBackJournal,
  refundExecutedJournal,
  refundJournal,
  refundPaidLateJournal,
  refundReturnedJournal,
  returnCameBackJournal,
  splitPaymentJournal,
  splitRefundCameBackJournal,
  splitRefundJournal,
  splitRefundReturnedJournal,
  surplusJournals,
  surplusOwedAgainJournal,
  surplusWithdrawnJournal,
  unmatchedReturnedJournal,
} from './rules.ts';
export { balanceOf, type Safeguarding } from './safeguarding.ts';
export {
  type Founded,
  findBalance,
  findBalances,
  hasAccountOf,
  listWrongSums,
  lockBalances,
  type Summed,
  saying,
  sumsAgree,
} from './store.ts';
export { journalPages, type ReadLedger, readLedger, verifyFounded } from './verify.ts';
