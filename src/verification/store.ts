// All SQL of this room. Owns: verify_run.

import { type RowOf, readInstant, type Sql } from '../database/index.ts';
import { verifyRunTable } from './table.ts';

export type VerifyRun = RowOf<typeof verifyRunTable>;

/**
 * By the primary key, newest first; a few of what changed lie between two of everything. Here and below a run of the future
 * counts for nothing: it would keep the books from being verified until then.
 */
export function findLastRun(sql: Sql, latest: Temporal.Instant): Promise<VerifyRun | undefined> {
  return sql.maybeOne(verifyRunTable.read)`
    select * from verify_run where started_at <= ${latest} order by id desc limit 1`;
}

/** The last run of everything, or of what changed. */
export function findLastOf(sql: Sql, everything: boolean, latest: Temporal.Instant): Promise<VerifyRun | undefined> {
  return sql.maybeOne(verifyRunTable.read)`
    select * from verify_run where (since_at is null) = ${everything} and started_at <= ${latest} order by id desc limit 1`;
}

/** The last run that has ended. */
export function findLastEnded(sql: Sql, latest: Temporal.Instant): Promise<VerifyRun | undefined> {
  return sql.maybeOne(verifyRunTable.read)`
    select * from verify_run where ended_at is not null and started_at <= ${latest} order by id desc limit 1`;
}

/** When the last run started that found nothing wrong. */
export function findLastRight(sql: Sql, latest: Temporal.Instant): Promise<Temporal.Instant | undefined> {
  return sql.maybeOne((row) => readInstant(row, 'started_at'))`
    select started_at from verify_run
     where ended_at is not null and problems = '[]' and started_at <= ${latest} order by id desc limit 1`;
}

/** Runs take turns; returns the last one. */
export async function lockLastRun(sql: Sql, latest: Temporal.Instant): Promise<VerifyRun | undefined> {
  await sql.run`select pg_advisory_xact_lock(7261508117)`;
  return findLastRun(sql, latest);
}

export function insertRun(sql: Sql, run: VerifyRun): Promise<void> {
  return verifyRunTable.copy(sql, [run]);
}

export async function endRun(sql: Sql, run: VerifyRun): Promise<void> {
  await sql.run`
    update verify_run
       set ended_at = ${run.endedAt}, problems = ${JSON.stringify(run.problems)}::jsonb, journals = ${run.journals},
           entries = ${run.entries}
     where id = ${run.id}`;
}
