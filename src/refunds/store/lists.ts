// SQL of lists of refunds; read-only.
//
// A refund's number counts its merchant's refunds up to it, and card_count counts those by card. Totals and pages of a
// merchant's lists are computed from the numbers at both ends of the period, each found by an index lookup: a list of a
// million costs as much as one of ten thousand. Lists by payer, card or transaction are counted by their own index:
// they grow with that payer, not with the merchant.
//
// Titles are looked up one by one, in a subquery: with a join the planner, which underestimates how selective the range
// is, scanned the whole transaction table. `limit 100`, the longest page, tells it the rest.

import { type BatchOf, readInteger, type Sql } from '../../database/index.ts';
import type { AccountId, Period, TransactionId } from '../../kernel/index.ts';
import type { Refund, RefundContext, RefundWithTitle } from '../model.ts';
import { refundTable } from '../table.ts';
import { readWithTitle } from './refunds.ts';

export const latestAtMost = 35;

/** The latest refunds of many transactions, each with its total; at most 35 per transaction. */
export const listLatest: BatchOf<TransactionId, { refunds: Refund[]; total: number }> = {
  name: 'latest refunds',
  async execute(sql, ids) {
    const distinct = [...new Set(ids)];
    const rows = await sql.many((row) => ({ refund: refundTable.read(row), total: readInteger(row, 'total') }))`
      select latest.*, (select refunds from refund_total where transaction_id = wanted.id) as total
        from unnest(${distinct}::text[]) as wanted (id)
       cross join lateral (
         select * from refund where transaction_id = wanted.id order by number desc limit ${latestAtMost}) as latest
       order by latest.number desc`;
    const byTransaction = Map.groupBy(rows, ({ refund }) => refund.transactionId);
    return ids.map((id) => {
      const own = byTransaction.get(id) ?? [];
      return { refunds: own.map(({ refund }) => refund), total: own[0]?.total ?? 0 };
    });
  },
};

/** One page of a transaction's refunds, newest first, by its index. */
export function listOfTransaction(
  sql: Sql,
  id: TransactionId,
  { from, to }: Period,
  limit: number,
  offset: number,
): Promise<Refund[]> {
  return sql.many(refundTable.read)`
    select * from refund
     where transaction_id = ${id} and created_at >= coalesce(${from}::timestamptz, '-infinity')
       and created_at < coalesce(${to}::timestamptz, 'infinity')
     order by number desc limit ${limit} offset ${offset}`;
}

export function countOfTransaction(sql: Sql, id: TransactionId, { from, to }: Period): Promise<number> {
  return sql.one((row) => readInteger(row, 'total'))`
    select count(*)::integer as total from refund
     where transaction_id = ${id} and created_at >= coalesce(${from}::timestamptz, '-infinity')
       and created_at < coalesce(${to}::timestamptz, 'infinity')`;
}

/** The counts at an instant: refunds, and those by card. */
export interface Mark {
  readonly number: number;
  readonly cardCount: number;
}

export interface Ends {
  /** Before the period. */
  readonly before: Mark;
  /** At its end. */
  readonly last: Mark;
}

/** The counts at both ends of a period: two index lookups. */
export function findEnds(sql: Sql, merchantId: AccountId, { from, to }: Period): Promise<Ends> {
  return sql.one((row) => ({
    before: { number: readInteger(row, 'before_number'), cardCount: readInteger(row, 'before_cards') },
    last: { number: readInteger(row, 'last_number'), cardCount: readInteger(row, 'last_cards') },
  }))`
    select coalesce(before.number, 0) as before_number, coalesce(before.card_count, 0) as before_cards,
           coalesce(last.number, 0) as last_number, coalesce(last.card_count, 0) as last_cards
      from (values (1)) as one
      left join lateral (
        select number, card_count from refund
         where merchant_id = ${merchantId} and created_at < coalesce(${from}::timestamptz, '-infinity')
         order by created_at desc, number desc limit 1) as before on true
      left join lateral (
        select number, card_count from refund
         where merchant_id = ${merchantId} and created_at < coalesce(${to}::timestamptz, 'infinity')
         order by created_at desc, number desc limit 1) as last on true`;
}

/** Numbers above `after` up to `upTo` in a list of the merchant, newest first. At most as many rows as numbers. */
export interface Places {
  readonly after: number;
  readonly upTo: number;
}

export function listAll(sql: Sql, merchantId: AccountId, { after, upTo }: Places): Promise<RefundWithTitle[]> {
  return sql.many(readWithTitle)`
    select refund.*, (select title from transaction where id = refund.transaction_id) as title from refund
     where refund.merchant_id = ${merchantId} and refund.number > ${after} and refund.number <= ${upTo}
     order by refund.number desc limit 100`;
}

export function listCards(sql: Sql, merchantId: AccountId, { after, upTo }: Places): Promise<RefundWithTitle[]> {
  return sql.many(readWithTitle)`
    select refund.*, (select title from transaction where id = refund.transaction_id) as title from refund
     where refund.merchant_id = ${merchantId} and refund.context = 'card'
       and refund.card_count > ${after} and refund.card_count <= ${upTo}
     order by refund.card_count desc limit 100`;
}

export function listTransactional(
  sql: Sql,
  merchantId: AccountId,
  { after, upTo }: Places,
): Promise<RefundWithTitle[]> {
  return sql.many(readWithTitle)`
    select refund.*, (select title from transaction where id = refund.transaction_id) as title from refund
     where refund.merchant_id = ${merchantId} and refund.context = 'transactional'
       and refund.number - refund.card_count > ${after} and refund.number - refund.card_count <= ${upTo}
     order by refund.number - refund.card_count desc limit 100`;
}

/** One page of such a list. */
export interface Slice extends Places {
  readonly limit: number;
  readonly offset: number;
}

/** The filter of a narrow list. Null: any. */
export interface Narrow {
  readonly context: RefundContext | null;
  readonly payerEmail: string | null;
  /** The names that the token may have. */
  readonly tokens: readonly string[] | null;
}

export interface Page {
  readonly refunds: RefundWithTitle[];
  readonly total: number;
}

async function page(rows: Promise<RefundWithTitle[]>, total: Promise<number>): Promise<Page> {
  const [refunds, count] = await Promise.all([rows, total]);
  return { refunds, total: count };
}

/** Refunds of one transaction that match the rest of the filter. */
export function pageOfTransaction(
  sql: Sql,
  merchantId: AccountId,
  id: TransactionId,
  narrow: Narrow,
  { after, upTo, limit, offset }: Slice,
): Promise<Page> {
  const { context, payerEmail, tokens } = narrow;
  return page(
    sql.many(readWithTitle)`
      select refund.*, (select title from transaction where id = refund.transaction_id) as title from refund
       where refund.transaction_id = ${id} and refund.merchant_id = ${merchantId}
         and refund.number > ${after} and refund.number <= ${upTo}
         and (${context}::text is null or refund.context = ${context}::text)
         and (${payerEmail}::text is null or refund.payer_email = ${payerEmail}::text)
         and (${tokens}::text[] is null or refund.card_token = any(${tokens}::text[]))
       order by refund.number desc limit ${limit} offset ${offset}`,
    sql.one((row) => readInteger(row, 'total'))`
      select count(*)::integer as total from refund
       where transaction_id = ${id} and merchant_id = ${merchantId} and number > ${after} and number <= ${upTo}
         and (${context}::text is null or context = ${context}::text)
         and (${payerEmail}::text is null or payer_email = ${payerEmail}::text)
         and (${tokens}::text[] is null or card_token = any(${tokens}::text[]))`,
  );
}

/**
 * Refunds to one card, of payments and of recurring charges, that match the rest of the filter. For each name of the token
 * by itself: with all of them in one condition the planner may read the merchant's refunds in order of their number.
 */
export function pageOfToken(
  sql: Sql,
  merchantId: AccountId,
  tokens: readonly string[],
  narrow: Narrow,
  { after, upTo, limit, offset }: Slice,
): Promise<Page> {
  const { payerEmail } = narrow;
  return page(
    sql.many(readWithTitle)`
      select refund.*, (select title from transaction where id = refund.transaction_id) as title
        from unnest(${tokens}::text[]) as named (token)
       cross join lateral (
         select * from refund
          where merchant_id = ${merchantId} and card_token = named.token and context = 'card'
            and number > ${after} and number <= ${upTo}
            and (${payerEmail}::text is null or payer_email = ${payerEmail}::text)
          order by card_token desc, number desc limit ${limit}::integer + ${offset}::integer) as refund
       order by refund.number desc limit ${limit} offset ${offset}`,
    sql.one((row) => readInteger(row, 'total'))`
      select coalesce(sum(found.total), 0)::integer as total
        from unnest(${tokens}::text[]) as named (token)
       cross join lateral (
         select count(*) as total from refund
          where merchant_id = ${merchantId} and card_token = named.token and context = 'card'
            and number > ${after} and number <= ${upTo}
            and (${payerEmail}::text is null or payer_email = ${payerEmail}::text)) as found`,
  );
}

/** Refunds to one payer that match the rest of the filter. */
export function pageOfPayer(
  sql: Sql,
  merchantId: AccountId,
  payerEmail: string,
  context: RefundContext | null,
  { after, upTo, limit, offset }: Slice,
): Promise<Page> {
  return page(
    sql.many(readWithTitle)`
      select refund.*, (select title from transaction where id = refund.transaction_id) as title from refund
       where refund.merchant_id = ${merchantId} and refund.payer_email = ${payerEmail}
         and refund.number > ${after} and refund.number <= ${upTo}
         and (${context}::text is null or refund.context = ${context}::text)
       order by refund.number desc limit ${limit} offset ${offset}`,
    sql.one((row) => readInteger(row, 'total'))`
      select count(*)::integer as total from refund
       where merchant_id = ${merchantId} and payer_email = ${payerEmail} and number > ${after} and number <= ${upTo}
         and (${context}::text is null or context = ${context}::text)`,
  );
}
