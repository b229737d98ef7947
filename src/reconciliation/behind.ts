// What is in the books and was never compared. Otherwise nobody would see a made-up payment of an acquirer that is no
// longer asked.

import type { Finding } from '../../contract/codes/findings.ts';
import type { Sql } from '../database/index.ts';
import { overlap } from './run.ts';
import { journalKinds } from './store/founded.ts';
import { findBeginning, findComparedUntil } from './store/runs.ts';
import { hasRuns, listOwing } from './store/verify.ts';

/** How much later, in seconds, the newest journal of each acquirer is than the end of what was compared. */
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
 * Acquirers that are no longer configured and whose statement was never compared, or not up to the newest booking.
 * Payments that were open at the last comparison may have ended later, so the time that each comparison looks back is
 * allowed for.
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
