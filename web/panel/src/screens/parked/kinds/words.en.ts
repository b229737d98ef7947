import type { ParkedKind } from '../../../../../../contract/codes/parking.ts';

export default {
  attempt: 'attempt',
  charge: 'charge',
  refund: 'refund',
  refund_returned: 'returned refund',
  surplus: 'surplus',
  capture: 'capture',
  payout: 'payout',
  payout_returned: 'returned payout',
  fee: 'fees',
  dispute: 'disputes',
  dispute_won: 'dispute given back',
  other_taken: 'other taken',
  other_given: 'other added',
  other: 'acquirer’s account',
  bank_line: 'our bank',
} as const satisfies Readonly<Record<ParkedKind, string>>;
