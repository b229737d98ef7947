// Migrations: plain SQL files, forward only, under an advisory lock, checksummed.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { processName } from '../runtime/index.ts';
import { isRetryable } from './errors.ts';
import { readText } from './read.ts';
import type { Sql } from './sql.ts';

const folder = new URL('../../sql/', import.meta.url);
const lockKey = 7_261_508_113;

/** The database was migrated by a build with different migration files; nothing was changed. */
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
 * Migrates the schema to this version and returns the names of the applied files. Each file runs in its own
 * transaction. Nodes that start at the same time take turns by an advisory lock. Throws SchemaMismatch if a file
 * differs from the one that was applied.
 */
export async function migrate(url: string, migrations: readonly Migration[], appliedAt: string): Promise<string[]> {
  const client = new pg.Client({
    connectionString: url,
    application_name: processName('migrate'),
    connectionTimeoutMillis: connectMilliseconds,
    query_timeout: answerMilliseconds,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const applied: string[] = [];
    for (;;) {
      const name = await applyNext(client, migrations, appliedAt);
      if (name === undefined) return applied;
      applied.push(name);
    }
  } finally {
    await client.end();
  }
}

const connectMilliseconds = 5_000;
/** Slightly longer than the server's own timeout for a file, whose error says what took so long. */
const answerMilliseconds = 3_660_000;

/** Building an index may take long, but other statements must not wait long for the migration's locks. */
const begin = `
  begin;
  set local statement_timeout = '1h';
  set local idle_in_transaction_session_timeout = '1min';
  set local lock_timeout = '5min'`;
const limitLocks = "set local lock_timeout = '5s'";

/**
 * Applies the first missing file and returns its name; undefined if there is none. The lock is held by the transaction:
 * behind a pooler in transaction mode, a session lock would stay with a connection that another session uses by then.
 */
async function applyNext(
  client: pg.Client,
  migrations: readonly Migration[],
  appliedAt: string,
): Promise<string | undefined> {
  try {
    await client.query(begin);
    await acquireLock(client);
    const done = await findDone(client);
    refuseMismatch(done, migrations);
    const next = migrations.find(({ name }) => !done.has(name));
    if (next) await apply(client, next, appliedAt);
    await client.query('commit');
    return next?.name;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function acquireLock(client: pg.Client): Promise<void> {
  try {
    await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
  } catch (error) {
    if (!isRetryable(error)) throw error;
    throw new Error('Another process has been migrating for five minutes. See the advisory locks in pg_locks.', {
      cause: error,
    });
  }
  await client.query(limitLocks);
}

async function findDone(client: pg.Client): Promise<Map<string, string>> {
  await client.query(
    `create table if not exists migration (
       name text primary key, checksum text not null, applied_at timestamptz not null)`,
  );
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migration');
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

async function apply(client: pg.Client, { name, text, checksum }: Migration, appliedAt: string): Promise<void> {
  try {
    await client.query(text);
    await client.query('insert into migration (name, checksum, applied_at) values ($1, $2, $3)', [
      name,
      checksum,
      appliedAt,
    ]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Migration ${name} failed: ${reason}`, { cause: error });
  }
}

function refuseMismatch(done: Map<string, string>, migrations: readonly Migration[]): void {
  const first = migrations[0];
  if (first && done.size > 0 && !done.has(first.name)) {
    throw new SchemaMismatch('The database was created by an older build, whose schema cannot be upgraded.');
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
      throw new SchemaMismatch(`Migration ${name} differs from the one applied to the database.`);
    }
  }
}

/** The migrations that the database does not have yet; all of them if it was never migrated. */
export async function missingMigrations(sql: Sql, migrations: readonly Migration[]): Promise<string[]> {
  const [known] = await sql.many((row) => row.known)`select to_regclass('migration') as known`;
  if (known === null) return migrations.map(({ name }) => name);
  const done = new Set(await sql.many((row) => readText(row, 'name'))`select name from migration`);
  return migrations.map(({ name }) => name).filter((name) => !done.has(name));
}
