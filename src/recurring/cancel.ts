// R5: canceling.

import type { Merchant } from '../accounts/index.ts';
import { type RecurringId, refuse } from '../kernel/index.ts';
import type { World } from '../world.ts';
import { afterCancel } from './rules.ts';
import { lockRecurring, type Recurring, updateCanceled } from './store.ts';

/** Ends an active recurring payment. A charge already on its way finishes and is reported; nothing follows it. */
export function cancel(world: World, merchant: Merchant, id: RecurringId): Promise<Recurring> {
  return world.db.atomic(async (sql) => {
    const recurring = (await lockRecurring(sql, merchant.id, id)) ?? refuse('not_found');
    const outcome = afterCancel(recurring.progress.status);
    if (outcome === 'ended') refuse('recurring_ended');
    if (outcome === 'changed') await updateCanceled(sql, id, world.clock.now());
    return { ...recurring, progress: { ...recurring.progress, status: 'canceled', scheduledAt: null } };
  });
}
