// SQL that checks disputes against their steps, shares, charges and the ledger; read-only, a page at a time; for
// `grosz verify`.

import { type Finding, findings } from '../../../contract/codes/findings.ts';
import { messageReader, type Page, readText, type Since, type Sql, SqlText, sqlPart } from '../../database/index.ts';
import { type Founded, ledgerAccounts, type Summed, saying } from '../../ledger/index.ts';
import type { Sharing } from '../model.ts';
import { patience } from '../rules.ts';
import { listSharings } from './disputes.ts';
import { unsettled } from './unsettled.ts';

const { disputePayable, loss, payerUnallocated } = ledgerAccounts;

/** Disputes that began or moved since, those that are shared with them, and those that are open. */
export function listDisputesSince(sql: Sql, { id, sources }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    with moved as (
      select id from dispute where id > ${id}
      union select dispute_id from dispute_step where id > ${id}
      union select dispute_id from dispute_step where id = any(${sources}::text[])
    )
    select other.id from moved join dispute using (id) join dispute as other on other.transaction_id = dispute.transaction_id
    union select id from moved
    union select dispute.id from dispute join refund on refund.transaction_id = dispute.transaction_id
           where refund.id > ${id} or refund.id = any(${sources}::text[])
    union select id from dispute where state = 'opened'`;
}

/**
 * Whether the payer of the dispute `dispute` gets more than was paid, by refunds that are not held and by disputes, and
 * no operator was told. What the bank paid late is not counted: an operator is told about that separately.
 */
const refundedToo = sqlPart`(
  select disputed.minor + coalesce(total.refunded_minor, 0) - held.minor > transaction.amount_paid_minor and not disputed.is_told
    from transaction
    left join refund_total as total on total.transaction_id = transaction.id
   cross join lateral (
           select sum(one.amount_minor - one.returned_minor) as minor,
                  bool_or(one.seen_at is not null or coalesce(one.parked_why = 'refunded_too', false)) as is_told
             from dispute as one where one.transaction_id = transaction.id) as disputed
   cross join lateral (
           select coalesce(sum(amount_minor), 0) as minor
             from refund where refund.transaction_id = transaction.id and status = 'Hold') as held
   where transaction.id = dispute.transaction_id)`;

/**
 * Disputes of a page that are about another payment than their charge, that are not as their last step left them, whose
 * accounts bear something else than what is disputed or were not paid by the payment, or whose steps have no journal or one
 * too many.
 */
export function listWrongDisputes(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with steps as (
      select step.id, step.dispute_id, step.number, step.state, step.kind, step.amount_minor, step.returned_minor, step.at,
             coalesce(sum(share.amount_minor), 0) as taken,
             coalesce(max(share.amount_minor) > 0, false) as is_taking, coalesce(min(share.amount_minor) < 0, false) as is_giving,
             step.amount_minor - step.returned_minor as borne,
             coalesce(lag(step.amount_minor - step.returned_minor) over earlier, 0) as borne_before,
             coalesce(lag(row(step.state, step.amount_minor, step.returned_minor)) over earlier
                      = row(step.state, step.amount_minor, step.returned_minor), false) as is_idle
        from dispute_step as step left join dispute_share as share on share.step_id = step.id
       where ${page.of('step.dispute_id')} group by step.id
      window earlier as (partition by step.dispute_id order by step.number)
    ), moved as (
      select steps.dispute_id, count(*) as count, max(number) as last, sum(taken) as taken,
             -- Only what is shared anew leaves the amount as it was, and moves money from one account to another.
             bool_or(is_idle <> (kind = 'shared')) as is_idle,
             bool_or((is_taking and is_giving) <> (kind = 'shared') or taken <> borne - borne_before) as is_shifted,
             bool_or(journals.count <> is_taking::integer + is_giving::integer) as is_misbooked,
             (array_agg(steps.state order by number desc))[1] as state,
             (array_agg(steps.amount_minor order by number desc))[1] as amount,
             (array_agg(steps.returned_minor order by number desc))[1] as returned,
             (array_agg(steps.at order by number))[1] as first_at,
             (array_agg(steps.at order by number desc) filter (where steps.kind in ('won', 'lost')))[1] as ended_at
        from steps
       cross join lateral (
               select count(*) from journal
                where journal.source = steps.id and journal.kind in ('dispute', 'dispute returned')) as journals
       group by steps.dispute_id
    ), found as (
      select dispute.id,
             case when charge.id is null or charge.acquirer <> dispute.acquirer or charge.transaction_id <> dispute.transaction_id
                       or charge.merchant_id <> dispute.merchant_id or charge.currency <> dispute.currency
                       or charge.state <> 'correct'
                    then jsonb_build_object('code', 'dispute_differs')
                  when moved.dispute_id is null or moved.count <> dispute.steps or moved.last <> dispute.steps
                       or moved.state <> dispute.state or moved.amount <> dispute.amount_minor
                       or moved.returned <> dispute.returned_minor or moved.first_at <> dispute.opened_at
                       or moved.ended_at is distinct from dispute.ended_at or moved.is_idle
                    then jsonb_build_object('code', 'dispute_steps_differ')
                  when moved.taken <> dispute.amount_minor - dispute.returned_minor
                    then jsonb_build_object('code', 'dispute_borne_otherwise', 'borne', moved.taken,
                                            'disputed', dispute.amount_minor - dispute.returned_minor)
                  when exists (
                         select from dispute_step as step join dispute_share as share on share.step_id = step.id
                          where step.dispute_id = dispute.id and share.account_id <> dispute.merchant_id
                            and not exists (select from transaction_part as part
                                             where part.transaction_id = dispute.transaction_id
                                               and part.merchant_id = share.account_id))
                    then jsonb_build_object('code', 'dispute_borne_by_others')
                  when moved.is_shifted
                    then jsonb_build_object('code', 'dispute_shared_otherwise')
                  when moved.is_misbooked
                       or dispute.lost_minor <> (select coalesce(sum(amount_minor), 0) from dispute_loss where dispute_id = dispute.id)
                    then jsonb_build_object('code', 'dispute_misbooked')
                  when dispute.amount_minor > dispute.returned_minor and ${refundedToo}
                    then jsonb_build_object('code', 'dispute_refunded_too') end as finding
        from dispute
        left join charge on charge.id = dispute.charge_id
        left join moved on moved.dispute_id = dispute.id
       where ${page.of('dispute.id')}
    )
    select finding ->> 'code' as code, finding - 'code' || jsonb_build_object('id', id) as parameters
      from found where finding is not null order by id`;
}

export function listIds(sql: Sql, page: Page): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`select id from dispute where ${page.of('dispute.id')}`;
}

/** Payments of the disputes of a page. */
export function listSharingsIn(sql: Sql, page: Page): Promise<Sharing[]> {
  return listSharings(
    sql,
    sqlPart`transaction.id in (select transaction_id from dispute where ${page.of('dispute.id')})`,
  );
}

const wrongAtMost = 100;

/**
 * Disputes that nobody claimed and of which we bear a different amount than was decided, or about which nobody is
 * asked; and lines that belong to no dispute, or name another charge than their dispute without an operator who is asked
 * or has confirmed just that.
 */
export function listUnheard(sql: Sql, now: Temporal.Instant): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    (select 'dispute_unclaimed_differs' as code, jsonb_build_object('id', unclaimed.id) as parameters
       from dispute_unclaimed as unclaimed
      where lost_minor <> 0 and greatest(lost_minor, 0) <> amount_minor - returned_minor and parked_at is null and park_at < ${now}
         or claimed_at is null and parked_at is null and park_at > ${now.add(patience).add(patience)}
         or lost_minor <> (select coalesce(sum(amount_minor), 0) from dispute_loss where unclaimed_id = unclaimed.id)
         or covered_minor <> (select coalesce(sum(covered_minor), 0) from dispute_loss where unclaimed_id = unclaimed.id)
         or covered_minor > 0
            and (select sum(one.covered_minor) from dispute_unclaimed as one
                  where one.charge_key = unclaimed.charge_key and one.acquirer = unclaimed.acquirer and one.claimed_at is null)
                > (select coalesce(sum(minor), 0)
                     from (select amount_minor as minor from outgoing_refund as outgoing
                            where outgoing.purpose = 'surplus' and outgoing.subject_id = unclaimed.charge_key
                              and outgoing.acquirer = unclaimed.acquirer and outgoing.withdrawn_at is not null
                           union all
                           select bank_minor from reconciliation_item as item
                            where item.key = unclaimed.charge_key and item.acquirer = unclaimed.acquirer
                              and item.outcome = 'disputed') as unsent)
         or claimed_at is not null
            and not exists (select from dispute where dispute.acquirer = unclaimed.acquirer and dispute.key = unclaimed.key)
      order by id limit ${wrongAtMost})
    union all
    (select 'dispute_line_unheard', jsonb_build_object('id', line.acquirer || ':' || line.kind || ':' || line.key)
       from acquirer_line as line
      where line.kind in ('dispute', 'dispute_won') and line.told_at is not null and line.amount_minor > 0
        and not exists (select from dispute where dispute.acquirer = line.acquirer and dispute.key = line.key)
        and not exists (select from dispute_unclaimed as unclaimed
                         where unclaimed.acquirer = line.acquirer and unclaimed.key = line.key)
      order by line.acquirer, line.kind, line.key limit ${wrongAtMost})
    union all
    (select 'dispute_of_other_charge',
            jsonb_build_object('id', line.acquirer || ':' || line.kind || ':' || line.key,
                               'charge', disputed.charge_key, 'named', line.charge_key)
       from acquirer_line as line
       left join dispute on dispute.acquirer = line.acquirer and dispute.key = line.key
       left join dispute_unclaimed as unclaimed
              on unclaimed.acquirer = line.acquirer and unclaimed.key = line.key and unclaimed.claimed_at is null
      cross join lateral (select coalesce(dispute.charge_id, unclaimed.charge_key) as charge_key) as disputed
      where line.kind in ('dispute', 'dispute_won') and line.amount_minor > 0 and disputed.charge_key <> line.charge_key
        and not exists (
              select from reconciliation_item as item
               where item.key = line.key and item.acquirer = line.acquirer and item.kind = line.kind
                 and (item.state <> 'closed' and item.difference <> 'repeated'
                      or item.difference = 'other_charge' and item.outcome = 'confirmed'
                         and item.charge_key = line.charge_key and item.our_charge_key = disputed.charge_key))
      order by line.acquirer, line.kind, line.key limit ${wrongAtMost})`;
}

/**
 * Long after the last step, decision or booking. Those that wait for an operator or for the acquirer are not named, but
 * nobody waits for the acquirer forever, whatever the rows say.
 */
export function listUnsettled(sql: Sql, now: Temporal.Instant): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with ${unsettled(now)}
    select 'dispute_unsettled' as code,
           jsonb_build_object('id', acquirer || ':' || key, 'borne', borne, 'moved', moved) as parameters
      from unsettled
     where not exists (select from dispute_unclaimed as unclaimed
                        where unclaimed.acquirer = unsettled.acquirer and unclaimed.key = unsettled.key
                          and claimed_at is null
                          and (parked_at is not null or park_at > ${now} and not unsettled.is_overdue))
       and not exists (select from dispute
                        where dispute.acquirer = unsettled.acquirer and dispute.key = unsettled.key
                          and (parked_why = 'dispute_unsettled'
                               or park_at between ${now} and ${now.add(patience).add(patience)} and not unsettled.is_overdue))
     order by acquirer, key limit ${wrongAtMost}`;
}

/** What an account gave, from its balance and as a debt together. It cannot give one and get the other: `is_both`. */
const given = new SqlText(`
  select replace(account, ':owed', ':available') as account, sum(amount_minor) as minor,
         min(sign(amount_minor)) <> max(sign(amount_minor)) as is_both
    from entry where entry.journal_id = posted.id group by 1`);

/**
 * Each journal with the step that posted it: its accounts give, or get, what its shares say, and all of it is
 * `dispute:payable`.
 */
export const disputeJournals: Founded = {
  kinds: ['dispute', 'dispute returned', 'dispute written off'],
  agreeing: sqlPart`
    select posted.id as journal_id,
           step.at = posted.posted_at and dispute.currency = posted.currency
           and not exists (
             select from (${given}) as there
               full join (select 'merchant:' || account_id || ':available' as account, amount_minor as minor
                            from dispute_share where step_id = step.id and sign(amount_minor) = said.direction
                          union all
                          select ${disputePayable}, -said.taken where said.taken <> 0) as wanted on wanted.account = there.account
              where there.minor is distinct from wanted.minor or there.is_both) as agrees
      from posted
      join dispute_step as step on step.id = posted.source
      join dispute on dispute.id = step.dispute_id
     cross join lateral (
             select side.direction, coalesce(sum(amount_minor), 0) as taken
               from (select case posted.kind when 'dispute' then 1 else -1 end as direction) as side
               left join dispute_share on step_id = step.id and sign(amount_minor) = side.direction
              group by 1) as said
     where posted.kind in ('dispute', 'dispute returned')
    union all
    select posted.id, lost.at = posted.posted_at and coalesce(unclaimed.currency, dispute.currency) = posted.currency
                      and booked.said = ${saying(sqlPart`
                        values (${loss}, lost.amount_minor - lost.covered_minor), (${payerUnallocated}, lost.covered_minor),
                               (${disputePayable}, -lost.amount_minor)`)}
      from posted
      join booked on booked.journal_id = posted.id
      join dispute_loss as lost on lost.id = posted.source
      left join dispute_unclaimed as unclaimed on unclaimed.id = lost.unclaimed_id
      left join dispute on dispute.id = lost.dispute_id
     where posted.kind = 'dispute written off'`,
};

/** What disputes took from accounts in all is what they bear. */
export const disputeSums: Summed = {
  kinds: ['dispute', 'dispute returned', 'dispute written off'],
  accounts: [disputePayable, loss, payerUnallocated],
  expected: sqlPart`
    select ${disputePayable}::text as account, -sum(amount_minor - returned_minor) as minor from dispute
    union all
    select said.account, said.minor
      from (select coalesce((select sum(lost_minor) from dispute_unclaimed), 0) + coalesce((select sum(lost_minor) from dispute), 0) as minor,
                   coalesce((select sum(covered_minor) from dispute_unclaimed), 0) as covered) as lost
     cross join lateral (values (${disputePayable}, -lost.minor), (${loss}, lost.minor - lost.covered),
                                (${payerUnallocated}, lost.covered)) as said (account, minor)`,
};
