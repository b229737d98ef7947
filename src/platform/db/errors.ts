// What a database error means: lost, busy, a conflict, or a fault of the rows. One table decides it everywhere.

import { DatabaseError } from 'pg';
import { Unavailable } from '../../kernel/index.ts';

/**
 * lost: this connection is of no use, and others of the pool may not be either; a write may or may not have happened.
 * busy: the server refused or gave up, and nothing happened.
 * conflict: the same work may succeed when it begins again; busy once the tries are used up.
 * rows: the rows of the statement are bad, and a retry does not help.
 * bug: anything else, such as a statement that does not fit the schema.
 */
export type ErrorKind = 'lost' | 'busy' | 'conflict' | 'rows' | 'bug';

/** By SQLSTATE, or by its class when the state itself is not listed. */
const kinds: Readonly<Record<string, ErrorKind>> = {
  '08': 'lost', // connection exceptions; poolers also report their own faults as 08P01
  '25006': 'lost', // read-only transaction: the server is a standby, or was demoted in a switchover
  '25P03': 'lost', // idle in transaction for too long
  '25P04': 'lost', // transaction timeout
  '26000': 'lost', // the prepared statement is gone: something between us and the server changed the session
  '42P05': 'lost', // the prepared statement exists: the session was somebody else's before
  '57P01': 'lost', // admin shutdown
  '57P02': 'lost', // crash shutdown
  '57P03': 'lost', // cannot connect now: starting up, or in recovery
  '57P04': 'lost', // database dropped
  '57P05': 'lost', // idle session timeout
  '53': 'busy', // insufficient resources: disk full, out of memory, too many connections
  '57014': 'busy', // statement timeout, or canceled by an operator
  '58': 'busy', // system errors, such as I/O
  '40001': 'conflict', // serialization failure
  '40P01': 'conflict', // deadlock
  '55P03': 'conflict', // lock timeout
  '21': 'rows',
  '22': 'rows',
  '23': 'rows',
  '44': 'rows',
  '54': 'rows', // program limits, such as a value too long for an index
  P0: 'rows', // raised by a trigger
  XX001: 'rows', // a damaged row
  XX002: 'rows', // a damaged index entry
};

const awayKinds: ReadonlySet<ErrorKind> = new Set(['lost', 'busy', 'conflict']);

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Texts that pg throws without a code when a connection ends, cannot be had in time, or does not answer in time. */
const lostTexts =
  /connection terminated|connection error|timeout exceeded when trying to connect|client has encountered|client was closed|query read timeout/i;

/** Thrown when the database cannot be reached, went away, or cannot do the work for now. The write may or may not have happened. */
export class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super(['busy', 'conflict'].includes(kindOf(cause)) ? 'The database is busy.' : 'The database is away.', { cause });
    this.name = 'DatabaseAway';
  }
}

/** The time for the work was over before its next statement was sent. */
export class TooLate extends Error {
  constructor() {
    super('The work with the database took too long.');
    this.name = 'TooLate';
  }
}

function kindOf(error: unknown): ErrorKind {
  if (error instanceof TooLate || error instanceof Unavailable) return 'busy';
  if (error instanceof DatabaseAway) {
    const kind = kindOf(error.cause);
    return awayKinds.has(kind) ? kind : 'lost';
  }
  if (error instanceof DatabaseError) {
    // A prepared statement whose result type a migration changed: a new connection prepares it again.
    if (error.routine === 'RevalidateCachedQuery') return 'lost';
    const state = error.code ?? '';
    return kinds[state] ?? kinds[state.slice(0, 2)] ?? 'bug';
  }
  if (!(error instanceof Error)) return 'rows';
  if (error instanceof AggregateError && error.errors.some(isLost)) return 'lost';
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && networkCodes.has(code)) return 'lost';
  // What our own code throws while it works on rows is about them.
  return lostTexts.test(error.message) ? 'lost' : 'rows';
}

/** Whether the connection that the error came from must leave the pool. */
export function isLost(error: unknown): boolean {
  return kindOf(error) === 'lost';
}

/** Whether the database is away or busy: nothing is wrong with the request or its rows, and it may be repeated later (503). */
export function isAway(error: unknown): boolean {
  return awayKinds.has(kindOf(error));
}

/** Whether the rows themselves are bad. Only then may a set be split to find the bad one, and a row be set aside. */
export function isAboutRows(error: unknown): boolean {
  return kindOf(error) === 'rows';
}

/** Whether PostgreSQL asks for the same work again: serialization failure, deadlock, lock not had in time. */
export function isRetryable(error: unknown): boolean {
  return kindOf(error) === 'conflict';
}

/** The error as callers outside the database see it: whatever is about the database and not about rows is DatabaseAway. */
export function explained(error: unknown): unknown {
  if (error instanceof DatabaseAway || error instanceof Unavailable) return error;
  return isAway(error) ? new DatabaseAway(error) : error;
}

/** The name of the unique constraint that a write ran into, so that a use case can turn it into its own answer. */
export function brokenUnique(error: unknown): string | undefined {
  return error instanceof DatabaseError && error.code === '23505' ? error.constraint : undefined;
}
