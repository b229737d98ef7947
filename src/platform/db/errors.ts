// What a database error means for the caller: gone (503), worth another try, or a fact about the data.

import { DatabaseError } from 'pg';

/** Thrown when the database cannot be reached or went away. The write may or may not have happened. */
export class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super('The database is away.', { cause });
    this.name = 'DatabaseAway';
  }
}

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

/** Texts that pg throws without a code when a connection ends or cannot be had in time. */
const goneTexts =
  /connection terminated|connection error|timeout exceeded when trying to connect|client has encountered/i;

/** Whether the database is away: unreachable, starting, stopping, or the connection broke. */
export function isAway(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true;
  if (error instanceof DatabaseError) {
    const code = error.code ?? '';
    return code.startsWith('08') || code.startsWith('57P') || code === '53300';
  }
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && networkCodes.has(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(isAway);
  return goneTexts.test(error.message);
}

/** Whether PostgreSQL asks for the same work again: serialization failure, deadlock, lock not had in time. */
export function isRetryable(error: unknown): boolean {
  return error instanceof DatabaseError && ['40001', '40P01', '55P03'].includes(error.code ?? '');
}

/** The name of the unique constraint that a write ran into, so that a use case can turn it into its own answer. */
export function brokenUnique(error: unknown): string | undefined {
  return error instanceof DatabaseError && error.code === '23505' ? error.constraint : undefined;
}
