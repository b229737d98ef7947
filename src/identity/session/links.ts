// Links in mails: invitations and new passwords. A link works once and for a while; only its hash is stored.

import type { Sql } from '../../database/index.ts';
import type { Client } from '../../http/index.ts';
import { refuse, type Secret } from '../../kernel/index.ts';
import { insertMails, sealMail } from '../../notifications/index.ts';
import { randomText } from '../../runtime/index.ts';
import { audited } from '../audit/record.ts';
import { mailNotConfigured } from '../failures.ts';
import type { User } from '../model.ts';
import { hashToken } from '../person.ts';
import type { LinkPurpose } from '../table.ts';
import type { IdentityTools } from '../tools.ts';
import { knownDeviceCookie } from './devices.ts';
import { countGuess, resetLimits } from './guesses.ts';
import { renderLinkMail } from './link-mail.ts';
import { linkLifetimes, linksPerUser } from './rules.ts';
import {
  deleteLinks,
  deleteSessions,
  findAccountName,
  findUserByEmail,
  insertLink,
  type Link,
  lockLink,
  lockUser,
  updateUser,
} from './store.ts';

/** Makes a link and returns its address. The token is in the fragment, which browsers send to nobody. */
export async function makeLink(tools: IdentityTools, sql: Sql, user: User, purpose: LinkPurpose): Promise<string> {
  const token = randomText(tools.random, 32);
  const createdAt = tools.wall.now();
  const expiresAt = createdAt.add(linkLifetimes[purpose]);
  const link = { tokenHash: hashToken(token), userId: user.id, purpose, createdAt, expiresAt };
  await insertLink(sql, link, linksPerUser);
  return `${tools.config.baseUrl}/panel/password#${token}`;
}

/** Makes a link and sends it. */
export async function mailLink(tools: IdentityTools, sql: Sql, user: User, purpose: LinkPurpose): Promise<void> {
  if (!tools.sendsMail) refuse(mailNotConfigured);
  const url = await makeLink(tools, sql, user, purpose);
  const accountName = user.accountId === null ? null : await findAccountName(sql, user.accountId);
  const mail = renderLinkMail(user, purpose, url, accountName);
  const { email: recipient, language } = user;
  const about = { id: tools.ids.ulid(), recipient, language, subjectId: user.id, createdAt: tools.clock.now() };
  await insertMails(sql, [sealMail(tools.vault, { ...about, ...mail })]);
}

/**
 * Sends a link if there is such a user; the caller cannot tell, not even by the time that it takes: the user is looked for
 * after the response. Limited like guesses.
 */
export async function forgotPassword(tools: IdentityTools, email: string, client: Client): Promise<void> {
  const address = email.toLowerCase();
  // Never taken back: otherwise somebody's inbox could be filled.
  await countGuess(tools, resetLimits(address, client));
  tools.afterwards.run(async () => {
    const user = await findUserByEmail(tools.db.sql, address);
    if (!user || user.blockedAt || !tools.sendsMail) return;
    const purpose = user.passwordHash === null ? 'invitation' : 'reset';
    await tools.db.atomic((sql) => mailLink(tools, sql, user, purpose));
  });
}

async function openLink(tools: IdentityTools, sql: Sql, token: string): Promise<{ link: Link; user: User }> {
  const link = await lockLink(sql, hashToken(token), tools.wall.now());
  const user = link && (await lockUser(sql, link.userId));
  if (!link || !user || user.blockedAt) {
    return refuse('not_found', '', 'The link has expired or was used.', 'Ask for a new one.');
  }
  return { link, user };
}

export function lookAtLink(tools: IdentityTools, token: string): Promise<{ link: Link; user: User }> {
  return tools.db.atomic((sql) => openLink(tools, sql, token));
}

/**
 * Sets the password; the link and all sessions of the user end. Returns the cookie by which the device is known: who reads
 * the person's mail is no stranger.
 */
export async function setPassword(
  tools: IdentityTools,
  { token, password, name }: { readonly token: string; readonly password: Secret; readonly name?: string | undefined },
  client: Client,
): Promise<string[]> {
  const { user, link } = await lookAtLink(tools, token);
  const passwordHash = await tools.passwords.hash(password, { email: user.email, name: name ?? user.name });
  const actor = { userId: user.id, email: user.email, accountId: user.accountId, client };
  await audited(tools, { actor, action: 'set_password', target: link.purpose }, () =>
    tools.db.atomic(async (sql) => {
      const opened = await openLink(tools, sql, token);
      const modifiedAt = tools.wall.now();
      await updateUser(sql, { ...opened.user, passwordHash, name: name ?? opened.user.name, modifiedAt });
      await deleteLinks(sql, user.id);
      await deleteSessions(sql, user.id, null);
    }),
  );
  return knownDeviceCookie(tools, client, user.email);
}
