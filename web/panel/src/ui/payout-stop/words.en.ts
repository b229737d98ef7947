// Why an account is not paid (contract/codes/payouts.ts).

export default {
  account_blocked: 'The account is blocked.',
  bank_account_altered: 'The bank account is not as it was given. Ask the operator.',
  terms_altered: 'The payout settings are not as they were made. Ask the operator.',
  payouts_blocked: 'The operator allows no payouts of this account.',
  bank_account_missing: 'No bank account is given yet.',
  bank_account_not_verified: 'The operator has not verified the bank account yet.',
  bank_account_on_hold: 'The bank account was changed and is on hold for 72 hours.',
  not_scheduled: 'Payouts are made when you ask for them.',
  nothing_due: 'Nothing is due.',
  below_minimum: 'This is less than the minimum of a payout.',
} as const;
