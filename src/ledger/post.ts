// Posting: the only way to move money in the ledger.

import type { Sql } from '../database/index.ts';
import type { AccountId, Money } from '../kernel/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Ids } from '../runtime/index.ts';
import { commonAccounts, merchantAccounts, owedAccount } from './accounts.ts';
import { insufficientFunds } from './failures.ts';
import { type Journal, openingJournal } from './rules.ts';
import { insertAccounts, insertJournals, type JournalRows, type Move, updateBalances } from './store.ts';

/**
 * Writes the journals in the caller's database transaction: all of them, or the transaction is refused with
 * `insufficient_funds`. Call it as late as possible in the transaction: it locks balance rows.
 */
export async function post(
  sql: Sql,
  ids: Ids,
  journals: readonly Journal[],
  postedAt: Temporal.Instant,
): Promise<void> {
  if (journals.length === 0) return;
  await insertJournals(
    sql,
    // An id tells when it was posted: `verify` compares.
    journals.map((journal) => rowsOf(journal, ids.ulid(postedAt), postedAt)),
  );
  // After the entries, in a separate statement: waiters for these row locks need not wait for the entries too.
  if (!(await updateBalances(sql, movesOf(journals)))) refuse(insufficientFunds);
}

/** The net change of each account over all journals. */
function movesOf(journals: readonly Journal[]): Move[] {
  const sums = new Map<string, bigint>();
  for (const { account, amountMinor } of journals.flatMap((journal) => journal.entries)) {
    sums.set(account, (sums.get(account) ?? 0n) + amountMinor);
  }
  return Array.from(sums, ([account, sum]) => ({ account, amountMinor: sum }));
}

function rowsOf({ source, kind, currency, entries }: Journal, id: string, postedAt: Temporal.Instant): JournalRows {
  return {
    journal: { id, source, kind, currency, postedAt },
    entries: entries.map(({ account, amountMinor }, index) => ({
      journalId: id,
      line: index + 1,
      account,
      amountMinor,
    })),
  };
}

/** Opens the accounts of every installation. Idempotent: called at every start. */
export function openCommonAccounts(sql: Sql, acquirers: readonly string[], now: Temporal.Instant): Promise<void> {
  return insertAccounts(sql, commonAccounts(acquirers), now);
}

/** Opens the accounts of a merchant or seller, together with the merchant. */
export function openMerchantAccounts(sql: Sql, id: AccountId, now: Temporal.Instant): Promise<void> {
  return insertAccounts(sql, merchantAccounts(id), now);
}

/** Opens what these accounts owe us; those that are open stay as they are. */
export function openOwedAccounts(sql: Sql, ids: readonly AccountId[], now: Temporal.Instant): Promise<void> {
  return insertAccounts(sql, ids.map(owedAccount), now);
}

/** Credits an opening balance; once per merchant. */
export function postOpening(
  sql: Sql,
  ids: Ids,
  merchantId: AccountId,
  { minor, currency }: Money,
  now: Temporal.Instant,
): Promise<void> {
  return post(sql, ids, [openingJournal(merchantId, minor, currency)], now);
}
