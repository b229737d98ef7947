// SQL of lists of recurring payments, over recurring_listed, which triggers fill. A merchant's own list is counted by
// six-hour buckets (recurring_count plus pending changes), and only the buckets that a page touches are read; lists by
// payer or hiddenDescription are counted by their own index. Owner and tables: see recurring.ts.

import { type Row, readInteger, readText, type Sql } from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';
import type { Recurring, RecurringStatus } from '../model.ts';
import { readRecurring } from './recurring.ts';

export interface RecurringFilter {
  readonly status: RecurringStatus | null;
  readonly payerEmail: string | null;
  readonly hiddenDescription: string | null;
}

export interface RecurringPage {
  readonly total: number;
  readonly list: Recurring[];
}

function readPage(rows: readonly { readonly total: number; readonly recurring: Recurring | undefined }[]) {
  return {
    total: rows[0]?.total ?? 0,
    list: rows.map(({ recurring }) => recurring).filter((recurring) => recurring !== undefined),
  };
}

const readRow = (row: Row) => ({
  total: readInteger(row, 'total'),
  recurring: row.id === null ? undefined : readRecurring(row),
});

/**
 * One page of a merchant's recurring payments, newest first, and the total, from one snapshot; see the list of
 * transactions, which is built alike.
 */
export async function findPage(
  sql: Sql,
  merchantId: AccountId,
  status: RecurringStatus | null,
  limit: number,
  offset: number,
): Promise<RecurringPage> {
  const rows = await sql.many(readRow)`
    with buckets as materialized (
      select six_hour_bucket, sum(number)::integer as number from (
        select six_hour_bucket, case ${status}::text when 'active' then active when 'finished' then finished
                                             when 'failed' then failed when 'canceled' then canceled
                                             else active + finished + failed + canceled end as number
          from recurring_count where merchant_id = ${merchantId}
        union all
        select six_hour_bucket, change from recurring_count_change
         where merchant_id = ${merchantId} and (${status}::text is null or status = ${status}::text)
      ) as parts
      group by six_hour_bucket having sum(number) > 0
    ), placed as (
      select six_hour_bucket, number, sum(number) over (order by six_hour_bucket desc) - number as before from buckets
    ), touched as (
      select six_hour_bucket, before from placed
       where before < ${offset}::integer + ${limit}::integer and before + number > ${offset}::integer
    ), page as (
      select found.recurring_id
        from touched
       cross join lateral (
         select recurring_id, created_at from recurring_listed
          where merchant_id = ${merchantId} and created_at >= touched.six_hour_bucket
            and created_at < touched.six_hour_bucket + interval '6 hours'
            and (${status}::text is null or status = ${status}::text)
          order by created_at desc, recurring_id desc
          limit least(${limit}::integer, ${offset}::integer + ${limit}::integer - touched.before)
         offset greatest(0, ${offset}::integer - touched.before)) as found
       order by found.created_at desc, found.recurring_id desc
       limit ${limit}::integer
    )
    select whole.total, listed.*
      from (select coalesce(sum(number), 0)::integer as total from buckets) as whole
      left join (select recurring.*, account.zone
                   from page join recurring on recurring.id = page.recurring_id
                   join account on account.id = recurring.merchant_id) as listed on true
     order by listed.created_at desc, listed.id desc`;
  return readPage(rows);
}

/** One page of those of a payer, newest first, and their total; by recurring_listed_payer. */
export async function findPageOfPayer(
  sql: Sql,
  merchantId: AccountId,
  { status, payerEmail, hiddenDescription }: RecurringFilter,
  limit: number,
  offset: number,
): Promise<RecurringPage> {
  const rows = await sql.many(readRow)`
    with page as (
      select recurring_id from recurring_listed
       where merchant_id = ${merchantId} and payer_email = lower(${payerEmail}::text)
         and (${status}::text is null or status = ${status}::text)
         and (${hiddenDescription}::text is null or hidden_description = ${hiddenDescription}::text)
       order by created_at desc, recurring_id desc limit ${limit} offset ${offset}
    )
    select whole.total, listed.*
      from (select count(*)::integer as total from recurring_listed
             where merchant_id = ${merchantId} and payer_email = lower(${payerEmail}::text)
               and (${status}::text is null or status = ${status}::text)
               and (${hiddenDescription}::text is null or hidden_description = ${hiddenDescription}::text)) as whole
      left join (select recurring.*, account.zone
                   from page join recurring on recurring.id = page.recurring_id
                   join account on account.id = recurring.merchant_id) as listed on true
     order by listed.created_at desc, listed.id desc`;
  return readPage(rows);
}

/** One page of those with a hiddenDescription, newest first, and their total; by recurring_listed_hidden. */
export async function findPageOfHidden(
  sql: Sql,
  merchantId: AccountId,
  { status, hiddenDescription }: RecurringFilter,
  limit: number,
  offset: number,
): Promise<RecurringPage> {
  const rows = await sql.many(readRow)`
    with page as (
      select recurring_id from recurring_listed
       where merchant_id = ${merchantId} and hidden_description = ${hiddenDescription}::text and hidden_description <> ''
         and (${status}::text is null or status = ${status}::text)
       order by created_at desc, recurring_id desc limit ${limit} offset ${offset}
    )
    select whole.total, listed.*
      from (select count(*)::integer as total from recurring_listed
             where merchant_id = ${merchantId} and hidden_description = ${hiddenDescription}::text
               and hidden_description <> '' and (${status}::text is null or status = ${status}::text)) as whole
      left join (select recurring.*, account.zone
                   from page join recurring on recurring.id = page.recurring_id
                   join account on account.id = recurring.merchant_id) as listed on true
     order by listed.created_at desc, listed.id desc`;
  return readPage(rows);
}

const addingLock = 7_261_508_310;

/** Held by the node that adds changes: a decrement must not be added before its increment. */
export async function tryAddingLock(sql: Sql): Promise<boolean> {
  const { got } = await sql.one((row) => ({ got: row.got === true }))`
    select pg_try_advisory_xact_lock(${addingLock}) as got`;
  return got;
}

/** Whether there are changes that are not added yet. */
export async function hasChanges(sql: Sql): Promise<boolean> {
  const { there } = await sql.one((row) => ({ there: row.there === true }))`
    select exists (select from recurring_count_change) as there`;
  return there;
}

/** Adds the oldest changes to the counts; returns how many. Only under the lock. */
export function addChanges(sql: Sql, atMost: number): Promise<number> {
  return sql.one((row) => readInteger(row, 'added'))`
    with gone as (
      delete from recurring_count_change
       where id in (select id from recurring_count_change order by id limit ${atMost})
      returning merchant_id, six_hour_bucket, status, change
    ), sums as (
      select merchant_id, six_hour_bucket,
             coalesce(sum(change) filter (where status = 'active'), 0)::integer as active,
             coalesce(sum(change) filter (where status = 'finished'), 0)::integer as finished,
             coalesce(sum(change) filter (where status = 'failed'), 0)::integer as failed,
             coalesce(sum(change) filter (where status = 'canceled'), 0)::integer as canceled
        from gone group by merchant_id, six_hour_bucket
    ), updated as (
      update recurring_count as counted
         set active = counted.active + sums.active, finished = counted.finished + sums.finished,
             failed = counted.failed + sums.failed, canceled = counted.canceled + sums.canceled
        from sums
       where counted.merchant_id = sums.merchant_id and counted.six_hour_bucket = sums.six_hour_bucket
      returning counted.merchant_id, counted.six_hour_bucket
    ), inserted as (
      insert into recurring_count (merchant_id, six_hour_bucket, active, finished, failed, canceled)
      select merchant_id, six_hour_bucket, active, finished, failed, canceled from sums
       where (merchant_id, six_hour_bucket) not in (select merchant_id, six_hour_bucket from updated)
    )
    select count(*)::integer as added from gone`;
}

/** Recurring payments that lists show otherwise than they are, or not at all; full table scans, at most `atMost`. */
export function listMislisted(sql: Sql, atMost: number): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select coalesce(recurring.id, listed.recurring_id) as id
      from recurring
      full join recurring_listed as listed
             on listed.recurring_id = recurring.id and listed.merchant_id = recurring.merchant_id
            and listed.created_at = recurring.created_at
     where recurring.id is null or listed.recurring_id is null or listed.status <> recurring.status
        or listed.payer_email <> lower(recurring.payer ->> 'email')
        or listed.hidden_description <> coalesce(recurring.hidden_description, '')
     order by 1 limit ${atMost}`;
}

/** Buckets whose counts differ from their rows; a full table scan, at most `atMost`. */
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
              from recurring_count
             cross join lateral (values ('active', active), ('finished', finished), ('failed', failed),
                                        ('canceled', canceled)) as one (status, counted)
            union all
            select merchant_id, six_hour_bucket, status, change, 0 from recurring_count_change
            union all
            select merchant_id, six_hour_bucket_of(created_at), status, 0, count(*) from recurring group by 1, 2, 3) as parts
     group by 1, 2, 3
    having sum(counted) <> sum(there)
     order by 1, 2, 3
     limit ${atMost}`;
}
