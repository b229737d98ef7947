// SQL of the acquirer's own lines. Owns: acquirer_line. Plans as in compare.ts.

import {
  type Row,
  readBigint,
  readInstant,
  readText,
  readTextOrNull,
  type Sql,
  type SqlPart,
  sqlPart,
} from '../../database/index.ts';
import { disputeKinds, ownKinds, takenKinds } from '../kinds.ts';
import type { BookedLine, Facts, Item, OwnKind, Run } from '../model.ts';
import { acquirerLineTable } from '../table.ts';
import { type ComparedPage, comparedOf, type Page } from './compare.ts';

export async function insertLines(sql: Sql, lines: readonly BookedLine[]): Promise<void> {
  await acquirerLineTable.copy(sql, lines);
}

/** Writes what is booked for a line now. */
export async function updateLine(
  sql: Sql,
  { acquirer, kind, key, amountMinor }: Pick<BookedLine, 'acquirer' | 'kind' | 'key' | 'amountMinor'>,
): Promise<void> {
  await sql.run`
    update acquirer_line set amount_minor = ${amountMinor}, told_at = null
     where amount_minor <> ${amountMinor} and acquirer = ${acquirer} and kind = ${kind} and key = ${key}`;
}

/** The charges that statements name for lines of disputes now; returns the rows that had another one, as they are afterwards. */
export function updateCharges(sql: Sql, acquirer: string, lines: readonly Named[]): Promise<BookedLine[]> {
  return sql.many(acquirerLineTable.read)`
    update acquirer_line as line set charge_key = named.charge_key, told_at = null
      from unnest(${lines.map(({ kind }) => kind)}::text[], ${lines.map(({ key }) => key)}::text[],
                  ${lines.map(({ chargeKey }) => chargeKey)}::text[]) as named (kind, key, charge_key)
     where line.acquirer = ${acquirer} and line.kind = named.kind and line.key = named.key
       and line.charge_key is distinct from named.charge_key
    returning line.*`;
}

/** The room of these lines is told again. */
export async function updateUntold(sql: Sql, acquirer: string, lines: readonly Named[]): Promise<void> {
  if (lines.length === 0) return;
  await sql.run`
    update acquirer_line as line set told_at = null
      from unnest(${lines.map(({ kind }) => kind)}::text[], ${lines.map(({ key }) => key)}::text[]) as named (kind, key)
     where line.acquirer = ${acquirer} and line.kind = named.kind and line.key = named.key and line.told_at is not null`;
}

type Named = Pick<Facts, 'kind' | 'key' | 'chargeKey'>;

function readLine(row: Row): Facts {
  return {
    kind: readText(row, 'kind') as OwnKind,
    key: readText(row, 'key'),
    chargeKey: readTextOrNull(row, 'charge_key'),
    what: readTextOrNull(row, 'what'),
    bankMinor: row.amount_minor === null ? null : readBigint(row, 'amount_minor'),
    bankAt: readInstant(row, 'at'),
    askedMinor: row.asked_minor === null ? null : readBigint(row, 'asked_minor'),
    row: readTextOrNull(row, 'found') as Facts['row'],
    ourChargeKey: readTextOrNull(row, 'our_charge_key'),
    isSameCharge: row.same_charge !== false,
    isWhole: true,
    isApplied: true,
  };
}

/** What is booked for the keys of `line`: the sets `record`, `journals`, `sums`, `booked`, `rows` and `open`. */
function bookedLines({ acquirer, receivable }: Pick<Page, 'acquirer' | 'receivable'>): SqlPart {
  return sqlPart`
    record as materialized (
      select id, key, kind, acquirer from reconciliation_record
       where key = any (array (select key from line)) and moved_minor is not null
    ), journals as materialized (
      select id, source from journal where source = any (array (select id from record where kind = any(${ownKinds}::text[])))
    ), sums as materialized (
      select journal_id, sum(case when account = ${receivable} then amount_minor end) as minor
        from entry where journal_id = any (array (select id from journals)) group by journal_id
    ), booked as materialized (
      select record.kind, record.key, sum(case when record.kind = any(${takenKinds}::text[]) then -sums.minor else sums.minor end) as minor
        from record join journals on journals.source = record.id join sums on sums.journal_id = journals.id
       where record.acquirer = ${acquirer} group by 1, 2
    ), found as materialized (
      select acquirer, kind, key, charge_key, amount_minor, at from acquirer_line where key = any (array (select key from line))
    ), rows as materialized (
      select kind, key, charge_key, amount_minor, at from found where acquirer = ${acquirer}
    ), items as materialized (
      select key, kind, state, acquirer, difference from reconciliation_item where key = any (array (select key from line))
    ), open as materialized (
      select distinct kind, key from items
       where state <> 'closed' and acquirer = ${acquirer} and difference not in ('repeated', 'total')
    )`;
}

/**
 * The charge that each dispute of `line` is about: the sets `disputes`, `waiting` and `disputed`. While its room knows
 * nothing, what was given back is of the charge from which it was taken.
 */
function disputedCharges(acquirer: string): SqlPart {
  return sqlPart`
    disputes as materialized (
      select key, charge_id from dispute
       where acquirer = ${acquirer} and key = any (array (select key from line where kind = any(${disputeKinds}::text[])))
    ), waiting as materialized (
      select key, charge_key, claimed_at from dispute_unclaimed
       where acquirer = ${acquirer} and key = any (array (select key from line where kind = any(${disputeKinds}::text[])))
    ), disputed as materialized (
      select line.kind, line.key, coalesce(disputes.charge_id, waiting.charge_key, taken.charge_key) as charge_key
        from line
        left join disputes on disputes.key = line.key
        left join waiting on waiting.key = line.key and waiting.claimed_at is null
        left join rows as taken on taken.key = line.key and taken.kind = 'dispute' and line.kind = 'dispute_won'
       where line.kind = any(${disputeKinds}::text[])
    )`;
}

/**
 * Lines of these kinds, of a page, with another amount or charge than is booked, without their rows, or about which a
 * difference is open. Only disputes are about a charge: of a fee it says what it was taken for, and nobody else bears it.
 */
export async function compareLines(
  sql: Sql,
  page: Page,
  kinds: readonly OwnKind[],
): Promise<ReadonlyMap<OwnKind, ComparedPage>> {
  const { runId, after, until } = page;
  const rows = await sql.many((row) => ({
    kind: readText(row, 'kind') as OwnKind,
    facts: row.key === null ? undefined : readLine(row),
    bookedMinor: BigInt(readTextOrNull(row, 'booked_minor') ?? '0'),
  }))`
    with line as materialized (
      select kind, key, charge_key, what, amount_minor, at from reconciliation_line
       where run_id = ${runId} and position > ${after} and position <= ${until} and kind = any(${kinds}::text[]) and not is_repeated
    ), ${bookedLines(page)}, ${disputedCharges(page.acquirer)}, paid as materialized (
      select acquirer, key, amount_minor from acquirer_payout where acquirer = ${page.acquirer} and key = any (array (select key from line))
    ), looked as materialized (
      select line.*, coalesce(booked.minor, 0) as minor,
             case when rows.key is not null then case when rows.amount_minor = booked.minor then 'moved' else 'ended' end end as found,
             coalesce(booked.minor, 0) <> line.amount_minor or rows.amount_minor is distinct from line.amount_minor
             or open.key is not null or disputed.key is not null and rows.charge_key is distinct from line.charge_key as differs,
             paid.amount_minor as asked_minor, disputed.charge_key as our_charge_key,
             line.amount_minor = 0 or coalesce(disputed.charge_key = line.charge_key, true) as same_charge
        from line
        left join booked on booked.kind = line.kind and booked.key = line.key
        left join rows on rows.kind = line.kind and rows.key = line.key
        left join open on open.kind = line.kind and open.key = line.key
        left join paid on paid.key = line.key and line.kind = 'payout_returned'
        left join disputed on disputed.kind = line.kind and disputed.key = line.key
    ), compared as materialized (
      select *, differs or not same_charge as is_named from looked
    )
    select kind, key, charge_key, what, amount_minor, at, found, asked_minor, our_charge_key, same_charge, null as booked_minor
      from compared where is_named
    union all
    select kind, null, null, null, null, null, null, null, null, null, sum(minor)::text
      from compared where not is_named group by kind`;
  return new Map(
    Array.from(
      Map.groupBy(rows, ({ kind }) => kind),
      ([kind, some]) => [kind, comparedOf(some)],
    ),
  );
}

/**
 * What the books have in a period and the statement does not, at most `limit` after a key; and differences about it. Not what
 * the acquirer has named for a time that is not in the period since.
 */
export function listMissingLines(
  sql: Sql,
  { id: runId, acquirer, fromAt, toAt }: Pick<Run, 'id' | 'acquirer' | 'fromAt' | 'toAt'>,
  after: { readonly kind: string; readonly key: string },
  limit: number,
): Promise<Facts[]> {
  return sql.many(readLine)`
    with booked as materialized (
      select kind, key, charge_key, what, amount_minor, at from acquirer_line
       where acquirer = ${acquirer} and at >= ${fromAt} and at < ${toAt}
    ), named as materialized (
      select run_id, kind, key from reconciliation_line where key = any (array (select key from booked))
    ), lines as materialized (
      select distinct kind, key from named where run_id = ${runId}
    ), amended as materialized (
      select key, kind, acquirer, at from acquirer_named where key = any (array (select key from booked))
    ), elsewhere as materialized (
      select kind, key from amended where acquirer = ${acquirer} and not (at >= ${fromAt} and at < ${toAt})
    ), items as materialized (
      select kind, key, state from reconciliation_item where key = any (array (select key from booked))
    ), open as materialized (
      select distinct kind, key from items where state <> 'closed'
    )
    select booked.kind, booked.key, booked.charge_key, booked.what, null as amount_minor, booked.at, 'moved' as found,
           null as asked_minor, null as our_charge_key, true as same_charge
      from booked
      left join lines on lines.kind = booked.kind and lines.key = booked.key
      left join open on open.kind = booked.kind and open.key = booked.key
      left join elsewhere on elsewhere.kind = booked.kind and elsewhere.key = booked.key
     where lines.key is null and elsewhere.key is null and (booked.amount_minor <> 0 or open.key is not null)
       and (booked.kind, booked.key) > (${after.kind}, ${after.key})
     order by booked.kind, booked.key limit ${limit}`;
}

/** What of payouts comes back by the statement and is not in the books yet. */
export function sumUnbookedReturns(sql: Sql, { id, acquirer }: Pick<Run, 'id' | 'acquirer'>): Promise<bigint> {
  return sql.one((row) => BigInt(readText(row, 'minor')))`
    with line as materialized (
      select key, amount_minor from reconciliation_line
       where run_id = ${id} and kind = 'payout_returned' and not is_repeated
    ), found as materialized (
      select acquirer, kind, key from acquirer_line where key = any (array (select key from line))
    )
    select coalesce(sum(amount_minor), 0)::text as minor from line
     where not exists (select from found where found.acquirer = ${acquirer} and found.kind = 'payout_returned' and found.key = line.key)`;
}

/** What disputes took or gave back by the books and their room was not told, in the order in which it moved. */
export function listUntold(sql: Sql, acquirer: string, limit: number): Promise<BookedLine[]> {
  return sql.many(acquirerLineTable.read)`
    select * from acquirer_line
     where acquirer = ${acquirer} and told_at is null and kind in ('dispute', 'dispute_won')
     order by at, kind, key limit ${limit}`;
}

/**
 * False if another amount or charge was booked meanwhile. What a dispute gave back is told again after what it took: by how much that
 * changed, its room cannot know how much of it was given back.
 */
export async function updateTold(
  sql: Sql,
  { acquirer, kind, key, chargeKey, amountMinor }: BookedLine,
  at: Temporal.Instant,
): Promise<boolean> {
  const told = await sql.many((row) => readText(row, 'kind'))`
    update acquirer_line set told_at = case when kind = ${kind} then ${at}::timestamptz end
     where acquirer = ${acquirer} and key = ${key} and kind = any(${kind === 'dispute' ? ['dispute', 'dispute_won'] : [kind]}::text[])
       and (kind <> ${kind} or amount_minor = ${amountMinor} and charge_key is not distinct from ${chargeKey})
    returning kind`;
  return told.includes(kind);
}

/** What a dispute took and gave back is told again. */
export async function clearTold(sql: Sql, { acquirer, key }: BookedLine): Promise<void> {
  await sql.run`
    update acquirer_line set told_at = null
     where acquirer = ${acquirer} and kind in ('dispute', 'dispute_won') and key = ${key}`;
}

/** What the statement names that the acquirer took from each of these times on: refunds, fees, and the like. */
export async function sumTakenSince(
  sql: Sql,
  { id }: Pick<Run, 'id'>,
  times: readonly Temporal.Instant[],
): Promise<readonly bigint[]> {
  return sql.many((row) => BigInt(readText(row, 'minor')))`
    with taken as materialized (
      select amount_minor, at from reconciliation_line
       where run_id = ${id} and kind = any(${['refund', ...takenKinds]}::text[]) and not is_repeated
    )
    select (select coalesce(sum(amount_minor), 0) from taken where taken.at >= since.at)::text as minor
      from unnest(${times.map(String)}::timestamptz[]) with ordinality as since (at, place) order by place`;
}

/** Whether a line has its row. */
export function hasLine(sql: Sql, { acquirer, kind, key }: Pick<Item, 'acquirer' | 'kind' | 'key'>): Promise<boolean> {
  return sql.one((row) => row.found === true)`
    select exists (select from acquirer_line where acquirer = ${acquirer} and kind = ${kind} and key = ${key}) as found`;
}

/** What is booked for the lines of a period, by kind. */
export async function sumLines(
  sql: Sql,
  { acquirer, fromAt, toAt }: Pick<Run, 'acquirer' | 'fromAt' | 'toAt'>,
): Promise<ReadonlyMap<OwnKind, bigint>> {
  const rows = await sql.many((row) => [readText(row, 'kind') as OwnKind, BigInt(readText(row, 'minor'))] as const)`
    select kind, sum(amount_minor)::text as minor from acquirer_line
     where acquirer = ${acquirer} and at >= ${fromAt} and at < ${toAt} group by kind`;
  return new Map(rows);
}

/** A page of lines that are in the books, by key. */
export function listLinesAfter(
  sql: Sql,
  { acquirer, kind, key }: { readonly acquirer: string; readonly kind: string; readonly key: string },
  limit: number,
): Promise<BookedLine[]> {
  return sql.many(acquirerLineTable.read)`
    select * from acquirer_line where (acquirer, kind, key) > (${acquirer}, ${kind}, ${key})
     order by acquirer, kind, key limit ${limit}`;
}
