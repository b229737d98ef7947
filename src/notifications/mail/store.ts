// All SQL of mail. Owns: mail, mail_count.

import {
  claimTries,
  dueBy,
  type Given,
  given,
  type RowOf,
  readInteger,
  readText,
  type Sql,
} from '../../database/index.ts';
import { mailTable } from '../table.ts';

export type MailRow = RowOf<typeof mailTable>;

/** With its content: only mails that have ended are without. */
export type NewMailRow = Pick<MailRow, 'id' | 'recipient' | 'subject' | 'subjectId' | 'language' | 'createdAt'> & {
  readonly content: string;
};

/** Inserts mails in one statement, due immediately. */
export async function insertMailRows(sql: Sql, mails: readonly NewMailRow[]): Promise<void> {
  const waiting = { status: 'pending', tries: 0, endedAt: null, lastError: null } as const;
  await mailTable.copy(
    sql,
    mails.map((mail) => ({ ...mail, ...waiting, nextTryAt: mail.createdAt })),
  );
}

/** Claims due mails, oldest first, and counts the attempt; the lease is the time of the next attempt. */
export const claimDueMails = claimTries(mailTable);

const changeColumns = mailTable.types('id', 'status', 'nextTryAt', 'endedAt', 'lastError');

export type MailChange = Given<MailRow, typeof changeColumns>;

/** Writes results in one statement, except for mails that were sent meanwhile. The content of those that ended goes. */
export async function updateMails(sql: Sql, changes: readonly MailChange[]): Promise<void> {
  await sql.run`
    update mail
       set status = given.status, next_try_at = given.next_try_at, ended_at = given.ended_at, last_error = given.last_error,
           content = case when given.status = 'pending' then mail.content end
      from ${given(changes, changeColumns)}
     where mail.id = given.id and mail.status = 'pending'`;
}

/** Deletes mails that ended before `before`, at most `limit`; returns how many. */
export function deleteOldMails(sql: Sql, before: Temporal.Instant, limit: number): Promise<number> {
  return sql.run`
    delete from mail where id in (select id from mail where ended_at < ${before} order by ended_at limit ${limit})`;
}

/**
 * Counts mails to addresses within an hour; returns each address with its count, these included. Locks the counts until
 * the end of the database transaction, in the order of the addresses.
 */
export async function countMails(
  sql: Sql,
  hour: Temporal.Instant,
  counts: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.many((row) => [readText(row, 'recipient'), readInteger(row, 'count')] as const)`
    insert into mail_count (hour, recipient, count)
    select ${hour}, recipient, count
      from unnest(${[...counts.keys()]}::text[], ${[...counts.values()].map(String)}::integer[]) as given (recipient, count)
     order by recipient collate "C"
    on conflict (hour, recipient) do update set count = mail_count.count + excluded.count
    returning recipient, count`;
  return new Map(rows);
}

/** Deletes counts of hours before `before`, oldest first, at most `limit`; returns how many. */
export function deleteOldCounts(sql: Sql, before: Temporal.Instant, limit: number): Promise<number> {
  return sql.run`
    delete from mail_count where (hour, recipient) in (
      select hour, recipient from mail_count where hour < ${before} order by hour, recipient limit ${limit}
         for update skip locked)`;
}

export const mailsDue = dueBy('mail', 'next_try_at');
