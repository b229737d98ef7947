// Refusals of payment data.

import { type FailureKind, failureKind } from '../kernel/index.ts';

export const paymentFailed = failureKind(
  'payment_failed',
  400,
  'The payment was refused.',
  'Let the payer try again, or choose another payment method.',
);

export const cardNotChargeable = failureKind(
  'card_not_chargeable',
  400,
  'No acquirer can charge this saved card at the moment: the one that keeps it is switched off.',
  'Ask the operator, or let the payer save a card again.',
);

export const blikAliasNotTaken = failureKind(
  'blik_alias_not_taken',
  400,
  'No acquirer of this service takes these BLIK aliases or BLIK payments without a code.',
  'Ask the payer for a code, and leave out aliases of type UID.',
);

export const methodsFailures: readonly FailureKind[] = [paymentFailed, cardNotChargeable, blikAliasNotTaken];
