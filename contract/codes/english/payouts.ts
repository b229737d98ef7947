// Why an account is not paid, in English.

import type { Sentences } from '../message.ts';
import type { payoutStops } from '../payouts.ts';

export const payoutStopSentences: Sentences<typeof payoutStops> = {
  account_blocked: () => 'The account is blocked.',
  bank_account_altered: () => 'Its bank account was changed behind the service. Run grosz verify.',
  terms_altered: () => 'Its terms were changed behind the service. Run grosz verify.',
  payouts_blocked: () => 'An operator has blocked its payouts.',
  bank_account_missing: () => 'It has no bank account.',
  bank_account_not_verified: () => 'Its bank account is not verified.',
  bank_account_on_hold: ({ until }) => `Its bank account was changed and is on hold until ${until}.`,
  not_scheduled: () => 'Its schedule has no payout on this day.',
  nothing_due: () => 'Nothing is due.',
  below_minimum: ({ due, minimum }) => `${due} is due, which is less than its minimum of ${minimum}.`,
};
