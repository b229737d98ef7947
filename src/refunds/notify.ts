// The events that tell a merchant how a refund goes on. They are read at GET /events and sent to nobody: the interface
// names one message about refunds that is sent, the transaction's own (CHARGEBACK).

import { type NewEvent, refundNotification } from '../notifications/index.ts';
import type { World } from '../world.ts';
import type { RefundStatus } from './rules.ts';
import type { Refund } from './store.ts';

/** Steps that a refund makes at one instant are read in the order of its way: each is told so many microseconds later. */
const order: Readonly<Record<RefundStatus, number>> = {
  New: 0,
  BLIK_pending: 0,
  Hold: 1,
  Pending: 2,
  Processed: 3,
  Done: 4,
  BLIK_processed: 4,
  BLIK_incorrect: 4,
  Cancel: 4,
};

/** The step that the refund has just made. */
export function stepEvent(world: World, refund: Refund, title: string, zone: string, at: Temporal.Instant): NewEvent {
  const { id, transactionId, status, amount } = refund;
  return {
    id: world.ids.ulid(),
    accountId: refund.merchantId,
    type: 'refund',
    subjectId: id,
    url: null,
    payload: refundNotification({ refundId: id, transactionId, title, status, amount, at, zone }),
    createdAt: at.add({ microseconds: order[status] }),
  };
}
