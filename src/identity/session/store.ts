// All SQL of sign-in. Owns: person, session, passkey, recovery_code, mail_link, sign_in_guess.

import { type RowOf, readInstant, readText, type Sql } from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';
import type { Session, User } from '../model.ts';
import { guessTable, linkTable, passkeyTable, recoveryCodeTable, sessionTable, userTable } from '../table.ts';

export type Passkey = RowOf<typeof passkeyTable>;
export type Link = RowOf<typeof linkTable>;

export function insertUser(sql: Sql, user: User): Promise<void> {
  return userTable.copy(sql, [user]);
}

export function findUserByEmail(sql: Sql, email: string): Promise<User | undefined> {
  return sql.maybeOne(userTable.read)`select * from person where email = ${email}`;
}

/** For the mails of its users: by the primary key. */
export function findAccountName(sql: Sql, id: AccountId): Promise<string> {
  return sql.one((row) => readText(row, 'name'))`select name from account where id = ${id}`;
}

/** Locks the user, so that changes of password and second factor take turns. */
export function lockUser(sql: Sql, id: string): Promise<User | undefined> {
  return sql.maybeOne(userTable.read)`select * from person where id = ${id} for update`;
}

/** Writes everything that can change of a user. */
export async function updateUser(sql: Sql, user: User): Promise<void> {
  await sql.run`
    update person
       set name = ${user.name}, role = ${user.role}, language = ${user.language},
           password_hash = ${user.passwordHash}, totp_sealed = ${user.totpSealed},
           totp_new_sealed = ${user.totpNewSealed}, totp_step = ${user.totpStep},
           blocked_at = ${user.blockedAt}, modified_at = ${user.modifiedAt}
     where id = ${user.id}`;
}

export function insertSession(sql: Sql, session: Session): Promise<void> {
  return sessionTable.copy(sql, [session]);
}

export interface FoundSession {
  readonly session: Session;
  readonly user: User;
}

/** A session that has not expired, with its user, unless blocked: lookups by unique keys. */
export function findSession(
  sql: Sql,
  tokenHash: Uint8Array,
  now: Temporal.Instant,
  idleSince: Temporal.Instant,
): Promise<FoundSession | undefined> {
  const [readSession, readUser] = [sessionTable.reader('session_'), userTable.reader('user_')];
  return sql.maybeOne((row) => ({ session: readSession(row), user: readUser(row) }))`
    select ${sessionTable.selected('session', 'session_')}, ${userTable.selected('person', 'user_')}
      from session
      join person on person.id = session.user_id and person.blocked_at is null
     where session.token_hash = ${tokenHash} and session.expires_at > ${now} and session.seen_at > ${idleSince}`;
}

/**
 * Which of these sessions are still good and may still see the account that they look at, as `personOf` decides it. One
 * query for all, by primary keys; reads only, in any order.
 */
export function listWatching(
  sql: Sql,
  viewers: readonly { readonly sessionId: string; readonly accountId: string }[],
  now: Temporal.Instant,
  idleSince: Temporal.Instant,
): Promise<{ readonly sessionId: string; readonly accountId: string }[]> {
  return sql.many((row) => ({ sessionId: readText(row, 'session_id'), accountId: readText(row, 'account_id') }))`
    select viewer.session_id, viewer.account_id
      from unnest(${viewers.map(({ sessionId }) => sessionId)}::text[],
                  ${viewers.map(({ accountId }) => accountId)}::text[]) as viewer (session_id, account_id)
      join session on session.id = viewer.session_id
      join person on person.id = session.user_id and person.blocked_at is null
      left join account as own on own.id = person.account_id
     where session.complete and session.expires_at > ${now} and session.seen_at > ${idleSince}
       and (person.account_id is null or own.status = 'active')
       and (person.account_id = viewer.account_id or person.role = 'operator'
            or own.kind = 'partner' and exists (
                 select from partner_seller join account as seller on seller.id = partner_seller.seller_id
                  where partner_seller.partner_id = own.id and partner_seller.seller_id = viewer.account_id
                    and seller.status = 'active'))`;
}

export async function touchSession(sql: Sql, id: string, seenAt: Temporal.Instant): Promise<void> {
  await sql.run`update session set seen_at = ${seenAt} where id = ${id} and seen_at < ${seenAt}`;
}

export async function setChallenge(sql: Sql, id: string, challenge: string | null): Promise<void> {
  await sql.run`update session set challenge = ${challenge} where id = ${id}`;
}

/** Takes the challenge of a session: it works once. */
export async function consumeChallenge(sql: Sql, id: string): Promise<string | undefined> {
  const found = await sql.maybeOne((row) => row.challenge as string | null)`
    with consumed as (select id, challenge from session where id = ${id} for update)
    update session set challenge = null from consumed where session.id = consumed.id returning consumed.challenge`;
  return found ?? undefined;
}

/** Deletes a session of this user; returns whether there was one. */
export async function deleteSession(sql: Sql, userId: string, id: string): Promise<boolean> {
  return (await sql.run`delete from session where id = ${id} and user_id = ${userId}`) > 0;
}

/** Deletes the user's sessions, except one. */
export async function deleteSessions(sql: Sql, userId: string, except: string | null): Promise<void> {
  await sql.run`
    delete from session where user_id = ${userId} and (${except}::text is null or id <> ${except})`;
}

/** Deletes all but the newest `kept` complete sessions of a user, who is locked. */
export async function deleteOldestSessions(sql: Sql, userId: string, kept: number): Promise<void> {
  await sql.run`
    delete from session where id in (
      select id from session where user_id = ${userId} and complete order by created_at desc, id desc offset ${kept})`;
}

/** The user's complete sessions that have not expired, newest first, at most 100. */
export function listSessionsOf(
  sql: Sql,
  userId: string,
  now: Temporal.Instant,
  idleSince: Temporal.Instant,
): Promise<Session[]> {
  return sql.many(sessionTable.read)`
    select * from session
     where user_id = ${userId} and complete and expires_at > ${now} and seen_at > ${idleSince}
     order by created_at desc, id desc limit 100`;
}

export function insertPasskey(sql: Sql, passkey: Passkey): Promise<void> {
  return passkeyTable.copy(sql, [passkey]);
}

/** In the order in which they were added; at most 20 exist. */
export function listPasskeys(sql: Sql, userId: string): Promise<Passkey[]> {
  return sql.many(passkeyTable.read)`select * from passkey where user_id = ${userId} order by id limit 20`;
}

export async function markPasskeyUsed(sql: Sql, id: string, counter: bigint, usedAt: Temporal.Instant): Promise<void> {
  await sql.run`update passkey set counter = ${counter}, used_at = ${usedAt} where id = ${id}`;
}

export async function deletePasskey(sql: Sql, userId: string, id: string): Promise<boolean> {
  return (await sql.run`delete from passkey where id = ${id} and user_id = ${userId}`) > 0;
}

/** All of a user. */
export async function deletePasskeys(sql: Sql, userId: string): Promise<void> {
  await sql.run`delete from passkey where user_id = ${userId}`;
}

/** Replaces the user's recovery codes. */
export async function replaceRecoveryCodes(sql: Sql, userId: string, macs: readonly string[]): Promise<void> {
  await sql.run`delete from recovery_code where user_id = ${userId}`;
  await recoveryCodeTable.copy(
    sql,
    macs.map((codeMac) => ({ userId, codeMac })),
  );
}

/** The keyed hashes of a user's codes; at most ten. */
export function listRecoveryCodes(sql: Sql, userId: string): Promise<string[]> {
  return sql.many((row) => recoveryCodeTable.read(row).codeMac)`
    select * from recovery_code where user_id = ${userId} limit 10`;
}

/** Uses a code up; returns whether it was there. */
export async function deleteRecoveryCode(sql: Sql, userId: string, mac: string): Promise<boolean> {
  return (await sql.run`delete from recovery_code where user_id = ${userId} and code_mac = ${mac}`) > 0;
}

/** Inserts a link; only the newest ones of the user are kept, with this one. */
export async function insertLink(sql: Sql, link: Link, most: number): Promise<void> {
  await sql.run`
    delete from mail_link where token_hash in (
      select token_hash from mail_link where user_id = ${link.userId} order by created_at desc offset ${most - 1})`;
  await linkTable.copy(sql, [link]);
}

/** A link that has not expired; locked, so that it is used once. */
export function lockLink(sql: Sql, tokenHash: Uint8Array, now: Temporal.Instant): Promise<Link | undefined> {
  return sql.maybeOne(linkTable.read)`
    select * from mail_link where token_hash = ${tokenHash} and expires_at > ${now} for update`;
}

export async function deleteLinks(sql: Sql, userId: string): Promise<void> {
  await sql.run`delete from mail_link where user_id = ${userId}`;
}

/** Guesses for one subject take turns until the end of the database transaction. */
export async function lockGuesses(sql: Sql, subject: string): Promise<void> {
  await sql.run`select pg_advisory_xact_lock(hashtextextended(${subject}, 7261508116))`;
}

/** When the guess was made that is the `place`th newest since then; undefined if there were fewer. By the index. */
export function findGuess(
  sql: Sql,
  subject: string,
  since: Temporal.Instant,
  place: number,
): Promise<Temporal.Instant | undefined> {
  return sql.maybeOne((row) => readInstant(row, 'guessed_at'))`
    select guessed_at from sign_in_guess where subject = ${subject} and guessed_at > ${since}
     order by guessed_at desc offset ${place - 1} limit 1`;
}

export function insertGuesses(sql: Sql, rows: readonly RowOf<typeof guessTable>[]): Promise<void> {
  return guessTable.copy(sql, rows);
}

/** Deletes guesses by their ids: they were right. */
export async function deleteGuesses(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.run`delete from sign_in_guess where id = any(${ids}::text[])`;
}

/** Deletes expired sessions and links, and old guesses, at most `limit` of each; returns how many. */
export async function deleteExpired(
  sql: Sql,
  now: Temporal.Instant,
  guessedBefore: Temporal.Instant,
  limit: number,
): Promise<number> {
  const sessions = await sql.run`
    delete from session where id in (
      select id from session where expires_at <= ${now} order by expires_at limit ${limit})`;
  const links = await sql.run`
    delete from mail_link where token_hash in (
      select token_hash from mail_link where expires_at <= ${now} order by expires_at limit ${limit})`;
  const guesses = await sql.run`
    delete from sign_in_guess where id in (
      select id from sign_in_guess where guessed_at <= ${guessedBefore} order by guessed_at limit ${limit})`;
  return sessions + links + guesses;
}
