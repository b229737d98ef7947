import type { Sql } from './sql.ts';

/** Sets are joined by hash, never by a loop, for the rest of the database transaction (docs/decisions/0030). */
export async function planByHash(sql: Sql): Promise<void> {
  await sql.run`select set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true)`;
}

/** Until the end of the database transaction: few rows are looked up one after the other, however many there are to find. */
export async function planByIndex(sql: Sql): Promise<void> {
  await sql.run`select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`;
}
