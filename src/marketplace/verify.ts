// Compares the parts of marketplace payments and refunds with the payments, the refunds and the ledger.

import type { Finding } from '../../contract/codes/findings.ts';
import type { Tools } from '../tools.ts';
import { listMisbookedShares, listWrongParts, listWrongPartTotals, listWrongProductLimits } from './store/verify.ts';

const problemsAtMost = 100;

/** Each contradiction; empty if all is well. */
export async function verifyMarketplace({ db }: Pick<Tools, 'db'>): Promise<Finding[]> {
  return [
    ...(await listWrongParts(db.sql, problemsAtMost)),
    ...(await listWrongPartTotals(db.sql, problemsAtMost)),
    ...(await listWrongProductLimits(db.sql, problemsAtMost)),
    ...(await listMisbookedShares(db.sql, problemsAtMost)),
  ];
}
