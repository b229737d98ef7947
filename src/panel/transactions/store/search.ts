// SQL of the search. Owns: panel_search.

import type { AccountId } from '../../../kernel/index.ts';
import { type Row, readBigint, readInstant, readInteger, readText, type Sql } from '../../../platform/index.ts';
import {
  type PaymentStatus,
  readTransaction,
  type Transaction,
  type TransactionStatus,
} from '../../../transactions/index.ts';
import type { Place } from '../../list.ts';

/**
 * Makes transactions findable that were added after a position, at most `atMost` positions; returns how many positions, and
 * the last. Only under the lock of the progress. Longer texts are found by how they begin. Those that are findable already
 * are left out before the insert: `on conflict do nothing`, which looks for each, was a fifth of the cost.
 */
export function fillSearch(sql: Sql, after: bigint, atMost: number): Promise<{ read: number; last: bigint }> {
  return sql.one((row) => ({ read: readInteger(row, 'read'), last: readBigint(row, 'last') }))`
    with next as materialized (
      select position, transaction_ids from transaction_added where position > ${after} order by position limit ${atMost}
    ), keys as materialized (
      select unnest(transaction_ids) as id from next
    ), filled as (
      insert into panel_search (transaction_id, account_id, email, hidden, amount_minor)
      select id, merchant_id, left(lower(payer_email), 255), left(lower(hidden_description), 255), amount_minor
        from transaction
       where id = any (array (select id from keys))
         and id not in (select transaction_id from panel_search where transaction_id = any (array (select id from keys)))
       order by id
    )
    select count(*)::integer as read, coalesce(max(position), ${after}::bigint) as last from next`;
}

/** What rows must match; null matches all. */
export interface SearchFilter {
  readonly status: TransactionStatus | null;
  readonly paymentStatus: PaymentStatus | null;
  readonly channelId: number | null;
  readonly method: string | null;
  readonly origin: string | null;
  readonly posId: string | null;
  /** From inclusive, to exclusive. */
  readonly from: Temporal.Instant | null;
  readonly to: Temporal.Instant | null;
  readonly amountFromMinor: bigint | null;
  readonly amountToMinor: bigint | null;
}

export interface FoundRow {
  readonly transaction: Transaction;
  readonly refundedMinor: bigint;
}

const readFound = (row: Row): FoundRow => ({
  transaction: readTransaction(row),
  refundedMinor: readBigint(row, 'refunded_minor'),
});

/** Texts that begin with the text: up to this, exclusive. The greatest code point comes after every other. */
const endOf = (text: string) => `${text}\u{10FFFF}`;

/** These transactions of the account, as far as they match, newest first, at most `limit`. */
export function findMatching(
  sql: Sql,
  accountId: AccountId,
  ids: readonly string[],
  filter: SearchFilter,
  before: Place | null,
  limit: number,
): Promise<FoundRow[]> {
  return sql.many(readFound)`
    select transaction.*, coalesce(total.refunded_minor, 0) as refunded_minor
      from transaction left join refund_total as total on total.transaction_id = transaction.id
     where transaction.id = any(${ids}::text[]) and merchant_id = ${accountId}
       and (${before?.at ?? null}::timestamptz is null
            or (created_at, id) < (${before?.at ?? null}::timestamptz, ${before?.id ?? null}::text))
       and (${filter.from}::timestamptz is null or created_at >= ${filter.from}::timestamptz)
       and (${filter.to}::timestamptz is null or created_at < ${filter.to}::timestamptz)
       and (${filter.status}::text is null or status = ${filter.status}::text)
       and (${filter.paymentStatus}::text is null or payment_status = ${filter.paymentStatus}::text)
       and (${filter.channelId}::integer is null or channel_id = ${filter.channelId}::integer)
       and (${filter.method}::text is null or payment_method = ${filter.method}::text)
       and (${filter.origin}::text is null or origin = ${filter.origin}::text)
       and (${filter.posId}::text is null or pos_id = ${filter.posId}::text)
       and (${filter.amountFromMinor}::bigint is null or amount_minor >= ${filter.amountFromMinor}::bigint)
       and (${filter.amountToMinor}::bigint is null or amount_minor <= ${filter.amountToMinor}::bigint)
     order by created_at desc, id desc limit ${limit}`;
}

/** What a text in the search box may be, besides an id or a title. */
export interface Words {
  readonly text: string;
  readonly amountMinor: bigint | null;
}

/**
 * The next matching transactions of the account, newest first, at most `limit`, among the newest `among` of the period
 * after a place: however rare a match is, no more rows are read.
 */
export function scanMatching(
  sql: Sql,
  accountId: AccountId,
  filter: SearchFilter,
  words: Words | null,
  before: Place,
  among: number,
  limit: number,
): Promise<FoundRow[]> {
  const from = filter.from ?? Temporal.Instant.fromEpochMilliseconds(0);
  return sql.many(readFound)`
    select found.*, coalesce(total.refunded_minor, 0) as refunded_minor
      from (
        select * from (
          select * from transaction
           where merchant_id = ${accountId} and created_at >= ${from}::timestamptz
             and (created_at, id) < (${before.at}::timestamptz, ${before.id}::text)
           order by created_at desc, id desc limit ${among}
        ) as newest
         where (${filter.status}::text is null or status = ${filter.status}::text)
           and (${filter.paymentStatus}::text is null or payment_status = ${filter.paymentStatus}::text)
           and (${filter.channelId}::integer is null or channel_id = ${filter.channelId}::integer)
           and (${filter.method}::text is null or payment_method = ${filter.method}::text)
           and (${filter.origin}::text is null or origin = ${filter.origin}::text)
           and (${filter.posId}::text is null or pos_id = ${filter.posId}::text)
           and (${filter.amountFromMinor}::bigint is null or amount_minor >= ${filter.amountFromMinor}::bigint)
           and (${filter.amountToMinor}::bigint is null or amount_minor <= ${filter.amountToMinor}::bigint)
           and (${words?.text ?? null}::text is null or amount_minor = ${words?.amountMinor ?? null}::bigint
                or starts_with(lower(payer_email), lower(${words?.text ?? null}::text))
                or starts_with(lower(hidden_description), lower(${words?.text ?? null}::text)))
         order by created_at desc, id desc limit ${limit}
      ) as found
      left join refund_total as total on total.transaction_id = found.id
     order by found.created_at desc, found.id desc`;
}

/** The last of the newest `among` transactions of the period after a place; undefined if there are fewer. */
export function findPlaceAfter(
  sql: Sql,
  accountId: AccountId,
  { from }: Pick<SearchFilter, 'from'>,
  before: Place,
  among: number,
): Promise<Place | undefined> {
  const since = from ?? Temporal.Instant.fromEpochMilliseconds(0);
  return sql.maybeOne((row) => ({ at: readInstant(row, 'created_at'), id: readText(row, 'id') }))`
    select created_at, id from transaction
     where merchant_id = ${accountId} and created_at >= ${since}::timestamptz
       and (created_at, id) < (${before.at}::timestamptz, ${before.id}::text)
     order by created_at desc, id desc limit 1 offset ${among - 1}`;
}

/** The end of the newest six-hour bucket at or before an instant that has transactions of this status. */
export async function findBucketEnd(
  sql: Sql,
  accountId: AccountId,
  status: TransactionStatus,
  before: Temporal.Instant,
): Promise<Temporal.Instant | undefined> {
  const { end } = await sql.one((row) => ({ end: row.bucket === null ? undefined : readInstant(row, 'bucket') }))`
    select max(six_hour_bucket) + interval '6 hours' as bucket from (
      (select six_hour_bucket from transaction_count
        where merchant_id = ${accountId} and six_hour_bucket <= ${before}
          and case ${status}::text when 'pending' then pending when 'paid' then paid when 'refund' then refund
                   else canceled end > 0
        order by six_hour_bucket desc limit 1)
      union all
      (select six_hour_bucket from transaction_count_change
        where merchant_id = ${accountId} and six_hour_bucket <= ${before} and status = ${status}::text and change > 0
        order by six_hour_bucket desc limit 1)) as buckets`;
  return end;
}

/**
 * Transactions whose email address or hiddenDescription begins with the text, or with this amount: at most `limit` by
 * each of the three. The database makes both sides lower case, because its rules differ from ours.
 */
export function findByWords(
  sql: Sql,
  accountId: AccountId,
  { text, amountMinor }: Words,
  limit: number,
): Promise<{ readonly by: string; readonly id: string }[]> {
  return sql.many((row) => ({ by: readText(row, 'by'), id: readText(row, 'transaction_id') }))`
    (select 'email' as by, transaction_id from panel_search
      where account_id = ${accountId} and email <> '' and email >= lower(${text}) and email < lower(${endOf(text)}) limit ${limit})
    union all
    (select 'hidden', transaction_id from panel_search
      where account_id = ${accountId} and hidden <> '' and hidden >= lower(${text}) and hidden < lower(${endOf(text)}) limit ${limit})
    union all
    (select 'amount', transaction_id from panel_search
      where account_id = ${accountId} and amount_minor = ${amountMinor}::bigint limit ${limit})`;
}

/** The transaction of an id: its own, or that of an attempt, a refund or a child. Of any account. */
export function findByAnyId(sql: Sql, id: string): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select ${id}::text as id
    union select transaction_id::text from charge where id = ${id}
    union select transaction_id::text from refund where id = ${id}
    union select transaction_id::text from transaction_part where id = ${id}`;
}

/** The transaction with this title. Of any account. */
export function findByTitle(sql: Sql, title: string): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`select id from transaction where title = ${title}`;
}

/** Transactions of the account after a place, oldest first, at most `limit`. */
export function listAfter(
  sql: Sql,
  accountId: AccountId,
  { from, to, status }: ExportFilter,
  after: Place | null,
  limit: number,
): Promise<FoundRow[]> {
  const [at, id] = after ? [after.at, after.id] : [from, ''];
  return sql.many(readFound)`
    select found.*, coalesce(total.refunded_minor, 0) as refunded_minor
      from (
        select * from transaction
         where merchant_id = ${accountId} and (created_at, id) > (${at}::timestamptz, ${id}::text) and created_at < ${to}
           and (${status}::text is null or status = ${status}::text)
         order by created_at, id limit ${limit}
      ) as found
      left join refund_total as total on total.transaction_id = found.id
     order by found.created_at, found.id`;
}

export interface ExportFilter {
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
  readonly status: TransactionStatus | null;
}
