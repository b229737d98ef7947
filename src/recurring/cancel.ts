// R5: canceling.

import type { Merchant } from '../accounts/index.ts';
import { type RecurringId, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import type { Recurring } from './model.ts';
import { afterCancel } from './rules.ts';
import { lockRecurring, updateCanceled } from './store/recurring.ts';

/** Ends an active recurring payment. A charge in flight finishes and is reported; nothing follows it. */
export function cancel(tools: Pick<Tools, 'clock' | 'db'>, merchant: Merchant, id: RecurringId): Promise<Recurring> {
  return tools.db.atomic(async (sql) => {
    const recurring = (await lockRecurring(sql, merchant.id, id)) ?? refuse('not_found');
    const outcome = afterCancel(recurring.progress.status);
    if (outcome === 'ended') refuse('recurring_ended');
    if (outcome === 'changed') await updateCanceled(sql, id, tools.clock.now());
    return { ...recurring, progress: { ...recurring.progress, status: 'canceled', scheduledAt: null } };
  });
}
