// Payments (created and paid by BLIK at the simulated bank) of 1, 100 and 10,000 merchants, and through 1, 2 and 4 serve
// processes, on one database; then how fast one worker numbers events and seals journals. Nothing runs the engine during
// the payments. Rounds alternate; figures are medians of the rounds, ratios are medians of the ratios within each round.

import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { readConfig } from '../src/config.ts';
import { openService, type Service } from '../src/open.ts';
import type { NodeAsk, NodeGiven, NodeReady, NodeSeen } from './pay/node.ts';
import { seedBacklog, seedMerchants } from './scale/seed.ts';
import { type Child, startChild } from './support/child.ts';
import { median, say } from './support/figures.ts';
import type { Load, LoadSeen } from './support/load.ts';
import { processMilliseconds } from './support/machine.ts';
import { type BenchDatabase, openBenchDatabase, query } from './support/postgres.ts';

const merchantCounts = [1, 100, 10_000];
const nodeCounts = [1, 2, 4];
const connections = 32;
const rounds = 3;
const roundMilliseconds = 1_000;
const warmupMilliseconds = 150;
const firstWarmupMilliseconds = 2_000;
const backlog = 20_000;
const sealedWorks = ['number events', 'seal journals'];
/** Of the payments of one merchant through one process. */
const goals = { manyMerchants: 0.6, chainTimesPayments: 2 };

const body = JSON.stringify({
  amount: 12.34,
  description: 'Order 1024',
  payer: { email: 'jan@example.com' },
  pay: { groupId: 150, blikPaymentData: { blikToken: '777123' } },
  callbacks: { notification: { url: 'https://shop.example.com/notifications' } },
});

type NodeChild = Child<NodeAsk, NodeSeen>;

interface Node {
  readonly child: NodeChild;
  readonly ready: NodeReady;
}

interface Seen extends LoadSeen {
  /** Cores used by each part. */
  readonly cores: Readonly<Record<'serve' | 'postgres' | 'load', number>>;
}

interface Side {
  readonly title: string;
  readonly tokens: readonly string[];
  readonly nodes: readonly Node[];
  readonly seen: Seen[];
}

interface Bench {
  readonly database: BenchDatabase;
  readonly load: Child<Load, LoadSeen>;
  paid: number;
}

const at = (file: string) => new URL(file, import.meta.url);

export async function measureScale(): Promise<boolean> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const database = await openBenchDatabase({ max_wal_size: '4GB', checkpoint_timeout: '30min' });
    closing.unshift(() => database.stop());
    const databaseUrl = await database.create('scale');
    const load = await startChild<object, Load, LoadSeen>(at('./support/load.ts'), {});
    closing.unshift(() => load.child.end());
    const bench: Bench = { database, load: load.child, paid: 0 };
    const nodes = await startNodes(database, databaseUrl, closing);
    const tokens = await withService(database, databaseUrl, ({ tools }) =>
      seedMerchants(tools, databaseUrl, Math.max(...merchantCounts)),
    );
    const merchants = merchantCounts.map((count) =>
      aSide(`${count.toLocaleString('en')} merchants`, tokens.slice(0, count), nodes.slice(0, 1)),
    );
    const processes = nodeCounts.map((count) => aSide(`${count} serve`, tokens.slice(0, 100), nodes.slice(0, count)));
    await fire(bench, aSide('all', tokens.slice(0, 100), nodes), firstWarmupMilliseconds);
    for (let round = 0; round < rounds; round += 1) {
      for (const side of [...merchants, ...processes]) side.seen.push(await fire(bench, side, roundMilliseconds));
    }
    print('Merchants, one serve process', merchants);
    print('Serve processes, 100 merchants', processes);
    const inOrder = await measureWorks(databaseUrl, database, merchants[0] as Side);
    const rows = Number(await query(databaseUrl, `select count(*) from transaction where status = 'paid'`));
    return [
      judge(merchants),
      ...inOrder,
      say(rows === bench.paid, 'paid transactions = answers of 200', `${rows} = ${bench.paid}`),
    ].every((met) => met);
  } finally {
    for (const close of closing) await close();
  }
}

function aSide(title: string, tokens: readonly string[], nodes: readonly Node[]): Side {
  return { title, tokens, nodes, seen: [] };
}

/** A process of the service without server and engine. */
async function withService<T>(
  database: BenchDatabase,
  databaseUrl: string,
  use: (service: Service) => Promise<T>,
): Promise<T> {
  const config = readConfig({ MODE: 'sandbox', DATA_DIR: folderOf(database, 0), DATABASE_URL: databaseUrl });
  const service = await openService({ ...config, logLevel: 'silent' }, databaseUrl, { name: 'bench' });
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

/** With one vault key and a bank each: a shared record of the simulated bank would be what limits them. */
async function startNodes(
  database: BenchDatabase,
  databaseUrl: string,
  closing: (() => Promise<unknown>)[],
): Promise<Node[]> {
  const nodes: Node[] = [];
  for (let number = 0; number < Math.max(...nodeCounts); number += 1) {
    const dataDir = folderOf(database, number);
    if (number > 0) {
      await mkdir(dataDir, { mode: 0o700 });
      await copyFile(`${folderOf(database, 0)}/vault.key`, `${dataDir}/vault.key`);
    }
    const given: NodeGiven = { name: 'serve', dataDir, databaseUrl };
    const node = await startChild<NodeReady, NodeAsk, NodeSeen>(at('./pay/node.ts'), given);
    closing.unshift(() => node.child.end());
    nodes.push(node);
  }
  return nodes;
}

const folderOf = ({ folder }: BenchDatabase, number: number) => `${folder}/node-${number}`;

async function fire(bench: Bench, { title, tokens, nodes }: Side, milliseconds: number): Promise<Seen> {
  const spent = async () => ({
    serve: await cpuOf(nodes.map(({ child }) => child.pid)),
    postgres: await cpuOf(await bench.database.pids()),
    load: await cpuOf([bench.load.pid]),
  });
  const [before, startedAt] = [await spent(), performance.now()];
  const seen = await bench.load.ask({
    host: '127.0.0.1',
    port: 0,
    ports: nodes.map(({ ready }) => ready.port),
    path: '/transactions',
    headers: {},
    tokens,
    bodies: [body],
    connections,
    warmupMilliseconds,
    milliseconds,
  });
  if (seen.notOk > 0)
    process.stdout.write(
      `  ${title}: ${seen.notOk} of ${seen.ok + seen.notOk} not answered with 200: ${await complaints(bench.database)}\n`,
    );
  const [after, took] = [await spent(), performance.now() - startedAt];
  bench.paid += seen.ok;
  const cores = (part: keyof Seen['cores']) => Math.max(0, after[part] - before[part]) / took;
  return { ...seen, cores: { serve: cores('serve'), postgres: cores('postgres'), load: cores('load') } };
}

/** What the nodes logged as warnings and errors, with its number. */
async function complaints(database: BenchDatabase): Promise<string> {
  const counts = new Map<string, number>();
  for (let number = 0; number < Math.max(...nodeCounts); number += 1) {
    const text = await readFile(`${folderOf(database, number)}/grosz.log`, 'utf8').catch(() => '');
    for (const line of text.split('\n').filter((one) => /"level":[45]0/.test(one))) {
      const { msg, err, codes, status } = JSON.parse(line);
      const what = JSON.stringify([msg, err?.code ?? err?.type, err?.cause?.code, codes, status, err?.message]);
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
  }
  return [...counts].map(([what, count]) => `${count} ${what}`).join('; ');
}

async function cpuOf(pids: readonly (string | number)[]): Promise<number> {
  const each = await Promise.all(pids.map(processMilliseconds));
  return each.reduce((sum, one) => sum + one, 0);
}

const ratio = (side: Side, to: Side | undefined, figure: (seen: Seen) => number) =>
  median(side.seen.map((seen, round) => figure(seen) / figure(to?.seen[round] ?? seen)));
const of = (side: Side, figure: (seen: Seen) => number) => median(side.seen.map(figure));

function print(title: string, sides: readonly Side[]): void {
  const row = (first: string, cells: readonly string[]) =>
    `  ${first.padEnd(18)}${cells.map((cell) => cell.padStart(12)).join('')}\n`;
  let table = `\n${title}, ${connections} connections, ${rounds} rounds of ${roundMilliseconds / 1_000} s\n\n`;
  table += row('', ['payments/s', 'ratio', 'p99 ms', 'ratio', 'serve cores', 'PostgreSQL', 'load']);
  for (const side of sides) {
    table += row(side.title, [
      String(Math.round(of(side, (seen) => seen.perSecond))),
      ratio(side, sides[0], (seen) => seen.perSecond).toFixed(2),
      of(side, (seen) => seen.p99Milliseconds).toFixed(0),
      ratio(side, sides[0], (seen) => seen.p99Milliseconds).toFixed(2),
      ...(['serve', 'postgres', 'load'] as const).map((part) => of(side, ({ cores }) => cores[part]).toFixed(2)),
    ]);
  }
  process.stdout.write(`${table}${sides.map((side) => `  ${side.title}: ${limitOf(side)}\n`).join('')}`);
}

/** What is used up; the other parts wait for it. */
function limitOf(side: Side): string {
  const cores = (part: keyof Seen['cores']) => of(side, (seen) => seen.cores[part]);
  const used = cores('serve') + cores('postgres') + cores('load');
  const machine = availableParallelism();
  if (used > 0.85 * machine) return `limited by the CPU of the machine (${used.toFixed(1)} of ${machine} cores)`;
  if (cores('serve') / side.nodes.length > 0.85) return 'limited by the thread of each serve process';
  return `no CPU is used up (${used.toFixed(1)} of ${machine} cores): limited by waiting for commits, or by others on the machine`;
}

function judge(merchants: readonly Side[]): boolean {
  process.stdout.write('\nGoals\n\n');
  const last = merchants.at(-1) as Side;
  const seen = ratio(last, merchants[0], ({ perSecond }) => perSecond);
  return say(
    seen >= goals.manyMerchants,
    `${last.title}: at least ${goals.manyMerchants} of 1 merchant`,
    seen.toFixed(2),
  );
}

/** How many items a second one worker does when many wait, in a row; against the payments of one serve process. */
async function measureWorks(databaseUrl: string, database: BenchDatabase, one: Side): Promise<boolean[]> {
  await seedBacklog(databaseUrl, backlog);
  const config = readConfig({ MODE: 'sandbox', DATA_DIR: folderOf(database, 0), DATABASE_URL: databaseUrl });
  const service = await openService({ ...config, logLevel: 'silent' }, databaseUrl, { name: 'works' });
  const payments = of(one, ({ perSecond }) => perSecond);
  const lines: (() => boolean)[] = [];
  process.stdout.write(
    `\nOne worker with a backlog of more than ${backlog.toLocaleString('en')}, one item for each payment\n\n`,
  );
  try {
    for (const name of sealedWorks) {
      const work = service.rooms.works.find((one) => one.name === name);
      if (!work) throw new Error(`There is no work ${name}.`);
      const [startedAt, before] = [performance.now(), await cpuOf([process.pid])];
      let done = 0;
      for (let did = await work.run(); did > 0; did = await work.run()) done += did;
      const seconds = (performance.now() - startedAt) / 1_000;
      const ownCores = ((await cpuOf([process.pid])) - before) / seconds / 1_000;
      const times = done / seconds / payments;
      process.stdout.write(
        `  ${name.padEnd(16)}${String(done).padStart(8)} in ${seconds.toFixed(1)} s: ${Math.round(done / seconds)} a second, ` +
          `${times.toFixed(1)} times the payments of one serve process; ${ownCores.toFixed(2)} cores of the worker\n`,
      );
      lines.push(() =>
        say(
          times >= goals.chainTimesPayments,
          `${name}: at least ${goals.chainTimesPayments} times the payments`,
          times.toFixed(1),
        ),
      );
    }
  } finally {
    await service.close();
  }
  process.stdout.write('\n');
  return lines.map((line) => line());
}
