/**
 * Why an acquirer does not give money back. `no_funds`: it holds too little of our money at the moment, so a later try
 * may succeed. `disputed`: the payer's bank is already taking it back.
 */
export const refundDeclineReasons = ['no_funds', 'already_refunded', 'disputed', 'too_late', 'refused'] as const;
export type RefundDeclineReason = (typeof refundDeclineReasons)[number];
