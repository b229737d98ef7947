// The table of idempotency keys, column by column.

import { bytes, instant, integer, nullable, table, text } from '../db/index.ts';

export const idempotencyKeyTable = table('idempotency_key', {
  accountId: text,
  key: text,
  requestHash: text,
  method: text,
  path: text,
  /** From this seed come the ids of the request, so that a second run after a crash makes the same rows. */
  seed: bytes,
  /** Which run has the key, until `leaseUntil`. */
  claim: text,
  startedAt: instant,
  leaseUntil: instant,
  /** What the request's one effect answered, as JSON; null before it. */
  done: nullable(text),
  answeredAt: nullable(instant),
  status: nullable(integer),
  body: nullable(text),
});
