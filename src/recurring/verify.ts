// Checks recurring payments, for `grosz verify`.

import type { Sql } from '../platform/index.ts';
import { listMiscounted, listMislisted } from './store/lists.ts';
import { listMisledCharges, listMisledRecurring } from './store/verify.ts';

const problemsAtMost = 100;

/**
 * One sentence for each recurring payment or charge that contradicts its attempts or its transactions, or that lists show
 * or count wrongly.
 */
export async function verifyRecurring({ db }: { readonly db: { readonly sql: Sql } }): Promise<string[]> {
  const misled = await listMisledRecurring(db.sql, problemsAtMost);
  const misbooked = await listMisledCharges(db.sql, problemsAtMost);
  const mislisted = await listMislisted(db.sql, problemsAtMost);
  const miscounted = await listMiscounted(db.sql, problemsAtMost);
  return [
    ...misled.map(({ id, what }) => `Recurring payment ${id}: ${what}.`),
    ...misbooked.map(({ id, what }) => `Charge ${id}: ${what}.`),
    ...mislisted.map((id) => `Recurring payment ${id}: lists show it otherwise than it is.`),
    ...miscounted.map(
      ({ merchantId, sixHourBucket, status, counted, there }) =>
        `Merchant ${merchantId}: ${counted} recurring payments from ${sixHourBucket} UTC are counted as ${status}, there are ${there}.`,
    ),
  ];
}
