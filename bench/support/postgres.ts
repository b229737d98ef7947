// A dedicated PostgreSQL for a benchmark, with the settings of the embedded one: fsync is on.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, readMigrations } from '../../src/database/index.ts';
import { openEmbeddedPostgres } from '../../src/embedded/index.ts';
import { systemClock } from '../../src/runtime/index.ts';

export interface BenchDatabase {
  /** A temporary folder, removed with the server. */
  readonly folder: string;
  /** Current process ids of the server; empty if the system does not provide them. */
  pids(): Promise<readonly string[]>;
  /** A new database with the schema in place. */
  create(name: string): Promise<string>;
  /** Ends the server and removes the folder. */
  stop(): Promise<void>;
}

const signals = ['SIGINT', 'SIGTERM'] as const;

export async function openBenchDatabase(settings: Readonly<Record<string, string>> = {}): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'grosz-bench-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const postgres = await openEmbeddedPostgres({ dataDir: folder, settings }).catch(async (error) => {
    await remove();
    throw error;
  });
  async function end(): Promise<void> {
    await postgres.stop();
    await remove();
    for (const signal of signals) process.removeListener(signal, interrupted);
    process.stdout.removeListener('error', interrupted);
  }
  let ending: Promise<void> | undefined;
  // Once, although the benchmark ends too when its server is gone.
  const stop = () => {
    ending ??= end();
    return ending;
  };
  // A benchmark that is ended halfway leaves no server and no gigabytes behind.
  const interrupted = () => void stop().finally(() => process.exit(1));
  for (const signal of signals) process.once(signal, interrupted);
  // Whoever read the output has closed the pipe.
  process.stdout.on('error', interrupted);
  return {
    folder,
    pids: () => pidsOf(join(folder, 'postgres', 'postmaster.pid')),
    async create(name) {
      await query(postgres.url, `create database ${name}`);
      const url = new URL(postgres.url);
      url.pathname = `/${name}`;
      await migrate(url.toString(), await readMigrations(), systemClock.now().toString());
      return url.toString();
    },
    stop,
  };
}

async function pidsOf(pidFile: string): Promise<readonly string[]> {
  const [parent = ''] = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8').catch(() => '');
  return [parent, ...children.trim().split(' ')].filter((pid) => pid !== '');
}

/** Runs a query on a new connection; returns the first column of the first row as text. */
export async function query(url: string, text: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(text);
    return String(Object.values(rows[0] ?? {})[0]);
  } finally {
    await client.end();
  }
}
