import type { ParkedKind } from '../../../../../../contract/codes/parking.ts';

export default {
  attempt: 'attempt',
  charge: 'charge',
  refund: 'refund',
  surplus: 'surplus',
  capture: 'capture',
  payout: 'payout',
} as const satisfies Readonly<Record<ParkedKind, string>>;
