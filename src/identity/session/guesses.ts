// Limits on guessing: counted before the guess is tried, so that many at once do not slip through.

import type { Sql } from '../../database/index.ts';
import { addressKey } from '../../http/index.ts';
import { Unavailable } from '../../kernel/index.ts';
import type { IdentityTools } from '../tools.ts';
import { guessesPerAddress, guessesPerUser, guessWindow, halfSignInsPerAddress, signInsPerUser } from './rules.ts';
import { countGuesses, deleteGuesses, insertGuesses, lockGuesses } from './store.ts';

const retryAfterSeconds = 900;

export interface Guesser {
  readonly email: string;
  readonly address: string;
}

interface Limit {
  readonly subject: string;
  readonly most: number;
}

/** Runs a guess. If it turns out right, it is not counted; one that was never decided is. */
export async function guess<T>(tools: IdentityTools, who: Guesser, run: () => Promise<T>): Promise<T> {
  const ids = await countGuess(tools, who);
  const result = await run();
  await deleteGuesses(tools.db.sql, ids);
  return result;
}

/** Counts one guess, or refuses if there were too many. Returns the ids by which it is taken back. */
export function countGuess(tools: IdentityTools, who: Guesser): Promise<string[]> {
  return tools.db.atomic((sql) => count(tools, sql, who));
}

/**
 * Counts a complete sign-in of a person, or refuses if there were too many: each makes a session and entries in the audit
 * log, for which everybody waits in turn.
 */
export function countSignIn(tools: IdentityTools, email: string): Promise<void> {
  return countRight(tools, { subject: `signed in ${email}`, most: signInsPerUser });
}

/** The same of a right password that a second factor has to follow: by address, so that nobody shuts the person out. */
export function countHalfSignIn(tools: IdentityTools, { email, address }: Guesser): Promise<void> {
  return countRight(tools, { subject: `half ${addressKey(address)} ${email}`, most: halfSignInsPerAddress });
}

async function countRight(tools: IdentityTools, limit: Limit): Promise<void> {
  await tools.db.atomic((sql) => countIn(tools, sql, [limit], 'Too many sign-ins. Wait a quarter of an hour.'));
}

function count(tools: IdentityTools, sql: Sql, { email, address }: Guesser): Promise<string[]> {
  const limits = [
    { subject: `address ${addressKey(address)}`, most: guessesPerAddress },
    { subject: `user ${email}`, most: guessesPerUser },
  ];
  return countIn(tools, sql, limits, 'Too many wrong guesses. Wait a quarter of an hour.');
}

async function countIn(
  { wall, ids }: IdentityTools,
  sql: Sql,
  limits: readonly Limit[],
  refusal: string,
): Promise<string[]> {
  const now = wall.now();
  const since = now.subtract(guessWindow);
  for (const { subject, most } of limits) {
    await lockGuesses(sql, subject);
    if ((await countGuesses(sql, subject, since)) >= most)
      throw new Unavailable('too_many_requests', refusal, retryAfterSeconds);
  }
  const rows = limits.map(({ subject }) => ({ id: ids.ulid(), subject, guessedAt: now }));
  await insertGuesses(sql, rows);
  return rows.map(({ id }) => id);
}
