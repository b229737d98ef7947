// The mail outbox: a mail is written in the database transaction of the change that it reports.

import type { Log, Sql } from '../../platform/index.ts';
import { insertMailRows } from './store.ts';

export interface NewMail {
  /** A ULID; the Message-ID is derived from it and is the same for every attempt. */
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
  readonly createdAt: Temporal.Instant;
}

/**
 * Composes one mail per item. One that cannot be composed is logged and left out: the change that it reports, often
 * money that has moved, must not fail for its letter.
 */
export function composeMails<Item>(
  { log }: { readonly log: Log },
  items: readonly Item[],
  compose: (item: Item) => NewMail,
): NewMail[] {
  return items.flatMap((item) => {
    try {
      return [compose(item)];
    } catch (error) {
      log.error({ err: error }, 'a mail could not be composed and is left out');
      return [];
    }
  });
}

/**
 * Inserts mails in one statement. Call it with the `sql` of the change's own `atomic`, and only if there is a
 * transport.
 */
export async function insertMails(sql: Sql, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  await insertMailRows(sql, mails);
}
