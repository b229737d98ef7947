// SQL that checks refunds against the ledger; read-only, full table scans; for `grosz verify` and tests.

import { ledgerAccounts } from '../../ledger/index.ts';
import { readText, type Sql } from '../../platform/index.ts';

interface Problem {
  readonly id: string;
  readonly what: string;
}

/**
 * Transactions whose refunds exceed what was paid or differ from their total, and inconsistent statuses; at most
 * `limit`.
 */
export function listWrongTotals(sql: Sql, limit: number): Promise<Problem[]> {
  return sql.many((row) => ({ id: readText(row, 'id'), what: readText(row, 'what') }))`
    with sums as (
      select transaction_id, count(*) as count,
             coalesce(sum(amount_minor) filter (where canceled_by is null), 0) as minor,
             coalesce(sum(amount_minor) filter (where paid_late_at is not null), 0) as late_minor,
             count(*) filter (where form = 'full' and canceled_by is null) as full_ones,
             count(*) filter (where canceled_by is not null) as returned
        from refund group by transaction_id
    ), found as (
      select coalesce(sums.transaction_id, total.transaction_id) as id,
             case when total.transaction_id is null then 'there is no total'
                  when sums.transaction_id is null then 'a total without refunds'
                  when total.refunded_minor <> sums.minor or total.refunds <> sums.count
                    then 'the total says ' || total.refunded_minor || ', the refunds ' || sums.minor
                  when total.paid_late_minor <> sums.late_minor
                    then 'the total says ' || total.paid_late_minor || ' was paid late, the refunds ' || sums.late_minor
                  when sums.minor > transaction.amount_paid_minor
                    then 'refunded ' || sums.minor || ' of ' || transaction.amount_paid_minor || ' paid'
                  when transaction.status = 'refund' and sums.minor + sums.late_minor < transaction.amount_paid_minor
                    then 'status refund, but only ' || sums.minor || ' is refunded'
                  -- A full refund is undone by any refund that is returned after it.
                  when transaction.status = 'refund' and sums.full_ones = 0
                       or transaction.status = 'paid' and sums.full_ones > 0 and sums.returned = 0
                    then 'status ' || transaction.status || ' with ' || sums.full_ones || ' full refunds' end as what
        from sums full join refund_total as total on total.transaction_id = sums.transaction_id
        left join transaction on transaction.id = coalesce(sums.transaction_id, total.transaction_id)
    )
    select id, what from found where what is not null order by id limit ${limit}`;
}

/** Refunds whose journals or outgoing refunds do not match their status or amount; at most `limit`. */
export function listMisbookedRefunds(sql: Sql, limit: number): Promise<Problem[]> {
  return sql.many((row) => ({ id: readText(row, 'id'), what: readText(row, 'what') }))`
    with booked as (
      select refund.id, refund.status, refund.canceled_by, refund.paid_late_at, refund.amount_minor, refund.fee_minor,
             debits.asked, debits.executed, debits.returned, debits.late,
             (select state from outgoing_refund where id = refund.id and purpose = 'refund') as outgoing
        from refund
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
      select id, case when asked is distinct from amount_minor + fee_minor then 'its request is not in the books'
                      when outgoing is null then 'it has no outgoing refund'
                      when not refund_agrees(status, canceled_by, paid_late_at is not null, outgoing)
                        then 'status ' || status || ', but its outgoing refund is ' || outgoing
                      when executed is distinct from
                           case when status in ('Done', 'BLIK_processed') then amount_minor end
                        then 'status ' || status || ', but booked as executed: ' || coalesce(executed::text, 'never')
                      when returned is distinct from
                           case when canceled_by is not null then amount_minor + fee_minor end
                        then 'status ' || status || ', but booked as returned: ' || coalesce(returned::text, 'never')
                      when late is distinct from case when paid_late_at is not null then amount_minor end
                        then 'the late payment of the bank is not in the books' end as what
        from booked
    )
    select id, what from found where what is not null order by id limit ${limit}`;
}
