// The events that tell a merchant how a refund goes on. They are read at GET /events and sent to nobody: the interface
// names one message about refunds that is sent, the transaction's own (CHARGEBACK).

import { type NewEvent, refundNotification } from '../notifications/index.ts';
import type { Tools } from '../tools.ts';
import type { Refund } from './store.ts';

/**
 * The step that the refund has just made. Steps of one instant are read in their order: each is told as many microseconds
 * later as there were before it.
 */
export function stepEvent(tools: Tools, refund: Refund, title: string, zone: string, at: Temporal.Instant): NewEvent {
  const { id, merchantId, transactionId, status, amount } = refund;
  return {
    id: tools.ids.ulid(),
    accountId: merchantId,
    type: 'refund',
    subjectId: id,
    url: null,
    payload: refundNotification({ merchantId, refundId: id, transactionId, title, status, amount, at, zone }),
    createdAt: at.add({ microseconds: refund.steps - 1 }),
  };
}
