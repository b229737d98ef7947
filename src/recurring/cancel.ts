// R5: canceling.

import type { Merchant } from '../accounts/index.ts';
import { updateWaitingDue } from '../banking/index.ts';
import { type RecurringId, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { recurringEnded } from './failures.ts';
import type { Recurring } from './model.ts';
import { afterCancel } from './rules.ts';
import { lockRecurring, updateCanceled } from './store/recurring.ts';

/**
 * Ends a recurring payment that is active or failed. A charge that waits for the payer is canceled at the bank, by the
 * next lookup; any other in flight finishes. Both are reported, and nothing follows.
 */
export function cancel(tools: Pick<Tools, 'clock' | 'db'>, merchant: Merchant, id: RecurringId): Promise<Recurring> {
  return tools.db.atomic(async (sql) => {
    const recurring = (await lockRecurring(sql, merchant.id, id)) ?? refuse('not_found');
    const outcome = afterCancel(recurring.progress.status);
    if (outcome === 'ended') refuse(recurringEnded);
    const now = tools.clock.now();
    if (outcome === 'changed') await updateCanceled(sql, id, now);
    // Looking up a charge that waits for the bank changes nothing.
    if (recurring.liveTransactionId) await updateWaitingDue(sql, recurring.liveTransactionId, now);
    return { ...recurring, progress: { ...recurring.progress, status: 'canceled', scheduledAt: null } };
  });
}
