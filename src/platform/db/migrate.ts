// Migrations: plain SQL files, forward only, under an advisory lock, checksummed.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { processName } from '../process-name.ts';
import { readText } from './read.ts';
import type { Sql } from './sql.ts';

const folder = new URL('../../../sql/', import.meta.url);
const lockKey = 7_261_508_113;

/** The database was migrated by a build whose files differ from ours; nothing was changed. */
export class SchemaMismatch extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SchemaMismatch';
  }
}

export interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** The migrations of this version, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/**
 * Brings the schema up to this version and answers the names that were applied. Each file runs in a transaction of its
 * own. Two nodes that start at once take turns by the lock. Files that differ from those that ran throw a SchemaMismatch.
 */
export async function migrate(url: string, migrations: readonly Migration[], appliedAt: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: processName('migrate') });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await client.query(
      `create table if not exists migration (
         name text primary key, checksum text not null, applied_at timestamptz not null)`,
    );
    const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migration');
    const done = new Map(rows.map((row) => [row.name, row.checksum]));
    refuseMismatch(done, migrations);
    const applied: string[] = [];
    for (const migration of migrations.filter(({ name }) => !done.has(name))) {
      await apply(client, migration, appliedAt);
      applied.push(migration.name);
    }
    return applied;
  } finally {
    await client.end();
  }
}

async function apply(client: pg.Client, migration: Migration, appliedAt: string): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.text);
    await client.query('insert into migration (name, checksum, applied_at) values ($1, $2, $3)', [
      migration.name,
      migration.checksum,
      appliedAt,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Migration ${migration.name} failed: ${reason}`, { cause: error });
  }
}

function refuseMismatch(done: Map<string, string>, migrations: readonly Migration[]): void {
  const first = migrations[0];
  if (first && done.size > 0 && !done.has(first.name)) {
    throw new SchemaMismatch('The database was made by an older build, whose schema cannot be upgraded.');
  }
  const known = new Map(migrations.map((migration) => [migration.name, migration.checksum]));
  for (const [name, checksum] of done) {
    const ours = known.get(name);
    if (ours === undefined) {
      throw new SchemaMismatch(
        `The database has migration ${name}, which this version does not know. Run the newer version.`,
      );
    }
    if (ours !== checksum) {
      throw new SchemaMismatch(`Migration ${name} is not the one that the database was made with.`);
    }
  }
}

/** The migrations that this version has and the database has not; all of them when it was never migrated. */
export async function missingMigrations(sql: Sql, migrations: readonly Migration[]): Promise<string[]> {
  const [known] = await sql.many((row) => row.known)`select to_regclass('migration') as known`;
  if (known === null) return migrations.map(({ name }) => name);
  const done = new Set(await sql.many((row) => readText(row, 'name'))`select name from migration`);
  return migrations.map(({ name }) => name).filter((name) => !done.has(name));
}
