// SQL of the search. Owns: panel_search.

import {
  type Page,
  type Row,
  readBigint,
  readInstant,
  readInteger,
  readText,
  type Since,
  type Sql,
  type SqlPart,
  sqlPart,
} from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';
import { readTransaction, type Transaction, type TransactionStatus } from '../../transactions/index.ts';
import type { List } from '../list/read.ts';

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

/** Transactions that were made since. */
export function listSearchedSince(sql: Sql, { id }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`select id from transaction where id > ${id}`;
}

/**
 * Transactions of a page that are found by another amount or account than their own, or by none without waiting for it: the
 * only copy of what a transaction asks for before it is paid. In one statement, so at one moment.
 */
export function listMisfound(sql: Sql, page: Page): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    with waiting as materialized (
      select unnest(added_ids)::text as id from transaction_count_change where added_ids is not null
      union select unnest(transaction_ids)::text from transaction_added
    )
    select coalesce(transaction.id, search.transaction_id)::text as id
      from (select id, merchant_id, amount_minor from transaction where ${page.of('id')}) as transaction
      full join (select transaction_id, account_id, amount_minor from panel_search where ${page.of('transaction_id')}) as search
             on search.transaction_id = transaction.id
     where (search.account_id is distinct from transaction.merchant_id or search.amount_minor is distinct from transaction.amount_minor)
       and not (search.transaction_id is null and transaction.id in (select id from waiting))
     order by 1`;
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

/** Transactions of an account, newest first. */
export const transactionList: List<FoundRow> = {
  rows: 'transaction',
  account: 'merchant_id',
  at: 'created_at',
  id: 'id',
  idType: 'text',
  scanned: 10_000,
  shown: 'coalesce(total.refunded_minor, 0) as refunded_minor',
  joins: 'left join refund_total as total on total.transaction_id = page.id',
  read: readFound,
};

/** Only these, by their keys: found first, because an index of the order would be tempting. */
export function transactionsAmong(ids: readonly string[]): List<FoundRow> {
  const rows = sqlPart`(
    with wanted as materialized (select * from transaction where id = any(${ids}::text[])) select * from wanted)`;
  return { ...transactionList, rows, scanned: null };
}

/** What a text in the search box may be, besides an id or a title. */
export interface Words {
  readonly text: string;
  readonly amountMinor: bigint | null;
}

/** Transactions whose email address or hiddenDescription begins with the text, or with this amount. */
export function matchingWords({ text, amountMinor }: Words): SqlPart {
  return sqlPart`amount_minor = ${amountMinor}::bigint or starts_with(lower(payer_email), lower(${text}::text))
    or starts_with(lower(hidden_description), lower(${text}::text))`;
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
