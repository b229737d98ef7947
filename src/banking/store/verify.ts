// SQL that checks charges and outgoing refunds against transactions and the ledger; read-only, a page at a time; for
// `grosz verify` and tests.

import { type Finding, findings } from '../../../contract/codes/findings.ts';
import { messageReader, type Page, readText, type Since, type Sql, SqlText, sqlPart } from '../../database/index.ts';
import { type Founded, ledgerAccounts, type Summed, saying } from '../../ledger/index.ts';

const read = messageReader(findings);
const { payerUnallocated, refundPayable } = ledgerAccounts;

/** Nothing here is asked of the bank less often than once a day; a refund waits for at most a day before it is sent. */
const latest = Temporal.Duration.from({ hours: 49 });

/** Charges that were made or moved since, and those that are open or parked. */
export function listChargesSince(sql: Sql, { id, sources }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from charge where id > ${id}
    union select id from charge where id = any(${sources}::text[])
    union select id from charge where purpose in ('payment', 'recurring') and next_check_at is not null
    union select id from charge where parked_at is not null`;
}

/** Outgoing refunds that were made or moved since, and those that are open or parked. */
export function listOutgoingSince(sql: Sql, { id, sources }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from outgoing_refund where id > ${id}
    union select id from outgoing_refund where id = any(${sources}::text[])
    union select id from outgoing_refund where purpose = 'surplus' and subject_id = any(${sources}::text[])
    union select id from outgoing_refund where next_try_at is not null
    union select id from outgoing_refund where parked_at is not null`;
}

/**
 * Charges of a page whose state is not what the ledger says, that ask for something else than their transaction, that no
 * transaction took and that do not go back, or that nobody would ever look up: what is open is due soon or parked.
 */
export function listWrongCharges(sql: Sql, page: Page, now: Temporal.Instant): Promise<Finding[]> {
  return sql.many(read)`
    select finding ->> 'code' as code, finding - 'code' || jsonb_build_object('id', id) as parameters from (
      select charge.id, case
               when transaction.id is null or transaction.merchant_id <> charge.merchant_id
                    or transaction.amount_minor <> charge.amount_minor or transaction.currency <> charge.currency
                 then jsonb_build_object('code', 'charge_differs')
               when outgoing.id is null and (charge.state = 'surplus' or 'surplus refund' = any (posted.kinds))
                 then jsonb_build_object('code', 'surplus_not_returned')
               when posted.kinds is distinct from
                    case when charge.state = 'correct' then array['payment']
                         when outgoing.id is not null then array['surplus', 'surplus refund'] end
                 then jsonb_build_object('code', 'charge_misbooked', 'state', charge.state,
                                         'journals', coalesce(array_to_string(posted.kinds, ', '), ''))
               when charge.settled_at is null and charge.parked_at is null
                    and (charge.next_check_at is null or charge.next_check_at > ${now.add(latest)})
                 then jsonb_build_object('code', 'charge_unscheduled', 'state', charge.state) end as finding
        from charge
        left join transaction on transaction.id = charge.transaction_id
        left join (select source, array_agg(kind order by kind) as kinds from journal
                    where ${page.of('source')} and kind in ('payment', 'surplus', 'surplus refund') group by source) as posted
               on posted.source = charge.id
        left join outgoing_refund as outgoing
               on outgoing.subject_id = charge.id and outgoing.purpose = 'surplus' and ${page.of('outgoing.subject_id')}
       where ${page.of('charge.id')}) as found
     where finding is not null order by id`;
}

/**
 * Outgoing refunds of a page whose state is not what the ledger says (a surplus is booked under its charge), that are for
 * nothing, that give back something else than was captured, or that nobody would ever send or look up.
 */
export function listWrongOutgoing(sql: Sql, page: Page, now: Temporal.Instant): Promise<Finding[]> {
  return sql.many(read)`
    select finding ->> 'code' as code, finding - 'code' || jsonb_build_object('id', id) as parameters from (
      select outgoing.id, case
               when (posted.count > 0) <> (outgoing.state = 'done') or posted.count > 1
                    or (posted.back > 0) <> (outgoing.came_back_at is not null)
                    or posted.withdrawn <> (outgoing.withdrawn_at is not null)::integer
                    or posted.again <> (outgoing.withdrawn_at is not null and outgoing.state = 'done')::integer
                 then jsonb_build_object('code', 'outgoing_misbooked', 'state', outgoing.state, 'journals', posted.count)
               when outgoing.purpose = 'refund' and refund.id is null then jsonb_build_object('code', 'outgoing_alone')
               when outgoing.purpose = 'surplus' and (charge.id is null or charge.amount_minor <> outgoing.amount_minor
                      or charge.currency <> outgoing.currency or charge.merchant_id <> outgoing.merchant_id
                      or charge.acquirer <> outgoing.acquirer or charge.state not in ('surplus', 'failed', 'canceled'))
                 then jsonb_build_object('code', 'surplus_charge_differs')
               when outgoing.state in ('new', 'sent') and outgoing.parked_at is null
                    and (outgoing.next_try_at is null or outgoing.next_try_at > ${now.add(latest)})
                 then jsonb_build_object('code', 'outgoing_unscheduled', 'state', outgoing.state) end as finding
        from outgoing_refund as outgoing
        left join refund on refund.id = outgoing.id and outgoing.purpose = 'refund'
        left join charge on charge.id = outgoing.subject_id and outgoing.purpose = 'surplus'
       cross join lateral (
         select count(*) filter (where kind in ('refund executed', 'refund paid late', 'unmatched returned')) as count,
                count(*) filter (where kind like '%came back') as back,
                count(*) filter (where kind = 'surplus withdrawn') as withdrawn,
                count(*) filter (where kind = 'surplus owed again') as again
           from journal
          where source = case outgoing.purpose when 'surplus' then outgoing.subject_id else outgoing.id end
            and kind in ('refund executed', 'refund paid late', 'unmatched returned', 'refund came back', 'surplus came back',
                         'unmatched came back', 'surplus withdrawn', 'surplus owed again')) as posted
       where ${page.of('outgoing.id')}) as found
     where finding is not null order by id`;
}

const receivableOf = new SqlText(`'acquirer:' || outgoing.acquirer || ':receivable'`);

const executed = saying(
  sqlPart`values (${refundPayable}, outgoing.amount_minor), (${receivableOf}, -outgoing.amount_minor)`,
);

/** Money that was captured and goes back, and what went back: each with its row, of that amount, at that time. */
export const returnJournals: Founded = {
  kinds: [
    'surplus',
    'surplus refund',
    'surplus withdrawn',
    'surplus owed again',
    'surplus came back',
    'refund executed',
  ],
  agreeing: sqlPart`
    select posted.id as journal_id,
           case posted.kind
             when 'surplus'
               then outgoing.created_at = posted.posted_at
                    and booked.said = ${saying(sqlPart`
                      values (${receivableOf}, outgoing.amount_minor), (${payerUnallocated}, -outgoing.amount_minor)`)}
             when 'surplus refund'
               then outgoing.created_at = posted.posted_at
                    and booked.said = ${saying(sqlPart`
                      values (${payerUnallocated}, outgoing.amount_minor), (${refundPayable}, -outgoing.amount_minor)`)}
             when 'surplus withdrawn'
               then outgoing.withdrawn_at = posted.posted_at
                    and booked.said = ${saying(sqlPart`
                      values (${refundPayable}, outgoing.amount_minor), (${payerUnallocated}, -outgoing.amount_minor)`)}
             when 'surplus owed again'
               then outgoing.withdrawn_at is not null and outgoing.done_at = posted.posted_at
                    and booked.said = ${saying(sqlPart`
                      values (${payerUnallocated}, outgoing.amount_minor), (${refundPayable}, -outgoing.amount_minor)`)}
             when 'surplus came back'
               then outgoing.came_back_at = posted.posted_at
                    and booked.said = ${saying(sqlPart`
                      values (${receivableOf}, outgoing.amount_minor), (${payerUnallocated}, -outgoing.amount_minor)`)}
             else outgoing.state = 'done' and outgoing.done_at = posted.posted_at
                  and booked.said = ${executed} end as agrees
      from posted
      join booked on booked.journal_id = posted.id
      join outgoing_refund as outgoing
        on outgoing.purpose = 'surplus' and outgoing.subject_id = posted.source and outgoing.currency = posted.currency
     where posted.kind in ('surplus', 'surplus refund', 'surplus withdrawn', 'surplus owed again', 'surplus came back',
                           'refund executed')
    union all
    select posted.id, outgoing.state = 'done' and outgoing.done_at = posted.posted_at and (refund.status in ('Done', 'BLIK_processed') or refund.came_back_at is not null)
                      and booked.said = ${executed}
      from posted
      join booked on booked.journal_id = posted.id
      join outgoing_refund as outgoing
        on outgoing.purpose = 'refund' and outgoing.id = posted.source and outgoing.currency = posted.currency
      join refund on refund.id = posted.source
     where posted.kind = 'refund executed'`,
};

/**
 * Accounts that all payments share: what the journals of payments and refunds come to is what the rows say. What the
 * acquirer owes us is what it captured less what it gave back; what we owe to payers is what has not been given back.
 */
export const paymentSums: Summed = {
  kinds: [
    'payment',
    'surplus',
    'surplus refund',
    'surplus withdrawn',
    'surplus owed again',
    'surplus came back',
    'refund',
    'refund executed',
    'refund returned',
    'refund paid late',
    'refund came back',
  ],
  accounts: [refundPayable, ledgerAccounts.receivable('%')],
  expected: sqlPart`
    select 'acquirer:' || acquirer || ':receivable' as account, sum(amount_minor) as minor
      from charge where state = 'correct' group by acquirer
    union all
    select 'acquirer:' || acquirer || ':receivable',
           sum(case when purpose = 'surplus' then amount_minor else 0 end - case when state = 'done' and came_back_at is null then amount_minor else 0 end)
      from outgoing_refund where purpose in ('refund', 'surplus') group by acquirer
    union all
    select ${refundPayable}, -sum(amount_minor) from outgoing_refund
     where purpose in ('refund', 'surplus') and state in ('held', 'new', 'sent')`,
};
