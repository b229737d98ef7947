// Creating transactions (E1) against two peers, in one run:
//   (a) a Fastify route that only parses the same JSON and returns the same JSON,
//   (b) the same service with one insert per request.
// Rounds are short and interleaved, so that a slow moment of the machine affects all of them; figures are medians of
// the rounds, ratios are medians of the ratios within each round. The speed of a shared machine varies by half, for
// seconds at a time: therefore (a) and the service are measured one right after the other, in alternating order and in
// many rounds. (b), which is several times slower than either, is measured in every third round.

import { parseArgs } from 'node:util';
import type { BatchLimits } from '../src/database/index.ts';
import type { ServiceGiven, ServiceMemory, ServiceReady } from './create/service.ts';
import { type Child, startChild } from './support/child.ts';
import { median, say } from './support/figures.ts';
import type { Load, LoadSeen } from './support/load.ts';
import { type Disturbance, watchOthers } from './support/machine.ts';
import { type BenchDatabase, openBenchDatabase, query } from './support/postgres.ts';

/** Fewer rounds where there is no goal. */
const settings = [
  { connections: 32, rounds: 12 },
  { connections: 128, rounds: 30 },
];
const roundsAtLeast = 9;
const singleEveryRounds = 3;
/** On a busy machine there are fewer rounds, so that everything stays within two minutes. */
const millisecondsForRound = 2_000;
const warmupMilliseconds = 150;
const roundMilliseconds = 500;
/** Before the first round, so that every side is JIT-compiled. */
const firstWarmupMilliseconds = 2_000;

/** (b) writes each row by itself, in parallel on all database connections of the service. */
const oneInsertARequest: BatchLimits = { rowsAtMost: 1, lanes: 10, queueAtMost: 20_000 };

/**
 * If other processes use more than this share of the machine, figures of three processes on few cores are meaningless.
 */
const tolerable = 0.15;

const goals = { ofAnswering: 0.45, timesOneInsert: 1.8, memoryMegabytes: 300 };

const bodies = Array.from({ length: 50 }, (_, index) =>
  JSON.stringify({
    amount: 10 + index + 0.45,
    description: `Order ${1_000 + index}`,
    hiddenDescription: `order-${1_000 + index}`,
    payer: { email: `jan.nowak${index}@example.com`, name: 'Jan Nowak', phone: '+48123456789', city: 'Warszawa' },
    callbacks: {
      payerUrls: { success: 'https://shop.example.com/thanks', error: 'https://shop.example.com/sorry' },
      notification: { url: 'https://shop.example.com/notifications' },
    },
  }),
);

type LoadChild = Child<Load, LoadSeen>;

interface Side {
  readonly name: string;
  readonly port: number;
  readonly token: string;
  /** Responses with 200 since the side started. */
  ok: number;
}

interface Service extends Side {
  readonly child: Child<object, ServiceMemory>;
  readonly databaseUrl: string;
  /** A response of E1, as sent over the wire. */
  readonly sample: string;
}

interface Measured {
  readonly name: string;
  /** By round; a side may be missing in some of them. */
  readonly seen: (LoadSeen | undefined)[];
  /** The share of the machine that other processes used in each round. */
  readonly disturbed: number[];
}

interface Measuring extends Measured {
  readonly side: Side;
}

export async function measureCreate(options: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({ args: [...options], options: { profile: { type: 'string' } } });
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const database = await openBenchDatabase();
    closing.unshift(() => database.stop());
    const profile = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
    const ours = await startService(database, 'ours', undefined, profile);
    closing.unshift(() => ours.child.end());
    const single = await startService(database, 'single', oneInsertARequest);
    closing.unshift(() => single.child.end());
    const answering = await startAnswering(ours.sample);
    closing.unshift(() => answering.child.end());
    const { child: load } = await startChild<object, Load, LoadSeen>(new URL('./support/load.ts', import.meta.url), {});
    closing.unshift(() => load.end());
    const sides = [answering.side, single, ours];
    for (const side of sides) await fire(load, side, 64, firstWarmupMilliseconds, 1);
    const children = [answering.child, single.child, ours.child, load];
    const others = await watchOthers(async () => [
      process.pid,
      ...children.map((child) => child.pid),
      ...(await database.pids()),
    ]);
    const met = [];
    for (const setting of settings) {
      const measured = await measure(load, sides, setting, others);
      const memory = await ours.child.ask({ memory: true });
      print(setting.connections, measured, memory);
      if (setting === settings.at(-1)) met.push(...judge(measured, memory));
    }
    for (const service of [ours, single]) met.push(await allThere(service));
    return met.every((goal) => goal);
  } finally {
    for (const close of closing) await close();
  }
}

async function startService(
  database: BenchDatabase,
  name: string,
  batchLimits?: BatchLimits,
  execArgv: readonly string[] = [],
): Promise<Service> {
  const databaseUrl = await database.create(name);
  const dataDir = `${database.folder}/${name}`;
  const given: ServiceGiven = { name, dataDir, databaseUrl, ...(batchLimits ? { batchLimits } : {}) };
  const { child, ready } = await startChild<ServiceReady, object, ServiceMemory>(
    new URL('./create/service.ts', import.meta.url),
    given,
    execArgv,
  );
  const url = `http://127.0.0.1:${ready.port}`;
  const credentials = { client_id: ready.clientId, client_secret: ready.clientSecret };
  const { access_token: token } = JSON.parse(await post(`${url}/oauth/auth`, JSON.stringify(credentials)));
  const sample = await post(`${url}/transactions`, bodies[0] ?? '', { authorization: `Bearer ${token}` });
  return { name, port: ready.port, token, ok: 1, child, databaseUrl, sample };
}

async function startAnswering(sample: string): Promise<{ side: Side; child: Child<object, object> }> {
  const { child, ready } = await startChild<{ port: number }, object, object>(
    new URL('./create/answer.ts', import.meta.url),
    { answer: JSON.parse(sample) },
  );
  const echoed = await post(`http://127.0.0.1:${ready.port}/transactions`, bodies[0] ?? '');
  if (echoed !== sample) throw new Error('The peer does not answer what the service answers.');
  return { side: { name: 'answering', port: ready.port, token: 'none', ok: 1 }, child };
}

async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text}`);
  return text;
}

async function fire(
  load: LoadChild,
  side: Side,
  connections: number,
  warmup: number,
  milliseconds: number,
): Promise<LoadSeen> {
  const seen = await load.ask({
    host: '127.0.0.1',
    port: side.port,
    path: '/transactions',
    headers: { authorization: `Bearer ${side.token}` },
    bodies,
    connections,
    warmupMilliseconds: warmup,
    milliseconds,
  });
  if (seen.notOk > 0) throw new Error(`${side.name} answered ${seen.notOk} requests with another status than 200.`);
  side.ok += seen.ok;
  return seen;
}

async function measure(
  load: LoadChild,
  sides: readonly Side[],
  { connections, rounds }: (typeof settings)[number],
  others: Disturbance,
): Promise<Measured[]> {
  const measured = sides.map((side) => ({ side, name: side.name, seen: [], disturbed: [] }) as Measuring);
  await others.share();
  const until = performance.now() + rounds * millisecondsForRound;
  for (let round = 0; round < rounds; round += 1) {
    if (round >= roundsAtLeast && performance.now() > until) break;
    for (const one of inTurn(measured, round)) {
      one.seen[round] = await fire(load, one.side, connections, warmupMilliseconds, roundMilliseconds);
      one.disturbed.push((await others.share()) ?? 0);
    }
  }
  return measured;
}

/** The two that are compared closely are measured next to each other, each of them first in every second round. */
function inTurn([answering, single, ours]: readonly Measuring[], round: number): Measuring[] {
  if (!answering || !single || !ours) throw new Error('A side is missing.');
  const close = round % 2 === 0 ? [answering, ours] : [ours, answering];
  return round % singleEveryRounds === 0 ? [...close, single] : close;
}

/** The figures of the rounds in which a side was measured. */
function figures(of: Measured, figure: (seen: LoadSeen) => number): number[] {
  return of.seen.filter((seen) => seen !== undefined).map(figure);
}

/** The median, over the rounds that have both, of one side's figure divided by the other's. */
function ratio(of: Measured, to: Measured, figure: (seen: LoadSeen) => number): number {
  const ratios = of.seen.map((seen, round) => {
    const other = to.seen[round];
    return seen && other ? figure(seen) / figure(other) : undefined;
  });
  return median(ratios.filter((value) => value !== undefined));
}

const perSecond = (seen: LoadSeen) => seen.perSecond;
const p50 = (seen: LoadSeen) => seen.p50Milliseconds;
const p99 = (seen: LoadSeen) => seen.p99Milliseconds;

const titles: Record<string, string> = {
  answering: '(a) a route that only answers',
  single: '(b) one insert a request',
  ours: 'Grosz, E1',
};

function print(connections: number, measured: readonly Measured[], memory: ServiceMemory): void {
  const [answering, single] = measured;
  const row = (cells: readonly string[]) => {
    const [first = '', ...others] = cells;
    return `${first.padEnd(32)}${others.map((cell) => cell.padStart(12)).join('')}\n`;
  };
  let table = `\n${connections} connections, ${answering?.seen.length} rounds of ${roundMilliseconds / 1_000} s\n\n`;
  table += row(['', 'requests/s', 'of (a)', 'times (b)', 'p50 ms', 'p99 ms', 'others took']);
  for (const side of measured) {
    const compared = answering && single ? [ratio(side, answering, perSecond), ratio(side, single, perSecond)] : [];
    table += row([
      titles[side.name] ?? side.name,
      Math.round(median(figures(side, perSecond))).toLocaleString('en'),
      ...compared.map((value) => value.toFixed(2)),
      median(figures(side, p50)).toFixed(2),
      median(figures(side, p99)).toFixed(2),
      `${Math.round(median(side.disturbed) * 100)} %`,
    ]);
  }
  table += `\nPeak resident memory of the service: ${Math.round(memory.peakBytes / 1_048_576)} MB\n`;
  const disturbed = Math.max(...measured.map((side) => median(side.disturbed)));
  if (disturbed > tolerable) table += 'Other processes were busy meanwhile: these figures say little.\n';
  process.stdout.write(table);
}

function judge([answering, single, ours]: readonly Measured[], memory: ServiceMemory): boolean[] {
  if (!answering || !single || !ours) throw new Error('A side was not measured.');
  const megabytes = memory.peakBytes / 1_048_576;
  process.stdout.write('\nGoals\n\n');
  return [
    goal(
      `at least ${goals.ofAnswering} of (a)`,
      ratio(ours, answering, perSecond),
      (seen) => seen >= goals.ofAnswering,
    ),
    goal(
      `at least ${goals.timesOneInsert} times (b)`,
      ratio(ours, single, perSecond),
      (seen) => seen >= goals.timesOneInsert,
    ),
    goal("p99 no worse than (b)'s (ratio)", ratio(ours, single, p99), (seen) => seen <= 1),
    goal(`memory below ${goals.memoryMegabytes} MB`, megabytes, (seen) => seen < goals.memoryMegabytes),
  ];
}

function goal(title: string, seen: number, isMet: (seen: number) => boolean): boolean {
  return say(isMet(seen), title, seen >= 100 ? String(Math.round(seen)) : seen.toFixed(2));
}

/** Every response with 200 has its row, and there is no other row. */
async function allThere(service: Service): Promise<boolean> {
  const rows = Number(await query(service.databaseUrl, 'select count(*) from transaction'));
  return say(rows === service.ok, `rows of ${service.name} = answers of 200`, `${rows} = ${service.ok}`);
}
