// SQL that checks refunds against the ledger; read-only, full table scans; for `grosz verify` and tests.

import { type Finding, findings } from '../../../contract/codes/findings.ts';
import { messageReader, type Sql } from '../../database/index.ts';
import { ledgerAccounts } from '../../ledger/index.ts';

/**
 * Transactions whose refunds exceed what was paid or differ from their total, and inconsistent statuses; at most
 * `limit`.
 */
export function listWrongTotals(sql: Sql, limit: number): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with sums as (
      select transaction_id, count(*) as count,
             coalesce(sum(amount_minor) filter (where canceled_by is null), 0) as minor,
             coalesce(sum(amount_minor) filter (where paid_late_at is not null), 0) as late_minor,
             count(*) filter (where form = 'full' and canceled_by is null) as full_ones,
             count(*) filter (where canceled_by is not null) as returned
        from refund group by transaction_id
    ), found as (
      select coalesce(sums.transaction_id, total.transaction_id) as id,
             case when total.transaction_id is null then jsonb_build_object('code', 'refund_total_missing')
                  when sums.transaction_id is null then jsonb_build_object('code', 'refund_total_alone')
                  when total.refunded_minor <> sums.minor or total.refunds <> sums.count
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
        from sums full join refund_total as total on total.transaction_id = sums.transaction_id
        left join transaction on transaction.id = coalesce(sums.transaction_id, total.transaction_id)
    )
    select finding ->> 'code' as code, finding - 'code' || jsonb_build_object('id', id) as parameters
      from found where finding is not null order by id limit ${limit}`;
}

/** Refunds whose journals or outgoing refunds do not match their status or amount; at most `limit`. */
export function listMisbookedRefunds(sql: Sql, limit: number): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with booked as (
      select refund.id, refund.status, refund.canceled_by, refund.paid_late_at, refund.amount_minor, refund.fee_minor,
             debits.asked, debits.executed, debits.returned, debits.late,
             outgoing.state as outgoing,
             outgoing.merchant_id = refund.merchant_id and outgoing.amount_minor = refund.amount_minor
               and outgoing.currency = refund.currency and outgoing.charge_key = charge.id
               and outgoing.acquirer = charge.acquirer as same
        from refund
        left join outgoing_refund as outgoing on outgoing.id = refund.id and outgoing.purpose = 'refund'
        left join charge on charge.transaction_id = refund.transaction_id and charge.state = 'correct'
        left join lateral (
          select -sum(entry.amount_minor) filter (where journal.kind = 'refund' and owed) as asked,
                 sum(entry.amount_minor) filter (where journal.kind = 'refund executed' and owed) as executed,
                 sum(entry.amount_minor) filter (where journal.kind = 'refund returned' and owed) as returned,
                 sum(entry.amount_minor) filter (where journal.kind = 'refund paid late' and entry.amount_minor > 0) as late
            from journal join entry on entry.journal_id = journal.id
            -- What is owed to the payer, and the fee: the other side may be several sellers and their partner.
           cross join lateral (select entry.account in (${ledgerAccounts.refundPayable}, ${ledgerAccounts.refundFee}) as owed) as which
           where journal.source = refund.id) as debits on true
    ), found as (
      select id, case when asked is distinct from amount_minor + fee_minor then jsonb_build_object('code', 'refund_request_not_booked')
                      when outgoing is null then jsonb_build_object('code', 'refund_outgoing_missing')
                      when same is not true then jsonb_build_object('code', 'refund_sent_otherwise')
                      when not refund_agrees(status, canceled_by, paid_late_at is not null, outgoing)
                        then jsonb_build_object('code', 'refund_outgoing_differs', 'status', status, 'outgoing', outgoing)
                      when executed is distinct from
                           case when status in ('Done', 'BLIK_processed') then amount_minor end
                        then jsonb_build_object('code', 'refund_executed_wrong', 'status', status, 'executed', executed)
                      when returned is distinct from
                           case when canceled_by is not null then amount_minor + fee_minor end
                        then jsonb_build_object('code', 'refund_returned_wrong', 'status', status, 'returned', returned)
                      when late is distinct from case when paid_late_at is not null then amount_minor end
                        then jsonb_build_object('code', 'refund_late_not_booked') end as finding
        from booked
    )
    select finding ->> 'code' as code, finding - 'code' || jsonb_build_object('id', id) as parameters
      from found where finding is not null order by id limit ${limit}`;
}
