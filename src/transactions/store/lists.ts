// SQL of lists. Transactions are counted by six-hour buckets (transaction_count plus pending changes), and only the
// buckets that a page touches are read.

import {
  BucketCounts,
  ofTouched,
  type Row,
  readInteger,
  type Sql,
  SqlText,
  sqlPart,
  touchedBuckets,
} from '../../database/index.ts';
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
        select six_hour_bucket, ${transactionCounts.numberOf(status)} as number
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
    ), ${touchedBuckets({ limit, offset })}, page as (
      select found.id
        from touched
       cross join lateral (
         select id, created_at from transaction
          where merchant_id = ${merchantId}
            and created_at >= greatest(touched.six_hour_bucket, ${from}::timestamptz)
            and created_at < least(touched.six_hour_bucket + interval '6 hours', ${to}::timestamptz)
            and (${status}::text is null or status = ${status}::text)
          order by created_at desc, id desc
          ${ofTouched({ limit, offset })}) as found
       order by found.created_at desc, found.id desc
       limit ${limit}::integer
    ) ${totalAndRows}`;
  return readPage(rows);
}

/** So that a reader can bound what it reads. */
const idsInRow = 1_000;

/** Of transactions; what was added is passed on, in the same order. */
export const transactionCounts = new BucketCounts({
  rows: 'transaction',
  statuses: ['pending', 'paid', 'refund', 'canceled'],
  lock: 7_261_508_309,
  also: {
    columns: ['added_ids'],
    part: sqlPart`, passed_on as (
      insert into transaction_added (transaction_ids)
      select array_agg(id) from (
        select id, (row_number() over () - 1) / ${idsInRow} as part from gone cross join unnest(added_ids) as id) as ids
       group by part order by part
    )`,
  },
});

/** Deletes the positions of added transactions that their reader needs no more. */
export async function forgetAdded(sql: Sql, upTo: bigint): Promise<void> {
  await sql.run`delete from transaction_added where position <= ${upTo}`;
}
