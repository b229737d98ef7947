// All SQL of mail. Owns: mail.

import { dueBy, jsonRows, type Row, readInteger, readText, type Sql } from '../../platform/index.ts';

export interface MailRow {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
  /** Tries before the present one. */
  readonly tries: number;
}

/** Writes mails in one statement, each due at once. */
export async function insertMailRows(
  sql: Sql,
  mails: readonly (Omit<MailRow, 'tries'> & { readonly createdAt: string })[],
): Promise<void> {
  await sql.run`
    insert into mail (id, recipient, subject, text_body, html_body, language, status, created_at, next_try_at)
    select id, recipient, subject, text, html, language, 'pending', "createdAt", "createdAt"
      from json_to_recordset(${jsonRows(mails)}::json) as given
           (id text, recipient text, subject text, text text, html text, language text, "createdAt" timestamptz)`;
}

function readMail(row: Row): MailRow {
  return {
    id: readText(row, 'id'),
    recipient: readText(row, 'recipient'),
    subject: readText(row, 'subject'),
    text: readText(row, 'text_body'),
    html: readText(row, 'html_body'),
    language: readText(row, 'language'),
    tries: readInteger(row, 'tries'),
  };
}

/** Claims mails that are due, oldest first; the lease is the next try. */
export function claimDueMails(
  sql: Sql,
  now: Temporal.Instant,
  leaseUntil: Temporal.Instant,
  limit: number,
): Promise<MailRow[]> {
  return sql.many(readMail)`
    with due as (
      select id, tries from mail where next_try_at <= ${now}
       order by next_try_at limit ${limit} for update skip locked
    )
    update mail set next_try_at = ${leaseUntil}, tries = due.tries + 1 from due where mail.id = due.id
    returning mail.id, mail.recipient, mail.subject, mail.text_body, mail.html_body, mail.language, due.tries`;
}

export interface MailChange {
  readonly id: string;
  readonly status: 'pending' | 'sent' | 'failed';
  readonly nextTryAt: string | null;
  readonly endedAt: string | null;
  readonly lastError: string | null;
}

/** Writes what became of mails, in one statement; only those that were not sent meanwhile. */
export async function updateMails(sql: Sql, changes: readonly MailChange[]): Promise<void> {
  await sql.run`
    update mail
       set status = given.status, next_try_at = given."nextTryAt", ended_at = given."endedAt", last_error = given."lastError"
      from json_to_recordset(${jsonRows(changes)}::json) as given
           (id text, status text, "nextTryAt" timestamptz, "endedAt" timestamptz, "lastError" text)
     where mail.id = given.id and mail.status = 'pending'`;
}

/** Forgets mails that ended before `before`, at most `limit`; answers how many. */
export function deleteOldMails(sql: Sql, before: Temporal.Instant, limit: number): Promise<number> {
  return sql.run`
    delete from mail where id in (select id from mail where ended_at < ${before} order by ended_at limit ${limit})`;
}

export const mailsDue = dueBy('mail', 'next_try_at');
