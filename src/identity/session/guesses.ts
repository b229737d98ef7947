// Limits on guessing: counted before the guess is tried, so that many at once do not slip through.

import type { Sql } from '../../database/index.ts';
import { addressKey, type Client } from '../../http/index.ts';
import { Unavailable } from '../../kernel/index.ts';
import type { IdentityTools } from '../tools.ts';
import { deviceOf } from './devices.ts';
import {
  codesPerDay,
  dayOfGuesses,
  guessesPerAddress,
  guessesPerUser,
  guessWindow,
  halfSignInsPerPlace,
  signInsPerUser,
} from './rules.ts';
import { deleteGuesses, findGuess, insertGuesses, lockGuesses } from './store.ts';

export interface Limit {
  readonly subject: string;
  readonly most: number;
  readonly window?: Temporal.Duration;
}

const ofAddress = ({ address }: Client): Limit => ({
  subject: `address ${addressKey(address)}`,
  most: guessesPerAddress,
});

/** Guesses of a person's password. */
export function passwordLimits(tools: IdentityTools, email: string, client: Client): Limit[] {
  const device = deviceOf(tools, client, email);
  if (device !== undefined) return [{ subject: `device ${device}`, most: guessesPerUser }];
  return [ofAddress(client), { subject: `user ${email}`, most: guessesPerUser }];
}

/** Guesses of a code of six digits. They are counted apart, so that none of them keeps anybody from giving the password. */
export function codeLimits(tools: IdentityTools, email: string, client: Client): Limit[] {
  const device = deviceOf(tools, client, email);
  const subject = device === undefined ? `code of ${email}` : `code on ${device}`;
  return [
    ...(device === undefined ? [ofAddress(client)] : []),
    { subject, most: guessesPerUser },
    { subject, most: codesPerDay, window: dayOfGuesses },
  ];
}

/** What nobody guesses, however often: recovery codes and passkeys. Only so that the log is not filled. */
export function unguessableLimits(tools: IdentityTools, email: string, client: Client): Limit[] {
  const device = deviceOf(tools, client, email);
  return [device === undefined ? ofAddress(client) : { subject: `device ${device}`, most: guessesPerUser }];
}

/** What somebody who is signed in confirms: nobody outside can keep them from it. */
export function confirmLimits(userId: string): Limit[] {
  return [{ subject: `confirm ${userId}`, most: guessesPerUser }];
}

/** Mails that somebody asks for, for the owner of an address. */
export function resetLimits(email: string, client: Client): Limit[] {
  return [ofAddress(client), { subject: `reset ${email}`, most: guessesPerUser }];
}

/** So that nobody's inbox is filled: ten mails to one person and fifty of an account within a quarter of an hour. */
export function invitationLimits(email: string, accountId: string | null): Limit[] {
  return [
    { subject: `invitations of ${accountId}`, most: guessesPerAddress },
    { subject: `invitation ${email}`, most: guessesPerUser },
  ];
}

/** Runs a guess. If it turns out right, it is not counted; one that was never decided is. */
export async function guess<T>(tools: IdentityTools, limits: readonly Limit[], run: () => Promise<T>): Promise<T> {
  const ids = await countGuess(tools, limits);
  const result = await run();
  await deleteGuesses(tools.db.sql, ids);
  return result;
}

/** Counts one guess, or refuses if there were too many. Returns the ids by which it is taken back. */
export function countGuess(tools: IdentityTools, limits: readonly Limit[]): Promise<string[]> {
  return tools.db.atomic((sql) => countIn(tools, sql, limits, 'Too many wrong guesses.'));
}

/**
 * Counts a complete sign-in of a person, or refuses if there were too many: each makes a session and entries in the audit
 * log, for which everybody waits in turn.
 */
export function countSignIn(tools: IdentityTools, email: string): Promise<void> {
  return countRight(tools, { subject: `signed in ${email}`, most: signInsPerUser });
}

/** The same of a right password that a second factor has to follow: by place, so that nobody shuts the person out. */
export function countHalfSignIn(tools: IdentityTools, email: string, client: Client): Promise<void> {
  const place = deviceOf(tools, client, email) ?? `${addressKey(client.address)} ${email}`;
  return countRight(tools, { subject: `half ${place}`, most: halfSignInsPerPlace });
}

async function countRight(tools: IdentityTools, limit: Limit): Promise<void> {
  await tools.db.atomic((sql) => countIn(tools, sql, [limit], 'Too many sign-ins.'));
}

/** A subject may have several limits; it is counted once. */
async function countIn(
  { wall, ids }: IdentityTools,
  sql: Sql,
  limits: readonly Limit[],
  refusal: string,
): Promise<string[]> {
  const now = wall.now();
  for (const { subject, most, window = guessWindow } of limits) {
    await lockGuesses(sql, subject);
    const last = await findGuess(sql, subject, now.subtract(window), most);
    if (!last) continue;
    const seconds = Math.ceil(last.add(window).since(now).total('seconds'));
    throw new Unavailable('too_many_requests', `${refusal} ${waitFor(seconds)}`, seconds);
  }
  const subjects = [...new Set(limits.map(({ subject }) => subject))];
  const rows = subjects.map((subject) => ({ id: ids.ulid(), subject, guessedAt: now }));
  await insertGuesses(sql, rows);
  return rows.map(({ id }) => id);
}

function waitFor(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes > 90 ? `Wait ${Math.ceil(minutes / 60)} hours.` : `Wait ${minutes} minutes.`;
}
