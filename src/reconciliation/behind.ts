// What is in the books and was never compared: whoever made up a payment of an acquirer that nobody asks any more would have
// it unseen otherwise.

import type { Finding } from '../../contract/codes/findings.ts';
import type { Sql } from '../database/index.ts';
import { overlap } from './run.ts';
import { journalKinds } from './store/founded.ts';
import { findBeginning, findComparedUntil } from './store/runs.ts';
import { hasRuns, listOwing } from './store/verify.ts';

/** How much later than what was compared the newest journal of each acquirer is, in seconds. */
export async function listUncompared(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const seconds = new Map<string, number>();
  const beginning = await findBeginning(sql);
  for (const { acquirer, newestAt } of await listOwing(sql, journalKinds)) {
    const until = (await findComparedUntil(sql, acquirer)) ?? beginning;
    const behind = newestAt && until ? newestAt.since(until).total('seconds') : 0;
    seconds.set(acquirer, Math.max(0, behind));
  }
  return seconds;
}

/**
 * Acquirers that are configured no more, and whose statement was never compared, or not up to what was booked. Payments that
 * were open then may have ended within the time that each comparison looks back.
 */
export async function verifyCompared(sql: Sql, configured: readonly string[]): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const [acquirer, behind] of await listUncompared(sql)) {
    if (configured.includes(acquirer)) continue;
    if (!(await hasRuns(sql, acquirer))) found.push({ code: 'acquirer_never_compared', parameters: { acquirer } });
    else if (behind > overlap.total('seconds')) found.push({ code: 'acquirer_not_compared', parameters: { acquirer } });
  }
  return found;
}
