// Three PostgreSQL servers of this machine: a primary and two standbys, of which any one must have flushed a commit
// before it is acknowledged.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { quietPort } from '../../../src/embedded/index.ts';
import { pause } from '../../../src/runtime/index.ts';
import { atEnd } from '../../support/service.ts';

const user = 'grosz';
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  wal_keep_size: '2GB',
  synchronous_standby_names: 'ANY 1 (*)',
  log_min_messages: 'panic',
};
const askMilliseconds = 2_000;
const startTries = 600;

/** The folder of PostgreSQL's programs; undefined: not installed. The embedded server has no pg_basebackup. */
export function findPrograms(): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin/pg_basebackup')
    .sort()
    .at(-1)
    ?.replace(/\/pg_basebackup$/, '');
}

export class PostgresServer {
  readonly name: string;
  readonly port: number;
  readonly #folder: string;
  readonly #programs: string;
  #process: ChildProcess | undefined;

  constructor(name: string, port: number, folder: string, programs: string) {
    this.name = name;
    this.port = port;
    this.#folder = join(folder, name);
    this.#programs = programs;
  }

  get url(): string {
    return urlOf(this.port);
  }

  initialize(): void {
    this.#run('initdb', ['-D', this.#folder, '-U', user, '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']);
  }

  /** A copy of the primary, which it follows. */
  copyFrom(primary: PostgresServer): void {
    rmSync(this.#folder, { recursive: true, force: true });
    this.#run('pg_basebackup', ['-D', this.#folder, '-d', this.#follow(primary), '-R', '-X', 'stream', '-c', 'fast']);
  }

  #follow({ port }: PostgresServer): string {
    return `host=127.0.0.1 port=${port} user=${user} application_name=${this.name}`;
  }

  async start(): Promise<void> {
    const words = ['-D', this.#folder, '-p', String(this.port)];
    for (const [name, value] of Object.entries(settings)) words.push('-c', `${name}=${value}`);
    this.#process = spawn(join(this.#programs, 'postgres'), words, { ...identity(), stdio: 'ignore' });
    for (let tries = 0; tries < startTries; tries += 1) {
      if (await this.ask('select 1').catch(() => undefined)) return;
      await pause(50);
    }
    throw new Error(`PostgreSQL ${this.name} did not start.`);
  }

  /** The first column of the first row; rejects after two seconds. */
  async ask(statement: string): Promise<string> {
    const client = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: askMilliseconds,
      query_timeout: askMilliseconds,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query({ text: statement, rowMode: 'array' });
      return String(rows[0]?.[0]);
    } finally {
      client.end().catch(() => undefined);
    }
  }

  /** From now on it follows another primary. */
  async follow(primary: PostgresServer): Promise<void> {
    await this.ask(`alter system set primary_conninfo = '${this.#follow(primary)}'`);
    await this.ask('select pg_reload_conf()');
  }

  /** To the server and each of its processes: a backend outlives its postmaster for a while. */
  signal(signal: NodeJS.Signals): void {
    const pid = this.#process?.pid;
    if (pid === undefined) return;
    const children = textOf(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
    for (const one of [pid, ...children]) {
      try {
        process.kill(one, signal);
      } catch {
        // It is gone already.
      }
    }
  }

  /** Ends it for certain, before another server is promoted. */
  async fence(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    this.signal('SIGKILL');
    await ended;
  }

  /** A clean stop: everything is sent to the standbys first. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    await ended;
  }

  #run(program: string, args: readonly string[]): void {
    const { status, stderr } = spawnSync(join(this.#programs, program), args, { ...identity(), encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program}: ${stderr}`);
  }
}

function urlOf(port: number): string {
  return `postgresql://${user}@127.0.0.1:${port}/postgres`;
}

/** PostgreSQL does not run as root. */
function identity(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const of = (option: string) => Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: of('-u'), gid: of('-g') };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** A primary and two standbys, in this order. */
export async function startServers(programs: string): Promise<[PostgresServer, ...PostgresServer[]]> {
  // Not inside a folder that only root can enter.
  const place = mkdtempSync(join(tmpdir(), 'grosz-cluster-'));
  const { uid, gid } = identity();
  if (uid !== undefined && gid !== undefined) chownSync(place, uid, gid);
  const made: PostgresServer[] = [];
  for (const name of ['one', 'two', 'three']) {
    made.push(new PostgresServer(name, await quietPort(), place, programs));
  }
  const [primary, ...standbys] = made as [PostgresServer, ...PostgresServer[]];
  atEnd(async () => {
    for (const server of made) await server.fence();
    rmSync(place, { recursive: true, force: true });
  });
  primary.initialize();
  await primary.start();
  for (const standby of standbys) {
    standby.copyFrom(primary);
    await standby.start();
  }
  return [primary, ...standbys];
}
