// What is said about payouts by code: why one ended without the money staying where it went. Amounts are texts such as 49.90.

import type { Codes, Message } from './message.ts';

/** `code` and `words` are the bank's, as it sent them. */
export const payoutReasons = {
  canceled_by_account: {},
  canceled_by_operator: {},
  account_replaced: {},
  refused_by_bank: { code: 'text', words: 'text?' },
  returned_by_bank: { code: 'text?', words: 'text?' },
  not_at_bank: {},
} as const satisfies Codes;

export type PayoutReason = Message<typeof payoutReasons>;
