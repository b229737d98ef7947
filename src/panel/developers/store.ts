// SQL for developers: notifications, read only. Owns: request_log.

import type { AccountId } from '../../kernel/index.ts';
import {
  type Row,
  type RowOf,
  readBigint,
  readInstant,
  readInteger,
  readIntegerOrNull,
  readText,
  readTextOrNull,
  type Sql,
} from '../../platform/index.ts';
import { requestLogTable } from '../table.ts';

export type LoggedRequest = RowOf<typeof requestLogTable>;

export interface Notification {
  readonly eventId: string;
  readonly type: 'transaction' | 'recurring' | 'marketplace' | 'refund';
  readonly subjectId: string;
  readonly url: string | null;
  readonly createdAt: Temporal.Instant;
  readonly status: 'pending' | 'delivered' | 'exhausted' | 'no_address';
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
    select event.id, transaction.title, coalesce(refund.amount_minor, transaction.amount_minor) as amount_minor,
           transaction.currency
      from event
      left join refund on event.type = 'refund' and refund.id = event.subject_id
      join transaction on transaction.id = coalesce(refund.transaction_id, event.subject_id)
     where event.id = any(${eventIds}::text[]) and event.account_id = ${accountId}`;
  return new Map(found);
}

export interface NotificationFilter {
  readonly accountId: AccountId;
  /** The position after the newest to show; null for the newest of all. */
  readonly before: bigint | null;
  readonly limit: number;
}

/** How many of the newest events are searched for those of a status. */
const searchedAtMost = 10_000;

/**
 * Numbered events, newest first, at most `limit`: the index (account_id, position) backwards. With a status, among the
 * newest only.
 */
export function listNewest(
  sql: Sql,
  { accountId, before, limit }: NotificationFilter,
  status: Notification['status'] | null,
) {
  const searched = status === null ? limit : searchedAtMost;
  return sql.many((row) => ({ notification: readNotification(row), position: readText(row, 'position') }))`
    select event.id, event.type, event.subject_id, event.url, event.created_at, numbered.position::text as position,
           coalesce(delivery.status, 'no_address') as status, coalesce(delivery.tries, 0) as tries,
           delivery.next_try_at, last.status as last_status, last.error as last_error
      from (select position, event_id from event_position
             where account_id = ${accountId} and position < coalesce(${before}, 9223372036854775807)
             order by position desc limit ${searched}) as numbered
      join event on event.id = numbered.event_id
      left join delivery on delivery.event_id = numbered.event_id
      left join delivery_try as last on last.event_id = numbered.event_id and last.number = delivery.tries
     where ${status}::text is null or coalesce(delivery.status, 'no_address') = ${status}
     order by numbered.position desc limit ${limit}`;
}

/** Notifications that were given up, newest first, by the event's id, at most `limit`: a partial index on delivery. */
export function listExhausted(
  sql: Sql,
  {
    accountId,
    before,
    limit,
  }: { readonly accountId: AccountId; readonly before: string | null; readonly limit: number },
) {
  return sql.many((row) => ({ notification: readNotification(row), position: readText(row, 'id') }))`
    select event.id, event.type, event.subject_id, event.url, event.created_at, delivery.status, delivery.tries,
           delivery.next_try_at, last.status as last_status, last.error as last_error
      from (select * from delivery
             where account_id = ${accountId} and status = 'exhausted' and event_id < coalesce(${before}, '~')
             order by event_id desc limit ${limit}) as delivery
      join event on event.id = delivery.event_id
      left join delivery_try as last on last.event_id = event.id and last.number = delivery.tries
     order by event.id desc`;
}

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

export function insertRequests(sql: Sql, rows: readonly LoggedRequest[]): Promise<void> {
  return requestLogTable.copy(sql, rows);
}

export interface RequestFilter {
  readonly accountId: AccountId;
  readonly before: string | null;
  readonly limit: number;
  readonly failed: boolean | null;
  readonly endpoint: string | null;
  readonly requestId: string | null;
}

/** Requests of the account, newest first, at most `limit`; with a filter, among the newest. */
export function listRequestsOf(sql: Sql, filter: RequestFilter): Promise<LoggedRequest[]> {
  const { accountId, before, limit, failed, endpoint, requestId } = filter;
  const isFiltered = failed !== null || endpoint !== null || requestId !== null;
  return sql.many(requestLogTable.read)`
    select * from (
      select * from request_log where account_id = ${accountId} and id < coalesce(${before}, '~')
       order by id desc limit ${isFiltered ? searchedAtMost : limit}) as newest
     where (${failed}::boolean is null or (status >= 400) = ${failed})
       and (${endpoint}::text is null or endpoint = ${endpoint})
       and (${requestId}::text is null or request_id = ${requestId})
     order by id desc limit ${limit}`;
}

export function findRequest(sql: Sql, accountId: AccountId, id: string): Promise<LoggedRequest | undefined> {
  return sql.maybeOne(requestLogTable.read)`
    select * from request_log where id = ${id} and account_id = ${accountId}`;
}

/** Deletes requests with smaller ids, oldest first, at most `limit`; returns how many. */
export function deleteRequests(sql: Sql, before: string, limit: number): Promise<number> {
  return sql.run`
    delete from request_log where id in (select id from request_log where id < ${before} order by id limit ${limit})`;
}
