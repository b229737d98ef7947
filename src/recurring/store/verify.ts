// SQL that checks recurring payments against their attempts and transactions; read-only, a page at a time; for `grosz
// verify` and tests.

import { type Finding, findings } from '../../../contract/codes/findings.ts';
import {
  messageReader,
  type Page,
  readBoolean,
  readInstantOrNull,
  readText,
  type Since,
  type Sql,
  type SqlPart,
  sqlPart,
} from '../../database/index.ts';
import type { Recurring } from '../model.ts';
import { manualRetriesAtMost } from '../rules.ts';
import { readRecurring } from './recurring.ts';

/** Recurring payments whose charges were made or moved since, and those with one in flight. */
export function listRecurringSince(sql: Sql, { id, sources }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select recurring_id as id from charge where id > ${id} and purpose = 'recurring'
    union select recurring_id from charge where id = any(${sources}::text[]) and purpose = 'recurring'
    union select recurring_id from charge where next_check_at is not null and purpose = 'recurring'
    union select recurring_id from charge where parked_at is not null and purpose = 'recurring'
    union select id from recurring where id > ${id}`;
}

/** Charges of recurring payments, and transactions of the engine, that were made or moved since. */
export function listRecurringChargesSince(sql: Sql, { id, sources }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from charge where id > ${id} and purpose = 'recurring'
    union select id from charge where id = any(${sources}::text[]) and purpose = 'recurring'
    union select id from charge where next_check_at is not null and purpose = 'recurring'
    union select id from transaction where id > ${id} and origin = 'recurring'`;
}

/** What the date of the next charge follows from. */
export interface Scheduled extends Recurring {
  /** Whether the account's time zone ever changed: a date that was set before stays. */
  readonly zoneChanged: boolean;
  /** When the last attempt of its schedule in the open iteration was made; null if there was none since it was restored. */
  readonly attemptedAt: Temporal.Instant | null;
  /** When its last attempt ended. */
  readonly endedAttemptAt: Temporal.Instant | null;
}

/** Recurring payments of a page, with what their next date follows from. */
export function listScheduled(sql: Sql, page: Page): Promise<Scheduled[]> {
  return sql.many((row) => ({
    ...readRecurring(row),
    zoneChanged: readBoolean(row, 'zone_changed'),
    attemptedAt: readInstantOrNull(row, 'attempted_at'),
    endedAttemptAt: readInstantOrNull(row, 'ended_attempt_at'),
  }))`
    select recurring.*, account.zone, account.zone_changed, attempts.attempted_at, attempts.ended_attempt_at
      from recurring
      join account on account.id = recurring.merchant_id
      left join lateral (
        select max(created_at) filter (where not charge.manual and charge.iteration = recurring.iteration
                                             and charge.attempt > recurring.restored_after) as attempted_at,
               max(settled_at) as ended_attempt_at
          from charge where charge.recurring_id = recurring.id
           and charge.iteration >= (select max(iteration) from charge where recurring_id = recurring.id)) as attempts on true
     where ${page.of('recurring.id')}`;
}

/** What the attempts of a page say: the sets `iteration`, `history`, `now_open` and `ended`. */
function attemptsOf(page: Page): SqlPart {
  return sqlPart`
    iteration as (
      select recurring_id, iteration, count(*) as attempts,
             min(attempt) <> 1 or max(attempt) <> count(*) as gap,
             count(*) filter (where state in ('sent', 'waiting', 'unknown', 'correct')) as standing,
             count(*) filter (where state = 'correct') as correct,
             count(*) filter (where manual) as manual,
             max(transaction_id) filter (where settled_at is null) as live
        from charge where recurring_id is not null and ${page.of('recurring_id')} group by recurring_id, iteration
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
       where ${page.of('recurring.id')} and ${page.of('attempt.recurring_id')}
       group by recurring.id
    ), ended as (
      select distinct on (recurring_id) recurring_id, state from charge
       where recurring_id is not null and ${page.of('recurring_id')} and state in ('correct', 'failed')
       order by recurring_id, iteration desc, attempt desc
    )`;
}

/**
 * Recurring payments of a page whose attempts are out of order, or whose progress contradicts their attempts.
 */
export function listMisledRecurring(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with ${attemptsOf(page)}, found as (
      select recurring.id,
             case when history.missing > recurring.passed then jsonb_build_object('code', 'recurring_iterations_gap')
                  when history.gap_in is not null then jsonb_build_object('code', 'recurring_attempts_gap', 'iteration', history.gap_in)
                  when history.twice_in is not null then jsonb_build_object('code', 'recurring_iteration_twice', 'iteration', history.twice_in)
                  when history.unpaid < history.last then jsonb_build_object('code', 'recurring_unpaid_passed', 'iteration', history.unpaid)
                  when history.last > recurring.iteration then jsonb_build_object('code', 'recurring_behind_attempts', 'iteration', recurring.iteration, 'attempts', history.last)
                  when history.unpaid < recurring.iteration
                    or recurring.status <> 'finished' and recurring.passed is distinct from
                       coalesce(history.missing, 0) + greatest(0, recurring.iteration - 1 - coalesce(history.last, 0))
                    then jsonb_build_object('code', 'recurring_earlier_unpaid', 'iteration', recurring.iteration)
                  when coalesce(now_open.attempts, 0) <> recurring.attempts
                    then jsonb_build_object('code', 'recurring_attempts_miscounted', 'counted', recurring.attempts, 'iteration', recurring.iteration, 'there', coalesce(now_open.attempts, 0))
                  when recurring.status = 'active' and now_open.correct > 0 then jsonb_build_object('code', 'recurring_current_paid')
                  when coalesce(now_open.retries, 0) <> recurring.retries_used
                    then jsonb_build_object('code', 'recurring_retries_miscounted', 'counted', recurring.retries_used, 'iteration', recurring.iteration, 'there', coalesce(now_open.retries, 0))
                  when history.manual_in is not null then jsonb_build_object('code', 'recurring_manual_retries', 'iteration', history.manual_in)
                  when history.live is distinct from recurring.live_transaction_id
                    then jsonb_build_object('code', 'recurring_live_differs', 'recorded', recurring.live_transaction_id, 'found', history.live)
                  when ended.state is distinct from recurring.last_state
                    then jsonb_build_object('code', 'recurring_last_differs', 'recorded', recurring.last_state, 'found', ended.state)
                  when recurring.status = 'active' and (recurring.due_at is null) = (recurring.live_transaction_id is null)
                    then jsonb_build_object('code', 'recurring_active_unscheduled')
                  when recurring.status <> 'active' and recurring.due_at is not null
                    then jsonb_build_object('code', 'recurring_ended_due', 'status', recurring.status)
                  when recurring.status = 'finished' and coalesce(history.correct, 0) + recurring.passed is distinct from recurring.charge_count
                    then jsonb_build_object('code', 'recurring_finished_early', 'charges', coalesce(history.correct, 0) + recurring.passed, 'total', recurring.charge_count)
                  when recurring.status = 'failed' and recurring.last_state is distinct from 'failed'
                    then jsonb_build_object('code', 'recurring_failed_otherwise') end as finding
        from recurring
        left join history on history.recurring_id = recurring.id
        left join now_open on now_open.recurring_id = recurring.id
        left join ended on ended.recurring_id = recurring.id
       where ${page.of('recurring.id')}
    )
    select finding ->> 'code' as code, finding - 'code' || jsonb_build_object('id', id) as parameters
      from found where finding is not null order by id`;
}

/** Attempts of a page that contradict their transaction, and transactions of the engine without an attempt. */
export function listMisledCharges(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with found as (
      select coalesce(attempt.transaction_id, transaction.id) as id,
             case when attempt.transaction_id is null then jsonb_build_object('code', 'charge_attempt_missing')
                  when transaction.id is null then jsonb_build_object('code', 'charge_transaction_missing')
                  when recurring.id is null or transaction.amount_minor <> recurring.amount_minor
                       or transaction.merchant_id <> recurring.merchant_id or transaction.currency <> recurring.currency
                    then jsonb_build_object('code', 'charge_transaction_differs')
                  when case when attempt.state = 'correct' then transaction.status not in ('paid', 'refund')
                            when attempt.settled_at is null then transaction.status <> 'pending'
                            else transaction.status <> 'canceled' end
                    then jsonb_build_object('code', 'charge_status_differs', 'state', attempt.state, 'status', transaction.status) end as finding
        from (select * from charge where purpose = 'recurring' and ${page.of('id')}) as attempt
        left join recurring on recurring.id = attempt.recurring_id
        full join (select * from transaction where origin = 'recurring' and ${page.of('id')}) as transaction
               on transaction.id = attempt.transaction_id
    )
    select finding ->> 'code' as code, finding - 'code' || jsonb_build_object('id', id) as parameters
      from found where finding is not null order by id`;
}
