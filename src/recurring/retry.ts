// R4: retrying the last failed attempt immediately, outside the schedule.

import type { Merchant } from '../accounts/index.ts';
import type { Once } from '../http/index.ts';
import { type RecurringId, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import type { Recurring } from './model.ts';
import { retryRefusal } from './rules.ts';
import { countManualRetries } from './store/attempts.ts';
import { findRecurring, lockRecurring, updateRetryDue } from './store/recurring.ts';

/**
 * Makes a retry due now; the engine performs it. If a scheduled retry is claimed at the same moment, one of the two
 * wins.
 */
export async function retry(
  tools: Pick<Tools, 'clock' | 'db'>,
  merchant: Merchant,
  id: RecurringId,
  once: Once,
): Promise<Recurring> {
  await once(async (sql) => {
    const recurring = (await lockRecurring(sql, merchant.id, id)) ?? refuse('not_found');
    const { progress, manual } = recurring;
    const manualRetries = await countManualRetries(sql, id, progress.iteration);
    const refusal = retryRefusal({ progress, live: recurring.liveTransactionId !== null, manual, manualRetries });
    if (refusal) refuse(refusal);
    await updateRetryDue(sql, id, tools.clock.now());
    return null;
  });
  return (await findRecurring(tools.db.sql, id)) ?? refuse('not_found');
}
