// SQL of events: writing, numbering, reading. Owns: event; also reads the delivery tables.

import type { deliveryStatuses } from '../../contract/events.ts';
import {
  type Given,
  given,
  type RowOf,
  readBigint,
  readBoolean,
  readInstantOrNull,
  readInteger,
  readText,
  readTextOrNull,
  type Sql,
} from '../platform/index.ts';
import { deliveryTable, deliveryTryTable, eventTable } from './table.ts';

const eventColumns = eventTable.types(
  'id',
  'accountId',
  'type',
  'subjectId',
  'url',
  'contentType',
  'body',
  'sealed',
  'createdAt',
);

const firstDeliveryColumns = deliveryTable.types('endpoint', 'leaseUntil');

/** An event, with the endpoint to deliver it to, and the lease if it is sent without a claim. */
export type EventInsert = Given<RowOf<typeof eventTable>, typeof eventColumns> & {
  readonly endpoint: string | null;
  readonly leaseUntil: string | null;
};

/** The fence of a delivery that is leased on insert. */
export const firstFence = 1;

/** Inserts events, and a delivery for each one with a URL, in one statement. Locks only its own rows. */
export async function insertEventRows(sql: Sql, events: readonly EventInsert[]): Promise<void> {
  await sql.run`
    with given as materialized (
      select * from ${given(events, { ...eventColumns, ...firstDeliveryColumns })}
    ), written as (
      insert into event (id, account_id, type, subject_id, url, content_type, body, sealed, created_at)
      select id, account_id, type, subject_id, url, content_type, body, sealed, created_at from given
    )
    insert into delivery (event_id, account_id, endpoint, status, next_try_at, lease_fence, lease_until)
    select id, account_id, endpoint, 'pending', created_at, case when lease_until is null then 0 else ${firstFence} end,
           lease_until
      from given where endpoint is not null`;
}

const numberingLock = 7_261_508_206;

/** Serializes numbering. Take it in a separate statement, so that the next one sees everything committed before. */
export async function lockNumbering(sql: Sql): Promise<void> {
  await sql.run`select pg_advisory_xact_lock(${numberingLock})`;
}

/**
 * Assigns the next positions to committed events that have none, oldest first, at most `atMost`; returns how many. Only
 * under the numbering lock: then positions are dense, and none is ever assigned below one that was already read.
 */
export function numberEventRows(sql: Sql, atMost: number): Promise<number> {
  return sql.run`
    with fresh as (
      select id, row_number() over (order by created_at, id) as place
        from (select id, created_at from event where position is null order by created_at, id limit ${atMost}) as unnumbered
    ), dealt as (select coalesce(max(position), 0) as last from event where position is not null)
    update event set position = dealt.last + fresh.place from fresh, dealt where event.id = fresh.id`;
}

/** Whether this account has events without a position. Uses the small partial index of such events. */
export function hasUnnumbered(sql: Sql, accountId: string): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'found'))`
    select exists (select from event where position is null and account_id = ${accountId}) as found`;
}

/** A numbered event, with the state of its delivery. */
export interface EventRow extends RowOf<typeof eventTable> {
  readonly position: bigint;
  readonly status: (typeof deliveryStatuses)[number];
  readonly tries: number;
  readonly nextTryAt: Temporal.Instant | null;
  readonly deliveredAt: Temporal.Instant | null;
}

/** This account's events after a position, in order, at most `limit`. Takes no lock. */
export function listEventRows(sql: Sql, accountId: string, after: number, limit: number): Promise<EventRow[]> {
  return sql.many((row) => ({
    ...eventTable.read(row),
    position: readBigint(row, 'position'),
    status: readText(row, 'status') as EventRow['status'],
    tries: readInteger(row, 'tries'),
    nextTryAt: readInstantOrNull(row, 'next_try_at'),
    deliveredAt: readInstantOrNull(row, 'delivered_at'),
  }))`
    select event.*, coalesce(delivery.status, 'no_address') as status,
           coalesce(delivery.tries, 0) as tries, delivery.next_try_at, delivery.delivered_at
      from event left join delivery on delivery.event_id = event.id
     where event.account_id = ${accountId} and event.position > ${after}
     order by event.position limit ${limit}`;
}

/** Whether an event of this account has a URL; undefined for events of others. */
export function findEvent(sql: Sql, accountId: string, id: string): Promise<{ url: string | null } | undefined> {
  return sql.maybeOne((row) => ({ url: readTextOrNull(row, 'url') }))`
    select url from event where id = ${id} and account_id = ${accountId}`;
}

export type TryRow = RowOf<typeof deliveryTryTable>;

/** The delivery log of an event, oldest first: at most the last thousand attempts. */
export function listTries(sql: Sql, eventId: string): Promise<TryRow[]> {
  return sql.many(deliveryTryTable.read)`
    select * from (select * from delivery_try where event_id = ${eventId} order by number desc limit 1000) as latest
     order by number`;
}
