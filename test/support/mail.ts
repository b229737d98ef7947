// Mails in tests: what waits is sealed, what was sent is in the catcher.

import PostalMime from 'postal-mime';
import { readText, readTextOrNull } from '../../src/database/index.ts';
import { openContent } from '../../src/notifications/index.ts';
import { openSource } from '../../src/simulators/mail/source.ts';
import type { Tools } from '../../src/tools.ts';

export interface ReadMail {
  readonly id: string;
  readonly subject: string;
  readonly language: string;
  readonly text: string;
  readonly html: string;
}

type MailWorld = Pick<Tools, 'db' | 'vault'>;

/** What the catcher received, in order. */
export async function caughtSources({ db, vault }: MailWorld): Promise<Buffer[]> {
  const rows = await db.sql.many((row) => [readText(row, 'id'), readText(row, 'source_sealed')] as const)`
    select id, source_sealed from caught_mail order by id`;
  return rows.map(([id, sealed]) => openSource(vault, id, sealed));
}

/** Mails to an address, oldest first, with their texts; one that has ended and was not caught has none. */
export async function mailsTo(world: MailWorld, email: string): Promise<ReadMail[]> {
  const rows = await world.db.sql.many((row) => ({
    id: readText(row, 'id'),
    subject: readText(row, 'subject'),
    language: readText(row, 'language'),
    content: readTextOrNull(row, 'content'),
  }))`select id, subject, language, content from mail where recipient = ${email} order by created_at, id`;
  const caught = await Promise.all((await caughtSources(world)).map((source) => PostalMime.parse(source)));
  return rows.map(({ content, ...mail }) => {
    if (content !== null) return { ...mail, ...openContent(world.vault, mail.id, content) };
    const { text = '', html = '' } = caught.find(({ messageId }) => messageId?.startsWith(`<${mail.id}@`)) ?? {};
    return { ...mail, text, html };
  });
}

/** The part of the newest mail's text that matches; empty if there is none. */
export async function inNewestMail(world: MailWorld, email: string, pattern: RegExp): Promise<string> {
  const [, found = ''] = pattern.exec((await mailsTo(world, email)).at(-1)?.text ?? '') ?? [];
  return found;
}
