export type { BatchLimits } from './batch.ts';
export { usualBatchLimits } from './batch.ts';
export { checkDatabase, databaseFault } from './check.ts';
export { sessionOptions } from './connections.ts';
export type { CopyColumns } from './copy.ts';
export type { BatchOf, DatabaseOptions } from './database.ts';
export { Database } from './database.ts';
export { claimTries, type Due, type DueBy, dueBy } from './due.ts';
export { brokenUnique, DatabaseAway, isAboutRows, isAway } from './errors.ts';
export type { Migration } from './migrate.ts';
export { migrate, missingMigrations, readMigrations, SchemaMismatch } from './migrate.ts';
export {
  messageReader,
  readBigint,
  readBoolean,
  readBytes,
  readDay,
  readInstant,
  readInstantOrNull,
  readInteger,
  readIntegerOrNull,
  readIntegers,
  readText,
  readTextOrNull,
  readTexts,
} from './read.ts';
export type { Row, Sql } from './sql.ts';
export { allOf, given, givenByKey, SqlPart, SqlText, sqlPart } from './sql.ts';
export type { Given, RowOf, Table } from './table.ts';
export {
  bigint,
  boolean,
  bytes,
  day,
  group,
  instant,
  integer,
  integers,
  json,
  message,
  named,
  nullable,
  smallint,
  table,
  text,
  textAs,
  textFrom,
  whole,
} from './table.ts';
export type { TimeLimits } from './times.ts';
export { patientTimes } from './times.ts';
