// SQL of what statements named before: lines of the same key are another one, or the same with another time. Owns:
// acquirer_named. Plans as in compare.ts. What it adds or changes is added to what all notes come to: see ../noted.ts.

import {
  type Row,
  readBigint,
  readBoolean,
  readInstant,
  readInteger,
  readText,
  readTextOrNull,
  readWhole,
  type Sql,
  type SqlPart,
  SqlText,
  sqlPart,
} from '../../database/index.ts';
import type { Moved, Run } from '../model.ts';
import type { NotedChange } from '../noted.ts';
import type { Page } from './compare.ts';
import { digestOfHashes } from './noted.ts';

export type OfRun = Pick<Run, 'id' | 'acquirer' | 'fromAt' | 'toAt'>;

/**
 * For the rest of the database transaction: its commit does not wait for the disk. Whatever is booked later is on the disk
 * after it, and a run that does not end is read again.
 */
export async function commitUnawaited(sql: Sql): Promise<void> {
  await sql.run`select set_config('synchronous_commit', 'off', true)`;
}

/** The lines of a page: one that was never read is none. */
type Positions = Pick<Page, 'after' | 'until'>;

/** A line under a key that an earlier statement named for another time, before or after this period. */
export interface Again {
  readonly kind: Moved;
  readonly key: string;
  readonly chargeKey: string | null;
  /** It was gone in between, so it is no other one. */
  readonly wasGone: boolean;
}

/** What became of a page. */
export interface NotedPage {
  readonly change: NotedChange;
  readonly again: readonly Again[];
  /** How many lines are repeated. */
  readonly repeated: number;
  /** Whether the acquirer has changed the time or the amount of what it named before. */
  readonly isAmended: boolean;
}

/**
 * Marks the lines of the last page that are not compared: of each key of a run one is, if possible the one that was named
 * before; and what moved again in another period than the one that was named before. Notes what is named for the first
 * time. Keys are looked up once: this is a part of the cost of each line.
 */
export async function notePage(
  sql: Sql,
  { id: runId, acquirer, fromAt, toAt }: OfRun,
  { after, until }: Positions,
): Promise<NotedPage> {
  const rows = await sql.many((row) => ({
    again: row.key === null ? undefined : readAgain(row),
    repeated: readInteger(row, 'repeated'),
    isAmended: readBoolean(row, 'is_amended'),
    change: readChange(row),
  }))`
    with page as materialized (
      select position, kind, key, charge_key, amount_minor, fee_minor, at from reconciliation_line
       where run_id = ${runId} and position > ${after} and position <= ${until}
    ), same as materialized (
      select run_id, position, kind, key, is_repeated from reconciliation_line where key = any (array (select key from page))
    ), earlier as materialized (
      select distinct kind, key from same where run_id = ${runId} and position between 1 and ${after} and not is_repeated
    ), found as materialized (
      select key, kind, acquirer, at, amount_minor, fee_minor, is_gone from acquirer_named
       where key = any (array (select key from page))
    ), named as materialized (
      select * from found where acquirer = ${acquirer}
    ), placed as materialized (
      select page.*, named.key is null as is_new, earlier.key is not null as is_earlier,
             coalesce(named.at <> page.at and not (named.at >= ${fromAt} and named.at < ${toAt}) and not is_gone, false)
               as is_again, coalesce(is_gone, false) as was_gone,
             coalesce((named.at, named.amount_minor, named.fee_minor) <> (page.at, page.amount_minor, page.fee_minor), false)
               as is_amended,
             row_number() over (partition by page.kind, page.key order by page.at is distinct from named.at, page.position) as place
        from page
        left join named on named.kind = page.kind and named.key = page.key
        left join earlier on earlier.kind = page.kind and earlier.key = page.key
    ), marked as (
      update reconciliation_line set is_repeated = true
       where run_id = ${runId}
         and position = any (array (select position from placed where is_earlier or is_again or place > 1))
    ), noted as (
      insert into acquirer_named (key, kind, acquirer, at, amount_minor, fee_minor)
      select key, kind, ${acquirer}, at, amount_minor, fee_minor from placed where is_new and not is_earlier and place = 1
          on conflict do nothing
      returning named_hash(acquirer_named) as hash
    ), added as materialized (
      select count(*) as lines, ${digestOfHashes} as digest from noted
    )
    select kind, key, charge_key, was_gone, 0 as repeated, false as is_amended, 0::bigint as lines, 0::numeric as digest
      from placed where (is_again or was_gone) and not is_earlier and place = 1
    union all
    select null, null, null, null, count(*) filter (where is_earlier or is_again or place > 1)::integer,
           coalesce(bool_or(is_amended and not is_again), false), (select lines from added), (select digest from added)
      from placed`;
  const all = rows.at(-1);
  return {
    again: rows.flatMap(({ again }) => again ?? []),
    repeated: all?.repeated ?? 0,
    isAmended: all?.isAmended ?? false,
    change: all?.change ?? { lines: 0n, digest: 0n },
  };
}

/** Changes the notes of the acquirer to the lines of a CTE, at most one of each key. */
function changeTo(lines: string, acquirer: string): SqlPart {
  const line = new SqlText(lines);
  return sqlPart`before as materialized (
      select key, kind, named_hash(acquirer_named) as hash from acquirer_named
       where key = any (array (select key from ${line})) and acquirer = ${acquirer}
    ), changed as (
      update acquirer_named as named
         set at = line.at, amount_minor = line.amount_minor, fee_minor = line.fee_minor, is_gone = line.is_gone
        from ${line} as line join before on before.key = line.key and before.kind = line.kind
       where named.key = any (array (select key from ${line})) and named.key = line.key and named.kind = line.kind
         and named.acquirer = ${acquirer}
      returning before.hash as hash_before, named_hash(named) as hash
    ), removed as materialized (
      select ${digestOfHashes} as digest from (select hash_before as hash from changed) as hashed
    ), added as materialized (
      select ${digestOfHashes} as digest from changed
    )
    select 0::bigint as lines, added.digest - removed.digest as digest from added, removed`;
}

function readChange(row: Row): NotedChange {
  return { lines: readBigint(row, 'lines'), digest: readWhole(row, 'digest') };
}

function readAgain(row: Row): Again {
  return {
    kind: readText(row, 'kind') as Moved,
    key: readText(row, 'key'),
    chargeKey: readTextOrNull(row, 'charge_key'),
    wasGone: readBoolean(row, 'was_gone'),
  };
}

/** Notes that the acquirer has these no more, or has them again. */
export async function noteGone(
  sql: Sql,
  acquirer: string,
  keys: readonly { readonly kind: string; readonly key: string }[],
  isGone: boolean,
): Promise<NotedChange> {
  return sql.one(readChange)`
    with given as materialized (
      select * from unnest(${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ key }) => key)}::text[]) as given (kind, key)
    ), found as materialized (
      select * from acquirer_named where key = any (array (select key from given))
    ), gone as materialized (
      select found.kind, found.key, at, amount_minor, fee_minor, ${isGone}::boolean as is_gone
        from found join given on given.kind = found.kind and given.key = found.key where acquirer = ${acquirer}
    ), ${changeTo('gone', acquirer)}`;
}

/** Lines of the last page that are what was named, although at another time; the first of each key. They are compared. */
export async function unmark(
  sql: Sql,
  { id: runId, acquirer }: OfRun,
  { after, until }: Positions,
  lines: readonly Again[],
): Promise<NotedChange> {
  return sql.one(readChange)`
    with wanted as materialized (
      select * from unnest(${lines.map(({ kind }) => kind)}::text[], ${lines.map(({ key }) => key)}::text[]) as wanted (kind, key)
    ), page as materialized (
      select position, kind, key, at, amount_minor, fee_minor, false as is_gone from reconciliation_line
       where run_id = ${runId} and position > ${after} and position <= ${until}
    ), first as materialized (
      select distinct on (page.kind, page.key) page.* from page join wanted on wanted.kind = page.kind and wanted.key = page.key
       order by page.kind, page.key, page.position
    ), compared as (
      update reconciliation_line set is_repeated = false
       where run_id = ${runId} and position = any (array (select position from first))
    ), ${changeTo('first', acquirer)}`;
}

/** Lines of the last page under keys that were named for another time of this period, and are not gone since. */
export function listDisplaced(
  sql: Sql,
  { id: runId, acquirer, fromAt, toAt }: OfRun,
  { after, until }: Positions,
): Promise<bigint[]> {
  return sql.many((row) => readBigint(row, 'position'))`
    with line as materialized (
      select position, kind, key, at from reconciliation_line
       where run_id = ${runId} and position > ${after} and position <= ${until} and not is_repeated
    ), found as materialized (
      select key, kind, acquirer, at, is_gone from acquirer_named where key = any (array (select key from line))
    )
    select position from line join found on found.kind = line.kind and found.key = line.key
     where found.acquirer = ${acquirer} and not found.is_gone and found.at <> line.at
       and found.at >= ${fromAt} and found.at < ${toAt}`;
}

/** What lines of the last page that are not compared add to the sum of their kind. */
export function sumRepeated(
  sql: Sql,
  { id: runId }: Pick<Run, 'id'>,
  { after, until }: Positions,
): Promise<{ readonly kind: Moved; readonly minor: bigint; readonly feeMinor: bigint }[]> {
  return sql.many((row) => ({
    kind: readText(row, 'kind') as Moved,
    minor: BigInt(readText(row, 'minor')),
    feeMinor: BigInt(readText(row, 'fee_minor')),
  }))`
    select kind, sum(amount_minor)::text as minor, sum(fee_minor)::text as fee_minor from reconciliation_line
     where run_id = ${runId} and position > ${after} and position <= ${until} and is_repeated group by kind`;
}

/**
 * Notes what the acquirer has amended in a page: within the period of a complete statement, what was named before is no
 * longer there. Not of a key that it names more than once.
 */
export async function noteAmended(
  sql: Sql,
  { id: runId, acquirer }: OfRun,
  { after, until }: Positions,
): Promise<NotedChange> {
  return sql.one(readChange)`
    with line as materialized (
      select kind, key, at, amount_minor, fee_minor, false as is_gone from reconciliation_line
       where run_id = ${runId} and position > ${after} and position <= ${until} and not is_repeated
    ), repeated as materialized (
      select distinct kind, key from reconciliation_line where run_id = ${runId} and is_repeated
    ), found as materialized (
      select key, kind, acquirer, at, amount_minor, fee_minor from acquirer_named where key = any (array (select key from line))
    ), amended as materialized (
      select line.* from line join found on found.kind = line.kind and found.key = line.key
       where found.acquirer = ${acquirer}
         and (found.at, found.amount_minor, found.fee_minor) <> (line.at, line.amount_minor, line.fee_minor)
         and not exists (select from repeated where repeated.kind = line.kind and repeated.key = line.key)
    ), ${changeTo('amended', acquirer)}`;
}

/** A key that statements name more than once: all its lines, and the one that is compared. */
export interface Repeated {
  readonly kind: Moved;
  readonly key: string;
  readonly bankMinor: bigint;
  readonly bankFeeMinor: bigint;
  /** Of the last one. */
  readonly bankAt: Temporal.Instant;
  readonly ourMinor: bigint;
}

/**
 * A page of them in order, at most `limit`: those that this statement repeats, and those that an earlier one named for a
 * time that is not in this period, so that it cannot tell whether they are the same.
 */
export function listRepeated(
  sql: Sql,
  { id: runId, acquirer, fromAt, toAt }: OfRun,
  after: Pick<Repeated, 'kind' | 'key'> | undefined,
  limit: number,
): Promise<Repeated[]> {
  return sql.many((row) => ({
    kind: readText(row, 'kind') as Moved,
    key: readText(row, 'key'),
    bankMinor: readBigint(row, 'bank_minor'),
    bankFeeMinor: readBigint(row, 'bank_fee_minor'),
    bankAt: readInstant(row, 'bank_at'),
    ourMinor: readBigint(row, 'our_minor'),
  }))`
    with keys as materialized (
      select distinct kind, key from reconciliation_line
       where run_id = ${runId} and is_repeated and (kind, key) > (${after?.kind ?? ''}, ${after?.key ?? ''})
       order by kind, key limit ${limit}
    ), lines as materialized (
      select run_id, kind, key, amount_minor, fee_minor, at, is_repeated from reconciliation_line
       where key = any (array (select key from keys))
    ), found as materialized (
      select key, kind, acquirer, at, amount_minor, fee_minor from acquirer_named where key = any (array (select key from keys))
    ), named as materialized (
      select kind, key, at, amount_minor, fee_minor, at >= ${fromAt} and at < ${toAt} as is_here from found where acquirer = ${acquirer}
    ), read as materialized (
      select lines.kind, lines.key, sum(lines.amount_minor) as minor, sum(lines.fee_minor) as fee_minor, max(lines.at) as at,
             sum(lines.amount_minor) filter (where not is_repeated) as compared_minor,
             max(lines.amount_minor) filter (where lines.at = named.at) as named_minor
        from lines left join named on named.kind = lines.kind and named.key = lines.key
       where lines.run_id = ${runId} group by lines.kind, lines.key
    ), before as materialized (
      select named.kind, named.key, named.amount_minor, named.fee_minor
        from named join read on read.kind = named.kind and read.key = named.key
       where not is_here and read.named_minor is null
    )
    select keys.kind, keys.key, (read.minor + coalesce(before.amount_minor, 0))::bigint as bank_minor,
           (read.fee_minor + coalesce(before.fee_minor, 0))::bigint as bank_fee_minor, read.at as bank_at,
           coalesce(read.named_minor, before.amount_minor, read.compared_minor, 0)::bigint as our_minor
      from keys
      join read on read.kind = keys.kind and read.key = keys.key
      left join before on before.kind = keys.kind and before.key = keys.key
     order by keys.kind, keys.key`;
}
