// Databases for tests: real PostgreSQL, a template with the schema and one with keys as well, a clone per world.

import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';

export const templateName = 'grosz_template';
/** The template of worlds: with the keys of cards and signatures, sealed with the vault key of the run. */
export const keyedTemplateName = 'grosz_keyed_template';

/** The server that test/run.ts started. */
function serverUrl(): URL {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('Run the tests with: npm test -- [FILES]');
  return new URL(url);
}

export function databaseOn(server: string | URL, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.toString();
}

export function urlOf(database: string): string {
  return databaseOn(serverUrl(), database);
}

/** The vault key of a run: its address contains a random password. */
export function vaultKeyOf(server: string | URL): Uint8Array {
  return createHash('sha256').update(`vault ${server}`).digest();
}

/** The vault key that the clones with keys belong to. */
export function testVaultKey(): Uint8Array {
  return vaultKeyOf(serverUrl());
}

export async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: urlOf('postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * Waits until a statement is blocked by a lock in this database, and returns its process id. Uses its own connection:
 * within a transaction PostgreSQL would return the same snapshot again and again.
 */
export async function untilBlocked(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (let asked = 0; asked < 100_000; asked += 1) {
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if (rows[0]) return rows[0].pid;
    }
    throw new Error('No statement stands before a lock.');
  } finally {
    await client.end();
  }
}

/** An empty database, as an operator would provide it. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(async (client) => void (await client.query(`create database ${name}`)));
  return {
    url: urlOf(name),
    drop: () => onServer(async (client) => void (await client.query(`drop database ${name} with (force)`))),
  };
}

/**
 * A clone of a template. Cloning is serialized by a lock, because a template may have no other users meanwhile. Its
 * files are copied as they are: writing them to the log takes four times as long.
 */
async function clone(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(async (client) => {
    await client.query('select pg_advisory_lock(1)');
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  });
  return {
    url: urlOf(name),
    drop: () => onServer(async (client) => void (await client.query(`drop database ${name} with (force)`))),
  };
}

/** With the schema alone, as `grosz migrate` leaves it. */
export function cloneDatabase(): Promise<TestDatabase> {
  return clone(templateName);
}

/** With keys, for a vault with the key of the run. */
export function cloneWithKeys(): Promise<TestDatabase> {
  return clone(keyedTemplateName);
}
