// Refusals of payouts.

import { failureKind } from '../kernel/index.ts';

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
  'A bank account or the terms for payouts of an account were changed behind the service.',
  'Run grosz verify, and sign nothing before you know who did it.',
);

/** What only people are told, in the panel. */
export const bankAccountFailures = [bankAccountMissing, sameAccount, verifiedByGiver, payeeAltered];

export const payoutsFailures = [...bankAccountFailures];
