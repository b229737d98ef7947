// Rows that vanish behind the service's back, as after a lost disk or a promoted standby that was behind.

import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { TestWorld } from './service.ts';

/** Changes rows like an intruder with all privileges: triggers off. */
export function damage(world: TestWorld, statement: string): Promise<void> {
  return world.db.atomic(async (sql) => {
    await sql.run`set local session_replication_role = replica`;
    await sql.run([statement] as unknown as TemplateStringsArray);
  });
}

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

/** The rows of a recurring charge, taken out of the database so that they can be put back: a restore in miniature. */
export async function removeCharge(world: TestWorld, key: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  const kept: { table: string; rows: unknown[] }[] = [];
  const all = [
    ['entry', 'journal_id in (select id from journal where source = $1)'],
    ['journal', 'source = $1'],
    ['charge', 'id = $1'],
    ['transaction', 'id = $1'],
  ] as const;
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    for (const [table, where] of all) {
      const { rows } = await client.query(`select to_jsonb(kept) as row from ${table} as kept where ${where}`, [key]);
      kept.push({ table, rows: rows.map(({ row }) => row) });
    }
    for (const [table, where] of all) await client.query(`delete from ${table} where ${where}`, [key]);
    await client.query('commit');
  } finally {
    await client.end();
  }
  return () => putBack(world, kept);
}

async function putBack(world: TestWorld, kept: readonly { table: string; rows: unknown[] }[]): Promise<void> {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    for (const { table, rows } of kept) {
      const insert = `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`;
      await client.query(insert, [JSON.stringify(rows)]);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}
