// The mail outbox: a mail is written in the database transaction of the change that it reports.

import type { Sql } from '../../database/index.ts';
import type { Log, Vault } from '../../runtime/index.ts';
import { type MailContent, sealContent } from './content.ts';
import { countMails, insertMailRows, type NewMailRow } from './store.ts';

export interface NewMail extends MailContent {
  /** A ULID; the Message-ID is derived from it and is the same for every attempt. */
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly language: string;
  /** What it is about: the id of a transaction, a refund or a user; null if it is about none. */
  readonly subjectId: string | null;
  readonly createdAt: Temporal.Instant;
}

/** A mail as it may be stored: its texts, which may have links that let one in, can be read with the vault only. */
export type SealedMail = NewMailRow;

export function sealMail(vault: Vault, { text, html, sender, ...others }: NewMail): SealedMail {
  const content = { text, html, ...(sender && { sender }) };
  return { ...others, content: sealContent(vault, others.id, content) };
}

/**
 * Composes one mail per item, sealed. One that cannot be composed is logged and left out: the change that it reports, often
 * money that has moved, must not fail because of its mail.
 */
export function composeMails<Item>(
  { log, vault }: { readonly log: Log; readonly vault: Vault },
  items: readonly Item[],
  compose: (item: Item) => NewMail,
): SealedMail[] {
  return items.flatMap((item) => {
    try {
      return [sealMail(vault, compose(item))];
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
export async function insertMails(sql: Sql, mails: readonly SealedMail[]): Promise<void> {
  if (mails.length === 0) return;
  await insertMailRows(sql, mails);
}

/** Per address and hour, over all accounts. */
const unpaidAtMost = 10;

/**
 * Inserts mails that somebody can cause without a payment. What an address gets beyond ten within an hour is left out:
 * nobody may fill an inbox with them. Call it as `insertMails`.
 */
export async function insertUnpaidMails(sql: Sql, mails: readonly SealedMail[]): Promise<void> {
  const [first] = mails;
  if (!first) return;
  const addressOf = ({ recipient }: SealedMail) => recipient.toLowerCase();
  const byAddress = Map.groupBy(mails, addressOf);
  const wanted = new Map([...byAddress].map(([address, { length }]) => [address, length]));
  const counts = await countMails(sql, hourOf(first.createdAt), wanted);
  const sent = [...byAddress].flatMap(([address, its]) => {
    const before = (counts.get(address) ?? its.length) - its.length;
    return its.slice(0, Math.max(0, unpaidAtMost - before));
  });
  await insertMails(sql, sent);
}

function hourOf(at: Temporal.Instant): Temporal.Instant {
  return at.round({ smallestUnit: 'hour', roundingMode: 'floor' });
}
