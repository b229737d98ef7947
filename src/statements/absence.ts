// Whether the bank never had a file of payments, by what it says itself.

import type { Sql } from '../database/index.ts';
import type { Lost } from './model.ts';
import { countTraces, findSince } from './store/absence.ts';

/**
 * Whether the statements of the account go on from the day on which the file was made to one by which the bank would have paid
 * it, without a gap, all of them booked, and have nothing that is, or could be, a payment of it: neither its id nor one
 * of its payouts, nor money that left and of which nobody knows why, of the amount of the file or of a payout.
 */
export async function findAbsence(sql: Sql, lost: Lost): Promise<boolean> {
  const since = await findSince(sql, lost);
  if (!since || since.gaps > 0 || since.unbooked > 0) return false;
  return since.begins && since.ends && (await countTraces(sql, lost)) === 0;
}
