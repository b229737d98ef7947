import type { World } from '../../world.ts';
import { addChanges, hasChanges, tryAddingLock } from './store.ts';

/** Adds what statements left about transactions to the counts of their quarters; answers how many of them. */
export function addCounts(world: World, atMost: number): Promise<number> {
  return world.db.atomic(async (sql) => ((await tryAddingLock(sql)) ? addChanges(sql, atMost) : 0));
}

/** At once, for a clock that jumps: until they are added, whoever looks for what expires reads all changes of the move. */
export async function nextCount(world: World): Promise<Temporal.Instant | null> {
  return (await hasChanges(world.db.sql)) ? world.clock.now() : null;
}
