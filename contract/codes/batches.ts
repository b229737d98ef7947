// The states of batches of payouts, in their order.

export const batchStates = ['draft', 'approved', 'made', 'handed_over', 'settled', 'canceled'] as const;
export type BatchState = (typeof batchStates)[number];
