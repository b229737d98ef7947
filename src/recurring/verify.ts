// Checks recurring payments, for `grosz verify`.

import type { Finding } from '../../contract/codes/findings.ts';
import type { Sql } from '../database/index.ts';
import { listMislisted, recurringCounts } from './store/lists.ts';
import { listMisledCharges, listMisledRecurring } from './store/verify.ts';

const problemsAtMost = 100;

/**
 * Each recurring payment or charge that contradicts its attempts or its transactions, or that lists show
 * or count wrongly.
 */
export async function verifyRecurring({ db }: { readonly db: { readonly sql: Sql } }): Promise<Finding[]> {
  const misled = await listMisledRecurring(db.sql, problemsAtMost);
  const misbooked = await listMisledCharges(db.sql, problemsAtMost);
  const mislisted = await listMislisted(db.sql, problemsAtMost);
  const miscounted = await recurringCounts.listMiscounted(db.sql, problemsAtMost);
  return [
    ...misled,
    ...misbooked,
    ...mislisted.map((id): Finding => ({ code: 'recurring_mislisted', parameters: { id } })),
    ...miscounted.map((parameters): Finding => ({ code: 'recurring_miscounted', parameters })),
  ];
}
