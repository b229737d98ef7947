// Classifies database errors: lost, busy, conflict, or bad rows. This table is the single source.

import { DatabaseError } from 'pg';
import { Unavailable } from '../kernel/index.ts';

/**
 * lost: this connection is unusable, and others in the pool may be too; a write may or may not have happened. busy: the
 * server refused or gave up, and nothing happened. conflict: a retry may succeed; reported as busy when no retries are
 * left. rows: the statement's rows are bad, and a retry does not help. bug: anything else, such as a statement that
 * does not match the schema.
 */
export type ErrorKind = 'lost' | 'busy' | 'conflict' | 'rows' | 'bug';

/** By SQLSTATE, or by its class if the state itself is not listed. */
const kinds: Readonly<Record<string, ErrorKind>> = {
  '08': 'lost', // connection exceptions; poolers also report their own errors as 08P01
  '25006': 'lost', // read-only transaction: the server is a standby, or was demoted in a switchover
  '25P03': 'lost', // idle-in-transaction timeout
  '25P04': 'lost', // transaction timeout
  '26000': 'lost', // prepared statement missing: something between us and the server changed the session
  '42P05': 'lost', // prepared statement exists: the session belonged to another client before
  '57P01': 'lost', // admin shutdown
  '57P02': 'lost', // crash shutdown
  '57P03': 'lost', // cannot connect now: starting up, or in recovery
  '57P04': 'lost', // database dropped
  '57P05': 'lost', // idle-session timeout
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
  XX001: 'rows', // corrupted row
  XX002: 'rows', // corrupted index entry
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

/** Messages that pg throws without a code when a connection ends, cannot be acquired in time, or times out. */
const lostTexts =
  /connection terminated|connection error|timeout exceeded when trying to connect|client has encountered|client was closed|query read timeout/i;

/**
 * Thrown when the database is unreachable, went away, or cannot do the work for now. The write may or may not have
 * happened.
 */
export class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super(['busy', 'conflict'].includes(kindOf(cause)) ? 'The database is busy.' : 'The database is away.', { cause });
    this.name = 'DatabaseAway';
  }
}

/** The deadline passed before the next statement was sent. */
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
    // A migration changed the result type of a prepared statement; a new connection prepares it again.
    if (error.routine === 'RevalidateCachedQuery') return 'lost';
    const state = error.code ?? '';
    return kinds[state] ?? kinds[state.slice(0, 2)] ?? 'bug';
  }
  if (!(error instanceof Error)) return 'rows';
  if (error instanceof AggregateError && error.errors.some(isLost)) return 'lost';
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && networkCodes.has(code)) return 'lost';
  // Errors that our own code throws while processing rows are about those rows.
  return lostTexts.test(error.message) ? 'lost' : 'rows';
}

/** Whether the connection that raised the error must leave the pool. */
export function isLost(error: unknown): boolean {
  return kindOf(error) === 'lost';
}

/** Whether the database is away or busy: the request and its rows are fine, and it can be retried later (503). */
export function isAway(error: unknown): boolean {
  return awayKinds.has(kindOf(error));
}

/** Whether the rows themselves are bad. Only then may a batch be split to find the bad row, and a row be parked. */
export function isAboutRows(error: unknown): boolean {
  return kindOf(error) === 'rows';
}

/** Whether PostgreSQL asks for a retry: serialization failure, deadlock or lock timeout. */
export function isRetryable(error: unknown): boolean {
  return kindOf(error) === 'conflict';
}

/** The error as callers see it: anything about the database rather than the rows becomes DatabaseAway. */
export function explained(error: unknown): unknown {
  if (error instanceof DatabaseAway || error instanceof Unavailable) return error;
  return isAway(error) ? new DatabaseAway(error) : error;
}

/** The name of the violated unique constraint, so that a use case can handle the conflict. */
export function brokenUnique(error: unknown): string | undefined {
  return error instanceof DatabaseError && error.code === '23505' ? error.constraint : undefined;
}
