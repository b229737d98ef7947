// SQL that checks recurring payments against their attempts and transactions; read-only, full table scans;
// for `grosz verify` and tests.

import { readText, type Sql } from '../../platform/index.ts';
import { manualRetriesAtMost } from '../rules.ts';

interface Problem {
  readonly id: string;
  readonly what: string;
}

/**
 * Recurring payments whose attempts are out of order, or whose progress contradicts their attempts; at most `limit`.
 */
export function listMisledRecurring(sql: Sql, limit: number): Promise<Problem[]> {
  return sql.many((row) => ({ id: readText(row, 'id'), what: readText(row, 'what') }))`
    with iteration as (
      select recurring_id, iteration, count(*) as attempts,
             min(attempt) <> 1 or max(attempt) <> count(*) as gap,
             count(*) filter (where state in ('sent', 'waiting', 'unknown', 'correct')) as standing,
             count(*) filter (where state = 'correct') as correct,
             count(*) filter (where manual) as manual,
             max(transaction_id) filter (where settled_at is null) as live
        from charge where recurring_id is not null group by recurring_id, iteration
    ), history as (
      select recurring_id, max(iteration) - count(*) as missing, max(iteration) as last,
             min(iteration) filter (where manual > ${manualRetriesAtMost}) as manual_in,
             min(iteration) filter (where gap) as gap_in, min(iteration) filter (where standing > 1) as twice_in,
             min(iteration) filter (where correct = 0) as unpaid, sum(correct) as correct, max(live) as live
        from iteration group by recurring_id
    ), now_open as (
      select recurring.id as recurring_id, count(*) as attempts, count(*) filter (where state = 'correct') as correct,
             greatest(0, count(*) filter (where not attempt.manual and attempt.attempt > recurring.restored_after) - 1) as retries
        from recurring
        join charge as attempt on attempt.recurring_id = recurring.id and attempt.iteration = recurring.iteration
       group by recurring.id
    ), ended as (
      select distinct on (recurring_id) recurring_id, state from charge
       where recurring_id is not null and state in ('correct', 'failed') order by recurring_id, iteration desc, attempt desc
    ), found as (
      select recurring.id,
             case when history.missing > recurring.passed then 'its iterations have a gap'
                  when history.gap_in is not null then 'the attempts of iteration ' || history.gap_in || ' have a gap'
                  when history.twice_in is not null then 'iteration ' || history.twice_in || ' has two attempts that are open or correct'
                  when history.unpaid < history.last then 'iteration ' || history.unpaid || ' was not paid, but a later one started'
                  when history.last > recurring.iteration then 'it is at iteration ' || recurring.iteration || ', but has attempts of ' || history.last
                  when history.unpaid < recurring.iteration
                    or recurring.status <> 'finished' and recurring.passed is distinct from
                       coalesce(history.missing, 0) + greatest(0, recurring.iteration - 1 - coalesce(history.last, 0))
                    then 'it is at iteration ' || recurring.iteration || ', but an earlier one is not paid'
                  when coalesce(now_open.attempts, 0) <> recurring.attempts
                    then 'it counts ' || recurring.attempts || ' attempts of iteration ' || recurring.iteration || ', but there are ' || coalesce(now_open.attempts, 0)
                  when recurring.status = 'active' and now_open.correct > 0 then 'its current iteration is already paid'
                  when coalesce(now_open.retries, 0) <> recurring.retries_used
                    then 'it counts ' || recurring.retries_used || ' scheduled retries of iteration ' || recurring.iteration || ', but there are ' || coalesce(now_open.retries, 0)
                  when history.manual_in is not null then 'iteration ' || history.manual_in || ' has too many manual retries'
                  when history.live is distinct from recurring.live_transaction_id
                    then 'its attempt in flight is recorded as ' || coalesce(recurring.live_transaction_id, 'none') || ' but is ' || coalesce(history.live, 'none')
                  when ended.state is distinct from recurring.last_state
                    then 'its last attempt is recorded as ' || coalesce(recurring.last_state, 'none') || ' but is ' || coalesce(ended.state, 'none')
                  when recurring.status = 'active' and (recurring.due_at is null) = (recurring.live_transaction_id is null)
                    then 'it is active, but either nothing is scheduled, or a charge is both scheduled and in flight'
                  when recurring.status <> 'active' and recurring.due_at is not null
                    then 'it is ' || recurring.status || ', but a charge is due'
                  when recurring.status = 'finished' and coalesce(history.correct, 0) + recurring.passed is distinct from recurring.charge_count
                    then 'it is finished after ' || coalesce(history.correct, 0) + recurring.passed || ' of ' || coalesce(recurring.charge_count::text, 'unlimited') || ' charges'
                  when recurring.status = 'failed' and recurring.last_state is distinct from 'failed'
                    then 'it is failed, but its last attempt is not' end as what
        from recurring
        left join history on history.recurring_id = recurring.id
        left join now_open on now_open.recurring_id = recurring.id
        left join ended on ended.recurring_id = recurring.id
    )
    select id, what from found where what is not null order by id limit ${limit}`;
}

/** Attempts that contradict their transaction, and charges without an attempt; at most `limit`. */
export function listMisledCharges(sql: Sql, limit: number): Promise<Problem[]> {
  return sql.many((row) => ({ id: readText(row, 'id'), what: readText(row, 'what') }))`
    with found as (
      select coalesce(attempt.transaction_id, transaction.id) as id,
             case when attempt.transaction_id is null then 'a transaction of the engine without an attempt'
                  when transaction.id is null then 'an attempt without a transaction'
                  when transaction.amount_minor <> recurring.amount_minor or transaction.merchant_id <> recurring.merchant_id
                    then 'its transaction has another amount or merchant than its recurring payment'
                  when case when attempt.state = 'correct' then transaction.status not in ('paid', 'refund')
                            when attempt.settled_at is null then transaction.status <> 'pending'
                            else transaction.status <> 'canceled' end
                    then 'the attempt is ' || attempt.state || ', but its transaction is ' || transaction.status end as what
        from charge as attempt
        join recurring on recurring.id = attempt.recurring_id
        full join (select * from transaction where origin = 'recurring') as transaction on transaction.id = attempt.transaction_id
    )
    select id, what from found where what is not null order by id limit ${limit}`;
}
