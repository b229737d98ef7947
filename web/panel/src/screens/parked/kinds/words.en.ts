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
  other: 'acquirer’s account',
} as const satisfies Readonly<Record<ParkedKind, string>>;
