// Refusals of refunds.

import { failureKind } from '../kernel/index.ts';

export const refundExceedsPaid = failureKind(
  'refund_exceeds_paid',
  409,
  'The amount exceeds what is left of the payment.',
  'Send a smaller amount, or {} to refund what is left.',
);

export const cannotCreateRefund = failureKind(
  'cannot_create_refund',
  409,
  'This transaction cannot be refunded.',
  'Refund only paid transactions, and only of channels that support refunds.',
);

export const refundAlreadySent = failureKind(
  'refund_already_sent',
  409,
  'The refund was already sent to the bank or has ended.',
  'Only a refund that has not been sent can be changed; a BLIK refund must be held before it is canceled.',
);

/** The payer has the money by the dispute, or will. */
export const paymentDisputed = failureKind(
  'payment_disputed',
  409,
  'The payer disputes this payment, and would get the money twice.',
  'Refund at most what is not disputed, as a partial refund; the rest can be refunded if the dispute is won.',
);

export const refundsFailures = [refundExceedsPaid, cannotCreateRefund, refundAlreadySent, paymentDisputed];
