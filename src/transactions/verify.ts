// Checks transactions against the ledger, for `grosz verify`.

import type { Tools } from '../tools.ts';
import { listMisbooked } from './store/attempts.ts';
import { listMiscounted } from './store/lists.ts';

const problemsAtMost = 100;

/** One sentence for each payment that is not booked correctly and for each wrong list count. */
export async function verifyTransactions(tools: Pick<Tools, 'db'>): Promise<string[]> {
  const misbooked = await listMisbooked(tools.db.sql, problemsAtMost);
  const miscounted = await listMiscounted(tools.db.sql, problemsAtMost);
  return [
    ...misbooked.map(({ id, what }) => `Transaction ${id}: ${what}.`),
    ...miscounted.map(
      ({ merchantId, sixHourBucket, status, counted, there }) =>
        `Merchant ${merchantId}: ${counted} transactions from ${sixHourBucket} UTC are counted as ${status}, there are ${there}.`,
    ),
  ];
}
