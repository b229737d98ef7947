// The embedded PostgreSQL: a real server in the data folder. It survives a killed service and is adopted by the next
// one; it is restarted when it dies, and stopped with the last service that uses it.

import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { everyProcess, pause, readOrMake, StartFault, startLoop, thisProcess } from '../runtime/index.ts';
import { type Binaries, chooseUser, findBinaries, identity, type RunAs } from './binaries.ts';
import { makeDataFolder, postgresFiles } from './data-folder.ts';
import { inTurn } from './lock.ts';
import { quietPort } from './ports.ts';
import { endServer, findServer, forgetStranger } from './server-process.ts';

const user = 'grosz';
const database = 'grosz';
const startWithinMilliseconds = 60_000;
/** A process holds the lock for no longer than a start takes. */
const turnWithinMilliseconds = startWithinMilliseconds + 10_000;

export interface EmbeddedPostgres {
  readonly url: string;
  /** Whether a running server was adopted. */
  readonly adopted: boolean;
  /** Stops watching, and stops the server if no other process is connected. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  /** The names of everything that the service keeps in the folder, if it is more than the database. */
  readonly files?: readonly string[];
  readonly onEvent?: (message: string) => void;
  /** Additional server settings. */
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

/** Ensures that the server is running and returns its address. Safe to call from several processes at the same time. */
export async function openEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, files = postgresFiles, onEvent } = options;
  await makeDataFolder(dataDir, files);
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

/**
 * How many clients are connected to the server of the data folder; if there are any, the folder must not be emptied.
 */
export async function embeddedClients(dataDir: string): Promise<number> {
  const running = await findServer(join(dataDir, 'postgres'));
  if (!running) return 0;
  const password = (await readPassword(dataDir)) ?? '';
  return countClients(address(running.port, password, 'postgres')).catch((error: Error) => {
    const what = `The database server of ${dataDir} (process ${running.pid}) does not tell who uses it`;
    throw new StartFault(`${what}: ${error.message}. Stop it first.`, { cause: error });
  });
}

/** Stops the server of a data folder, no matter which process started it. */
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
  if (!(await exists(join(folder, 'PG_VERSION')))) await initialize(shared, dataDir);
  const port = (await findServer(folder))?.port ?? (await quietPort());
  return { ...shared, port, settings: options.settings ?? {} };
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres.password');
}

async function readPassword(dataDir: string): Promise<string | undefined> {
  return (await readFile(passwordFile(dataDir), 'utf8').catch(() => undefined))?.trim();
}

/** Initializes a temporary folder and renames it, so that a crash leaves nothing half done. */
async function initialize(place: Omit<Place, 'port' | 'settings'>, dataDir: string): Promise<void> {
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
      // Right after a kill -9, the old server's children still hold its shared memory; they exit within seconds.
      if (exited()) break;
    }
    await pause(300);
  }
}

/** Log errors without details and statements: these contain rows, and payers' addresses must not be logged. */
const quietLog = { log_error_verbosity: 'terse', log_min_error_statement: 'panic' };

/** Starts the server detached, so that neither Ctrl-C nor kill -9 of the service stops it. */
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

/** Unless another process that uses it restarted it first. */
async function restartWhenGone(place: Place, onEvent: EmbeddedOptions['onEvent']): Promise<void> {
  if (await findServer(place.folder)) return;
  onEvent?.('the embedded database stopped; restarting it');
  await start(place);
  onEvent?.('the embedded database is running again');
}

/** If its clients cannot be counted, it keeps running; the next start adopts it. */
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

/** Counts connections of other Grosz processes, recognized by their application_name. */
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
