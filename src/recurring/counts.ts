import type { Tools } from '../tools.ts';
import { addChanges, hasChanges, tryAddingLock } from './store/lists.ts';

/** Adds the recorded changes to the counts of their buckets; returns how many changes. */
export function addCounts(tools: Pick<Tools, 'db'>, atMost: number): Promise<number> {
  return tools.db.atomic(async (sql) => ((await tryAddingLock(sql)) ? addChanges(sql, atMost) : 0));
}

/** Now, if there are changes, for moving the sandbox clock: lists read all that are not added. */
export async function nextCount(tools: Pick<Tools, 'clock' | 'db'>): Promise<Temporal.Instant | null> {
  return (await hasChanges(tools.db.sql)) ? tools.clock.now() : null;
}
