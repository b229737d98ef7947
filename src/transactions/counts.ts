import type { Tools } from '../tools.ts';
import { addChanges, hasChanges, tryAddingLock } from './store/lists.ts';

/** Adds what statements left about transactions to the counts of their buckets; returns how many of them. */
export function addCounts(tools: Pick<Tools, 'db'>, atMost: number): Promise<number> {
  return tools.db.atomic(async (sql) => ((await tryAddingLock(sql)) ? addChanges(sql, atMost) : 0));
}

/** At once, for a clock that jumps: until they are added, looking for expired transactions reads all changes of the move. */
export async function nextCount(tools: Pick<Tools, 'clock' | 'db'>): Promise<Temporal.Instant | null> {
  return (await hasChanges(tools.db.sql)) ? tools.clock.now() : null;
}
