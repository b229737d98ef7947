// The database: the pool, `atomic`, `batch`, COPY, tables, migrations; the rows about the installation, its nodes, and the
// signed ends of chains of hashes.
// Owns: chain_head, installation, migration, node.
// Guarantees: a write that resolved is durable; a batch writes its rows in one statement; nothing waits without a limit.
// Never: knows what its rows mean.
export { type BatchLimits, usualBatchLimits } from './batch.ts';
export {
  type ChainReader,
  findOwnHead,
  formatHeads,
  headProblems,
  moveHead,
  notedProblems,
  openSignedHeads,
  parseHeads,
  signHeads,
} from './chain/index.ts';
export type { Head } from './chain/store.ts';
export { checkDatabase, databaseFault } from './check.ts';
export { sessionOptions } from './connections.ts';
export type { CopyColumns } from './copy.ts';
export { BucketCounts, ofTouched, touchedBuckets } from './counts/store.ts';
export { type BatchOf, Database } from './database.ts';
export { claimTries, type Due, type DueBy, dueBy } from './due.ts';
export { brokenUnique, DatabaseAway, isAboutRows, isAway } from './errors.ts';
export { type Installation, noteSendsMail, openInstallation, whyNotReady } from './installation/index.ts';
export { type Migration, migrate, missingMigrations, readMigrations, SchemaMismatch } from './migrate.ts';
export { Nodes } from './nodes/index.ts';
export { planByHash, planByIndex } from './plan.ts';
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
  readJson,
  readText,
  readTextOrNull,
  readTexts,
  readWhole,
} from './read.ts';
export { allOf, given, givenByKey, type Row, type Sql, SqlPart, SqlText, sqlPart } from './sql.ts';
export {
  bigint,
  boolean,
  bytes,
  day,
  type Given,
  group,
  instant,
  integer,
  integers,
  json,
  message,
  named,
  nullable,
  type RowOf,
  smallint,
  type Table,
  table,
  text,
  textAs,
  textFrom,
  whole,
} from './table.ts';
export { patientTimes, type TimeLimits } from './times.ts';
export {
  type Books,
  findingsAtMost,
  type Page,
  type Paged,
  problemsOf,
  type Since,
  sinceOf,
  type Verifying,
  verifyPages,
  withSources,
} from './verifying.ts';
