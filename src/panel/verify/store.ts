// All SQL of verifying from the panel. Owns: verify_run.

import type { RowOf, Sql } from '../../database/index.ts';
import { verifyRunTable } from '../table.ts';

export type VerifyRun = RowOf<typeof verifyRunTable>;

export function findLastRun(sql: Sql): Promise<VerifyRun | undefined> {
  return sql.maybeOne(verifyRunTable.read)`select * from verify_run order by id desc limit 1`;
}

/** Runs take turns; returns the last one. */
export async function lockLastRun(sql: Sql): Promise<VerifyRun | undefined> {
  await sql.run`select pg_advisory_xact_lock(7261508117)`;
  return findLastRun(sql);
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
