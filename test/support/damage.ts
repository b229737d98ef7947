// Rows that vanish behind the service's back, as after a lost disk or a promoted standby that was behind.

import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { TestWorld } from './service.ts';

/** Deletes rows without any trigger or foreign key noticing. */
export async function deleteRows(
  world: TestWorld,
  rows: readonly { readonly table: string; readonly where: string; readonly values: readonly string[] }[],
): Promise<void> {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    for (const { table, where, values } of rows) {
      await client.query(`delete from ${table} where ${where} = any($1::text[])`, [values]);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** Deletes journals of these sources with their entries. */
export async function deleteJournals(
  world: TestWorld,
  sources: readonly string[],
  kinds: readonly string[],
): Promise<void> {
  const ids = await world.db.sql.many((row) => String(row.id))`
    select id from journal where source = any(${sources}::text[]) and kind = any(${kinds}::text[])`;
  await deleteRows(world, [
    { table: 'entry', where: 'journal_id', values: ids },
    { table: 'journal', where: 'id', values: ids },
  ]);
}

/** Changes the bank's own record. */
export function changeBank(world: TestWorld, statement: string, ...values: (string | number)[]): void {
  const file = new DatabaseSync(world.bankFile, { timeout: 10_000 });
  try {
    file.prepare(statement).run(...values);
  } finally {
    file.close();
  }
}
