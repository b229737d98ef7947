// What the books must say about refunds: used by `grosz verify`.

import type { World } from '../world.ts';
import { listMisbookedRefunds, listWrongTotals } from './checking/store.ts';

const problemsAtMost = 100;

/** One sentence for each refund or total that does not stand in the books as it should. */
export async function verifyRefunds(world: World): Promise<string[]> {
  const [totals, refunds] = await Promise.all([
    listWrongTotals(world.db.sql, problemsAtMost),
    listMisbookedRefunds(world.db.sql, problemsAtMost),
  ]);
  return [
    ...totals.map(({ id, what }) => `Refunds of transaction ${id}: ${what}.`),
    ...refunds.map(({ id, what }) => `Refund ${id}: ${what}.`),
  ];
}
