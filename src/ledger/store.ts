// All SQL of the ledger. Owns: ledger_account, ledger_balance, journal, entry, journal_unsealed, journal_seal,
// ledger_checkpoint.

import { type Finding, findings } from '../../contract/codes/findings.ts';
import {
  type Books,
  findingsAtMost,
  type Given,
  given,
  givenByKey,
  messageReader,
  type Page,
  type Row,
  type RowOf,
  readBigint,
  readBoolean,
  readBytes,
  readInstant,
  readInteger,
  readText,
  readTextOrNull,
  type Since,
  type Sql,
  type SqlPart,
  SqlText,
  sqlPart,
} from '../database/index.ts';
import { type LedgerAccount, ledgerAccounts } from './accounts.ts';
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

/** Whether an acquirer of this name was ever opened here. */
export function hasAccountOf(sql: Sql, acquirer: string): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'has'))`
    select exists (select from ledger_account where name = ${ledgerAccounts.receivable(acquirer)}) as has`;
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
      select given.account, case ledger_account.kind when 'asset' then given.amount_minor else -given.amount_minor end as minor
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

/** Seals after the first position (exclusive) up to the second. */
export interface SealPage {
  readonly after: bigint;
  readonly until: bigint;
}

/** The text of a time as `Temporal` writes it: both use as many digits of the fraction as it needs. */
const instantTextOf = (column: string) => `replace((${column} at time zone 'UTC')::text, ' ', 'T') || 'Z'`;

const alphabet = Buffer.from('0123456789ABCDEFGHJKMNPQRSTVWXYZ').toString('hex');
/** Whether the first ten characters of an id are its time. Byte by byte: making a text of them took six times as long. */
const isTimed = Array.from(
  { length: 10 },
  (_, place) =>
    `get_byte(id_bytes, ${place}) = get_byte('\\x${alphabet}'::bytea, ((milliseconds >> ${5 * (9 - place)}) & 31)::integer)`,
).join(' and ');

/** The beginning of a digest, as `marksOf` computes it. */
const markOf = (text: string) => `substring(sha256(convert_to(${text}, 'UTF8')) from 1 for 8)`;
const ownMark = markOf(
  `'["' || journal.id || '",' || to_json(journal.source)::text || ',' || to_json(journal.kind)::text || ',"' || journal.currency
   || '","' || ${instantTextOf('journal.posted_at')} || '"]'`,
);
const entryMark = markOf(
  `'["' || journal_id || '",' || line || ',' || to_json(account)::text || ',"' || amount_minor || '"]'`,
);

/**
 * A page of the chain: each seal compared with the one before it, each journal with its seal. What `sealHash` and `marksOf`
 * do, in the database: reading journals to hash them here took this process four times the CPU, and half again the memory.
 */
const chainPage = ({ after, until }: SealPage) => sqlPart`
  page as materialized (
    select position, journal_id, marks, hash, lag(position) over (order by position) as before_position,
           lag(hash) over (order by position) as before
      from journal_seal where position >= ${after} and position <= ${until}
  ), entries as materialized (
    select journal_id, string_agg(${new SqlText(entryMark)}, ''::bytea order by line) as marks, sum(amount_minor) as off
      from entry where journal_id = any (array (select journal_id from page)) group by journal_id
  ), compared as materialized (
    select page.position, page.journal_id, page.before_position, page.marks, journal.id, journal.kind, journal.posted_at, entries.off,
           ${new SqlText(ownMark)} || coalesce(entries.marks, '') as marks_now,
           sha256(coalesce(page.before, decode(repeat('00', 32), 'hex'))
                  || convert_to(page.position || ' ' || page.journal_id || E'\\n', 'UTF8') || page.marks) = page.hash as chained,
           (select ${new SqlText(isTimed)}
              from (select convert_to(journal.id, 'UTF8') as id_bytes,
                           floor(extract(epoch from journal.posted_at) * 1000)::bigint as milliseconds) as at) as timed
      from page
      left join journal on journal.id = page.journal_id and journal.id = any (array (select journal_id from page))
      left join entries on entries.journal_id = page.journal_id
  )`;

export interface SealRules {
  /** Those that rooms know; null: any. */
  readonly kinds: readonly string[] | null;
  /** How much earlier than one before it a journal may have been posted, and the present; null where clocks are moved. */
  readonly backdated: Temporal.Duration | null;
  readonly now: Temporal.Instant | null;
  /** No journal after this position may have been posted before `earliest`; null: this is not checked. */
  readonly verifiedPosition: bigint | null;
  readonly earliest: Temporal.Instant | null;
}

/** Seals and journals of a page that are wrong, or a few of each kind if there are more than anybody reads. */
export function listWrongSeals(
  sql: Sql,
  page: SealPage,
  { kinds, backdated, now, verifiedPosition, earliest }: SealRules,
): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with ${chainPage(page)}, latest as (
      select *, max(posted_at) over (order by position rows between unbounded preceding and 1 preceding) as latest_at from compared
    ), found as (
      select position, one.code, one.parameters
        from latest
       cross join lateral (
         select 'seals_missing' as code,
                jsonb_build_object('from', (coalesce(before_position, ${page.after}) + 1)::text, 'to', (position - 1)::text) as parameters
          where position <> coalesce(before_position, 0) + 1
         union all
         select 'seal_breaks_chain', jsonb_build_object('journalId', journal_id, 'position', position::text) where chained is not true
         union all
         select 'journal_missing', jsonb_build_object('journalId', journal_id, 'position', position::text) where id is null
         union all
         select case place when 0 then 'journal_changed' else 'entry_changed' end,
                jsonb_build_object('journalId', journal_id) || case place when 0 then '{}' else jsonb_build_object('line', place) end
           from generate_series(0, (greatest(length(marks), length(marks_now)) - 1) / 8) as place
          where id is not null and marks <> marks_now
            and substring(marks from place * 8 + 1 for 8) <> substring(marks_now from place * 8 + 1 for 8)
         union all
         select 'journal_without_entries', jsonb_build_object('journalId', journal_id) where id is not null and off is null
         union all
         select 'journal_unbalanced', jsonb_build_object('journalId', journal_id, 'off', off::text) where off <> 0
         union all
         select 'journal_of_unknown_kind', jsonb_build_object('journalId', journal_id, 'kind', kind)
          where kind <> all (${kinds}::text[])
         union all
         select 'journal_id_differs', jsonb_build_object('journalId', journal_id, 'postedAt', posted_at) where id is not null and timed is not true
         union all
         select 'journal_backdated', jsonb_build_object('journalId', journal_id, 'postedAt', posted_at)
          where posted_at < latest_at - ${backdated?.toString() ?? null}::interval
         union all
         select 'journal_sealed_late', jsonb_build_object('journalId', journal_id, 'postedAt', posted_at)
          where position > ${verifiedPosition} and posted_at < ${earliest}
         union all
         select 'journal_postdated', jsonb_build_object('journalId', journal_id, 'postedAt', posted_at)
          where posted_at > ${now}::timestamptz + ${backdated?.toString() ?? null}::interval) as one
       where position > ${page.after}
    ), few as (
      -- Some of each code, lest the first hides the others.
      select * from found order by row_number() over (partition by code order by position) limit ${findingsAtMost}
    )
    select code, parameters from few order by position`;
}

/** What the journals of a page of seals come to, by kind and account. */
export function listSums(
  sql: Sql,
  { after, until }: SealPage,
): Promise<(Sum & { readonly kind: string; readonly entries: bigint })[]> {
  return sql.many((row) => ({
    kind: readText(row, 'kind'),
    account: readText(row, 'account'),
    minor: BigInt(readText(row, 'minor')),
    entries: readBigint(row, 'entries'),
  }))`
    with sealed as materialized (
      select journal_id from journal_seal where position > ${after} and position <= ${until}
    ), kinds as materialized (
      select id, kind from journal where id = any (array (select journal_id from sealed))
    )
    select kinds.kind, entry.account, sum(entry.amount_minor)::text as minor, count(*) as entries
      from entry join kinds on kinds.id = entry.journal_id
     where entry.journal_id = any (array (select journal_id from sealed))
     group by kinds.kind, entry.account`;
}

/** The sources of the journals of a page of seals. */
export function listSources(sql: Sql, { after, until }: SealPage): Promise<string[]> {
  return sql.many((row) => readText(row, 'source'))`
    select source from journal
     where id = any (array (select journal_id from journal_seal where position > ${after} and position <= ${until}))`;
}

/** The next seal after a position; undefined if there is none. */
export function findSealAfter(sql: Sql, position: bigint): Promise<bigint | undefined> {
  return sql.maybeOne((row) => readBigint(row, 'position'))`
    select position from journal_seal where position > ${position} order by position limit 1`;
}

/**
 * The first seal of a journal that was posted at this moment or later; null if there is none. Materialized, so that it is
 * read by journal: `min` alone reads the chain from its beginning until it finds one.
 */
export function findSealSince(sql: Sql, id: string): Promise<bigint | null> {
  return sql.one((row) => (row.position === null ? null : readBigint(row, 'position')))`
    with recent as materialized (select position from journal_seal where journal_id > ${id})
    select min(position) as position from recent`;
}

/** Journals that were sealed after a position, and those that wait for it. The array makes it an index scan by key. */
const tail = (position: bigint) => sqlPart`
  any (array (select journal_id from journal_seal where position > ${position}
              union select unnest(journal_ids) from journal_unsealed))`;

export interface WrongBalance {
  readonly account: string;
  readonly stored: string;
  readonly computed: string;
}

const sumColumns = { account: 'text', minor: 'bigint' } as const;
/** What the entries of an account come to. */
export interface Sum {
  readonly account: string;
  readonly minor: bigint;
}

/**
 * Balances that are not the sum up to a position and what was posted since, missing ones and those without an account; at
 * most `limit`.
 */
export function listWrongBalances(
  sql: Sql,
  position: bigint,
  sums: readonly Sum[],
  limit: number,
): Promise<WrongBalance[]> {
  return sql.many((row) => ({
    account: readText(row, 'account'),
    stored: readText(row, 'stored'),
    computed: readText(row, 'computed'),
  }))`
    with computed as (
      select account, sum(minor) as minor
        from (select account, minor from ${given(sums, sumColumns)}
              union all
              select account, amount_minor from entry where journal_id = ${tail(position)}) as parts
       where account in (select name from ledger_account where floor) group by account
    ), floors as (
      select name as account, case kind when 'asset' then 1 else -1 end as sign from ledger_account where floor
    )
    select coalesce(ledger_balance.account, floors.account) as account,
           coalesce(ledger_balance.balance_minor::text, 'none') as stored,
           coalesce(floors.sign * computed.minor, 0)::text as computed
      from ledger_balance
      full join floors on floors.account = ledger_balance.account
      left join computed on computed.account = coalesce(ledger_balance.account, floors.account)
     where ledger_balance.balance_minor is distinct from coalesce(floors.sign * computed.minor, 0) or floors.account is null
     order by 1 limit ${limit}`;
}

/** Sums by kind and account of what was posted after a position; see `Books`. */
const tailSums = (position: bigint) => sqlPart`
  select journal.kind, entry.account, sum(entry.amount_minor) as minor
    from journal join entry on entry.journal_id = journal.id
   where journal.id = ${tail(position)} and entry.journal_id = ${tail(position)}
   group by 1, 2`;

const wideSums = { account: 'text', minor: 'numeric' } as const;

/** What journals of some kinds come to on some accounts, as rows say it. */
export interface Summed {
  readonly kinds: readonly string[];
  /** Patterns of names. */
  readonly accounts: readonly string[];
  /** Selects `account` and `minor`; an account may have several rows. */
  readonly expected: SqlPart;
}

/** Accounts on which these kinds of journals come to something else than the rows say; in one statement, so at one moment. */
export function listWrongSums(
  sql: Sql,
  { position, sums }: Books,
  { kinds, accounts, expected }: Summed,
): Promise<Finding[]> {
  const booked = kinds.flatMap((kind) => Array.from(sums.get(kind) ?? [], ([account, minor]) => ({ account, minor })));
  return sql.many(messageReader(findings))`
    with booked as (
      select account, sum(minor) as minor
        from (select account, minor from ${given(booked, wideSums)}
              union all
              select account, minor from (${tailSums(position)}) as late where kind = any(${kinds}::text[])) as parts
       where account like any(${accounts}::text[]) group by account
    ), expected as (
      select account, sum(minor) as minor from (${expected}) as parts where minor is not null group by account
    )
    select 'account_sum_wrong' as code,
           jsonb_build_object('account', account, 'booked', coalesce(booked.minor, 0)::text,
                              'expected', coalesce(expected.minor, 0)::text) as parameters
      from booked full join expected using (account)
     where coalesce(booked.minor, 0) <> coalesce(expected.minor, 0) order by account`;
}

/** Every account with what it is. */
export function listAccounts(sql: Sql): Promise<LedgerAccount[]> {
  return sql.many((row) => ({
    name: readText(row, 'name'),
    kind: readText(row, 'kind') as LedgerAccount['kind'],
    floor: readBoolean(row, 'floor'),
  }))`select name, kind, floor from ledger_account order by name`;
}

/**
 * Journals of a page that are neither sealed nor queued for it, or are queued since before `recent`, and entries without a
 * journal.
 */
export function listStrays(sql: Sql, page: Page, recent: Temporal.Instant): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with queued as (
      select distinct unnest(journal_ids) as id from journal_unsealed
    )
    select case when queued.id is null then 'journal_outside_chain' else 'journal_not_sealed' end as code,
           jsonb_build_object('journalId', journal.id)
             || case when queued.id is null then '{}' else jsonb_build_object('postedAt', journal.posted_at) end as parameters
      from journal
      left join journal_seal as seal on seal.journal_id = journal.id and ${page.of('seal.journal_id')}
      left join queued on queued.id = journal.id
     where ${page.of('journal.id')} and seal.journal_id is null and (queued.id is null or journal.posted_at < ${recent})
    union all
    select 'entry_without_journal', jsonb_build_object('journalId', entry.journal_id, 'line', entry.line)
      from entry left join journal on journal.id = entry.journal_id and ${page.of('journal.id')}
     where ${page.of('entry.journal_id')} and journal.id is null`;
}

/**
 * What rows say about journals: `agreeing` selects `journal_id` and whether it `agrees` with its row, from `posted`, the
 * journals of the page, and `booked`, what they have booked: `said`, which `saying` and `sayingSums` write, what went to the
 * processing fee, and what was paid in.
 */
export interface Founded {
  readonly kinds: readonly string[];
  readonly agreeing: SqlPart;
}

/** The accounts and amounts of some values, in one text; zero amounts are no entries. */
export function saying(rows: SqlPart): SqlPart {
  return sqlPart`(select string_agg(account || ' ' || minor, ',' order by account) from (${rows}) as said (account, minor)
                   where minor <> 0)`;
}

/** Whether a journal has booked on each account what these rows come to: for those with several rows for an account. */
export function sumsAgree(journalId: SqlText, rows: SqlPart): SqlPart {
  return sqlPart`not exists (
    select from (select account, sum(amount_minor) as minor from entry where journal_id = ${journalId} group by account) as there
      full join (select account, sum(minor) as minor from (${rows}) as said (account, minor)
                  group by account having sum(minor) <> 0) as wanted on wanted.account = there.account
     where there.minor is distinct from wanted.minor)`;
}

/**
 * Journals of a page that are not what their rows say: of another amount, on other accounts, or without such a row.
 */
export function listUnfounded(sql: Sql, page: Page, { kinds, agreeing }: Founded): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with posted as materialized (
      select id, source, kind, currency, posted_at from journal where ${page.of('journal.id')} and kind = any(${kinds}::text[])
    ), booked as materialized (
      select journal_id, string_agg(account || ' ' || amount_minor, ',' order by account) as said,
             (-sum(amount_minor) filter (where account = ${ledgerAccounts.processingFee}))::bigint as fee,
             (sum(amount_minor) filter (where account = ${ledgerAccounts.bankClient}))::bigint as paid_in
        from entry where journal_id = any (array (select id from posted)) group by journal_id
    )
    select 'journal_unfounded' as code,
           jsonb_build_object('journalId', posted.id, 'kind', posted.kind, 'source', posted.source) as parameters
      from posted left join (${agreeing}) as row on row.journal_id = posted.id
     where row.agrees is not true order by posted.id`;
}

/** Journals since a moment, and entries that have none. */
export function listJournalsSince(sql: Sql, { id }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from journal where id > ${id} union select journal_id from entry where journal_id > ${id}`;
}

/** What the chain came to when it was last found right. */
export interface Checkpoint {
  readonly position: bigint;
  readonly hash: Uint8Array;
  /** Of all accounts, as JSON. */
  readonly sums: string;
  readonly verifiedAt: Temporal.Instant;
  /** By the vault, over all of it. */
  readonly mac: string;
}

export function findCheckpoint(sql: Sql): Promise<Checkpoint | undefined> {
  return sql.maybeOne((row) => ({
    position: readBigint(row, 'position'),
    hash: readBytes(row, 'hash'),
    sums: readText(row, 'sums'),
    verifiedAt: readInstant(row, 'verified_at'),
    mac: readText(row, 'mac'),
  }))`
    select position, hash, sums, verified_at, mac from ledger_checkpoint`;
}

/** The one that ended last counts. */
export async function upsertCheckpoint(sql: Sql, checkpoint: Checkpoint): Promise<void> {
  const { position, hash, sums, verifiedAt, mac } = checkpoint;
  await sql.run`
    insert into ledger_checkpoint (position, hash, sums, verified_at, mac)
    values (${position}, ${hash}, ${sums}, ${verifiedAt}, ${mac})
    on conflict (only_row) do update
       set position = excluded.position, hash = excluded.hash, sums = excluded.sums,
           verified_at = excluded.verified_at, mac = excluded.mac`;
}
