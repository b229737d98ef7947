// Startup time, against the embedded PostgreSQL alone, the lower bound: cold in an empty folder (with schema, keys and
// demo data), warm in the same folder, and again after `kill -9`, when its server may still be running. Each round goes
// through all of them; figures are medians, ratios are medians of the ratios within each round.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbeddedPostgres, quietPort } from '../src/embedded/index.ts';
import { pause } from '../src/runtime/index.ts';
import { median } from './support/figures.ts';
import { query } from './support/postgres.ts';

const rounds = 5;
const readyWithinMilliseconds = 60_000;
const lookEveryMilliseconds = 10;
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

const kinds = ['cold', 'warm', 'after kill -9'] as const;
type Kind = (typeof kinds)[number];

interface Started {
  readonly milliseconds: number;
  /** Resident memory of the service's own process when it is ready, without the server's. */
  readonly megabytes: number;
}

interface Round {
  readonly alone: { readonly cold: number; readonly warm: number };
  readonly ours: Readonly<Record<Kind, Started>>;
}

export async function measureStart(): Promise<boolean> {
  const seen: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'grosz-bench-'));
    try {
      seen.push(await measureRound(folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  print(seen);
  return true;
}

async function measureRound(folder: string): Promise<Round> {
  const dataDir = join(folder, 'ours');
  const alone = { cold: await startAlone(folder), warm: await startAlone(folder) };
  const cold = await startOurs(dataDir, 'SIGTERM');
  const warm = await startOurs(dataDir, 'SIGKILL');
  return { alone, ours: { cold, warm, 'after kill -9': await startOurs(dataDir, 'SIGTERM') } };
}

async function startAlone(folder: string): Promise<number> {
  const begun = performance.now();
  const postgres = await openEmbeddedPostgres({ dataDir: join(folder, 'alone') });
  try {
    await query(postgres.url, 'select 1');
    return performance.now() - begun;
  } finally {
    await postgres.stop();
  }
}

/** From the start of the process until it is ready; then it is ended in the given way. */
async function startOurs(dataDir: string, end: 'SIGTERM' | 'SIGKILL'): Promise<Started> {
  const port = await quietPort();
  const { PATH = '', HOME = '' } = process.env;
  const begun = performance.now();
  const child = spawn(process.execPath, [main, 'start'], {
    env: { PATH, HOME, PORT: String(port), DATA_DIR: dataDir },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  try {
    await untilReady(`http://127.0.0.1:${port}/health/ready`, begun + readyWithinMilliseconds);
    const milliseconds = performance.now() - begun;
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    return { milliseconds, megabytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024 };
  } finally {
    child.kill(end);
    await exited;
    process.removeListener('exit', kill);
  }
}

async function untilReady(url: string, until: number): Promise<void> {
  while (performance.now() < until) {
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
    await pause(lookEveryMilliseconds);
  }
  throw new Error('The service was not ready in time.');
}

function print(seen: readonly Round[]): void {
  const row = (title: string, cells: readonly string[]) =>
    `${title.padEnd(40)}${cells.map((cell) => cell.padStart(14)).join('')}\n`;
  const milliseconds = (values: readonly number[]) => median(values).toFixed(0);
  let table = `\nStarts until the first answer, ${rounds} rounds\n\n`;
  table += row('', ['ms', 'times (a)', 'memory MB']);
  for (const kind of ['cold', 'warm'] as const)
    table += row(`(a) the embedded PostgreSQL alone, ${kind}`, [
      milliseconds(seen.map(({ alone }) => alone[kind])),
      '1.00',
      '',
    ]);
  for (const kind of kinds) {
    const peer = kind === 'cold' ? 'cold' : 'warm';
    table += row(`Grosz, ${kind}`, [
      milliseconds(seen.map(({ ours }) => ours[kind].milliseconds)),
      median(seen.map(({ ours, alone }) => ours[kind].milliseconds / alone[peer])).toFixed(2),
      median(seen.map(({ ours }) => ours[kind].megabytes)).toFixed(0),
    ]);
  }
  process.stdout.write(table);
}
