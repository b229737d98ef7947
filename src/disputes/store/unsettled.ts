// SQL of disputes of which the acquirer has kept a different amount than accounts bear.

import { type Sql, type SqlPart, sqlPart } from '../../database/index.ts';
import { correctedWithin, decidedWithin, patience } from '../rules.ts';
import { keptOf } from './disputes.ts';

/**
 * The set `unsettled`: disputes of which the acquirer's lines have kept a different amount than the accounts and we
 * bear, long after the last step, decision or booking. Until then there may be a reason: an acquirer moves the money
 * when a dispute is opened, or only when it has ended. What is dated much later than now is no reason to wait.
 * `is_overdue`: operators have waited for the acquirer long enough. Each table is read once; the times of steps,
 * decisions and bookings are looked up only for those that differ.
 */
export function unsettled(now: Temporal.Instant): SqlPart {
  // Something may happen while verify runs.
  const soon = now.add(patience);
  return sqlPart`
    halves as (
      select acquirer, key, amount_minor - returned_minor + lost_minor as borne, 0 as moved, state = 'opened' as is_open,
             false as is_line from dispute
      union all
      select acquirer, key, lost_minor, 0, false, false from dispute_unclaimed where claimed_at is null
      union all
      select acquirer, key, 0, case kind when 'dispute' then amount_minor else -amount_minor end, false, true
        from acquirer_line where kind in ('dispute', 'dispute_won')
    ), differing as (
      select acquirer, key, sum(borne)::bigint as borne, sum(moved)::bigint as moved,
             bool_or(is_open) and not bool_or(is_line) as is_awaited
        from halves group by acquirer, key having sum(borne) <> sum(moved)
    ), unsettled as (
      select differing.*, coalesce(last.at < deadline.at - ${correctedWithin.toString()}::interval, true) as is_overdue from differing
       cross join lateral (
         select max(at) as at from (
           select step.at from dispute join dispute_step as step on step.dispute_id = dispute.id
            where dispute.acquirer = differing.acquirer and dispute.key = differing.key and step.kind <> 'shared'
           union all
           select lost.at from dispute join dispute_loss as lost on lost.dispute_id = dispute.id
            where dispute.acquirer = differing.acquirer and dispute.key = differing.key
           union all
           select lost.at from dispute_unclaimed as unclaimed join dispute_loss as lost on lost.unclaimed_id = unclaimed.id
            where unclaimed.acquirer = differing.acquirer and unclaimed.key = differing.key and claimed_at is null
           union all
           select record.at from reconciliation_record as record
            where record.key = differing.key and record.acquirer = differing.acquirer
              and record.kind in ('dispute', 'dispute_won') and record.moved_minor is not null) as moments
          where at <= ${soon}) as last
       cross join lateral (
         select case when is_awaited then ${now.subtract(decidedWithin)}::timestamptz
                     else ${now.subtract(patience)}::timestamptz end as at) as deadline
       where coalesce(last.at < deadline.at, true)
    )`;
}

/**
 * Parks unsettled disputes, at most `limit` of each table, except those that an operator is already asked about;
 * returns how many.
 */
export async function parkUnsettled(sql: Sql, now: Temporal.Instant, limit: number): Promise<number> {
  const disputes = await sql.run`
    with ${unsettled(now)}
    update dispute set parked_at = ${now}, parked_why = 'dispute_unsettled', park_at = null
     where parked_at is null
       and id = any (array (select dispute.id from unsettled
                              join dispute on dispute.acquirer = unsettled.acquirer and dispute.key = unsettled.key
                             where dispute.parked_at is null and coalesce(dispute.park_at <= ${now}, true)
                             order by dispute.id limit ${limit}))`;
  // Only those that we bear, or that nobody has to bear: about the others, an operator is asked who bears them.
  const unclaimed = await sql.run`
    with ${unsettled(now)}
    update dispute_unclaimed set parked_at = ${now}, parked_why = 'dispute_unsettled'
     where parked_at is null and claimed_at is null
       and id = any (array (select waiting.id from unsettled
                              join dispute_unclaimed as waiting
                                on waiting.acquirer = unsettled.acquirer and waiting.key = unsettled.key
                             where waiting.parked_at is null and waiting.claimed_at is null and waiting.park_at <= ${now}
                               and greatest(waiting.lost_minor, 0) = waiting.amount_minor - waiting.returned_minor
                             order by waiting.id limit ${limit}))`;
  return disputes + unclaimed;
}

/** What has been settled in the meantime no longer waits for an operator. */
export async function unparkSettled(sql: Sql): Promise<number> {
  const disputes = await sql.run`
    update dispute set parked_at = null, parked_why = null
     where parked_why = 'dispute_unsettled'
       and id = any (array (select id from dispute ${keptOf('dispute')}
                             where parked_why = 'dispute_unsettled' and kept = amount_minor - returned_minor + lost_minor))`;
  const unclaimed = await sql.run`
    update dispute_unclaimed set parked_at = null, parked_why = null
     where parked_why = 'dispute_unsettled'
       and id = any (array (select id from dispute_unclaimed ${keptOf('dispute_unclaimed')}
                             where parked_why = 'dispute_unsettled' and kept = lost_minor))`;
  return disputes + unclaimed;
}
