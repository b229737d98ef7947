import { type FailureKind, failureKind } from '../kernel/index.ts';

export const cardNumbersNotTaken = failureKind(
  'card_numbers_not_taken',
  400,
  'Card numbers are not taken here.',
  'Let the payer enter the card on the pay page (transactionPaymentUrl), or send a card token.',
);

export const cardsFailures: readonly FailureKind[] = [cardNumbersNotTaken];
