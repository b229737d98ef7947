// Our accounts at the bank: what statements and books have of all.

import { listUnderway } from './store/allocations.ts';
import { listSummaries, sumBankClient, sumOpenings } from './store/show.ts';
import type { StatementTools } from './tools.ts';

/** The accounts, what the books have on all of them, and what of that no statement has: because it is underway, or was never at
 * a bank. */
export async function summaries({ db }: Pick<StatementTools, 'db'>) {
  const accounts = await listSummaries(db.sql);
  const bookedMinor = await sumBankClient(db.sql);
  const underwayMinor = (await listUnderway(db.sql)).reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const openingsMinor = await sumOpenings(db.sql);
  return { accounts, bookedMinor, underwayMinor, openingsMinor };
}
