// The table of this room, column by column.

import type { Finding } from '../../contract/codes/findings.ts';
import { bigint, instant, json, nullable, table, text } from '../database/index.ts';

/** All but what it found, which may be long. */
export const runFields = {
  id: text,
  startedBy: text,
  startedAt: instant,
  /** By the wall clock; null: everything was verified. */
  sinceAt: nullable(instant),
  nodeId: nullable(text),
  leaseUntil: instant,
  endedAt: nullable(instant),
  journals: nullable(bigint),
  entries: nullable(bigint),
  reread: json<readonly string[]>(),
  position: nullable(bigint),
  standing: nullable(json<readonly string[]>()),
  rightUntil: nullable(instant),
  mac: nullable(text),
};

export const verifyRunTable = table('verify_run', { ...runFields, problems: json<readonly Finding[]>() });
