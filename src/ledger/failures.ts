// Refusals of the ledger.

import { failureKind } from '../kernel/index.ts';

export const insufficientFunds = failureKind(
  'insufficient_funds',
  409,
  'The balance does not cover the amount and the fee.',
  'Retry when the balance is high enough, or refund a smaller amount.',
);

export const ledgerFailures = [insufficientFunds];
