// SQL of deliveries: claiming, settling, resending. Owns: delivery, endpoint_queue, endpoint_health, delivery_try.

import {
  type BatchOf,
  type Row,
  readBoolean,
  readInstant,
  readInstantOrNull,
  readInteger,
  readIntegerOrNull,
  readText,
  readTextOrNull,
  type Sql,
} from '../../database/index.ts';
import type { TryFault } from './rules.ts';

export interface Claimed {
  readonly eventId: string;
  readonly accountId: string;
  readonly endpoint: string;
  readonly fence: number;
  /** Attempts made in this round. */
  readonly roundTries: number;
  readonly dueAt: Temporal.Instant;
  /** Consecutive failures of its endpoint, over all deliveries. */
  readonly failures: number;
  readonly suspect: boolean;
  readonly url: string;
  readonly contentType: string;
  readonly body: string;
  readonly sealed: boolean;
  readonly webhookSecretSealed: string;
}

function readClaimed(row: Row): Claimed {
  const failures = readFailures(row);
  return {
    eventId: readText(row, 'event_id'),
    accountId: readText(row, 'account_id'),
    endpoint: readText(row, 'endpoint'),
    fence: readInteger(row, 'lease_fence'),
    roundTries: readInteger(row, 'round_tries'),
    dueAt: readInstant(row, 'next_try_at'),
    failures,
    suspect: failures > 0,
    url: readText(row, 'url'),
    contentType: readText(row, 'content_type'),
    body: readText(row, 'body'),
    sealed: readBoolean(row, 'sealed'),
    webhookSecretSealed: readText(row, 'webhook_secret_sealed'),
  };
}

export interface ClaimTimes {
  /** By the business clock: what is due. */
  readonly now: Temporal.Instant;
  /** By the wall clock: which leases have expired, and when ours will. */
  readonly wall: Temporal.Instant;
  readonly leaseUntil: Temporal.Instant;
}

/** How many queues to read: those of failing endpoints separately, and none of accounts that have no places left. */
export interface QueueLimits {
  readonly healthy: number;
  readonly suspect: number;
  readonly fullAccounts: readonly string[];
}

export interface QueueHead {
  readonly accountId: string;
  /** Consecutive failures. */
  readonly failures: number;
  readonly version: number;
}

/** State of an endpoint that has a queue, leases, or both. */
export interface EndpointState {
  readonly endpoint: string;
  /** Leases of all nodes. */
  readonly leases: number;
  /** Null if it has no queue, or the queue was not read. */
  readonly queue: QueueHead | null;
}

function readEndpointState(row: Row): EndpointState {
  const accountId = readTextOrNull(row, 'account_id');
  return {
    endpoint: readText(row, 'endpoint'),
    leases: readInteger(row, 'leases'),
    queue: accountId === null ? null : { accountId, version: readInteger(row, 'version'), failures: readFailures(row) },
  };
}

function readFailures(row: Row): number {
  return readIntegerOrNull(row, 'failures') ?? 0;
}

/**
 * Whether a claim could find anything: a newly due delivery, an expired lease, or a queue. Every node polls this, so it
 * reads at most four rows, with the same plan for any table size. Takes no lock.
 */
export function hasDue(sql: Sql, { now, wall }: ClaimTimes, suspects: boolean): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'found'))`
    select exists (select from delivery
                    where status = 'pending' and queue is null and lease_until is null and next_try_at <= ${now})
        or exists (select from delivery where lease_until <= ${wall})
        or exists (select from endpoint_queue where not suspect)
        or (${suspects}::boolean and exists (select from endpoint_queue where suspect)) as found`;
}

/**
 * Every endpoint with leases, and the queues whose turn is next. Of each kind it reads as many additional queues as
 * there are endpoints with leases, because those may be at their limit. Takes no lock.
 */
export function listEndpointStates(sql: Sql, wall: Temporal.Instant, limits: QueueLimits): Promise<EndpointState[]> {
  return sql.many(readEndpointState)`
    with leased as materialized (
      select endpoint, count(*)::integer as leases from delivery where lease_until > ${wall} group by endpoint
    ), waiting as materialized (
      (select endpoint, account_id, version from endpoint_queue
        where not suspect and account_id <> all (${limits.fullAccounts}::text[])
        order by served_at, endpoint limit ${limits.healthy}::integer + (select count(*) from leased))
      union all
      (select endpoint, account_id, version from endpoint_queue
        where suspect and account_id <> all (${limits.fullAccounts}::text[]) and ${limits.suspect}::integer > 0
        order by served_at, endpoint limit ${limits.suspect}::integer + (select count(*) from leased))
    )
    select endpoint, coalesce(leased.leases, 0) as leases, waiting.account_id, waiting.version,
           (select failures_in_row from endpoint_health where endpoint_health.endpoint = waiting.endpoint) as failures
      from waiting full join leased using (endpoint)`;
}

/** How many deliveries to lease from a queue. */
export interface QueueAsk {
  readonly endpoint: string;
  readonly count: number;
}

/**
 * Leases newly due deliveries and those whose lease expired, oldest first, at most `arrivals`, and the given number
 * from each of these queues. Uses `skip locked`, so two nodes never lease the same row or wait for each other. An index
 * scan by due time: rows that are not due, or in other queues, are not read.
 */
export function leaseDue(sql: Sql, times: ClaimTimes, arrivals: number, asks: readonly QueueAsk[]): Promise<Claimed[]> {
  const endpoints = asks.map(({ endpoint }) => endpoint);
  return sql.many(readClaimed)`
    with scheduled as (
      select event_id from delivery
       where status = 'pending' and queue is null and lease_until is null and next_try_at <= ${times.now}
       order by next_try_at, event_id limit ${arrivals}::integer for update skip locked
    ), lapsed as (
      select event_id from delivery where lease_until <= ${times.wall}
       order by lease_until limit ${arrivals}::integer for update skip locked
    ), queued as (
      select found.event_id
        from unnest(${endpoints}::text[], ${asks.map(({ count }) => count)}::integer[]) as ask (endpoint, count)
        cross join lateral (select event_id from delivery where queue = ask.endpoint
                             order by next_try_at, event_id limit ask.count for update skip locked) as found
    ), leased as (
      -- An array, so that the plan is an index scan by key, whatever the size of the table.
      update delivery set lease_fence = lease_fence + 1, lease_until = ${times.leaseUntil}, queue = null
       where event_id = any (array (select event_id from scheduled union all select event_id from lapsed
                                    union all select event_id from queued))
      returning event_id, account_id, endpoint, lease_fence, round_tries, next_try_at
    ), turned as (
      update endpoint_queue set served_at = ${times.wall}
       where endpoint = any (array (select endpoint from endpoint_queue where endpoint = any (${endpoints}::text[])
                                     for update skip locked))
    )
    select leased.*, event.url, event.content_type, event.body, event.sealed, account.webhook_secret_sealed,
           (select failures_in_row from endpoint_health where endpoint_health.endpoint = leased.endpoint) as failures
      from leased
      join event on event.id = leased.event_id
      join account on account.id = leased.account_id
     order by leased.next_try_at, leased.event_id`;
}

/** How many endpoints of an account may have their own queue; the others share one. */
const queuesAtMost = 100;

/**
 * Releases leases that were just taken and moves the deliveries to the queue of their endpoint. Locks queues in order.
 */
export async function queueClaimed(sql: Sql, claimed: readonly Claimed[], wall: Temporal.Instant): Promise<void> {
  await sql.run`
    with given as materialized (
      select *, (select count(*) from endpoint_queue where endpoint_queue.endpoint = given.endpoint) > 0 as known,
             (select count(*) from endpoint_queue where endpoint_queue.account_id = given.account_id) as queues
        from unnest(${claimed.map(({ eventId }) => eventId)}::text[], ${claimed.map(({ fence }) => fence)}::integer[],
                    ${claimed.map(({ accountId }) => accountId)}::text[],
                    ${claimed.map(({ endpoint }) => endpoint)}::text[],
                    ${claimed.map(({ suspect }) => suspect)}::boolean[])
             as given (event_id, fence, account_id, endpoint, suspect)
    ), placed as materialized (
      select event_id, fence, account_id, suspect,
             case when known or queues + dense_rank() over (partition by account_id, known order by endpoint)
                                <= ${queuesAtMost}
                  then endpoint else account_id || ' *' end as queue
        from given
    ), queued as (
      update delivery set queue = placed.queue, endpoint = placed.queue, lease_until = null
        from placed
       where delivery.event_id = placed.event_id and delivery.lease_fence = placed.fence
         and delivery.lease_until is not null
    )
    insert into endpoint_queue (endpoint, account_id, suspect, served_at)
    select queue, account_id, bool_and(suspect), ${wall}::timestamptz from placed group by queue, account_id order by queue
    on conflict (endpoint) do update set version = endpoint_queue.version + 1`;
}

/** Deletes these queues if they are empty and nothing was added since they were read. Waits for no lock. */
export async function deleteEmptyQueues(
  sql: Sql,
  queues: readonly { readonly endpoint: string; readonly version: number }[],
): Promise<void> {
  await sql.run`
    delete from endpoint_queue
     where endpoint = any (array (
       select endpoint_queue.endpoint
         from unnest(${queues.map(({ endpoint }) => endpoint)}::text[],
                     ${queues.map(({ version }) => version)}::integer[]) as read (endpoint, version)
         join endpoint_queue on endpoint_queue.endpoint = read.endpoint and endpoint_queue.version = read.version
        where not exists (select from delivery where delivery.queue = endpoint_queue.endpoint)
        for update of endpoint_queue skip locked))`;
}

/** The result of a claim. `released` gives the lease back without an attempt. */
export interface Settlement {
  readonly eventId: string;
  readonly endpoint: string;
  readonly fence: number;
  readonly kind: 'delivered' | 'failed' | 'released';
  /** ISO text, like the next attempt. */
  readonly at: string;
  /** Null if there is none, or the lease was released. */
  readonly nextTryAt: string | null;
  /** The HTTP status; null if there was no response. */
  readonly status: number | null;
  readonly error: TryFault | null;
  readonly milliseconds: number;
  readonly answer: string;
}

interface FailingEndpoint {
  readonly endpoint: string;
  readonly failures: number;
  readonly at: string | undefined;
  readonly error: string | null | undefined;
}

/** How a batch of results changes the health of its endpoints: one success resets it, otherwise failures add up. */
function healthOf(settlements: readonly Settlement[]): { healed: string[]; failing: FailingEndpoint[] } {
  const tried = settlements.filter((one) => one.kind !== 'released');
  const byEndpoint = Map.groupBy(tried, (one) => one.endpoint);
  const healed: string[] = [];
  const failing: FailingEndpoint[] = [];
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
 * Writes a batch of results and their delivery log in one statement. A result whose lease was lost in the meantime (a
 * different fence) changes nothing and returns false.
 *
 * Prepared, with an array per column: 40 % less CPU of PostgreSQL than rows as JSON, which are planned each time. `any`
 * makes the plan an index scan by key, also if it was made while the table was empty.
 */
export const settleDelivery: BatchOf<Settlement, boolean> = {
  name: 'delivery result',
  drainsQueue: true,
  async execute(sql, settlements) {
    const { healed, failing } = healthOf(settlements);
    const tried = [...healed, ...failing.map(({ endpoint }) => endpoint)];
    const eventIds = settlements.map(({ eventId }) => eventId);
    const settled = await sql.many((row) => readText(row, 'event_id'))`
      with settled as (
        update delivery
           set lease_until = null,
               tries = tries + (given.kind <> 'released')::integer,
               round_tries = round_tries + (given.kind <> 'released')::integer,
               status = case when given.kind = 'delivered' then 'delivered'
                             when given.kind = 'failed' and given.next_try_at is null then 'exhausted'
                             else 'pending' end,
               next_try_at = case when given.kind = 'released' then delivery.next_try_at else given.next_try_at end,
               delivered_at = case when given.kind = 'delivered' then given.at end
          from unnest(${eventIds}::text[], ${settlements.map(({ fence }) => fence)}::integer[],
                      ${settlements.map(({ kind }) => kind)}::text[], ${settlements.map(({ at }) => at)}::timestamptz[],
                      ${settlements.map(({ nextTryAt }) => nextTryAt)}::timestamptz[],
                      ${settlements.map(({ status }) => status)}::integer[],
                      ${settlements.map(({ error }) => error)}::text[],
                      ${settlements.map(({ milliseconds }) => milliseconds)}::integer[],
                      ${settlements.map(({ answer }) => answer)}::text[])
               as given (event_id, fence, kind, at, next_try_at, status, error, milliseconds, answer)
         where delivery.event_id = any (${eventIds}::text[]) and delivery.event_id = given.event_id
           and delivery.lease_fence = given.fence and delivery.lease_until is not null
        returning delivery.event_id, delivery.tries, given.kind, given.at, given.status, given.error,
                  given.milliseconds, given.answer
      ), logged as (
        insert into delivery_try (event_id, number, at, status, error, milliseconds, answer)
        select event_id, tries, at, status, error, milliseconds, answer from settled where kind <> 'released'
      ), healed as (
        delete from endpoint_health where endpoint = any (${healed}::text[])
      ), failing as (
        insert into endpoint_health (endpoint, failures_in_row, failing_since, last_failure_at, last_error)
        select endpoint, failures, at, at, error
          from unnest(${failing.map(({ endpoint }) => endpoint)}::text[],
                      ${failing.map(({ failures }) => failures)}::integer[],
                      ${failing.map(({ at }) => at)}::timestamptz[], ${failing.map(({ error }) => error)}::text[])
               as given (endpoint, failures, at, error)
         order by endpoint
        on conflict (endpoint) do update
           set failures_in_row = endpoint_health.failures_in_row + excluded.failures_in_row,
               last_failure_at = excluded.last_failure_at, last_error = excluded.last_error
      ), marked as (
        update endpoint_queue set suspect = not suspect
         where endpoint = any (${tried}::text[]) and suspect = (endpoint = any (${healed}::text[]))
      )
      select event_id from settled`;
    const counted = new Set(settled);
    return settlements.map(({ eventId }) => counted.has(eventId));
  },
};

/**
 * Starts a new round for one delivery of this account, due immediately. A lease in progress loses its fence, so its
 * result does not end the new round. Returns whether the delivery exists.
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

/** Starts a new round for exhausted deliveries of this account, oldest first, at most `atMost`; returns how many. */
export function resendExhausted(
  sql: Sql,
  accountId: string,
  { from, to }: { readonly from: Temporal.Instant | null; readonly to: Temporal.Instant | null },
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

const countedAtMost = 100_000;
/** How many queues are read for their oldest delivery: those that have waited longest for their turn. */
const queuesAsked = 1_000;

/** How many deliveries are due, counted up to 200,000, and since when. Takes no lock. */
export function countDue(sql: Sql, now: Temporal.Instant): Promise<{ due: number; oldestAt: Temporal.Instant | null }> {
  return sql.one((row) => ({ due: readInteger(row, 'due'), oldestAt: readInstantOrNull(row, 'oldest_at') }))`
    with scheduled as (
      select next_try_at from delivery
       where status = 'pending' and queue is null and lease_until is null and next_try_at <= ${now}
       order by next_try_at, event_id limit ${countedAtMost}
    ), queued as (select from delivery where queue is not null limit ${countedAtMost})
    select ((select count(*) from scheduled) + (select count(*) from queued))::integer as due,
           least((select min(next_try_at) from scheduled),
                 (select min((select min(next_try_at) from delivery where queue = first.endpoint))
                    from (select endpoint from endpoint_queue order by suspect, served_at limit ${queuesAsked}) as first)
                ) as oldest_at`;
}

/** The earliest scheduled attempt; null if nothing is pending. A few index lookups. */
export function findNextTryAt(sql: Sql): Promise<Temporal.Instant | null> {
  return sql.one((row) => readInstantOrNull(row, 'next_at'))`
    select least(
      (select min(next_try_at) from delivery where status = 'pending' and queue is null and lease_until is null),
      (select min((select min(next_try_at) from delivery where queue = first.endpoint))
         from (select endpoint from endpoint_queue order by suspect, served_at limit ${queuesAsked}) as first),
      (select min(next_try_at) from delivery where lease_until is not null)) as next_at`;
}
