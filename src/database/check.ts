// Checks that the operator's database is usable: reachable, recent enough, and with sessions that keep our settings and
// prepared statements, which a pooler in between may lose.

import pg from 'pg';
import { StartFault } from '../runtime/index.ts';
import { connectionSettings, isTimeLimit, sessionSettings } from './connections.ts';
import { type TimeLimits, usualTimes } from './times.ts';

const oldestVersion = 150_000;
const triesToShare = 5;

/** The prepared statement does not exist, or already exists. */
const preparedStates = new Set(['26000', '42P05']);

/** Throws a StartFault with the reason if the database is unusable. Returns whether there is a pooler in between. */
export async function checkDatabase(url: string): Promise<{ pooled: boolean }> {
  const clients: pg.Client[] = [];
  const connected = async () => {
    const client = new pg.Client({ ...connectionSettings(url, usualTimes), connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    clients.push(client);
    await client.connect();
    return client;
  };
  try {
    const first = await connected();
    const { rows } = await first.query<{ number: string }>("select current_setting('server_version_num') as number");
    if (Number(rows[0]?.number) < oldestVersion) throw new StartFault('PostgreSQL 15 or newer is required.');
    await checkSettings(first, usualTimes);
    await checkPrepared(first, await connected());
    return { pooled: await isPooled(first) };
  } catch (error) {
    throw error instanceof StartFault ? error : databaseFault(url, error);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

/** A pooler assigns its own process ids to clients. pg stores the id but does not declare it. */
async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return (client as pg.Client & { processID: number | null }).processID !== rows[0]?.pid;
}

/** Explains to the operator why the service cannot start with this database. */
export function databaseFault(url: string, error: unknown): StartFault {
  const { hostname, port, pathname } = new URL(url);
  const where = `${hostname || 'localhost'}:${port || '5432'}${pathname}`;
  const reason =
    error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error);
  const advice = /startup parameter/.test(reason)
    ? 'Let the pooler ignore it (PgBouncer: ignore_startup_parameters = options); see docs/operations.md.'
    : 'Check DATABASE_URL.';
  return new StartFault(`Cannot reach the database at ${where}: ${reason}. ${advice}`, { cause: error });
}

/** A pooler in transaction mode, or options in the URL, can drop our session settings. */
async function checkSettings(client: pg.Client, times: TimeLimits): Promise<void> {
  const wanted = sessionSettings(times);
  const { rows } = await client.query<{ name: string; setting: string }>(
    'select lower(name) as name, setting from pg_settings where lower(name) = any($1)',
    [Object.keys(wanted)],
  );
  const lost = rows.filter(({ name, setting }) => !fits(name, setting, wanted[name] ?? ''));
  if (lost.length === 0) return;
  const names = lost.map(({ name, setting }) => `${name} is ${setting} instead of ${wanted[name]}`).join(', ');
  const commands = lost.map(({ name }) => `\n  alter role CURRENT_USER set ${name} = '${wanted[name]}';`).join('');
  throw new StartFault(
    `Database sessions lose these settings: ${names}. This happens with a pooler in transaction mode. ` +
      `Set them for the role over a direct connection, then let the pooler reconnect; see docs/operations.md.${commands}`,
  );
}

/** A shorter timeout than ours is the operator's choice; a longer one, or none, is not accepted. */
function fits(name: string, setting: string, wanted: string): boolean {
  if (name === 'timezone') return setting === wanted || setting === `Etc/${wanted}`;
  if (!isTimeLimit(name)) return setting === wanted;
  return Number(setting) > 0 && Number(setting) <= Number(wanted);
}

/**
 * A prepared statement must be available wherever its client's next transaction runs. While the second client holds the
 * connection on which the first one prepared, the first one has to use another.
 */
async function checkPrepared(first: pg.Client, second: pg.Client): Promise<void> {
  const prepared = { name: `grosz_check_${process.pid}`, text: 'select pg_backend_pid() as pid' };
  const pidOf = async (client: pg.Client, query: string | typeof prepared) =>
    (await client.query<{ pid: number }>(query)).rows[0]?.pid;
  try {
    for (let tried = 0; tried < triesToShare; tried += 1) {
      const before = await pidOf(first, prepared);
      await second.query('begin');
      if (before === (await pidOf(second, prepared.text))) await pidOf(first, prepared);
      await second.query('rollback');
    }
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && preparedStates.has(error.code ?? ''))) throw error;
    throw new StartFault(
      `The connection pooler loses prepared statements (${error.message}). ` +
        'Use PgBouncer 1.21 or newer with max_prepared_statements, or session mode; see docs/operations.md.',
      { cause: error },
    );
  }
}
