// The panel's tables for developers and operators, column by column.

import { instant, integer, nullable, table, text } from '../database/index.ts';

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
