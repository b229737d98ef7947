// The panel's tables for developers and operators, column by column.

import type { Finding } from '../../contract/codes/findings.ts';
import { bigint, instant, integer, json, nullable, table, text } from '../database/index.ts';

export const requestLogTable = table('request_log', {
  id: text,
  accountId: text,
  requestId: text,
  at: instant,
  endpoint: text,
  method: text,
  path: text,
  subjectId: nullable(text),
  status: integer,
  milliseconds: integer,
  ignoredFields: text,
  body: text,
  response: text,
});

export const verifyRunTable = table('verify_run', {
  id: text,
  startedBy: text,
  startedAt: instant,
  leaseUntil: instant,
  endedAt: nullable(instant),
  problems: json<readonly Finding[]>(),
  journals: nullable(bigint),
  entries: nullable(bigint),
});
