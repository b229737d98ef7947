// Databases for tests: real PostgreSQL, one template with the schema, a clone per test file.

import { randomBytes } from 'node:crypto';
import pg from 'pg';

export const templateName = 'grosz_template';

/** The server that test/run.ts started. */
function serverUrl(): URL {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('Run the tests with: npm test -- [FILES]');
  return new URL(url);
}

export function urlOf(database: string): string {
  const url = serverUrl();
  url.pathname = `/${database}`;
  return url.toString();
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

/** A clone of the template. Cloning is serialized by a lock, because a template may have no other users meanwhile. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(async (client) => {
    await client.query('select pg_advisory_lock(1)');
    await client.query(`create database ${name} template ${templateName}`);
  });
  return {
    url: urlOf(name),
    drop: () => onServer(async (client) => void (await client.query(`drop database ${name} with (force)`))),
  };
}
