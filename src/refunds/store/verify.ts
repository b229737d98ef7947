// SQL that checks refunds against their transactions, what is sent for them, and the ledger; read-only, a page at a time;
// for `grosz verify` and tests.

import { type Finding, findings } from '../../../contract/codes/findings.ts';
import { messageReader, type Page, readText, type Since, type Sql, SqlText, sqlPart } from '../../database/index.ts';
import { type Founded, ledgerAccounts, type Summed, saying, sumsAgree } from '../../ledger/index.ts';

const read = messageReader(findings);
const { payerUnallocated, refundFee, refundPayable } = ledgerAccounts;

/** Refunds that were made or moved since, and those that are open. */
export function listRefundsSince(sql: Sql, { id, sources }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from refund where id > ${id}
    union select id from refund where id = any(${sources}::text[])
    union select id from outgoing_refund where next_try_at is not null and purpose = 'refund'
    union select id from outgoing_refund where parked_at is not null and purpose = 'refund'`;
}

/** The transactions of refunds that were made or moved since. */
export function listRefundedSince(sql: Sql, { id, sources }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select transaction_id as id from refund where id > ${id}
    union select transaction_id from refund where id = any(${sources}::text[])`;
}

/** Transactions of a page whose refunds exceed what was paid or differ from their total, and inconsistent statuses. */
export function listWrongTotals(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(read)`
    with sums as (
      select transaction_id, count(*) as count,
             coalesce(sum(amount_minor) filter (where canceled_by is null), 0) as minor,
             coalesce(sum(amount_minor) filter (where paid_late_at is not null and came_back_at is null), 0) as late_minor,
             count(*) filter (where form = 'full' and canceled_by is null) as full_ones,
             count(*) filter (where canceled_by is not null) as returned
        from refund where ${page.of('transaction_id')} group by transaction_id
    ), total as (
      select * from refund_total where ${page.of('transaction_id')}
    ), found as (
      select coalesce(sums.transaction_id, total.transaction_id) as id,
             case when total.transaction_id is null then jsonb_build_object('code', 'refund_total_missing')
                  when sums.transaction_id is null then jsonb_build_object('code', 'refund_total_alone')
                  when total.refunded_minor <> sums.minor or total.refunds <> sums.count
                       or total.paid_minor is distinct from transaction.amount_paid_minor
                    then jsonb_build_object('code', 'refund_total_wrong', 'total', total.refunded_minor, 'refunds', sums.minor)
                  when total.paid_late_minor <> sums.late_minor
                    then jsonb_build_object('code', 'refund_late_total_wrong', 'total', total.paid_late_minor, 'refunds', sums.late_minor)
                  when sums.minor > transaction.amount_paid_minor
                    then jsonb_build_object('code', 'refunded_too_much', 'refunded', sums.minor, 'paid', transaction.amount_paid_minor)
                  when transaction.status = 'refund' and sums.minor + sums.late_minor < transaction.amount_paid_minor
                    then jsonb_build_object('code', 'refunded_too_little', 'refunded', sums.minor)
                  -- A full refund is undone by any refund that is returned after it.
                  when transaction.status = 'refund' and sums.full_ones = 0
                       or transaction.status = 'paid' and sums.full_ones > 0 and sums.returned = 0
                    then jsonb_build_object('code', 'full_refunds_wrong', 'status', transaction.status, 'full', sums.full_ones) end as finding
        from sums full join total on total.transaction_id = sums.transaction_id
        left join transaction on transaction.id = coalesce(sums.transaction_id, total.transaction_id)
    )
    select finding ->> 'code' as code, finding - 'code' || jsonb_build_object('id', id) as parameters
      from found where finding is not null order by id`;
}

/** Refunds of a page whose fee is not the price that they name, or that name none; several sellers have shares of it. */
export function listWrongFees(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(read)`
    select 'fee_differs_from_price' as code, jsonb_build_object('id', refund.id) as parameters
      from refund left join price on price.id = refund.price_id and price.kind = 'refund'
     where ${page.of('refund.id')}
       and case when refund.price_id is not null then refund.fee_minor is distinct from price.fixed_minor
                else refund.fee_minor > 0 and not exists (
                       select from transaction where transaction.id = refund.transaction_id and origin = 'marketplace') end
     order by refund.id`;
}

/**
 * Refunds of a page of another transaction or charge than they say, or whose journals or outgoing refunds do not match
 * their status.
 */
export function listWrongRefunds(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(read)`
    with posted as (
      select source, array_agg(kind order by kind) as kinds from journal
       where ${page.of('source')} and kind in ('refund', 'refund executed', 'refund returned', 'refund paid late', 'refund came back')
       group by source
    ), booked as (
      select refund.id, refund.status, refund.canceled_by, refund.paid_late_at, refund.came_back_at, outgoing.came_back_at as back_at, coalesce(posted.kinds, '{}') as kinds,
             case when refund.came_back_at is not null and refund.paid_late_at is not null
                    then array['refund', 'refund came back', 'refund paid late', 'refund returned']
                  when refund.came_back_at is not null then array['refund', 'refund came back', 'refund executed']
                  when refund.paid_late_at is not null then array['refund', 'refund paid late', 'refund returned']
                  when refund.canceled_by is not null then array['refund', 'refund returned']
                  when refund.status in ('Done', 'BLIK_processed') then array['refund', 'refund executed']
                  else array['refund'] end as expected,
             transaction.merchant_id = refund.merchant_id and transaction.currency = refund.currency
               and transaction.status in ('paid', 'refund') as own,
             outgoing.state as outgoing,
             outgoing.merchant_id = refund.merchant_id and outgoing.amount_minor = refund.amount_minor
               and outgoing.currency = refund.currency and outgoing.charge_key = charge.id
               and outgoing.acquirer = charge.acquirer as same
        from refund
        left join transaction on transaction.id = refund.transaction_id
        left join outgoing_refund as outgoing
               on outgoing.id = refund.id and outgoing.purpose = 'refund' and ${page.of('outgoing.id')}
        left join charge on charge.transaction_id = refund.transaction_id and charge.state = 'correct'
        left join posted on posted.source = refund.id
       where ${page.of('refund.id')}
    ), found as (
      select id, case when own is not true then jsonb_build_object('code', 'refund_differs')
                      when kinds <> expected
                        then jsonb_build_object('code', 'refund_misbooked', 'status', status, 'journals', array_to_string(kinds, ', '))
                      when outgoing is null then jsonb_build_object('code', 'refund_outgoing_missing')
                      when same is not true then jsonb_build_object('code', 'refund_sent_otherwise')
                      when back_at is distinct from came_back_at
                           or not refund_agrees(status, canceled_by, coalesce(paid_late_at, came_back_at) is not null, outgoing)
                        then jsonb_build_object('code', 'refund_outgoing_differs', 'status', status, 'outgoing', outgoing) end as finding
        from booked
    )
    select finding ->> 'code' as code, finding - 'code' || jsonb_build_object('id', id) as parameters
      from found where finding is not null order by id`;
}

/** What a refund takes from whom; the other side may be several sellers and their partner. */
const asked = sqlPart`
  select ${refundPayable}, -refund.amount_minor
  union all select ${refundFee}, -refund.fee_minor
  union all
  select 'merchant:' || refund.merchant_id || ':available', refund.amount_minor + refund.fee_minor
   where not exists (select from refund_part as part where part.refund_id = refund.id)
  union all
  select 'merchant:' || moved.merchant_id || ':available', moved.minor
    from refund_part as part
   cross join lateral (values (part.merchant_id, part.amount_minor + part.fee_minor - part.commission_minor),
                              (refund.merchant_id, part.commission_minor)) as moved (merchant_id, minor)
   where part.refund_id = refund.id`;
const journalId = new SqlText('posted.id');

/**
 * Refunds: each journal with its row, of that amount, at that time. `tolerance`: by how much the clocks of nodes may
 * differ.
 */
export const refundJournals = (tolerance: Temporal.Duration): Founded => ({
  kinds: ['refund', 'refund returned', 'refund paid late', 'refund came back'],
  agreeing: sqlPart`
    select posted.id as journal_id,
           case posted.kind
             when 'refund'
               then refund.created_at between posted.posted_at - interval '1 minute' and posted.posted_at + ${tolerance.toString()}::interval
                    and ${sumsAgree(journalId, asked)}
             when 'refund returned'
               then refund.canceled_by is not null and refund.ended_at = posted.posted_at
                    and ${sumsAgree(journalId, sqlPart`select account, -minor from (${asked}) as asked (account, minor)`)}
             when 'refund came back'
               then refund.came_back_at = posted.posted_at
                    and case when refund.paid_late_at is null
                             then ${sumsAgree(
                               journalId,
                               sqlPart`
                               select case account when ${refundPayable} then 'acquirer:' || outgoing.acquirer || ':receivable'
                                                   else account end, -minor from (${asked}) as asked (account, minor)`,
                             )}
                             else booked.said = ${saying(sqlPart`
                               values (${payerUnallocated}, -refund.amount_minor),
                                      ('acquirer:' || outgoing.acquirer || ':receivable', refund.amount_minor)`)} end
             else refund.paid_late_at = posted.posted_at and booked.said = ${saying(sqlPart`
                    values (${payerUnallocated}, refund.amount_minor),
                           ('acquirer:' || outgoing.acquirer || ':receivable', -refund.amount_minor)`)} end as agrees
      from posted
      join booked on booked.journal_id = posted.id
      join refund on refund.id = posted.source and refund.currency = posted.currency
      left join outgoing_refund as outgoing on outgoing.id = refund.id and outgoing.purpose = 'refund'
     where posted.kind in ('refund', 'refund returned', 'refund paid late', 'refund came back')`,
});

/** What refunds cost, and what the bank paid late: what their journals come to is what the refunds say. */
export const refundSums: Summed = {
  kinds: [
    'surplus',
    'surplus refund',
    'surplus withdrawn',
    'surplus owed again',
    'surplus came back',
    'refund',
    'refund returned',
    'refund paid late',
    'refund came back',
  ],
  accounts: [payerUnallocated, refundFee],
  expected: sqlPart`
    select said.account, said.minor
      from (select sum(fee_minor) filter (where canceled_by is null) as fee,
                   sum(amount_minor) filter (where paid_late_at is not null and came_back_at is null) as late from refund) as sums
     cross join lateral (values (${refundFee}, -sums.fee), (${payerUnallocated}, sums.late)) as said (account, minor)
    union all
    select ${payerUnallocated}, -sum(amount_minor) from outgoing_refund where purpose = 'surplus' and came_back_at is not null
    union all
    select ${payerUnallocated}, -sum(amount_minor) from outgoing_refund where withdrawn_at is not null and state = 'canceled'`,
};

/** Numbers with gaps, cards that are counted wrongly, and counters that are not the last number; at most `limit`. */
export function listWrongNumbers(sql: Sql, limit: number): Promise<Finding[]> {
  return sql.many(read)`
    select 'refunds_miscounted' as code,
           jsonb_build_object('merchantId', coalesce(counter.merchant_id, there.merchant_id),
                              'counted', counter.refunds, 'there', there.count) as parameters
      from refund_counter as counter
      full join (select merchant_id, count(*) as count, max(number) as last, min(number) as first,
                        count(*) filter (where context = 'card') as cards,
                        max(card_count) as last_cards
                   from refund group by merchant_id) as there on there.merchant_id = counter.merchant_id
     where counter.refunds is distinct from coalesce(there.count, 0) or there.last <> there.count or there.first <> 1
        or counter.card_refunds is distinct from coalesce(there.cards, 0) or there.last_cards <> there.cards
     order by 1, 2 limit ${limit}`;
}
