// The books against the statement: what was booked in a period, by key. Read only. Plans as in compare.ts.

import {
  type Row,
  readBigint,
  readText,
  readTextOrNull,
  type Sql,
  type SqlPart,
  sqlPart,
} from '../../database/index.ts';
import { isAsked, signOf } from '../kinds.ts';
import type { Asked, Booked, ItemKind, Keyed } from '../model.ts';

/** Journals by id, after the first (exclusive) up to the second. */
export interface JournalPage {
  readonly runId: string;
  /** How many lines were read. A line at a higher position was not read and confirms nothing. */
  readonly lines: bigint;
  /** The acquirer's account in the ledger. */
  readonly receivable: string;
  readonly after: string;
  readonly until: string;
}

/** The last id of a page of journals; null: there are no more. By the primary key. */
export function findPageEnd(sql: Sql, after: string, until: string, limit: number): Promise<string | null> {
  return sql.one((row) => readTextOrNull(row, 'last'))`
    select max(id) as last
      from (select id from journal where id > ${after} and id <= ${until} order by id limit ${limit}) as page`;
}

/** What is booked in a page of journals, and is or is not named by the statement. */
export interface BookedPage {
  readonly unconfirmed: readonly Unconfirmed[];
  readonly sums: readonly { readonly kind: ItemKind; readonly isNamed: boolean; readonly minor: bigint }[];
}

/** Something of ours that the statement does not name. `key` is null if the row that had it is gone. */
export interface Unconfirmed {
  readonly kind: Asked;
  readonly key: string | null;
  readonly source: string;
}

function readMove(row: Row) {
  return {
    kind: readText(row, 'moved') as ItemKind,
    key: readTextOrNull(row, 'key'),
    source: readTextOrNull(row, 'source'),
    isNamed: row.is_named === true,
    minor: BigInt(readText(row, 'minor')),
  };
}

/** The key and the kind of each of `moves`: the sets `record`, `outgoing`, `surplus` and `keyed`. */
const keyedMoves = sqlPart`
    record as materialized (
      select id, kind, key from reconciliation_record
       where id = any (array (select source from moves
                               where kind not in ('payment', 'surplus', 'refund executed', 'refund paid late', 'refund came back')))
    ), outgoing as materialized (
      select id from outgoing_refund
       where id = any (array (select source from moves
                               where kind in ('refund executed', 'refund paid late', 'unmatched returned', 'refund came back',
                                              'unmatched came back')))
    ), surplus as materialized (
      select id, subject_id from outgoing_refund
       where subject_id = any (array (select source from moves where kind in ('refund executed', 'surplus came back')))
         and purpose = 'surplus'
    ), keyed as materialized (
      select moves.source, moves.minor,
             case when record.id is not null then record.kind
                  when moves.kind in ('payment', 'surplus') then 'capture'
                  when moves.kind in ('refund executed', 'refund paid late', 'unmatched returned') then 'refund'
                  when moves.kind in ('refund came back', 'surplus came back', 'unmatched came back') then 'refund_returned'
                  when moves.kind = 'payout' then 'payout'
                  else 'other' end as moved,
             case when record.id is not null then record.key
                  when moves.kind in ('payment', 'surplus') then moves.source
                  else coalesce(outgoing.id, surplus.id) end as key
        from moves
        left join record on record.id = moves.source
        left join outgoing on outgoing.id = moves.source
        left join surplus on surplus.subject_id = moves.source
    )`;

/**
 * Journals of a page that moved money on the acquirer's account. A journal that belongs to no key of a known kind is
 * `other`. Payouts are compared apart: they have rows.
 */
export async function compareJournals(sql: Sql, page: JournalPage): Promise<BookedPage> {
  const { runId, lines, receivable, after, until } = page;
  const rows = await sql.many(readMove)`
    with page as materialized (
      select id, source, kind from journal where id > ${after} and id <= ${until}
    ), sums as materialized (
      select journal_id, sum(case when account = ${receivable} then amount_minor end) as minor
        from entry where journal_id > ${after} and journal_id <= ${until} group by journal_id
    ), moves as materialized (
      select page.source, page.kind, sums.minor
        from page join sums on sums.journal_id = page.id where sums.minor is not null
    ), ${keyedMoves}, lines as materialized (
      select run_id, position, key, kind from reconciliation_line where key = any (array (select coalesce(key, source) from keyed))
    ), named as materialized (
      select distinct key, kind from lines where run_id = ${runId} and position between 1 and ${lines}
    ), charge_lines as materialized (
      select run_id, position, charge_key from reconciliation_line
       where charge_key = any (array (select source from keyed where key is null and moved = 'refund'))
    ), charge_named as materialized (
      select distinct charge_key from charge_lines where run_id = ${runId} and position between 1 and ${lines}
    ), known as materialized (
      select keyed.*, named.key is not null or charge_named.charge_key is not null as is_named
        from keyed
        left join named on named.key = coalesce(keyed.key, keyed.source) and named.kind = keyed.moved
        left join charge_named on charge_named.charge_key = keyed.source and keyed.key is null and keyed.moved = 'refund'
    )
    select distinct moved, key, source, is_named, '0' as minor from known
     where not is_named and moved in ('capture', 'refund', 'refund_returned')
    union all
    select moved, null, null, is_named, sum(minor)::text from known group by moved, is_named`;
  return {
    unconfirmed: rows.flatMap(({ kind, key, source }) =>
      source !== null && isAsked(kind) ? [{ kind, key, source }] : [],
    ),
    sums: rows.filter(({ source }) => source === null),
  };
}

/** The accounts that a correction may have moved. */
export interface BookedAccounts {
  readonly receivable: string;
  readonly loss: string;
  readonly unallocated: string;
}

/** A key and, of a refund that the bank named, the charge that it gave back. */
export interface BookedKey {
  readonly key: string;
  readonly chargeKey: string | null;
}

function readBooked(row: Row): readonly [string, Booked] {
  const booked = {
    ownMinor: row.own_minor === null ? null : readBigint(row, 'own_minor'),
    correctedMinor: row.corrected_minor === null ? null : readBigint(row, 'corrected_minor'),
    lossMinor: readBigint(row, 'loss_minor'),
    unallocatedMinor: readBigint(row, 'unallocated_minor'),
  };
  return [readText(row, 'key'), booked];
}

/** What went back to payers of the keys of `wanted`: the sets `items`, `returns` and `returned`. */
function returnedOf(acquirer: string): SqlPart {
  return sqlPart`
    items as materialized (
      select id, key, acquirer, bank_minor, outcome from reconciliation_item where key = any (array (select key from wanted))
    ), returns as materialized (
      select subject_id, amount_minor, state from outgoing_refund
       where subject_id = any (array (select id from items)) and purpose = 'unallocated' and state not in ('refused', 'canceled')
    ), returned as materialized (
      select key, sum(minor) as minor
        from (select items.key, items.acquirer, returns.amount_minor as minor
                from returns join items on items.id = returns.subject_id where returns.state = 'done'
              union all
              select key, acquirer, bank_minor from items where outcome = 'disputed') as gone
       where acquirer = ${acquirer} group by key
    )`;
}

/**
 * Everything that is booked for these keys, whenever it was booked; a key without anything is missing. Few keys: those that
 * differ, at most some hundreds.
 */
export async function listBooked(
  sql: Sql,
  acquirer: string,
  kind: Keyed,
  keys: readonly BookedKey[],
  { receivable, loss, unallocated }: BookedAccounts,
): Promise<Map<string, Booked>> {
  const sign = Number(signOf(kind));
  const rows = await sql.many(readBooked)`
    with wanted as materialized (
      select * from unnest(${keys.map(({ key }) => key)}::text[], ${keys.map(({ chargeKey }) => chargeKey)}::text[])
        as wanted (key, charge_key)
    ), record as materialized (
      select id, key, kind, acquirer from reconciliation_record
       where key = any (array (select key from wanted)) and moved_minor is not null
    ), own as materialized (
      select id, subject_id from outgoing_refund where id = any (array (select key from wanted)) and purpose = 'surplus'
    ), surplus as materialized (
      select id, subject_id from outgoing_refund
       where subject_id = any (array (select charge_key from wanted)) and purpose = 'surplus'
    ), sources as materialized (
      select key, key as source, 'key' as part from wanted
      union
      select id, subject_id, 'surplus' from own where ${kind}::text in ('refund', 'refund_returned')
      union
      select wanted.key, wanted.charge_key, 'surplus' from wanted left join surplus on surplus.subject_id = wanted.charge_key
       where ${kind}::text = 'refund' and wanted.charge_key is not null and (surplus.id is null or surplus.id = wanted.key)
      union
      select key, id, 'record' from record where kind = ${kind}::text and acquirer = ${acquirer}
    ), journals as materialized (
      select id, source, kind from journal where source = any (array (select source from sources))
    ), sums as materialized (
      select journal_id, sum(case when account = ${receivable} then amount_minor end) as owed,
             coalesce(sum(case when account = ${loss} then amount_minor end), 0) as loss,
             coalesce(-sum(case when account = ${unallocated} then amount_minor end), 0) as unallocated
        from entry where journal_id = any (array (select id from journals)) group by journal_id
    ), ${returnedOf(acquirer)}, booked as materialized (
      select sources.key,
             (${sign} * sum(sums.owed) filter (where part <> 'record'))::bigint as own_minor,
             (${sign} * sum(sums.owed) filter (where part = 'record'))::bigint as corrected_minor,
             coalesce(sum(sums.loss) filter (where part = 'record'), 0)::bigint as loss_minor,
             coalesce(sum(sums.unallocated) filter (where part = 'record'), 0)::bigint as unallocated_minor
        from sources join journals on journals.source = sources.source join sums on sums.journal_id = journals.id
       where part = 'record'
          or (${kind}::text = 'capture' and journals.kind in ('payment', 'surplus'))
          or (${kind}::text = 'refund' and journals.kind = 'refund executed')
          or (${kind}::text = 'refund_returned' and journals.kind in ('refund came back', 'surplus came back', 'unmatched came back'))
          or (${kind}::text = 'refund' and part = 'key' and journals.kind in ('refund paid late', 'unmatched returned'))
       group by sources.key
    )
    select booked.key, own_minor, corrected_minor, loss_minor,
           (unallocated_minor - coalesce(case when ${kind}::text = 'capture' then returned.minor end, 0))::bigint as unallocated_minor
      from booked left join returned on returned.key = booked.key`;
  return new Map(rows);
}

/** What the acquirer owed us by all journals up to an id. */
export interface Carried {
  readonly carriedMinor: bigint;
  readonly carriedUntil: string;
}

/** What an earlier run has summed up; nothing at first. */
export async function findCarried(sql: Sql, acquirer: string): Promise<Carried> {
  const found = await sql.maybeOne((row) => ({
    carriedMinor: readBigint(row, 'carried_minor'),
    carriedUntil: readText(row, 'carried_until'),
  }))`
    select carried_minor, carried_until from reconciliation_run
     where acquirer = ${acquirer} and carried_until is not null and state <> 'running' order by carried_until desc limit 1`;
  return found ?? { carriedMinor: 0n, carriedUntil: '' };
}

/** What journals after the first id (exclusive) up to the second moved on an account, by its index; null: to the end. */
export function sumAccount(sql: Sql, account: string, after: string, until: string | null): Promise<bigint> {
  return sql.one((row) => BigInt(readText(row, 'minor')))`
    select coalesce(sum(amount_minor), 0)::text as minor from entry
     where account = ${account} and journal_id > ${after} and journal_id <= coalesce(${until}::text, '~')`;
}
