// Refusals of signing in and of managing users.

import { failureKind } from '../kernel/index.ts';

export const signInFailed = failureKind(
  'sign_in_failed',
  401,
  'The email address or the password is wrong, or the sign-in has expired.',
  'Check both, or start again.',
);

export const wrongPassword = failureKind('wrong_password', 403, 'The password is wrong.', '');

export const wrongCode = failureKind(
  'wrong_code',
  403,
  'The code or the passkey was not accepted.',
  'Use the current code, which works once, or a recovery code.',
);

export const weakPassword = failureKind(
  'weak_password',
  400,
  'The password is too easy to guess.',
  'Use several unrelated words or random characters: no common password or pattern, not your name or address.',
);

export const userExists = failureKind(
  'user_exists',
  409,
  'There is already a user with this email address.',
  'Use another address, or remove the existing user first.',
);

export const lastOwner = failureKind(
  'last_owner',
  409,
  'The account needs an active owner.',
  'Make somebody else an owner first.',
);

export const secondFactorExists = failureKind(
  'second_factor_exists',
  409,
  'This second factor is already set up, or there is none to confirm.',
  'Remove it first, or start again.',
);

export const secondFactorMissing = failureKind(
  'second_factor_missing',
  409,
  'You have no authenticator app as a second factor.',
  'Set one up under your profile first.',
);

export const notAnOperator = failureKind(
  'not_an_operator',
  403,
  'Only an active operator can confirm this.',
  'Ask an operator of the installation.',
);

export const mailNotConfigured = failureKind(
  'mail_not_configured',
  409,
  'The service cannot send mail.',
  'Set SMTP_URL, or create users with grosz user create.',
);

export const identityFailures = [
  signInFailed,
  wrongPassword,
  wrongCode,
  weakPassword,
  userExists,
  lastOwner,
  secondFactorExists,
  secondFactorMissing,
  notAnOperator,
  mailNotConfigured,
];
