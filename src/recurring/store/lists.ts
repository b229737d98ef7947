// SQL of lists of recurring payments, over recurring_listed, which triggers fill. A merchant's own list is counted by
// six-hour buckets (recurring_count plus pending changes), and only the buckets that a page touches are read; lists by
// payer or hiddenDescription are counted by their own index. Owner and tables: see recurring.ts.

import {
  BucketCounts,
  ofTouched,
  type Row,
  readInteger,
  readText,
  type Sql,
  type SqlPart,
  SqlText,
  sqlPart,
  touchedBuckets,
} from '../../database/index.ts';
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

/** Of `whole` and `page`: the rows; one without a recurring payment if the page is empty. */
const withRows = new SqlText(`
      left join (select recurring.*, account.zone
                   from page join recurring on recurring.id = page.recurring_id
                   join account on account.id = recurring.merchant_id) as listed on true
     order by listed.created_at desc, listed.id desc`);

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
        select six_hour_bucket, ${recurringCounts.numberOf(status)} as number
          from recurring_count where merchant_id = ${merchantId}
        union all
        select six_hour_bucket, change from recurring_count_change
         where merchant_id = ${merchantId} and (${status}::text is null or status = ${status}::text)
      ) as parts
      group by six_hour_bucket having sum(number) > 0
    ), ${touchedBuckets({ limit, offset })}, page as (
      select found.recurring_id
        from touched
       cross join lateral (
         select recurring_id, created_at from recurring_listed
          where merchant_id = ${merchantId} and created_at >= touched.six_hour_bucket
            and created_at < touched.six_hour_bucket + interval '6 hours'
            and (${status}::text is null or status = ${status}::text)
          order by created_at desc, recurring_id desc
          ${ofTouched({ limit, offset })}) as found
       order by found.created_at desc, found.recurring_id desc
       limit ${limit}::integer
    )
    select whole.total, listed.*
      from (select coalesce(sum(number), 0)::integer as total from buckets) as whole ${withRows}`;
  return readPage(rows);
}

/** One page of those of a payer, newest first, and their total; by recurring_listed_payer. */
export function findPageOfPayer(
  sql: Sql,
  merchantId: AccountId,
  { status, payerEmail, hiddenDescription }: RecurringFilter,
  limit: number,
  offset: number,
): Promise<RecurringPage> {
  const matches = sqlPart`merchant_id = ${merchantId} and payer_email = lower(${payerEmail}::text)
         and (${status}::text is null or status = ${status}::text)
         and (${hiddenDescription}::text is null or hidden_description = ${hiddenDescription}::text)`;
  return findMatching(sql, matches, limit, offset);
}

/** One page of those with a hiddenDescription, newest first, and their total; by recurring_listed_hidden. */
export function findPageOfHidden(
  sql: Sql,
  merchantId: AccountId,
  { status, hiddenDescription }: RecurringFilter,
  limit: number,
  offset: number,
): Promise<RecurringPage> {
  const matches = sqlPart`merchant_id = ${merchantId} and hidden_description = ${hiddenDescription}::text
         and hidden_description <> '' and (${status}::text is null or status = ${status}::text)`;
  return findMatching(sql, matches, limit, offset);
}

async function findMatching(sql: Sql, matches: SqlPart, limit: number, offset: number): Promise<RecurringPage> {
  const rows = await sql.many(readRow)`
    with page as (
      select recurring_id from recurring_listed where ${matches}
       order by created_at desc, recurring_id desc limit ${limit} offset ${offset}
    )
    select whole.total, listed.*
      from (select count(*)::integer as total from recurring_listed where ${matches}) as whole ${withRows}`;
  return readPage(rows);
}

export const recurringCounts = new BucketCounts({
  rows: 'recurring',
  statuses: ['active', 'finished', 'failed', 'canceled'],
  lock: 7_261_508_310,
});

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
