// Refusals of payment data.

import { type FailureKind, failureKind } from '../kernel/index.ts';

export const paymentFailed = failureKind(
  'payment_failed',
  400,
  'The payment was refused.',
  'Let the payer try again, or choose another payment method.',
);

export const cardNumbersNotTaken = failureKind(
  'card_numbers_not_taken',
  400,
  'Card numbers are not taken here.',
  'Let the payer enter the card on the pay page (transactionPaymentUrl), or send a card token.',
);

export const methodsFailures: readonly FailureKind[] = [paymentFailed, cardNumbersNotTaken];
