// R3: the attempts of one recurring payment.

import { type RecurringId, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { type ListedAttempt, listAttempts, listAttemptsAfter } from './store/attempts.ts';
import type { RecurringTools } from './tools.ts';

/** More than 25 years of daily charges. */
const allAtMost = 10_000;
/** Read in slices, so that a long list does not block other requests. */
const sliceAtMost = 1_000;
const usualLimit = 35;

interface PageQuery {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

/**
 * Oldest first: one page, or all of them if neither page nor limit is given. A list is never truncated: one that is too
 * long is refused.
 */
export function attemptsOf(
  tools: RecurringTools,
  id: RecurringId,
  { page, limit }: PageQuery,
): Promise<ListedAttempt[]> {
  if (page === undefined && limit === undefined) return allOf(tools, id);
  const size = limit ?? usualLimit;
  return listAttempts(tools.db.sql, id, size, ((page ?? 1) - 1) * size);
}

async function allOf(tools: Pick<Tools, 'db'>, id: RecurringId): Promise<ListedAttempt[]> {
  const all: ListedAttempt[] = [];
  for (let after = { iteration: 0, attempt: 0 }; ; after = all.at(-1) ?? after) {
    const slice = await listAttemptsAfter(tools.db.sql, id, after, sliceAtMost);
    all.push(...slice);
    if (all.length > allAtMost)
      refuse('too_many', 'limit', `There are more than ${allAtMost} attempts. Use page and limit.`);
    if (slice.length < sliceAtMost) return all;
  }
}
