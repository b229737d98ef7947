// SQL of the screen of acquirers and routes: read-only.

import { readInstant, readInteger, readText, type Sql } from '../../database/index.ts';

/** The names of these merchants. */
export async function findNames(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  return new Map(
    await sql.many((row) => [readText(row, 'id'), readText(row, 'name')] as const)`
      select id, name from account where id = any(${ids}::text[])`,
  );
}

export interface LastStatement {
  readonly to: Temporal.Instant;
  readonly state: string;
  readonly open: number;
}

/** The last comparison with the statement of each of these acquirers, by its name in the ledger. */
export async function listLastStatements(sql: Sql, acquirers: readonly string[]): Promise<Map<string, LastStatement>> {
  const read = (row: Parameters<typeof readText>[0]) =>
    [
      readText(row, 'acquirer'),
      { to: readInstant(row, 'to_at'), state: readText(row, 'state'), open: readInteger(row, 'open') },
    ] as const;
  return new Map(
    await sql.many(read)`
      select run.acquirer, run.to_at, run.state, run.open from unnest(${acquirers}::text[]) as asked (acquirer)
       cross join lateral (select acquirer, to_at, state, open from reconciliation_run
                            where reconciliation_run.acquirer = asked.acquirer order by id desc limit 1) as run`,
  );
}
