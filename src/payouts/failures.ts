// Refusals of payouts.

import type { PayoutStop } from '../../contract/codes/payouts.ts';
import { type FailureKind, failureKind } from '../kernel/index.ts';

export const bankAccountMissing = failureKind(
  'bank_account_missing',
  404,
  'There is no such bank account.',
  'Give the number of a bank account in the panel first.',
);

export const sameAccount = failureKind(
  'bank_account_unchanged',
  409,
  'This bank account is in use already.',
  'Nothing is to be done.',
);

export const verifiedByGiver = failureKind(
  'verified_by_giver',
  409,
  'Whoever gave the number cannot verify it.',
  'Ask another operator.',
);

export const payeeAltered = failureKind(
  'payee_altered',
  409,
  'A payout, a bank account or the terms for payouts of an account were changed behind the service.',
  'Run grosz verify, and sign nothing before you know who did it.',
);

/** Why an account is not paid on demand: the rule that says so (`PayoutStop`) is the code. */
export const stopFailures = {
  account_blocked: failureKind(
    'account_blocked',
    400,
    'The account is blocked, so it is not paid.',
    'Ask the operator of the service.',
  ),
  bank_account_altered: failureKind(
    'bank_account_altered',
    400,
    'The bank account is not as it was given, so nothing is paid to it.',
    'Ask the operator of the service: somebody changed it behind the service.',
  ),
  terms_altered: failureKind(
    'terms_altered',
    400,
    'The settings of payouts are not as they were made, so nothing is paid.',
    'Ask the operator of the service: somebody changed them behind the service.',
  ),
  payouts_blocked: failureKind(
    'payouts_blocked',
    400,
    'The operator allows no payouts of this account.',
    'Ask the operator of the service.',
  ),
  bank_account_missing: failureKind(
    'bank_account_missing',
    400,
    'The account has no bank account.',
    'Give its number in the panel (Money, Bank account).',
  ),
  bank_account_not_verified: failureKind(
    'bank_account_not_verified',
    400,
    'The bank account is not verified yet.',
    'Wait until the operator of the service has verified it.',
  ),
  bank_account_on_hold: failureKind(
    'bank_account_on_hold',
    400,
    'The bank account was changed and is on hold for 72 hours.',
    'Ask again when the hold is over.',
  ),
  nothing_due: failureKind(
    'nothing_due',
    400,
    'Nothing is due.',
    'GET /balance shows what is due, and when the rest is.',
  ),
  below_minimum: failureKind(
    'below_minimum',
    400,
    'This is less than the minimum of a payout.',
    'Wait until more is due, or lower the minimum (PATCH /payout-settings).',
  ),
} satisfies Record<Exclude<PayoutStop['code'], 'not_scheduled'>, FailureKind>;

export const amountExceedsDue = failureKind(
  'amount_exceeds_due',
  400,
  'The amount is more than what is due.',
  'Ask for less, or for all that is due with {}.',
);

export const payoutWaiting = failureKind(
  'payout_waiting',
  409,
  'A payout that was asked for waits already.',
  'Wait until its batch is signed, or cancel it first.',
);

export const payoutNotCancelable = failureKind(
  'payout_not_cancelable',
  409,
  'The payout is in a signed batch, or has ended.',
  'Only a payout that is created can be canceled.',
);

export const payoutNotSettled = failureKind(
  'payout_not_settled',
  409,
  'The lines of this payout are not there yet.',
  'Ask again in some seconds.',
);

export const blockedAlready = failureKind(
  'payouts_blocked_already',
  409,
  'Payouts of this account are blocked already.',
  'Nothing is to be done.',
);

export const notBlocked = failureKind(
  'payouts_not_blocked',
  409,
  'Payouts of this account are not blocked.',
  'Nothing is to be done.',
);

/** What only people are told, in the panel. */
export const bankAccountFailures = [
  bankAccountMissing,
  sameAccount,
  verifiedByGiver,
  payeeAltered,
  blockedAlready,
  notBlocked,
];

export const payoutsFailures = [
  ...Object.values(stopFailures),
  amountExceedsDue,
  payoutWaiting,
  payoutNotCancelable,
  payoutNotSettled,
  ...bankAccountFailures,
];
