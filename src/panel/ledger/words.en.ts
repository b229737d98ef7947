// The ledger as a file: its headings, and the kinds of moves.

export default {
  time: 'Time',
  kind: 'Kind',
  amount: 'Amount',
  fee: 'Fee',
  commission: 'Commission',
  otherAmount: 'Other',
  net: 'Net',
  title: 'Title',
  hiddenDescription: 'Hidden description',
  transaction: 'Transaction',
  journal: 'Journal',
  reason: 'Reason of the dispute',
  payment: 'payment',
  refund: 'refund',
  refund_returned: 'refund returned',
  dispute: 'dispute',
  dispute_returned: 'dispute won',
  opening: 'opening',
  other: 'other',
} as const;
