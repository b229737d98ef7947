// Refusals of payments.

import { failureKind } from '../kernel/index.ts';

export const channelPassedWithGroup = failureKind(
  'channel_passed_with_group',
  400,
  'channelId and groupId cannot be used together.',
  '',
);

export const alreadyPaid = failureKind(
  'already_paid',
  409,
  'The transaction is already paid.',
  'Do not pay or cancel it again; to return the money, refund it.',
);

export const transactionCanceled = failureKind(
  'transaction_canceled',
  409,
  'The transaction is canceled.',
  'Create a new transaction.',
);

export const alreadyRefunded = failureKind(
  'already_refunded',
  409,
  'The transaction is already refunded.',
  'List its refunds to see their status.',
);

export const attemptLimitReached = failureKind(
  'attempt_limit_reached',
  409,
  'The transaction has reached the limit on payment attempts.',
  'Create a new transaction.',
);

export const belongsToRecurring = failureKind(
  'belongs_to_recurring',
  409,
  'The transaction belongs to a recurring payment.',
  'Use the endpoints of the recurring payment, which makes its own attempts.',
);

export const belongsToMarketplace = failureKind(
  'belongs_to_marketplace',
  409,
  'The transaction belongs to the marketplace.',
  'Use the endpoints below /marketplace/v1/transaction, which know the parts of its sellers.',
);

export const transactionsFailures = [
  channelPassedWithGroup,
  alreadyPaid,
  transactionCanceled,
  alreadyRefunded,
  attemptLimitReached,
  belongsToRecurring,
  belongsToMarketplace,
];
