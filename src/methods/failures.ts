// Refusals of payment data.

import { type FailureKind, failureKind } from '../kernel/index.ts';

export const paymentFailed = failureKind(
  'payment_failed',
  400,
  'The payment was refused.',
  'Let the payer try again, or choose another payment method.',
);

export const methodsFailures: readonly FailureKind[] = [paymentFailed];
