// Checks recurring payments, for `grosz verify`.

import type { Sql } from '../platform/index.ts';
import { listMisbookedCharges, listMisledRecurring } from './store/verify.ts';

const problemsAtMost = 100;

/** One sentence for each recurring payment or charge that contradicts its attempts, its transactions or the ledger. */
export async function verifyRecurring({ db }: { readonly db: { readonly sql: Sql } }): Promise<string[]> {
  const misled = await listMisledRecurring(db.sql, problemsAtMost);
  const misbooked = await listMisbookedCharges(db.sql, problemsAtMost);
  return [
    ...misled.map(({ id, what }) => `Recurring payment ${id}: ${what}.`),
    ...misbooked.map(({ id, what }) => `Charge ${id}: ${what}.`),
  ];
}
