// The states of batches of payouts, in their order.

export const batchStates = ['draft', 'approved', 'made', 'handed_over', 'settled', 'canceled'] as const;
/** Why a payout is left out of a batch: the file of the account that pays cannot have it. */
export const leftOutReasons = ['country', 'holder', 'amount', 'other'] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

export type BatchState = (typeof batchStates)[number];
