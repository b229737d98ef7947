// What PostgreSQL counts: rows read, indexes scanned. Each connection publishes its counts when it ends, when it is told
// to, or after ten idle seconds; so only a world with one connection can be asked at any moment.

import pg from 'pg';
import type { Sql } from '../../src/database/index.ts';
import type { TestWorld } from './service.ts';

/** A world whose counts can be read. */
export const counting = { connectionsAtMost: 1 };

/** What the only connection counted so far is published. */
export async function publishCounts(sql: Sql): Promise<void> {
  await sql.run`select pg_stat_force_next_flush()`;
}

/** Works over a connection of its own, without a timeout. Afterwards its counts are published. */
export async function onOwnConnection(
  { databaseUrl, db }: TestWorld,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  try {
    await work(client);
  } finally {
    await client.end();
  }
  // Waits until the process has gone.
  await db.sql.run`select pg_terminate_backend(${rows[0]?.pid ?? 0}, 60000)`;
}
