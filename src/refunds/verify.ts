// Checks refunds against the ledger, for `grosz verify`.

import type { Finding } from '../../contract/codes/findings.ts';
import type { Tools } from '../tools.ts';
import { listMisbookedRefunds, listWrongTotals } from './store/verify.ts';

const problemsAtMost = 100;

/** Each refund or total that is not booked correctly. */
export async function verifyRefunds(tools: Tools): Promise<Finding[]> {
  const [totals, refunds] = await Promise.all([
    listWrongTotals(tools.db.sql, problemsAtMost),
    listMisbookedRefunds(tools.db.sql, problemsAtMost),
  ]);
  return [...totals, ...refunds];
}
