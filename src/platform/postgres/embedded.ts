// The embedded PostgreSQL: a real server under the data folder. It outlives a killed service and is adopted by the next
// one; it is started again when it dies; it is stopped with the last service that uses it.

import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { makeDataFolder } from '../data-folder.ts';
import { pause, startLoop } from '../loop.ts';
import { readOrMake } from '../once.ts';
import { quietPort } from '../ports.ts';
import { everyProcess, thisProcess } from '../process-name.ts';
import { StartFault } from '../start-fault.ts';
import { type Binaries, chooseUser, findBinaries, identity, type RunAs } from './binaries.ts';
import { inTurn } from './lock.ts';
import { endServer, findServer, forgetStranger } from './server-process.ts';

const user = 'grosz';
const database = 'grosz';
const startWithinMilliseconds = 60_000;
/** No process holds the lock longer than a start takes. */
const turnWithinMilliseconds = startWithinMilliseconds + 10_000;

export interface EmbeddedPostgres {
  readonly url: string;
  /** Whether a server was already running and was taken over. */
  readonly adopted: boolean;
  /** Stops watching and, if no other process is connected, the server. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly onEvent?: (message: string) => void;
  /** Settings of the server besides the usual ones. */
  readonly settings?: Readonly<Record<string, string>>;
}

interface Place {
  readonly binaries: Binaries;
  readonly as: RunAs;
  readonly folder: string;
  readonly logFile: string;
  readonly password: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
}

/** Makes the server run and returns its address. Safe to call from two processes at once. */
export async function openEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, onEvent } = options;
  await makeDataFolder(dataDir);
  const turn = <T>(work: () => Promise<T>) => inTurn(dataDir, turnWithinMilliseconds, work);
  const { place, adopted } = await turn(() => adoptOrStart(options));
  const watch = startLoop(
    300,
    async () => {
      if (!(await findServer(place.folder))) await turn(() => restartWhenGone(place, onEvent));
    },
    () => undefined,
  );
  return {
    url: urlOf(place, database),
    adopted,
    async stop() {
      await watch.stop();
      await turn(() => stopUnlessUsed(place));
    },
  };
}

async function adoptOrStart(options: EmbeddedOptions): Promise<{ place: Place; adopted: boolean }> {
  const place = await prepare(options);
  const adopted = await accepts(place);
  if (!adopted) await start(place);
  await createDatabase(place);
  return { place, adopted };
}

/** Whether a server is running in the data folder and has clients of its own: then the folder must not be emptied. */
export async function embeddedClients(dataDir: string): Promise<number> {
  const running = await findServer(join(dataDir, 'postgres'));
  if (!running) return 0;
  const password = (await readPassword(dataDir)) ?? '';
  return countClients(address(running.port, password, 'postgres')).catch((error: Error) => {
    const what = `The database server of ${dataDir} (process ${running.pid}) does not tell who uses it`;
    throw new StartFault(`${what}: ${error.message}. Stop it first.`, { cause: error });
  });
}

/** Stops the server of a data folder, whoever started it. */
export async function stopEmbeddedPostgres(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'postgres');
  if (await findServer(folder)) await inTurn(dataDir, turnWithinMilliseconds, () => endServer(folder));
}

async function prepare(options: EmbeddedOptions): Promise<Place> {
  const { dataDir } = options;
  const folder = join(dataDir, 'postgres');
  const binaries = await findBinaries(process.platform, process.arch);
  const as = await chooseUser(binaries, folder);
  const password = (await readOrMake(passwordFile(dataDir), () => `${randomBytes(24).toString('hex')}\n`)).trim();
  const shared = { binaries, as, folder, logFile: join(dataDir, 'postgres.log'), password };
  if (!(await exists(join(folder, 'PG_VERSION')))) await initialise(shared, dataDir);
  const port = (await findServer(folder))?.port ?? (await quietPort());
  return { ...shared, port, settings: options.settings ?? {} };
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres.password');
}

async function readPassword(dataDir: string): Promise<string | undefined> {
  return (await readFile(passwordFile(dataDir), 'utf8').catch(() => undefined))?.trim();
}

/** Into a folder beside, then renamed: a crash in between leaves nothing half made. */
async function initialise(place: Omit<Place, 'port' | 'settings'>, dataDir: string): Promise<void> {
  const making = join(dataDir, 'postgres.making');
  const readable = join(dataDir, 'postgres.password.making');
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { mode: 0o700 });
  await writeFile(readable, `${place.password}\n`, { mode: 0o600 });
  if (place.as.uid !== undefined && place.as.gid !== undefined) {
    await chown(making, place.as.uid, place.as.gid);
    await chown(readable, place.as.uid, place.as.gid);
  }
  await chmod(place.binaries.postgres, 0o755).catch(() => undefined);
  await chmod(place.binaries.initdb, 0o755).catch(() => undefined);
  const words = ['-D', making, '-U', user, '-A', 'scram-sha-256', `--pwfile=${readable}`, '-E', 'UTF8', '--locale=C'];
  const [program = '', ...args] = [...place.as.prefix, place.binaries.initdb, ...words];
  const made = spawnSync(program, args, { ...identity(place.as), encoding: 'utf8', cwd: dataDir });
  await rm(readable, { force: true });
  if (made.status !== 0) {
    throw new StartFault(
      `The embedded database could not be created in ${dataDir}: ${made.stderr || String(made.error)}`,
    );
  }
  await rename(making, place.folder);
}

async function start(place: Place): Promise<void> {
  const deadline = performance.now() + startWithinMilliseconds;
  for (;;) {
    const exited = await launch(place);
    for (;;) {
      if (await accepts(place)) return;
      if (performance.now() > deadline) {
        throw new StartFault(`The embedded database did not start within a minute. See ${place.logFile}.`);
      }
      await pause(50);
      // Right after a kill -9 the old server's children still hold its memory: they go within seconds.
      if (exited()) break;
    }
    await pause(300);
  }
}

/** Errors without their details and statements, which hold rows: payers' addresses must not be in a log. */
const quietLog = { log_error_verbosity: 'terse', log_min_error_statement: 'panic' };

/** Starts the server apart from us, so that neither Ctrl-C nor kill -9 of the service takes it down. */
async function launch(place: Place): Promise<() => boolean> {
  await forgetStranger(place.folder);
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...quietLog, ...place.settings };
  const words = ['-D', place.folder, '-p', String(place.port)];
  for (const [name, value] of Object.entries(settings)) words.push('-c', `${name}=${value}`);
  const [program = '', ...args] = [...place.as.prefix, place.binaries.postgres, ...words];
  const log = await open(place.logFile, 'a', 0o600);
  const child = spawn(program, args, {
    ...identity(place.as),
    cwd: place.folder,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
  });
  let gone = false;
  child.on('error', () => {
    gone = true;
  });
  child.on('exit', () => {
    gone = true;
  });
  child.unref();
  await log.close();
  return () => gone;
}

/** Unless another process that uses it was faster. */
async function restartWhenGone(place: Place, onEvent: EmbeddedOptions['onEvent']): Promise<void> {
  if (await findServer(place.folder)) return;
  onEvent?.('the embedded database stopped; restarting it');
  await start(place);
  onEvent?.('the embedded database is running again');
}

/** If it cannot be asked who uses it, it keeps running: the next start takes it over. */
async function stopUnlessUsed(place: Place): Promise<void> {
  const clients = await countClients(urlOf(place, 'postgres')).catch(() => undefined);
  if (clients === 0) await endServer(place.folder);
}

function address(port: number, password: string, name: string): string {
  return `postgresql://${user}:${password}@127.0.0.1:${port}/${name}`;
}

function urlOf(place: Place, name: string): string {
  return address(place.port, place.password, name);
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 2_000,
    query_timeout: 10_000,
    application_name: 'watch',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function accepts(place: Place): Promise<boolean> {
  return withClient(urlOf(place, 'postgres'), async () => true).catch(() => false);
}

async function createDatabase(place: Place): Promise<void> {
  await withClient(urlOf(place, 'postgres'), async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${database}`);
  });
}

/** Connections of other Grosz processes; each process names itself. */
function countClients(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::integer as count from pg_stat_activity
        where application_name like $1 and application_name not like $2`,
      [everyProcess, thisProcess],
    );
    return rows[0]?.count ?? 0;
  });
}

async function exists(path: string): Promise<boolean> {
  return readFile(path).then(
    () => true,
    () => false,
  );
}
