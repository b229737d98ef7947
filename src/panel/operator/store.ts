// SQL for operators. Owns: verify_run. Everything else is read only.

import { type RowOf, readBigint, readInstant, readInteger, readText, type Sql } from '../../database/index.ts';
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

export interface Node {
  readonly name: string;
  readonly address: string;
  readonly connections: number;
  readonly since: Temporal.Instant;
}

/** Processes of Grosz with a connection to this database, at most 200. */
export function listNodesOf(sql: Sql): Promise<Node[]> {
  return sql.many((row) => ({
    name: readText(row, 'application_name'),
    address: readText(row, 'address'),
    connections: readInteger(row, 'connections'),
    since: readInstant(row, 'since'),
  }))`
    select application_name, coalesce(host(client_addr), '') as address, count(*)::integer as connections,
           min(backend_start) as since
      from pg_stat_activity
     where datname = current_database() and application_name like 'grosz %'
     group by 1, 2 order by 1, 2 limit 200`;
}

export function readServer(sql: Sql): Promise<{ version: string; bytes: bigint }> {
  return sql.one((row) => ({ version: readText(row, 'version'), bytes: readBigint(row, 'bytes') }))`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`;
}
