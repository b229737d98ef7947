// SQL of deliveries: claiming, settling, sending again. Owns: delivery, endpoint_health, delivery_try.

import {
  type BatchOf,
  jsonRows,
  type Row,
  readBoolean,
  readInstant,
  readInstantOrNull,
  readInteger,
  readText,
  type Sql,
} from '../../platform/index.ts';
import type { TryFault } from './rules.ts';

export interface Claimed {
  readonly eventId: string;
  readonly accountId: string;
  readonly endpoint: string;
  readonly fence: number;
  /** Tries of this round so far. */
  readonly roundTries: number;
  readonly dueAt: Temporal.Instant;
  readonly suspect: boolean;
  readonly url: string;
  readonly contentType: string;
  readonly body: string;
  readonly sealed: boolean;
  readonly webhookSecretSealed: string;
}

function readClaimed(row: Row): Claimed {
  return {
    eventId: readText(row, 'event_id'),
    accountId: readText(row, 'account_id'),
    endpoint: readText(row, 'endpoint'),
    fence: readInteger(row, 'lease_fence'),
    roundTries: readInteger(row, 'round_tries'),
    dueAt: readInstant(row, 'next_try_at'),
    suspect: readBoolean(row, 'suspect'),
    url: readText(row, 'url'),
    contentType: readText(row, 'content_type'),
    body: readText(row, 'body'),
    sealed: readBoolean(row, 'sealed'),
    webhookSecretSealed: readText(row, 'webhook_secret_sealed'),
  };
}

export interface ClaimRoom {
  /** Deliveries to claim at most. */
  readonly all: number;
  /** Of them, those whose endpoint failed last. */
  readonly suspect: number;
  /** Of them, those of one account whose endpoints have not shown yet that they answer. */
  readonly account: number;
  /** Leases that an endpoint may have at once, unless it has a lane of its own size. */
  readonly endpoint: number;
  readonly lanes: readonly { readonly endpoint: string; readonly size: number }[];
  /** Accounts that hold so many unproven leases that they get no more. */
  readonly fullAccounts: readonly string[];
}

export interface ClaimTimes {
  /** By the business clock: what is due. */
  readonly now: Temporal.Instant;
  /** By the wall clock: which leases are over, and until when ours lasts. */
  readonly wall: Temporal.Instant;
  readonly leaseUntil: Temporal.Instant;
}

const failuresUntilProbed = 10;

/**
 * Leases due deliveries, for each endpoint as many as it may still have in flight, over all nodes together: one when it
 * failed ten times in a row. Rows are locked with `skip locked`, so two nodes never lease the same one and never wait for
 * each other. Steps from endpoint to endpoint along the index of pending deliveries, so the backlog of one costs the
 * others nothing; endpoints take turns, those that failed last come last. At most `room.all` rows.
 */
export function claimDue(sql: Sql, times: ClaimTimes, room: ClaimRoom): Promise<Claimed[]> {
  return sql.many(readClaimed)`
    with recursive waiting (endpoint, first_at) as (
      (select endpoint, next_try_at from delivery where status = 'pending' order by endpoint, next_try_at limit 1)
      union all
      select later.endpoint, later.next_try_at
        from waiting
        cross join lateral (select delivery.endpoint, delivery.next_try_at from delivery
                             where delivery.status = 'pending' and delivery.endpoint > waiting.endpoint
                             order by delivery.endpoint, delivery.next_try_at limit 1) as later
    ), lane as (
      select * from json_to_recordset(${jsonRows(room.lanes)}::json) as lane (endpoint text, size integer)
    ), target as (
      select waiting.endpoint, left(waiting.endpoint, 26) as account_id,
             health.endpoint is not null as suspect, lane.endpoint is null as unproven,
             case when health.failures_in_row >= ${failuresUntilProbed} then 1
                  when health.endpoint is not null then ${room.endpoint}::integer
                  else coalesce(lane.size, ${room.endpoint}::integer) end
             - (select count(*) from delivery
                 where delivery.endpoint = waiting.endpoint and delivery.lease_until is not null
                   and delivery.lease_until > ${times.wall}) as room
        from waiting
        left join endpoint_health as health on health.endpoint = waiting.endpoint
        left join lane on lane.endpoint = waiting.endpoint
       where waiting.first_at <= ${times.now}
    ), due as (
      select target.endpoint, target.account_id, target.suspect, target.unproven, found.event_id, found.next_try_at
        from target
        cross join lateral (select delivery.event_id, delivery.next_try_at from delivery
                             where delivery.status = 'pending' and delivery.endpoint = target.endpoint
                               and delivery.next_try_at <= ${times.now}
                               and (delivery.lease_until is null or delivery.lease_until <= ${times.wall})
                             order by delivery.next_try_at, delivery.event_id
                             limit greatest(target.room, 0)
                             for update skip locked) as found
    ), ranked as (
      select event_id, suspect, unproven, account_id, next_try_at,
             row_number() over (partition by endpoint order by next_try_at) as endpoint_place,
             row_number() over (partition by suspect) as suspect_place,
             row_number() over (partition by unproven, account_id) as account_place
        from due
    ), chosen as (
      select event_id, suspect from ranked
       where (not suspect or suspect_place <= ${room.suspect})
         and (not unproven or (account_place <= ${room.account} and account_id <> all (${room.fullAccounts}::text[])))
       order by suspect, endpoint_place, next_try_at
       limit ${room.all}
    ), leased as (
      -- An array, so that the plan steps along the key however large the table is.
      update delivery set lease_fence = lease_fence + 1, lease_until = ${times.leaseUntil}
       where event_id = any (array (select event_id from chosen))
      returning event_id, account_id, endpoint, lease_fence, round_tries, next_try_at
    )
    select leased.*, chosen.suspect, event.url, event.content_type, event.body, event.sealed,
           account.webhook_secret_sealed
      from leased
      join chosen on chosen.event_id = leased.event_id
      join event on event.id = leased.event_id
      join account on account.id = leased.account_id`;
}

/** What became of one claim. `released` gives the lease back untried. */
export interface Settlement {
  readonly eventId: string;
  readonly endpoint: string;
  readonly fence: number;
  readonly kind: 'delivered' | 'failed' | 'released';
  readonly at: string;
  /** When to try again; null ends the round. */
  readonly nextTryAt: string | null;
  readonly status: number | null;
  readonly error: TryFault | null;
  readonly milliseconds: number;
  readonly answer: string;
}

/** How a set of results changes the standing of its endpoints: one success heals, otherwise failures add up. */
function healthOf(settlements: readonly Settlement[]): { healed: string[]; failing: object[] } {
  const tried = settlements.filter((one) => one.kind !== 'released');
  const byEndpoint = Map.groupBy(tried, (one) => one.endpoint);
  const healed: string[] = [];
  const failing: object[] = [];
  for (const [endpoint, ofEndpoint] of byEndpoint) {
    if (ofEndpoint.some((one) => one.kind === 'delivered')) healed.push(endpoint);
    else {
      const last = ofEndpoint.at(-1);
      failing.push({ endpoint, failures: ofEndpoint.length, at: last?.at, error: last?.error });
    }
  }
  return { healed, failing };
}

/**
 * Writes back a set of results with their rows of the delivery log, in one statement. A result whose lease was lost in the
 * meantime (another fence) changes nothing and is answered with false.
 */
export const settleDelivery: BatchOf<Settlement, boolean> = {
  name: 'delivery result',
  async write(sql, settlements) {
    const { healed, failing } = healthOf(settlements);
    const settled = await sql.many((row) => readText(row, 'event_id'))`
      with given as materialized (
        select * from json_to_recordset(${jsonRows(settlements)}::json) as given
          ("eventId" text, fence integer, kind text, at timestamptz, "nextTryAt" timestamptz, status integer, error text,
           milliseconds integer, answer text)
      ), settled as (
        update delivery
           set lease_until = null,
               tries = tries + (given.kind <> 'released')::integer,
               round_tries = round_tries + (given.kind <> 'released')::integer,
               status = case when given.kind = 'delivered' then 'delivered'
                             when given.kind = 'failed' and given."nextTryAt" is null then 'exhausted'
                             else 'pending' end,
               next_try_at = case when given.kind = 'released' then next_try_at else given."nextTryAt" end,
               delivered_at = case when given.kind = 'delivered' then given.at end
          from given
         where delivery.event_id = given."eventId" and delivery.lease_fence = given.fence
           and delivery.lease_until is not null
        returning delivery.event_id, delivery.tries
      ), logged as (
        insert into delivery_try (event_id, number, at, status, error, milliseconds, answer)
        select settled.event_id, settled.tries, given.at, given.status, given.error, given.milliseconds, given.answer
          from settled join given on given."eventId" = settled.event_id
         where given.kind <> 'released'
      ), healed as (
        delete from endpoint_health where endpoint = any (${healed}::text[])
      ), failing as (
        insert into endpoint_health (endpoint, failures_in_row, failing_since, last_failure_at, last_error)
        select endpoint, failures, at, at, error
          from json_to_recordset(${jsonRows(failing)}::json) as failing
               (endpoint text, failures integer, at timestamptz, error text)
         order by endpoint
        on conflict (endpoint) do update
           set failures_in_row = endpoint_health.failures_in_row + excluded.failures_in_row,
               last_failure_at = excluded.last_failure_at, last_error = excluded.last_error
      )
      select event_id from settled`;
    const counted = new Set(settled);
    return settlements.map(({ eventId }) => counted.has(eventId));
  },
};

/**
 * Begins a fresh round for one delivery of this account, due at once. A lease in progress loses its fence, so its result
 * does not end the new round. Answers whether there was such a delivery.
 */
export async function resendDelivery(
  sql: Sql,
  accountId: string,
  eventId: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const changed = await sql.run`
    update delivery
       set status = 'pending', round_tries = 0, next_try_at = ${now}, delivered_at = null,
           lease_fence = lease_fence + 1, lease_until = null
     where event_id = ${eventId} and account_id = ${accountId}`;
  return changed === 1;
}

/** Begins a fresh round for exhausted deliveries of this account, oldest first, at most `atMost`; answers how many. */
export function resendExhausted(
  sql: Sql,
  accountId: string,
  from: Temporal.Instant | null,
  to: Temporal.Instant | null,
  atMost: number,
  now: Temporal.Instant,
): Promise<number> {
  return sql.run`
    update delivery
       set status = 'pending', round_tries = 0, next_try_at = ${now}
     where event_id in (
       select delivery.event_id from delivery join event on event.id = delivery.event_id
        where delivery.account_id = ${accountId} and delivery.status = 'exhausted'
          and (${from}::timestamptz is null or event.created_at >= ${from}::timestamptz)
          and (${to}::timestamptz is null or event.created_at < ${to}::timestamptz)
        order by delivery.event_id limit ${atMost}
        for update of delivery skip locked)
       and status = 'exhausted'`;
}

/** How many deliveries are due, and since when: along the index of pending ones. Takes no lock. */
export function countDue(sql: Sql, now: Temporal.Instant): Promise<{ due: number; oldestAt: Temporal.Instant | null }> {
  return sql.one((row) => ({ due: readInteger(row, 'due'), oldestAt: readInstantOrNull(row, 'oldest_at') }))`
    select count(*)::integer as due, min(next_try_at) as oldest_at
      from delivery where status = 'pending' and next_try_at <= ${now}`;
}

/** The earliest try that is scheduled; null when nothing is pending. One step along the index for each endpoint. */
export function findNextTryAt(sql: Sql): Promise<Temporal.Instant | null> {
  return sql.one((row) => readInstantOrNull(row, 'next_at'))`
    with recursive waiting (endpoint, first_at) as (
      (select endpoint, next_try_at from delivery where status = 'pending' order by endpoint, next_try_at limit 1)
      union all
      select later.endpoint, later.next_try_at
        from waiting
        cross join lateral (select delivery.endpoint, delivery.next_try_at from delivery
                             where delivery.status = 'pending' and delivery.endpoint > waiting.endpoint
                             order by delivery.endpoint, delivery.next_try_at limit 1) as later
    )
    select min(first_at) as next_at from waiting`;
}
