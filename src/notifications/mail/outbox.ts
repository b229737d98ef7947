// The outbox of mail: a mail is written in the database transaction of the change that it reports.

import type { Sql } from '../../platform/index.ts';
import { insertMailRows } from './store.ts';

export interface NewMail {
  /** A ULID; its Message-ID is made of it, the same at every try. */
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
  readonly createdAt: Temporal.Instant;
}

/** Writes any number of mails in one statement. Call it with the `sql` of the fact's own `atomic`, and with a transport. */
export async function insertMails(sql: Sql, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  await insertMailRows(sql, mails);
}
