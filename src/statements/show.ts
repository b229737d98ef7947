// Our accounts at the bank: opening one, and what statements and books have of all.

import { ibanFault } from '../bankfiles/index.ts';
import { ibanOf } from './rules.ts';
import { listUnderway } from './store/allocations.ts';
import { insertAccount } from './store/files.ts';
import { listSummaries, sumBankClient } from './store/show.ts';
import type { StatementTools } from './tools.ts';

/** Null: the number is none. False: it is open already. */
export async function openAccount(
  { clock, db, ids }: Pick<StatementTools, 'clock' | 'db' | 'ids'>,
  number: string,
  name: string,
): Promise<boolean | null> {
  const iban = ibanOf(number);
  if (!/^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/.test(iban) || ibanFault(iban) !== undefined) return null;
  const account = { id: ids.ulid(), number: iban, currency: 'PLN' as const, name, openedAt: clock.now() };
  return insertAccount(db.sql, account);
}

/** The accounts, what the books have on all of them, and what of that no statement has. */
export async function summaries({ db }: Pick<StatementTools, 'db'>) {
  const accounts = await listSummaries(db.sql);
  const bookedMinor = await sumBankClient(db.sql);
  const underwayMinor = (await listUnderway(db.sql)).reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  return { accounts, bookedMinor, underwayMinor };
}
