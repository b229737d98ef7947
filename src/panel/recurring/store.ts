// SQL of recurring payments on screen; read-only.

import type { AccountId } from '../../kernel/index.ts';
import { type Row, readInstant, readText, type Sql } from '../../platform/index.ts';
import { type Recurring, readRecurring } from '../../recurring/index.ts';
import type { Place } from '../list.ts';

/** What is due until an instant, in order of the due time, after a place, at most `limit`. */
export function listDue(
  sql: Sql,
  accountId: AccountId,
  until: Temporal.Instant,
  after: Place | null,
  limit: number,
): Promise<{ readonly recurring: Recurring; readonly place: Place }[]> {
  const at = after?.at ?? Temporal.Instant.fromEpochMilliseconds(0);
  const readPlace = (row: Row): Place => ({ at: readInstant(row, 'due_at'), id: readText(row, 'id') });
  return sql.many((row) => ({ recurring: readRecurring(row), place: readPlace(row) }))`
    select recurring.*, account.zone from recurring join account on account.id = recurring.merchant_id
     where recurring.merchant_id = ${accountId} and recurring.due_at is not null and recurring.due_at < ${until}
       and recurring.due_at >= ${at} and (recurring.due_at, recurring.id) > (${at}::timestamptz, ${after?.id ?? ''}::text)
     order by recurring.due_at, recurring.id limit ${limit}`;
}

/** The newest of an account before a place that have a status, newest first, at most `limit` of the next `among`. */
export function listNewest(
  sql: Sql,
  accountId: AccountId,
  status: string | null,
  before: Place,
  among: number,
  limit: number,
): Promise<Recurring[]> {
  return sql.many(readRecurring)`
    select recurring.*, account.zone
      from (select merchant_id, created_at, recurring_id from recurring_listed
             where merchant_id = ${accountId}
               and (created_at, recurring_id) < (${before.at}::timestamptz, ${before.id}::text)
             order by created_at desc, recurring_id desc limit ${among}) as newest
      join recurring on recurring.id = newest.recurring_id
      join account on account.id = newest.merchant_id
     where (${status}::text is null or recurring.status = ${status}::text)
     order by newest.created_at desc, newest.recurring_id desc limit ${limit}`;
}

/** The last of the newest `among` before a place; undefined if there are fewer. */
export function findRecurringPlace(
  sql: Sql,
  accountId: AccountId,
  before: Place,
  among: number,
): Promise<Place | undefined> {
  return sql.maybeOne((row) => ({ at: readInstant(row, 'created_at'), id: readText(row, 'recurring_id') }))`
    select created_at, recurring_id from recurring_listed
     where merchant_id = ${accountId} and (created_at, recurring_id) < (${before.at}::timestamptz, ${before.id}::text)
     order by created_at desc, recurring_id desc limit 1 offset ${among - 1}`;
}
