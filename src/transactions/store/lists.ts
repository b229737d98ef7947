// SQL of lists. Transactions are counted by six-hour buckets (transaction_count plus pending changes), and only the
// buckets that a page touches are read.

import { type Row, readInteger, readText, type Sql, SqlText } from '../../database/index.ts';
import type { AccountId, Period } from '../../kernel/index.ts';
import type { SixHourBuckets, Transaction, TransactionStatus } from '../model.ts';
import { transactionTable } from '../table.ts';

export interface TransactionFilter extends Period {
  readonly status: TransactionStatus | null;
}

const textOf = (instant: Temporal.Instant) => instant.toString();

function readPage(rows: readonly { readonly total: number; readonly transaction: Transaction | undefined }[]) {
  return {
    total: rows[0]?.total ?? 0,
    list: rows.map(({ transaction }) => transaction).filter((transaction) => transaction !== undefined),
  };
}

/** Of `buckets` and `page`; one row without a transaction if the page is empty. */
const totalAndRows = new SqlText(`
    select whole.total, listed.*
      from (select coalesce(sum(number), 0)::integer as total from buckets) as whole
      left join (select transaction.* from page join transaction on transaction.id = page.id) as listed on true
     order by listed.created_at desc, listed.id desc`);

/**
 * One page, newest first, and the total, from one snapshot. The start of the page is found by adding up buckets; within
 * a bucket, rows before the page are skipped in the index alone, and only the page's own rows are fetched.
 */
export async function findPage(
  sql: Sql,
  merchantId: AccountId,
  { from, to, status }: TransactionFilter,
  { first, end, edges }: SixHourBuckets,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly total: number; readonly list: Transaction[] }> {
  const rows = await sql.many((row: Row) => ({
    total: readInteger(row, 'total'),
    transaction: row.id === null ? undefined : transactionTable.read(row),
  }))`
    with buckets as materialized (
      select six_hour_bucket, sum(number)::integer as number from (
        select six_hour_bucket, case ${status}::text when 'pending' then pending when 'paid' then paid when 'refund' then refund
                                             when 'canceled' then canceled else pending + paid + refund + canceled
                        end as number
          from transaction_count
         where merchant_id = ${merchantId}
           and (${first}::timestamptz is null or six_hour_bucket >= ${first}::timestamptz)
           and (${end}::timestamptz is null or six_hour_bucket < ${end}::timestamptz)
        union all
        select six_hour_bucket, change from transaction_count_change
         where merchant_id = ${merchantId}
           and (${first}::timestamptz is null or six_hour_bucket >= ${first}::timestamptz)
           and (${end}::timestamptz is null or six_hour_bucket < ${end}::timestamptz)
           and (${status}::text is null or status = ${status}::text)
        union all
        select edge.six_hour_bucket, counted.number
          from unnest(${edges.map((edge) => textOf(edge.sixHourBucket))}::timestamptz[],
                      ${edges.map((edge) => textOf(edge.from))}::timestamptz[],
                      ${edges.map((edge) => textOf(edge.to))}::timestamptz[]) as edge (six_hour_bucket, "from", "to")
         cross join lateral (
           select count(*)::integer as number from transaction
            where merchant_id = ${merchantId} and created_at >= edge."from" and created_at < edge."to"
              and (${status}::text is null or status = ${status}::text)) as counted
      ) as parts
      group by six_hour_bucket having sum(number) > 0
    ), placed as (
      select six_hour_bucket, number, sum(number) over (order by six_hour_bucket desc) - number as before from buckets
    ), touched as (
      select six_hour_bucket, before from placed
       where before < ${offset}::integer + ${limit}::integer and before + number > ${offset}::integer
    ), page as (
      select found.id
        from touched
       cross join lateral (
         select id, created_at from transaction
          where merchant_id = ${merchantId}
            and created_at >= greatest(touched.six_hour_bucket, ${from}::timestamptz)
            and created_at < least(touched.six_hour_bucket + interval '6 hours', ${to}::timestamptz)
            and (${status}::text is null or status = ${status}::text)
          order by created_at desc, id desc
          limit least(${limit}::integer, ${offset}::integer + ${limit}::integer - touched.before)
         offset greatest(0, ${offset}::integer - touched.before)) as found
       order by found.created_at desc, found.id desc
       limit ${limit}::integer
    ) ${totalAndRows}`;
  return readPage(rows);
}

const addingLock = 7_261_508_309;

/** Held by the node that adds changes: a decrement must not be added before its increment. */
export async function tryAddingLock(sql: Sql): Promise<boolean> {
  const { got } = await sql.one((row) => ({ got: row.got === true }))`
    select pg_try_advisory_xact_lock(${addingLock}) as got`;
  return got;
}

/** Whether there are changes that are not added yet. */
export async function hasChanges(sql: Sql): Promise<boolean> {
  const { there } = await sql.one((row) => ({ there: row.there === true }))`
    select exists (select from transaction_count_change) as there`;
  return there;
}

/** So that a reader can bound what it reads. */
const idsInRow = 1_000;

/** Adds the oldest changes to the counts, and passes on what was added; returns how many. Only under the lock. */
export function addChanges(sql: Sql, atMost: number): Promise<number> {
  return sql.one((row) => readInteger(row, 'added'))`
    with gone as (
      delete from transaction_count_change
       where id in (select id from transaction_count_change order by id limit ${atMost})
      returning merchant_id, six_hour_bucket, status, change, added_ids
    ), sums as (
      select merchant_id, six_hour_bucket,
             coalesce(sum(change) filter (where status = 'pending'), 0)::integer as pending,
             coalesce(sum(change) filter (where status = 'paid'), 0)::integer as paid,
             coalesce(sum(change) filter (where status = 'refund'), 0)::integer as refund,
             coalesce(sum(change) filter (where status = 'canceled'), 0)::integer as canceled
        from gone group by merchant_id, six_hour_bucket
    ), updated as (
      update transaction_count as counted
         set pending = counted.pending + sums.pending, paid = counted.paid + sums.paid,
             refund = counted.refund + sums.refund, canceled = counted.canceled + sums.canceled
        from sums
       where counted.merchant_id = sums.merchant_id and counted.six_hour_bucket = sums.six_hour_bucket
      returning counted.merchant_id, counted.six_hour_bucket
    ), inserted as (
      insert into transaction_count (merchant_id, six_hour_bucket, pending, paid, refund, canceled)
      select merchant_id, six_hour_bucket, pending, paid, refund, canceled from sums
       where (merchant_id, six_hour_bucket) not in (select merchant_id, six_hour_bucket from updated)
    ), passed_on as (
      insert into transaction_added (transaction_ids)
      select array_agg(id) from (
        select id, (row_number() over () - 1) / ${idsInRow} as part from gone cross join unnest(added_ids) as id) as ids
       group by part order by part
    )
    select count(*)::integer as added from gone`;
}

/** Deletes the positions of added transactions that their reader needs no more. */
export async function forgetAdded(sql: Sql, upTo: bigint): Promise<void> {
  await sql.run`delete from transaction_added where position <= ${upTo}`;
}

/** Buckets whose counts differ from their rows. Reads every transaction. */
export function listMiscounted(
  sql: Sql,
  atMost: number,
): Promise<{ merchantId: string; from: string; status: string; counted: number; there: number }[]> {
  return sql.many((row) => ({
    merchantId: readText(row, 'merchant_id'),
    from: readText(row, 'six_hour_bucket'),
    status: readText(row, 'status'),
    counted: readInteger(row, 'counted'),
    there: readInteger(row, 'there'),
  }))`
    select merchant_id, to_char(six_hour_bucket at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as six_hour_bucket, status,
           sum(counted)::integer as counted, sum(there)::integer as there
      from (select merchant_id, six_hour_bucket, one.status, one.counted, 0 as there
              from transaction_count
             cross join lateral (values ('pending', pending), ('paid', paid), ('refund', refund), ('canceled', canceled))
                     as one (status, counted)
            union all
            select merchant_id, six_hour_bucket, status, change, 0 from transaction_count_change
            union all
            select merchant_id, six_hour_bucket_of(created_at), status, 0, count(*) from transaction group by 1, 2, 3) as parts
     group by 1, 2, 3
    having sum(counted) <> sum(there)
     order by 1, 2, 3
     limit ${atMost}`;
}
