// The pay page, rendered from the database for a hundred payers in turn, against a Fastify route that only returns the
// same bytes. Rounds are short and interleaved; figures are medians of the rounds, the ratio is the median of the
// ratios within each round.

import { parseArgs } from 'node:util';
import type { ServiceGiven, ServiceReady } from './create/service.ts';
import { type Child, startChild } from './support/child.ts';
import { median } from './support/figures.ts';
import type { Load, LoadSeen } from './support/load.ts';
import { watchOthers } from './support/machine.ts';
import { type BenchDatabase, openBenchDatabase } from './support/postgres.ts';

const connections = 64;
const rounds = 7;
const warmupMilliseconds = 300;
const roundMilliseconds = 1_500;
const firstWarmupMilliseconds = 2_500;
const goal = 0.3;
/** If other processes use more than this share of the machine, the figures mean little. */
const tolerable = 0.15;

interface Side {
  readonly title: string;
  readonly port: number;
  readonly paths: readonly string[];
  readonly seen: LoadSeen[];
  readonly disturbed: number[];
}

export async function measurePage(options: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({ args: [...options], options: { profile: { type: 'string' } } });
  const profile = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const database = await openBenchDatabase();
    closing.unshift(() => database.stop());
    const service = await startService(database, profile);
    closing.unshift(() => service.child.end());
    const paths = await createPages(service.ready);
    const page = await (await fetch(`http://127.0.0.1:${service.ready.port}${paths[0]}`)).text();
    if (!page.includes('</html>')) throw new Error('The service does not answer a page.');
    const peer = await startChild<{ port: number }, object, object>(new URL('./page/answer.ts', import.meta.url), {
      page,
    });
    closing.unshift(() => peer.child.end());
    const load = await startChild<object, Load, LoadSeen>(new URL('./support/load.ts', import.meta.url), {});
    closing.unshift(() => load.child.end());
    const sides = [
      { title: '(a) a route that only answers', port: peer.ready.port, paths, seen: [], disturbed: [] },
      { title: 'Grosz, the pay page', port: service.ready.port, paths, seen: [], disturbed: [] },
    ];
    const children = [service.child, peer.child, load.child].map(({ pid }) => pid);
    const others = await watchOthers(async () => [process.pid, ...children, ...(await database.pids())]);
    for (const side of sides) await fire(load.child, side, firstWarmupMilliseconds, 1);
    await others.share();
    for (let round = 0; round < rounds; round += 1) {
      for (const side of sides as Side[]) {
        side.seen.push(await fire(load.child, side, warmupMilliseconds, roundMilliseconds));
        side.disturbed.push((await others.share()) ?? 0);
      }
    }
    return report(sides, Buffer.byteLength(page));
  } finally {
    for (const close of closing) await close();
  }
}

function startService(database: BenchDatabase, execArgv: readonly string[]) {
  return database.create('page').then((databaseUrl) => {
    const given: ServiceGiven = { name: 'page', dataDir: `${database.folder}/page`, databaseUrl };
    return startChild<ServiceReady, object, object>(new URL('./create/service.ts', import.meta.url), given, execArgv);
  });
}

/** A hundred pages with a form each: what payers see most. */
async function createPages({ port, clientId, clientSecret }: ServiceReady): Promise<string[]> {
  const url = `http://127.0.0.1:${port}`;
  const credentials = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
  const { access_token: token } = await json(`${url}/oauth/auth`, { method: 'POST', body: credentials });
  const create = async (index: number) => {
    const body = JSON.stringify({ amount: 10 + index, description: `Order ${index}`, pay: { groupId: 150 } });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const created = await json(`${url}/transactions`, { method: 'POST', headers, body });
    return new URL(created.transactionPaymentUrl ?? '').pathname;
  };
  return Promise.all(Array.from({ length: 100 }, (_, index) => create(index)));
}

async function json(url: string, request: RequestInit): Promise<Record<string, string>> {
  const response = await fetch(url, request);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return (await response.json()) as Record<string, string>;
}

async function fire(
  load: Child<Load, LoadSeen>,
  { port, paths, title }: Omit<Side, 'seen' | 'disturbed'>,
  warmup: number,
  milliseconds: number,
): Promise<LoadSeen> {
  const headers = { 'accept-language': 'pl-PL,pl;q=0.9,en;q=0.8' };
  const given = {
    method: 'GET',
    host: '127.0.0.1',
    port,
    path: '',
    paths,
    headers,
    bodies: [''],
    connections,
  } as const;
  const seen = await load.ask({ ...given, warmupMilliseconds: warmup, milliseconds });
  if (seen.notOk > 0) throw new Error(`${title} answered ${seen.notOk} requests with another status than 200.`);
  return seen;
}

function report(sides: readonly Side[], pageBytes: number): boolean {
  const [peer, ours] = sides;
  if (!peer || !ours) throw new Error('A side was not measured.');
  const share = median(ours.seen.map(({ perSecond }, round) => perSecond / (peer.seen[round]?.perSecond ?? 1)));
  let table = `\n${connections} connections, ${rounds} rounds of ${roundMilliseconds / 1_000} s, a page of ${pageBytes} bytes\n\n`;
  table += `${''.padEnd(32)}${['pages/s', 'p50 ms', 'p99 ms', 'others took'].map((title) => title.padStart(12)).join('')}\n`;
  for (const { title, seen, disturbed } of sides) {
    const cells = [
      Math.round(median(seen.map(({ perSecond }) => perSecond))).toLocaleString('en'),
      median(seen.map(({ p50Milliseconds }) => p50Milliseconds)).toFixed(2),
      median(seen.map(({ p99Milliseconds }) => p99Milliseconds)).toFixed(2),
      `${Math.round(median(disturbed) * 100)} %`,
    ];
    table += `${title.padEnd(32)}${cells.map((cell) => cell.padStart(12)).join('')}\n`;
  }
  if (sides.some(({ disturbed }) => median(disturbed) > tolerable))
    table += '\nOther processes were busy meanwhile: these figures say little.\n';
  const met = share >= goal;
  table += `\nGoals\n\n  ${met ? 'met    ' : 'NOT MET'}  ${`at least ${goal} of (a)`.padEnd(40)}${share.toFixed(2)}\n`;
  process.stdout.write(table);
  return met;
}
