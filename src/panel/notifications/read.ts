// SQL of notifications on screen. Reads only.

import type { deliveryStatuses, eventTypes } from '../../../contract/events.ts';
import {
  type Row,
  readBigint,
  readInstant,
  readInteger,
  readIntegerOrNull,
  readText,
  readTextOrNull,
  type Sql,
} from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';
import type { List } from '../list/read.ts';

export interface Notification {
  readonly eventId: string;
  readonly type: (typeof eventTypes)[number];
  readonly subjectId: string;
  readonly url: string | null;
  readonly createdAt: Temporal.Instant;
  readonly status: (typeof deliveryStatuses)[number];
  readonly tries: number;
  readonly nextTryAt: Temporal.Instant | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

function readNotification(row: Row): Notification {
  return {
    eventId: readText(row, 'id'),
    type: readText(row, 'type') as Notification['type'],
    subjectId: readText(row, 'subject_id'),
    url: readTextOrNull(row, 'url'),
    createdAt: readInstant(row, 'created_at'),
    status: readText(row, 'status') as Notification['status'],
    tries: readInteger(row, 'tries'),
    nextTryAt: row.next_try_at === null ? null : readInstant(row, 'next_try_at'),
    lastStatus: readIntegerOrNull(row, 'last_status'),
    lastError: readTextOrNull(row, 'last_error'),
  };
}

/** A numbered event of the account with its position, by its key. */
export function findNotification(sql: Sql, accountId: AccountId, eventId: string) {
  return sql.maybeOne((row) => ({
    notification: readNotification(row),
    position: Number(readBigint(row, 'position')),
  }))`
    select event.id, event.type, event.subject_id, event.url, event.created_at, numbered.position,
           coalesce(delivery.status, 'no_address') as status, coalesce(delivery.tries, 0) as tries,
           delivery.next_try_at, last.status as last_status, last.error as last_error
      from event
      join event_position as numbered on numbered.event_id = event.id
      left join delivery on delivery.event_id = event.id
      left join delivery_try as last on last.event_id = event.id and last.number = delivery.tries
     where event.id = ${eventId} and event.account_id = ${accountId}`;
}

/** What a notification is about. */
export interface Subject {
  readonly title: string;
  readonly amountMinor: bigint;
  readonly currency: string;
}

/** What these events of the account are about, by event; in no order, at most one for each. All by primary keys. */
export async function findSubjects(sql: Sql, accountId: AccountId, eventIds: readonly string[]) {
  const found = await sql.many((row): [string, Subject] => [
    readText(row, 'id'),
    {
      title: readText(row, 'title'),
      amountMinor: readBigint(row, 'amount_minor'),
      currency: readText(row, 'currency'),
    },
  ])`
    select event.id, transaction.title, coalesce(refund.amount_minor, dispute.amount_minor, transaction.amount_minor) as amount_minor,
           transaction.currency
      from event
      left join refund on event.type = 'refund' and refund.id = event.subject_id
      left join dispute on event.type = 'dispute' and dispute.id = event.subject_id
      join transaction on transaction.id = coalesce(refund.transaction_id, dispute.transaction_id, event.subject_id)
     where event.id = any(${eventIds}::text[]) and event.account_id = ${accountId}`;
  return new Map(found);
}

const shown = `event.id, event.type, event.subject_id, event.url, event.created_at,
  coalesce(delivery.status, 'no_address') as status, coalesce(delivery.tries, 0) as tries, delivery.next_try_at,
  last.status as last_status, last.error as last_error`;
const joins = `join event on event.id = page.event_id
  left join delivery on delivery.event_id = page.event_id
  left join delivery_try as last on last.event_id = page.event_id and last.number = delivery.tries`;

/** How many of the newest events are searched for those of a status. */
const searchedAtMost = 10_000;

/** Numbered events of an account, newest first. */
export const notificationList: List<Notification> = {
  rows: `(select numbered.account_id, numbered.position, numbered.event_id,
                 coalesce(delivery.status, 'no_address') as status
            from event_position as numbered left join delivery on delivery.event_id = numbered.event_id)`,
  account: 'account_id',
  at: null,
  id: 'position',
  idType: 'bigint',
  scanned: searchedAtMost,
  shown,
  joins,
  read: readNotification,
};

/** Notifications that were given up, by the event's id: however old, a partial index has them. */
export const exhaustedList: List<Notification> = {
  ...notificationList,
  rows: `(select account_id, event_id, status from delivery where status = 'exhausted')`,
  id: 'event_id',
  idType: 'text',
  scanned: null,
};

export interface FailingEndpoint {
  readonly endpoint: string;
  readonly failuresInRow: number;
  readonly failingSince: Temporal.Instant;
  readonly lastFailureAt: Temporal.Instant;
  readonly lastError: string;
}

/** Endpoints of the account whose last attempt failed, at most 100: the key begins with the account. */
export function listFailing(sql: Sql, accountId: AccountId): Promise<FailingEndpoint[]> {
  return sql.many((row) => ({
    endpoint: readText(row, 'endpoint'),
    failuresInRow: readInteger(row, 'failures_in_row'),
    failingSince: readInstant(row, 'failing_since'),
    lastFailureAt: readInstant(row, 'last_failure_at'),
    lastError: readText(row, 'last_error'),
  }))`
    select * from endpoint_health
     where endpoint >= ${`${accountId} `} and endpoint < ${`${accountId}!`} order by endpoint limit 100`;
}

/** How many deliveries of the account were given up; counts at most 10,000. */
export function countExhausted(sql: Sql, accountId: AccountId): Promise<number> {
  return sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count
      from (select from delivery where account_id = ${accountId} and status = 'exhausted' limit 10000) as counted`;
}

/** How many of the account's newest events wait for their delivery. */
export function countPending(sql: Sql, accountId: AccountId): Promise<number> {
  return sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count
      from (select event_id from event_position where account_id = ${accountId}
             order by position desc limit ${searchedAtMost}) as numbered
      join delivery on delivery.event_id = numbered.event_id and delivery.status = 'pending'`;
}
