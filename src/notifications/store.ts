// SQL of events: writing, numbering, reading. Owns: event, event_position, event_unnumbered; also reads the delivery
// tables.

import { type Finding, findings } from '../../contract/codes/findings.ts';
import type { deliveryStatuses } from '../../contract/events.ts';
import {
  messageReader,
  type Page,
  type Row,
  type RowOf,
  readBigint,
  readBoolean,
  readInstantOrNull,
  readInteger,
  readText,
  readTextOrNull,
  type Since,
  type Sql,
} from '../database/index.ts';
import { deliveryTable, deliveryTryTable, eventTable } from './table.ts';

/** An event, with the endpoint to deliver it to, and the lease if it is sent without a claim. */
export interface EventInsert {
  readonly event: RowOf<typeof eventTable>;
  readonly endpoint: string | null;
  readonly leaseUntil: Temporal.Instant | null;
}

/** The fence of a delivery that is leased on insert. */
export const firstFence = 1;

/** Inserts events, and a delivery for each one with a URL. Locks only its own rows. */
export async function insertEventRows(sql: Sql, rows: readonly EventInsert[]): Promise<void> {
  await eventTable.copy(
    sql,
    rows.map(({ event }) => event),
  );
  const deliveries = rows.flatMap(deliveriesOf);
  if (deliveries.length > 0) await deliveryTable.copy(sql, deliveries);
}

function deliveriesOf({ event, endpoint, leaseUntil }: EventInsert): RowOf<typeof deliveryTable>[] {
  if (endpoint === null) return [];
  return [
    {
      eventId: event.id,
      accountId: event.accountId,
      endpoint,
      status: 'pending',
      tries: 0,
      roundTries: 0,
      nextTryAt: event.createdAt,
      deliveredAt: null,
      queue: null,
      leaseFence: leaseUntil === null ? 0 : firstFence,
      leaseUntil,
    },
  ];
}

const numberingLock = 7_261_508_206;

/** Serializes numbering. Take it in a separate statement, so that the next one sees everything committed before. */
export async function lockNumbering(sql: Sql): Promise<void> {
  await sql.run`select pg_advisory_xact_lock(${numberingLock})`;
}

/**
 * Assigns the next positions to committed events that have none, oldest first: those of the oldest statements, about
 * `atLeast` or all; returns how many. Only under the numbering lock: then positions are dense, and none is ever assigned
 * below one that was already read.
 */
export function numberEventRows(sql: Sql, atLeast: number): Promise<number> {
  return sql.run`
    with next as materialized (
      select id, sum(cardinality(event_ids)) over (order by id) - cardinality(event_ids) as before
        from (select id, event_ids from event_unnumbered order by id limit ${atLeast}) as oldest
    ), dequeued as materialized (
      delete from event_unnumbered where id in (select id from next where before < ${atLeast})
      returning event_ids
    )
    insert into event_position (position, event_id, account_id)
    select (select coalesce(max(position), 0) from event_position) + row_number() over (order by created_at, id),
           id, account_id
      from event where id = any (array (select unnest(event_ids) from dequeued))`;
}

/** Whether this account has events without a position. Reads what was inserted since the last numbering. */
export function hasUnnumbered(sql: Sql, accountId: string): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'found'))`
    select exists (select from event_unnumbered where ${accountId} = any (account_ids)) as found`;
}

/** A numbered event, with the state of its delivery. */
export interface EventRow extends RowOf<typeof eventTable> {
  readonly position: bigint;
  readonly status: (typeof deliveryStatuses)[number];
  readonly tries: number;
  readonly nextTryAt: Temporal.Instant | null;
  readonly deliveredAt: Temporal.Instant | null;
}

const readEvent = (row: Row): EventRow => ({
  ...eventTable.read(row),
  position: readBigint(row, 'position'),
  status: readText(row, 'status') as EventRow['status'],
  tries: readInteger(row, 'tries'),
  nextTryAt: readInstantOrNull(row, 'next_try_at'),
  deliveredAt: readInstantOrNull(row, 'delivered_at'),
});

/** A part of an account's events. At most `scan` are looked at, of which at most `limit` of the type are returned. */
export interface EventRange {
  readonly after: number;
  readonly limit: number;
  readonly type?: string | undefined;
  /** Null: all up to `until`. */
  readonly scan: number | null;
  /** The last position that is looked at; undefined: as far as `scan` reaches. */
  readonly until?: number | undefined;
}

/** This account's events after a position, in order. Takes no lock. */
export function listEventRows(sql: Sql, accountId: string, range: EventRange): Promise<EventRow[]> {
  const { after, limit, type = null, scan, until = null } = range;
  return sql.many(readEvent)`
    select event.*, numbered.position, coalesce(delivery.status, 'no_address') as status,
           coalesce(delivery.tries, 0) as tries, delivery.next_try_at, delivery.delivered_at
      from (select position, event_id from event_position
             where account_id = ${accountId} and position > ${after}
               and (${until}::bigint is null or position <= ${until})
             order by position limit ${scan}) as numbered
      join event on event.id = numbered.event_id
      left join delivery on delivery.event_id = event.id
     where ${type}::text is null or event.type = ${type}
     order by numbered.position limit ${limit}`;
}

/** The same before a position (0: from the newest on), newest first. Takes no lock. */
export function listNewestEventRows(sql: Sql, accountId: string, range: EventRange): Promise<EventRow[]> {
  const { limit, type = null, scan, until = null } = range;
  return sql.many(readEvent)`
    select event.*, numbered.position, coalesce(delivery.status, 'no_address') as status,
           coalesce(delivery.tries, 0) as tries, delivery.next_try_at, delivery.delivered_at
      from (select position, event_id from event_position
             where account_id = ${accountId} and position < ${newestEnd(range.after)}
               and (${until}::bigint is null or position >= ${until})
             order by position desc limit ${scan}) as numbered
      join event on event.id = numbered.event_id
      left join delivery on delivery.event_id = event.id
     where ${type}::text is null or event.type = ${type}
     order by numbered.position desc limit ${limit}`;
}

function newestEnd(after: number): number {
  return after === 0 ? Number.MAX_SAFE_INTEGER : after;
}

/** Where looking at `scan` events ended, and whether there were as many. Takes no lock. */
export function endOfScan(
  sql: Sql,
  accountId: string,
  { after, scan, newestFirst = false }: { after: number; scan: number; newestFirst?: boolean },
): Promise<{ position: number | undefined; isFull: boolean }> {
  const read = (row: Row) => {
    const position = Number(readBigint(row, 'position'));
    return { position: position === 0 ? undefined : position, isFull: readInteger(row, 'count') >= scan };
  };
  if (newestFirst) {
    return sql.one(read)`
      select coalesce(min(position), 0) as position, count(*)::int as count
        from (select position from event_position
               where account_id = ${accountId} and position < ${newestEnd(after)}
               order by position desc limit ${scan}) as looked`;
  }
  return sql.one(read)`
    select coalesce(max(position), 0) as position, count(*)::int as count
      from (select position from event_position
             where account_id = ${accountId} and position > ${after}
             order by position limit ${scan}) as looked`;
}

/** The events of one transaction, of its refunds and of its disputes, which are few. Takes no lock. */
export function listTransactionEventRows(
  sql: Sql,
  accountId: string,
  transactionId: string,
  newestFirst: boolean,
  { after, limit, ...range }: EventRange,
): Promise<EventRow[]> {
  const type = range.type ?? null;
  const [from, to] = newestFirst ? [0, newestEnd(after)] : [after, Number.MAX_SAFE_INTEGER];
  return sql.many(readEvent)`
    select event.*, event_position.position, coalesce(delivery.status, 'no_address') as status,
           coalesce(delivery.tries, 0) as tries, delivery.next_try_at, delivery.delivered_at
      from event
      join event_position on event_position.event_id = event.id
      left join delivery on delivery.event_id = event.id
     where event.subject_id = any (array (select ${transactionId}::text
                                          union all
                                          select id::text from refund where transaction_id = ${transactionId}
                                          union all
                                          select id::text from dispute where transaction_id = ${transactionId}))
       and event.account_id = ${accountId} and position > ${from} and position < ${to}
       and (${type}::text is null or event.type = ${type})
     order by case when ${newestFirst} then -position else position end limit ${limit}`;
}

/** The URL and the content type of an event of this account; undefined for events of others. */
export function findEvent(
  sql: Sql,
  accountId: string,
  id: string,
): Promise<{ url: string | null; contentType: string } | undefined> {
  return sql.maybeOne((row) => ({ url: readTextOrNull(row, 'url'), contentType: readText(row, 'content_type') }))`
    select url, content_type from event where id = ${id} and account_id = ${accountId}`;
}

export type TryRow = RowOf<typeof deliveryTryTable>;

/** The delivery log of an event, oldest first: at most the last thousand attempts. */
export function listTries(sql: Sql, eventId: string): Promise<TryRow[]> {
  return sql.many(deliveryTryTable.read)`
    select * from (select * from delivery_try where event_id = ${eventId} order by number desc limit 1000) as latest
     order by number`;
}

/** Events since a moment, and those that are to be delivered. */
export function listEventsSince(sql: Sql, { id }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from event where id > ${id}
    union select event_id from delivery where status = 'pending' and queue is null and lease_until is null
    union select event_id from delivery where queue is not null
    union select event_id from delivery where lease_until is not null`;
}

/** A delivery is tried at least once a day, and then given up. */
const latestTry = Temporal.Duration.from({ hours: 49 });

/**
 * Events of a page without a position that do not wait for one, and with an address but no delivery, or the reverse;
 * deliveries without an event, or that nobody would make.
 */
export function listWrongEvents(sql: Sql, page: Page, now: Temporal.Instant): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with queued as (
      select distinct unnest(event_ids) as id from event_unnumbered
    )
    select finding as code, jsonb_build_object('id', id) as parameters from (
      select coalesce(event.id, delivery.event_id) as id,
             case when event.id is null then 'delivery_alone'
                  when numbered.event_id is null and queued.id is null then 'event_not_numbered'
                  when numbered.account_id <> event.account_id then 'event_numbered_for_another'
                  when (event.url is null) <> (delivery.event_id is null) then 'event_not_delivered'
                  when delivery.account_id <> event.account_id then 'delivery_differs'
                  when delivery.status = 'pending' and coalesce(delivery.next_try_at > ${now.add(latestTry)}, true)
                    then 'delivery_forgotten' end as finding
        from (select id, account_id, url from event where ${page.of('id')}) as event
        full join (select event_id, account_id, status, next_try_at from delivery where ${page.of('event_id')}) as delivery
               on delivery.event_id = event.id
        left join event_position as numbered on numbered.event_id = event.id and ${page.of('numbered.event_id')}
        left join queued on queued.id = event.id) as found
     where finding is not null order by id`;
}

/** Positions that are missing, or have no event; at most `limit`. */
export function listPositionGaps(sql: Sql, limit: number): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    select 'event_positions_gap' as code,
           jsonb_build_object('last', last::text, 'count', count::text) as parameters
      from (select coalesce(max(position), 0) as last, count(*) as count from event_position) as positions
     where last <> count limit ${limit}`;
}
