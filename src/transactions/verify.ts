// What the books must say about transactions: used by `grosz verify`.

import type { World } from '../world.ts';
import { listMisbooked } from './attempts/store.ts';

const problemsAtMost = 100;

/** One sentence for each transaction whose payment does not stand in the books as it should. */
export async function verifyTransactions(world: World): Promise<string[]> {
  const rows = await listMisbooked(world.db.sql, problemsAtMost);
  return rows.map(({ id, what }) => `Transaction ${id}: ${what}.`);
}
