// The table of this room, column by column.

import type { Finding } from '../../contract/codes/findings.ts';
import { bigint, instant, json, nullable, table, text } from '../database/index.ts';

export const verifyRunTable = table('verify_run', {
  id: text,
  startedBy: text,
  startedAt: instant,
  /** By the wall clock; null: everything was verified. */
  sinceAt: nullable(instant),
  leaseUntil: instant,
  endedAt: nullable(instant),
  problems: json<readonly Finding[]>(),
  journals: nullable(bigint),
  entries: nullable(bigint),
});
