// SQL of recurring payments on screen; read-only.

import { type Row, readInstant, readText, type Sql } from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';
import { type Recurring, readRecurring } from '../../recurring/index.ts';
import type { Place } from '../list/place.ts';
import type { List } from '../list/read.ts';

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

/** Recurring payments of an account, newest first. */
export const recurringList: List<Recurring> = {
  rows: 'recurring_listed',
  account: 'merchant_id',
  at: 'created_at',
  id: 'recurring_id',
  idType: 'text',
  scanned: 2_000,
  shown: 'recurring.*, account.zone',
  joins: `join recurring on recurring.id = page.recurring_id join account on account.id = page.merchant_id`,
  read: readRecurring,
};
