// Statements as a file: their headings.

export default {
  from: 'From',
  to: 'To',
  opening: 'Opening balance',
  payments: 'Payments',
  paymentFees: 'Payment fees',
  refunds: 'Refunds',
  refundFees: 'Refund fees',
  refundsReturned: 'Refunds returned',
  commissions: 'Commissions',
  disputes: 'Disputes',
  other: 'Other',
  closing: 'Closing balance',
  paymentCount: 'Number of payments',
  refundCount: 'Number of refunds',
} as const;
