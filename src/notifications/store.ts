// SQL of events: writing, numbering, reading. Owns: event, and reads the delivery tables beside it.

import type { deliveryStatuses } from '../../contract/events.ts';
import {
  jsonRows,
  type Row,
  readBigint,
  readBoolean,
  readInstant,
  readInstantOrNull,
  readInteger,
  readIntegerOrNull,
  readText,
  readTextOrNull,
  type Sql,
} from '../platform/index.ts';
import type { EventType } from './model.ts';

export interface EventInsert {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly subjectId: string;
  readonly url: string | null;
  readonly endpoint: string | null;
  readonly contentType: string;
  readonly body: string;
  readonly sealed: boolean;
  readonly createdAt: string;
}

/** Inserts events, and a delivery for each that has an address, in one statement. Takes no lock but on its own rows. */
export async function insertEventRows(sql: Sql, events: readonly EventInsert[]): Promise<void> {
  await sql.run`
    with given as materialized (
      select * from json_to_recordset(${jsonRows(events)}::json) as given
        (id text, "accountId" text, type text, "subjectId" text, url text, endpoint text, "contentType" text, body text,
         sealed boolean, "createdAt" timestamptz)
    ), written as (
      insert into event (id, account_id, type, subject_id, url, content_type, body, sealed, created_at)
      select id, "accountId", type, "subjectId", url, "contentType", body, sealed, "createdAt" from given
    )
    insert into delivery (event_id, account_id, endpoint, status, next_try_at)
    select id, "accountId", endpoint, 'pending', "createdAt" from given where endpoint is not null`;
}

const numberingLock = 7_261_508_206;

/** One numbers at a time. Ask for it in a statement of its own, so that the next one sees what was committed before. */
export async function lockNumbering(sql: Sql): Promise<void> {
  await sql.run`select pg_advisory_xact_lock(${numberingLock})`;
}

/**
 * Deals the next positions to committed events that have none, oldest first, at most `atMost`; answers how many. Only
 * under the numbering lock: then positions are dense, and none is ever dealt below one that somebody has read.
 */
export function numberEventRows(sql: Sql, atMost: number): Promise<number> {
  return sql.run`
    with fresh as (
      select id, row_number() over (order by created_at, id) as place
        from (select id, created_at from event where position is null order by created_at, id limit ${atMost}) as unnumbered
    ), dealt as (select coalesce(max(position), 0) as last from event where position is not null)
    update event set position = dealt.last + fresh.place from fresh, dealt where event.id = fresh.id`;
}

/** Whether this account has events that nobody has numbered yet. Along the small index of such events. */
export function hasUnnumbered(sql: Sql, accountId: string): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'found'))`
    select exists (select from event where position is null and account_id = ${accountId}) as found`;
}

export interface EventRow {
  readonly id: string;
  readonly position: bigint;
  readonly type: EventType;
  readonly subjectId: string;
  readonly url: string | null;
  readonly createdAt: Temporal.Instant;
  readonly contentType: string;
  readonly body: string;
  readonly sealed: boolean;
  readonly status: (typeof deliveryStatuses)[number];
  readonly tries: number;
  readonly nextTryAt: Temporal.Instant | null;
  readonly deliveredAt: Temporal.Instant | null;
}

function readEvent(row: Row): EventRow {
  return {
    id: readText(row, 'id'),
    position: readBigint(row, 'position'),
    type: readText(row, 'type') as EventType,
    subjectId: readText(row, 'subject_id'),
    url: readTextOrNull(row, 'url'),
    createdAt: readInstant(row, 'created_at'),
    contentType: readText(row, 'content_type'),
    body: readText(row, 'body'),
    sealed: readBoolean(row, 'sealed'),
    status: readText(row, 'status') as EventRow['status'],
    tries: readInteger(row, 'tries'),
    nextTryAt: readInstantOrNull(row, 'next_try_at'),
    deliveredAt: readInstantOrNull(row, 'delivered_at'),
  };
}

/** This account's events after a position, in order, at most `limit`. Takes no lock. */
export function listEventRows(sql: Sql, accountId: string, after: number, limit: number): Promise<EventRow[]> {
  return sql.many(readEvent)`
    select event.id, event.position, event.type, event.subject_id, event.url, event.created_at, event.content_type,
           event.body, event.sealed, coalesce(delivery.status, 'no_address') as status,
           coalesce(delivery.tries, 0) as tries, delivery.next_try_at, delivery.delivered_at
      from event left join delivery on delivery.event_id = event.id
     where event.account_id = ${accountId} and event.position > ${after}
     order by event.position limit ${limit}`;
}

/** One event of this account: whether it has an address; undefined for everybody else's. */
export function findEvent(sql: Sql, accountId: string, id: string): Promise<{ url: string | null } | undefined> {
  return sql.maybeOne((row) => ({ url: readTextOrNull(row, 'url') }))`
    select url from event where id = ${id} and account_id = ${accountId}`;
}

export interface TryRow {
  readonly number: number;
  readonly at: Temporal.Instant;
  readonly status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
  readonly answer: string;
}

/** The delivery log of one event, oldest first: the last thousand tries at most. */
export function listTries(sql: Sql, eventId: string): Promise<TryRow[]> {
  return sql.many((row) => ({
    number: readInteger(row, 'number'),
    at: readInstant(row, 'at'),
    status: readIntegerOrNull(row, 'status'),
    error: readTextOrNull(row, 'error'),
    milliseconds: readInteger(row, 'milliseconds'),
    answer: readText(row, 'answer'),
  }))`
    select * from (select number, at, status, error, milliseconds, answer from delivery_try
                    where event_id = ${eventId} order by number desc limit 1000) as latest
     order by number`;
}
