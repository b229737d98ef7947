// SQL that checks transactions against their charges, events and the ledger; read-only, a page at a time; for
// `grosz verify` and tests.

import { type Finding, findings } from '../../../contract/codes/findings.ts';
import { messageReader, type Page, readText, type Since, type Sql, SqlText, sqlPart } from '../../database/index.ts';
import { type Founded, ledgerAccounts, saying, sumsAgree } from '../../ledger/index.ts';

/** Transactions that were made since, and those whose money was moved since. */
export function listTransactionsSince(sql: Sql, { id, sources }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from transaction where id > ${id}
    union select transaction_id from charge where id > ${id}
    union select transaction_id from charge where id = any(${sources}::text[])
    union select transaction_id from refund where id = any(${sources}::text[])`;
}

/**
 * Transactions of a page that are called paid without a payment of that amount and time, or the reverse; that count other
 * attempts than there are; that were paid and of which nobody was told, or the reverse; that are called refunded and were
 * not.
 */
export function listWrongTransactions(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    select finding ->> 'code' as code, finding - 'code' || jsonb_build_object('id', id) as parameters from (
      select transaction.id, case
               when shown.paid and coalesce(charges.correct, 0) = 0 or transaction.amount_paid_minor > 0 and not shown.paid
                 then jsonb_build_object('code', 'payment_missing', 'status', transaction.status)
               when not shown.paid and charges.correct > 0
                 then jsonb_build_object('code', 'payment_not_shown', 'status', transaction.status)
               when shown.paid and transaction.amount_paid_minor <> charges.paid_minor
                 then jsonb_build_object('code', 'payment_misbooked', 'paid', transaction.amount_paid_minor, 'booked', charges.paid_minor)
               when transaction.paid_at is distinct from charges.paid_at or transaction.realized_at is distinct from charges.paid_at
                    or (transaction.status = 'canceled') <> (transaction.canceled_at is not null)
                 then jsonb_build_object('code', 'transaction_times_differ', 'status', transaction.status)
               when transaction.origin <> 'recurring' and transaction.attempts_started <> coalesce(charges.attempts, 0)
                 then jsonb_build_object('code', 'attempts_miscounted', 'counted', transaction.attempts_started,
                                         'there', coalesce(charges.attempts, 0))
               when shown.paid and coalesce(told.latest_at < charges.paid_at, true)
                 then jsonb_build_object('code', 'payment_not_told')
               when told.paid and not shown.paid
                 then jsonb_build_object('code', 'payment_told_falsely', 'status', transaction.status)
               when transaction.status = 'refund'
                    and coalesce(total.refunded_minor + total.paid_late_minor < transaction.amount_paid_minor, true)
                 then jsonb_build_object('code', 'refunded_too_little', 'refunded', coalesce(total.refunded_minor, 0)) end as finding
        from transaction
       cross join lateral (select transaction.status in ('paid', 'refund') as paid) as shown
        left join (
          select transaction_id, count(*) filter (where state = 'correct') as correct, count(*) as attempts,
                 sum(amount_minor) filter (where state = 'correct') as paid_minor,
                 max(settled_at) filter (where state = 'correct') as paid_at
            from (select transaction_id, state, amount_minor, settled_at from charge
                   where purpose = 'payment' and ${page.of('transaction_id')}
                  union all
                  select transaction_id, state, amount_minor, settled_at from charge
                   where purpose = 'recurring' and ${page.of('id')}) as own
           group by transaction_id) as charges on charges.transaction_id = transaction.id
        left join (
          select subject_id, max(created_at) as latest_at,
                 bool_or(not sealed and (body like '%tr\\_status=TRUE%' or body like '%"transactionStatus":"paid"%')) as paid
            from event
           where ${page.of('subject_id')} and type in ('transaction', 'marketplace', 'recurring')
           group by subject_id) as told on told.subject_id = transaction.id
        left join refund_total as total
               on total.transaction_id = transaction.id and ${page.of('total.transaction_id')}
       where ${page.of('transaction.id')}) as found
     where finding is not null order by id`;
}

const available = (column: string) => new SqlText(`'merchant:' || ${column} || ':available'`);
const receivable = new SqlText(`'acquirer:' || charge.acquirer || ':receivable'`);

/**
 * Payments: each with its charge, of that amount, at that time. What a merchant paid as a fee is known from the entry only;
 * of a marketplace payment it is in the parts. `tolerance`: how much later than the charge a journal may be.
 */
export const paymentJournals = (tolerance: Temporal.Duration): Founded => ({
  kinds: ['payment'],
  agreeing: sqlPart`
    select posted.id as journal_id,
           case when transaction.origin <> 'marketplace'
                then coalesce(booked.fee, 0) between 0 and charge.amount_minor
                     and (charge.price_id is null and coalesce(booked.fee, 0) = 0 or coalesce(booked.fee, 0) = price_fee(price.basis_points, price.fixed_minor,
                            price.minimum_minor, price.maximum_minor, charge.amount_minor)
                            and price.kind = 'payment' and price.valid_from <= charge.settled_at + interval '1 minute'
                            and (price.owner_id = charge.merchant_id or exists (
                              select from account_price_list as list
                               where list.account_id = charge.merchant_id and list.list_id = price.owner_id)))
                     and booked.said = ${saying(sqlPart`
                  values (${receivable}, charge.amount_minor), (${ledgerAccounts.processingFee}, -coalesce(booked.fee, 0)),
                         (${available('charge.merchant_id')}, coalesce(booked.fee, 0) - charge.amount_minor)`)}
                else ${sumsAgree(
                  new SqlText('posted.id'),
                  sqlPart`
                  select ${receivable}, charge.amount_minor
                  union all
                  select moved.account, moved.minor
                    from transaction_part as part
                   cross join lateral (
                     values (${ledgerAccounts.processingFee}, -part.fee_minor), (${available('charge.merchant_id')}, -part.commission_minor),
                            (${available('part.merchant_id')}, part.fee_minor + part.commission_minor - part.amount_minor)
                   ) as moved (account, minor)
                   where part.transaction_id = charge.transaction_id`,
                )} end as agrees
      from posted
      join booked on booked.journal_id = posted.id
      join charge on charge.id = posted.source and charge.state = 'correct' and charge.currency = posted.currency
                 and posted.posted_at between charge.settled_at - interval '1 minute'
                                          and charge.settled_at + ${tolerance.toString()}::interval
      join transaction on transaction.id = charge.transaction_id
      left join price on price.id = charge.price_id
     where posted.kind = 'payment'`,
});
