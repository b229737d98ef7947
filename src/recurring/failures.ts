// Refusals of recurring payments.

import { failureKind } from '../kernel/index.ts';

export const recurringNotActive = failureKind(
  'recurring_not_active',
  406,
  'The recurring payment is not active.',
  'If it has failed, replace the payment instrument, which restores it; otherwise create a new recurring payment.',
);

/** R4 returns 406, R5 and R6 return 409 under the same code (docs/api.md#errors). */
export const recurringEnded = failureKind(
  'recurring_not_active',
  409,
  'The recurring payment is finished or canceled.',
  'Create a new recurring payment.',
);

export const lastAttemptNotFailed = failureKind(
  'last_attempt_not_failed',
  406,
  'The last attempt did not fail, or another is due or in progress.',
  'Retry only after a failed attempt was reported.',
);

export const retryLimitReached = failureKind(
  'retry_limit_reached',
  406,
  'This charge has reached the limit of 30 manual retries.',
  'Wait for the scheduled retries, or replace the payment instrument for them.',
);

export const recurringExistsWithDifferentData = failureKind(
  'recurring_exists_with_different_data',
  409,
  'A recurring payment with this id and different data exists.',
  'Use a new id, or send exactly the data of the first request.',
);

export const blikModelNotTaken = failureKind(
  'blik_model_not_taken',
  400,
  'No acquirer of this service charges BLIK by this model.',
  'Use another model, or a saved card: the operator’s acquirer decides which models there are.',
);

export const recurringFailures = [
  blikModelNotTaken,
  recurringNotActive,
  recurringEnded,
  lastAttemptNotFailed,
  retryLimitReached,
  recurringExistsWithDifferentData,
];
