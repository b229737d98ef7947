export default {
  refundThis: 'Refund',
  cancelThis: 'Cancel transaction',
  cancelTitle: 'Cancel the transaction of {amount}?',
  cancelHint: 'It can then no longer be paid. If a payment is in progress, its money goes back to the payer.',
  cancelYes: 'Cancel the transaction',
  canceledDone: 'The transaction is canceled.',
} as const;
