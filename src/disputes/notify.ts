// Events about disputes. They are read at GET /events and never sent: receivers of a transaction's address know only its
// notification.

import { money } from '../kernel/index.ts';
import { disputeNotification, type NewEvent } from '../notifications/index.ts';
import type { Tools } from '../tools.ts';
import type { RefundableTransaction } from '../transactions/index.ts';
import type { Dispute } from './model.ts';

/** The event for the latest step. */
export function stepEvent(
  { ids }: Pick<Tools, 'ids'>,
  dispute: Dispute,
  { transaction: { title }, notification: { zone } }: RefundableTransaction,
  at: Temporal.Instant,
): NewEvent {
  const { id, merchantId, transactionId, state: status, amountMinor, returnedMinor, currency } = dispute;
  const { reason, respondUntil } = dispute;
  return {
    id: ids.ulid(),
    accountId: merchantId,
    type: 'dispute',
    subjectId: id,
    url: null,
    payload: disputeNotification({
      merchantId,
      disputeId: id,
      transactionId,
      title,
      status,
      amount: money(amountMinor, currency),
      returned: money(returnedMinor, currency),
      reason,
      respondUntil,
      at,
      zone,
    }),
    // Steps of one instant are read in order.
    createdAt: at.add({ microseconds: dispute.steps - 1 }),
  };
}
