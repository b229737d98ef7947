// Outgoing mail: claimed in batches, sent outside any database transaction, at least once.

import type { Tools } from '../../tools.ts';
import { openContent } from './content.ts';
import {
  claimDueMails,
  deleteOldCounts,
  deleteOldMails,
  type MailChange,
  type MailRow,
  mailsDue,
  updateMails,
} from './store.ts';
import type { MailResult, MailTransport } from './transport.ts';

const atOnce = 100;
const lease = Temporal.Duration.from({ minutes: 5 });

/** Minutes before the retry after each failed attempt; after the last one the mail has failed. */
const delays = [1, 5, 15, 60, 180, 360, 720, 1_440, 1_440];

/** Ended mails are kept this long, without their texts, so that one can see what was sent. */
const keptFor = Temporal.Duration.from({ hours: 24 * 30 });

/** Sends due mails; returns the number of attempts. */
export async function sendMails(tools: Tools, transport: MailTransport): Promise<number> {
  const now = tools.clock.now();
  const due = await claimDueMails(tools.db.sql, now, now.add(lease), atOnce);
  if (due.length === 0) return 0;
  const results = await Promise.all(due.map((mail) => send(tools, mail, transport)));
  const changes = due.map((mail, index) => changeOf(mail, results[index] ?? notTried, now));
  await updateMails(tools.db.sql, changes);
  // The server's message, which repeats the address, is stored with the mail and not logged.
  for (const { id, status } of changes) {
    if (status !== 'sent') tools.log.warn({ mail: id, status }, 'a mail was not accepted');
  }
  return due.length;
}

/**
 * One run after the other in this process. While the sandbox's clock is moved, the move and the engine both send, and a
 * lease by that clock ends during a step: the second run would send what the first is still sending.
 */
export function mailSender(tools: Tools, transport: MailTransport): () => Promise<number> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const run = last.then(() => sendMails(tools, transport));
    last = run.catch(() => undefined);
    return run;
  };
}

/** A mail that cannot be opened holds up no other; its key may come back. */
async function send({ vault, log }: Tools, mail: MailRow, transport: MailTransport): Promise<MailResult> {
  try {
    return await transport.send({ ...mail, ...openContent(vault, mail.id, mail.content ?? '') });
  } catch (error) {
    log.error({ err: error, mail: mail.id }, 'a mail could not be opened: is its key missing in VAULT_KEYS?');
    return { kind: 'failed', why: 'text_unreadable' };
  }
}

const notTried: MailResult = { kind: 'failed', why: 'not_attempted' };

function changeOf({ id, tries }: MailRow, result: MailResult, now: Temporal.Instant): MailChange {
  if (result.kind === 'sent') {
    return { id, status: 'sent', nextTryAt: null, endedAt: now, lastError: null };
  }
  const minutes = result.kind === 'failed' ? delays[tries - 1] : undefined;
  if (minutes === undefined) {
    return { id, status: 'failed', nextTryAt: null, endedAt: now, lastError: result.why };
  }
  return { id, status: 'pending', nextTryAt: now.add({ minutes }), endedAt: null, lastError: result.why };
}

/** Counts are of one hour; a day allows for clocks that differ. */
const countsKeptFor = Temporal.Duration.from({ hours: 24 });

/** Deletes mails that ended a month ago, and counts of yesterday; returns how many of both. */
export async function forgetOldMails({ db, clock }: Tools, atMost: number): Promise<number> {
  const now = clock.now();
  const counts = await deleteOldCounts(db.sql, now.subtract(countsKeptFor), atMost);
  return counts + (await deleteOldMails(db.sql, now.subtract(keptFor), atMost));
}

export function nextMail(tools: Tools): Promise<Temporal.Instant | null> {
  return mailsDue.next(tools.db.sql);
}

export function dueMails(tools: Tools): Promise<{ due: number; oldestAt: Temporal.Instant | null }> {
  return mailsDue.waiting(tools.db.sql, tools.clock.now());
}
