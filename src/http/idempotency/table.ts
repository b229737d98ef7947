// The table of idempotency keys, column by column.

import { bytes, instant, integer, nullable, table, text } from '../../database/index.ts';

export const idempotencyKeyTable = table('idempotency_key', {
  accountId: text,
  key: text,
  requestHash: text,
  method: text,
  path: text,
  /** The ids of the request are derived from this seed, so that a second run after a crash creates the same rows. */
  seed: bytes,
  /** The run that holds the key, until `leaseUntil`. */
  claim: text,
  /** The process of that run; null if it does not beat. */
  node: nullable(text),
  startedAt: instant,
  leaseUntil: instant,
  /** The result of the request's effect, as JSON; null before it. */
  done: nullable(text),
  answeredAt: nullable(instant),
  status: nullable(integer),
  body: nullable(text),
});
