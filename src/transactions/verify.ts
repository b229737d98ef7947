// Checks transactions against the ledger, for `grosz verify`.

import type { Finding } from '../../contract/codes/findings.ts';
import type { Tools } from '../tools.ts';
import { listMisbooked } from './store/attempts.ts';
import { transactionCounts } from './store/lists.ts';

const problemsAtMost = 100;

/** Each payment that is not booked correctly, and each wrong list count. */
export async function verifyTransactions(tools: Pick<Tools, 'db'>): Promise<Finding[]> {
  const misbooked = await listMisbooked(tools.db.sql, problemsAtMost);
  const miscounted = await transactionCounts.listMiscounted(tools.db.sql, problemsAtMost);
  return [...misbooked, ...miscounted.map((parameters): Finding => ({ code: 'transactions_miscounted', parameters }))];
}
