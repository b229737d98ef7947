// All SQL of the ledger. Owns: ledger_account, ledger_balance, journal, entry, journal_unsealed, journal_seal.

import { type Finding, findings } from '../../contract/codes/findings.ts';
import {
  type Given,
  given,
  givenByKey,
  messageReader,
  type Row,
  type RowOf,
  readBigint,
  readBytes,
  readInteger,
  readText,
  readTextOrNull,
  type Sql,
  SqlText,
} from '../database/index.ts';
import type { LedgerAccount } from './accounts.ts';
import { entryTable, journalSealTable, journalTable, ledgerAccountTable } from './table.ts';

/** Creates accounts, and balance rows for floor accounts; existing ones are unchanged. */
export async function insertAccounts(
  sql: Sql,
  accounts: readonly LedgerAccount[],
  createdAt: Temporal.Instant,
): Promise<void> {
  await sql.run`
    with given as (
      select * from ${given(accounts, ledgerAccountTable.types('name', 'kind', 'floor'))}
    ), opened as (
      insert into ledger_account (name, kind, floor, created_at)
      select name, kind, floor, ${createdAt} from given order by name
      on conflict (name) do nothing
      returning name, floor
    )
    insert into ledger_balance (account, balance_minor) select name, 0 from opened where floor`;
}

export interface JournalRows {
  readonly journal: RowOf<typeof journalTable>;
  readonly entries: readonly RowOf<typeof entryTable>[];
}

/** Inserts journals, which queues them for sealing (`journal_noted`), then their entries. */
export async function insertJournals(sql: Sql, rows: readonly JournalRows[]): Promise<void> {
  await journalTable.copy(
    sql,
    rows.map(({ journal }) => journal),
  );
  await entryTable.copy(
    sql,
    rows.flatMap(({ entries }) => entries),
  );
}

const moveColumns = entryTable.types('account', 'amountMinor');

/** The change of an account's balance; debits are positive. */
export type Move = Given<RowOf<typeof entryTable>, typeof moveColumns>;

/**
 * Updates the balances of floor accounts, one move per account. Balance rows are locked in name order, so that postings
 * cannot deadlock. Returns whether every debit was covered; if not, the caller must roll back.
 */
export function updateBalances(sql: Sql, moves: readonly Move[]): Promise<boolean> {
  const accounts = moves.map(({ account }) => account);
  return sql.one((row) => readInteger(row, 'missing') === 0)`
    with moves as materialized (
      select given.account, -given.amount_minor as minor
        from ${givenByKey(moves, moveColumns)}
        join ledger_account on ledger_account.name = given.account and ledger_account.floor
       where ledger_account.name = any(${accounts}::text[])
    ), locked as materialized (
      select account from ledger_balance where account = any(${accounts}::text[]) order by account for update
    ), moved as (
      update ledger_balance set balance_minor = ledger_balance.balance_minor + moves.minor
        from moves join locked on locked.account = moves.account
       where ledger_balance.account = moves.account and ledger_balance.account = any(${accounts}::text[])
         and ledger_balance.balance_minor + moves.minor >= 0
      returning ledger_balance.account
    )
    select ((select count(*) from moves) - (select count(*) from moved))::integer as missing`;
}

export async function findBalance(sql: Sql, account: string): Promise<bigint> {
  const found = await sql.maybeOne((row) => readBigint(row, 'balance_minor'))`
    select balance_minor from ledger_balance where account = ${account}`;
  return found ?? 0n;
}

/** Balances of several accounts; those without a row are missing. */
export async function findBalances(sql: Sql, accounts: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await sql.many((row) => [readText(row, 'account'), readBigint(row, 'balance_minor')] as const)`
    select account, balance_minor from ledger_balance where account = any(${accounts}::text[])`;
  return new Map(rows);
}

/**
 * Locks balance rows in name order and returns them; a caller that decides by them must post in the same database
 * transaction. Accounts without a balance row are missing from the result.
 */
export async function lockBalances(sql: Sql, accounts: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await sql.many((row) => [readText(row, 'account'), readBigint(row, 'balance_minor')] as const)`
    select account, balance_minor from ledger_balance
     where account = any(${accounts}::text[]) order by account for update`;
  return new Map(rows);
}

/** A journal as the chain hashes it: its row and its entries in order. */
export interface SealableJournal extends RowOf<typeof journalTable> {
  readonly entries: readonly (readonly [line: number, account: string, amount: string])[];
}

type SealableEntry = SealableJournal['entries'][number];

/** Null if there are none. */
function entriesFrom(row: Row): SealableEntry[] {
  const texts: string[] = JSON.parse(readTextOrNull(row, 'entries') ?? '[]');
  return texts.map(entryFrom);
}

function entryFrom(text: string): SealableEntry {
  const [line = '', amount = ''] = text.split(' ', 2);
  return [Number(line), text.slice(line.length + amount.length + 2), amount];
}

function sealableFrom(read: (row: Row) => RowOf<typeof journalTable>): (row: Row) => SealableJournal {
  return (row) => ({ ...read(row), entries: entriesFrom(row) });
}

/** Lock of the node that seals, held until the end of the transaction; returns false if another node holds it. */
export function trySealLock(sql: Sql): Promise<boolean> {
  return sql.one((row) => row.locked === true)`select pg_try_advisory_xact_lock(7261508114) as locked`;
}

/** The entries of the journals in `keys`, in one pass through their index: looking up each cost half as much again. */
const entriesOfKeys = new SqlText(`
  entries as materialized (
    select journal_id, json_agg(line || ' ' || amount_minor || ' ' || account order by line)::text as entries
      from entry where journal_id = any (array (select journal_id from keys)) group by journal_id
  )`);

/**
 * Takes the next journals to seal from the queue, committed ones only: those of the oldest statements, about `atLeast` or
 * all. Only under the lock; the caller seals them in the same database transaction. With arrays, so that the plan is an
 * index scan by key: a join became a merge join that read every journal.
 */
export function dequeueUnsealed(sql: Sql, atLeast: number): Promise<SealableJournal[]> {
  return sql.many(sealableFrom(journalTable.read))`
    with next as materialized (
      select id, sum(cardinality(journal_ids)) over (order by id) - cardinality(journal_ids) as before
        from (select id, journal_ids from journal_unsealed order by id limit ${atLeast}) as oldest
    ), dequeued as materialized (
      delete from journal_unsealed where id in (select id from next where before < ${atLeast})
      returning journal_ids
    ), keys as materialized (
      select unnest(journal_ids) as journal_id from dequeued
      -- A journal that is queued again must not keep the others from being sealed.
      except select journal_id from journal_seal where journal_id = any (array (select unnest(journal_ids) from dequeued))
    ), ${entriesOfKeys}
    select journal.*, entries.entries
      from journal left join entries on entries.journal_id = journal.id
     where journal.id = any (array (select journal_id from keys))
     order by journal.id`;
}

export type Seal = RowOf<typeof journalSealTable>;

export function findLastSeal(sql: Sql): Promise<Seal | undefined> {
  return sql.maybeOne(journalSealTable.read)`select * from journal_seal order by position desc limit 1`;
}

/** By the primary key. */
export function findSealHash(sql: Sql, position: bigint): Promise<Uint8Array | undefined> {
  return sql.maybeOne((row) => readBytes(row, 'hash'))`select hash from journal_seal where position = ${position}`;
}

/** Appends seals. */
export async function insertSeals(sql: Sql, seals: readonly Seal[]): Promise<void> {
  await journalSealTable.copy(sql, seals);
}

/** One page of the chain with the current journals; a missing journal has no source. */
export function listSealed(
  sql: Sql,
  after: bigint,
  limit: number,
): Promise<{ seal: Seal; journal: SealableJournal | undefined }[]> {
  const readJournal = sealableFrom(journalTable.reader('journal_'));
  const readSeal = journalSealTable.reader('seal_');
  return sql.many((row) => ({
    seal: readSeal(row),
    journal: row.journal_id === null ? undefined : readJournal(row),
  }))`
    with keys as materialized (
      select * from journal_seal where position > ${after} order by position limit ${limit}
    ), ${entriesOfKeys}
    select ${journalSealTable.selected('seal', 'seal_')}, ${journalTable.selected('journal', 'journal_')},
           entries.entries
      from keys as seal
      left join journal on journal.id = seal.journal_id
      left join entries on entries.journal_id = seal.journal_id
     order by seal.position`;
}

/** Journals that do not sum to zero, at most `limit`. */
export function listUnbalanced(sql: Sql, limit: number): Promise<{ journalId: string; sum: bigint }[]> {
  return sql.many((row) => ({ journalId: readText(row, 'journal_id'), sum: BigInt(readText(row, 'sum')) }))`
    select journal_id, sum(amount_minor)::text as sum from entry
     group by journal_id having sum(amount_minor) <> 0 order by journal_id limit ${limit}`;
}

/** Balances that differ from the sum of their entries, or have no account, at most `limit`. */
export function listWrongBalances(
  sql: Sql,
  limit: number,
): Promise<{ account: string; stored: string; computed: string }[]> {
  return sql.many((row) => ({
    account: readText(row, 'account'),
    stored: readText(row, 'stored'),
    computed: readText(row, 'computed'),
  }))`
    with computed as (
      select account, -sum(amount_minor) as minor from entry
       where account in (select name from ledger_account where floor) group by account
    )
    select coalesce(ledger_balance.account, computed.account) as account,
           coalesce(ledger_balance.balance_minor::text, 'none') as stored, coalesce(computed.minor, 0)::text as computed
      from ledger_balance full join computed on computed.account = ledger_balance.account
     where ledger_balance.balance_minor is distinct from coalesce(computed.minor, 0)
     order by 1 limit ${limit}`;
}

/**
 * Journals that are neither sealed nor queued for it, journals without entries, and entries without a journal or
 * account.
 */
export function listStrays(sql: Sql, limit: number): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    (select 'journal_outside_chain' as code, jsonb_build_object('journalId', id) as parameters from journal
      where not exists (select from journal_seal where journal_id = journal.id)
        and not exists (select from (select unnest(journal_ids) as id from journal_unsealed) as queued
                         where queued.id = journal.id) limit ${limit})
    union all
    (select 'journal_without_entries', jsonb_build_object('journalId', id) from journal
      where not exists (select from entry where journal_id = journal.id) limit ${limit})
    union all
    (select 'entry_without_journal', jsonb_build_object('journalId', journal_id, 'line', line) from entry
      where not exists (select from journal where id = entry.journal_id) limit ${limit})
    union all
    (select 'entry_of_unknown_account', jsonb_build_object('journalId', journal_id, 'line', line) from entry
      where not exists (select from ledger_account where name = entry.account) limit ${limit})`;
}

/** Totals by account, for the invariants and the operator. */
export function listTotals(sql: Sql): Promise<{ account: string; minor: bigint }[]> {
  return sql.many((row) => ({ account: readText(row, 'account'), minor: BigInt(readText(row, 'minor')) }))`
    select account, sum(amount_minor)::text as minor from entry group by account order by account`;
}

/** How much there is to verify. */
export function countBooks(sql: Sql): Promise<{ journals: bigint; entries: bigint; accounts: bigint }> {
  return sql.one((row) => ({
    journals: readBigint(row, 'journals'),
    entries: readBigint(row, 'entries'),
    accounts: readBigint(row, 'accounts'),
  }))`
    select (select count(*) from journal) as journals, (select count(*) from entry) as entries,
           (select count(*) from ledger_balance) as accounts`;
}
