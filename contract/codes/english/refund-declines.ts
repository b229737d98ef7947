// Why an acquirer does not give money back, in English.

import type { RefundDeclineReason } from '../refund-declines.ts';

export const refundDeclineWords = {
  no_funds: 'the bank holds too little of your money at the moment; a later refund may succeed',
  already_refunded: 'the payment has been refunded already',
  disputed: 'the payer disputes the payment and gets the money back that way',
  too_late: 'the payment is too old to be refunded',
  refused: 'the bank gave no reason',
} as const satisfies Readonly<Record<RefundDeclineReason, string>>;
