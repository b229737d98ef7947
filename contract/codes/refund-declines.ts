/**
 * Why an acquirer does not give money back. `no_funds`: it has too little of ours at the moment, so a later try may succeed.
 * `disputed`: the payer's bank takes it back already.
 */
export const refundDeclineReasons = ['no_funds', 'already_refunded', 'disputed', 'too_late', 'refused'] as const;
export type RefundDeclineReason = (typeof refundDeclineReasons)[number];
