// Transactions as a file: its headings, and their statuses.

export default {
  createdAt: 'Created',
  paidAt: 'Paid',
  title: 'Title',
  status: 'Status',
  amount: 'Amount',
  amountPaid: 'Amount paid',
  refunded: 'Refunded',
  currency: 'Currency',
  description: 'Description',
  hiddenDescription: 'Hidden description',
  payerEmail: 'Email',
  payerName: 'Name',
  channel: 'Channel',
  transaction: 'Transaction',
  pending: 'Waiting',
  paid: 'Paid',
  refund: 'Refunded',
  canceled: 'Canceled',
} as const;
