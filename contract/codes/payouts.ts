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

/** Why an account is not paid. Days are as 2026-11-20. */
export const payoutStops = {
  account_blocked: {},
  /** The database has another bank account, or other terms, than were written. */
  bank_account_altered: {},
  terms_altered: {},
  payouts_blocked: {},
  bank_account_missing: {},
  bank_account_not_verified: {},
  /** Until when, in ISO 8601. */
  bank_account_on_hold: { until: 'text' },
  not_scheduled: {},
  nothing_due: {},
  below_minimum: { due: 'text', minimum: 'text' },
} as const satisfies Codes;

export type PayoutStop = Message<typeof payoutStops>;
