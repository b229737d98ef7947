// SQL of the screen of routes: read-only.

import { readText, type Sql } from '../../database/index.ts';

/** The names of these merchants. */
export async function findNames(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  return new Map(
    await sql.many((row) => [readText(row, 'id'), readText(row, 'name')] as const)`
      select id, name from account where id = any(${ids}::text[])`,
  );
}
