import type { World } from '../../world.ts';
import { addChanges, tryAddingLock } from './store.ts';

/** Adds what statements left about transactions to the counts of their quarters; answers how many of them. */
export function addCounts(world: World, atMost: number): Promise<number> {
  return world.db.atomic(async (sql) => ((await tryAddingLock(sql)) ? addChanges(sql, atMost) : 0));
}
