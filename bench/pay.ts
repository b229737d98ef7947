// A payment from end to end: created, paid by BLIK at the simulated bank, booked, and its notification delivered to a
// local receiver; with the service in one process, and with `serve` and `work` separately. In the same run, on the same
// server: creating alone, and recurring charges, which write the same rows and notify nobody. Rounds alternate; figures
// are medians of the rounds, ratios are medians of the ratios within each round.

import type { EngineGiven, RoundSeen } from './charge/engine.ts';
import type { Received } from './deliver/receiver.ts';
import type { NodeAsk, NodeGiven, NodeReady, NodeSeen } from './pay/node.ts';
import { type Child, startChild } from './support/child.ts';
import { median, say } from './support/figures.ts';
import type { Load, LoadSeen } from './support/load.ts';
import { processMilliseconds, threadMilliseconds } from './support/machine.ts';
import { type BenchDatabase, openBenchDatabase, query } from './support/postgres.ts';

const connections = 64;
const rounds = 5;
const roundMilliseconds = 2_000;
const createMilliseconds = 1_000;
const createWarmupMilliseconds = 5_000;
/** Long enough for the JIT compiler: the first thousands of payments cost the main thread a third more. */
const payWarmupMilliseconds = 25_000;
const arriveWithinMilliseconds = 60_000;
const chargesInRound = 3_000;

/** CPU microseconds per item, by process. */
type Cost = Readonly<Record<string, number>>;

interface Paid {
  readonly perSecond: number;
  /** Payments per second until the last notification arrived. */
  readonly notifiedPerSecond: number;
  readonly cost: Cost;
}

interface Round {
  readonly created: number;
  readonly one: Paid;
  readonly two: Paid;
  readonly charged: { readonly perSecond: number; readonly cost: Cost };
}

interface Deployment {
  readonly databaseUrl: string;
  readonly nodes: readonly Child<NodeAsk, NodeSeen>[];
  readonly serving: NodeReady;
  readonly token: string;
  paid: number;
}

interface Bench {
  readonly database: BenchDatabase;
  readonly receiver: Child<object, Received>;
  readonly url: string;
  readonly load: Child<Load, LoadSeen>;
  received: number;
}

export async function measurePay(): Promise<boolean> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const database = await openBenchDatabase({ max_wal_size: '4GB', checkpoint_timeout: '30min' });
    closing.unshift(() => database.stop());
    const receiver = await startChild<{ port: number }, object, Received>(at('./deliver/receiver.ts'), {});
    closing.unshift(() => receiver.child.end());
    const load = await startChild<object, Load, LoadSeen>(at('./support/load.ts'), {});
    closing.unshift(() => load.child.end());
    const url = `http://127.0.0.1:${receiver.ready.port}/notifications`;
    const bench: Bench = { database, receiver: receiver.child, url, load: load.child, received: 0 };
    const one = await deploy(bench, ['start'], closing);
    const two = await deploy(bench, ['serve', 'work'], closing);
    const engine = await startCharges(database);
    closing.unshift(() => engine.end());
    await fire(bench, one, creating, createWarmupMilliseconds);
    for (const deployment of [one, two]) await payments(bench, deployment, payWarmupMilliseconds);
    await engine.ask({});
    const seen: Round[] = [];
    for (let round = 0; round < rounds; round += 1) {
      seen.push({
        created: (await fire(bench, one, creating, createMilliseconds)).perSecond,
        one: await payments(bench, one, roundMilliseconds),
        two: await payments(bench, two, roundMilliseconds),
        charged: await charges(bench, engine),
      });
    }
    report(seen);
    await reportStages(bench, one);
    const [answered, paid] = await count([one, two]);
    return say(answered === paid, 'payments answered = paid transactions', `${answered} = ${paid}`);
  } finally {
    for (const close of closing) await close();
  }
}

const at = (file: string) => new URL(file, import.meta.url);

async function deploy(
  { database }: Bench,
  names: readonly NodeGiven['name'][],
  closing: (() => Promise<unknown>)[],
): Promise<Deployment> {
  const deployment = names.join('_');
  const databaseUrl = await database.create(deployment);
  const nodes: Child<NodeAsk, NodeSeen>[] = [];
  let serving: NodeReady | undefined;
  for (const name of names) {
    const given: NodeGiven = { name, dataDir: `${database.folder}/${deployment}`, databaseUrl };
    const { child, ready } = await startChild<NodeReady, NodeAsk, NodeSeen>(at('./pay/node.ts'), given);
    closing.unshift(() => child.end());
    nodes.push(child);
    serving ??= ready;
  }
  if (!serving) throw new Error('Nothing serves.');
  return { databaseUrl, nodes, serving, token: await tokenOf(serving), paid: 0 };
}

async function startCharges(database: BenchDatabase): Promise<Child<object, RoundSeen>> {
  const name = 'charges';
  const given: EngineGiven = {
    name,
    dataDir: `${database.folder}/${name}`,
    databaseUrl: await database.create(name),
    stored: 10_000,
    due: chargesInRound,
  };
  return (await startChild<object, object, RoundSeen>(at('./charge/engine.ts'), given)).child;
}

const creating = JSON.stringify({ amount: 12.34, description: 'Order 1024', payer: { email: 'jan@example.com' } });

function paying(url: string): string {
  const pay = { groupId: 150, blikPaymentData: { blikToken: '777123' } };
  return JSON.stringify({ ...JSON.parse(creating), pay, callbacks: { notification: { url } } });
}

/** Pays for this long, waits until all notifications arrived, and returns the cost. */
async function payments(bench: Bench, deployment: Deployment, milliseconds: number): Promise<Paid> {
  const costs = await watch(bench, deployment.nodes);
  const start = performance.timeOrigin + performance.now();
  const { ok, perSecond } = await fire(bench, deployment, paying(bench.url), milliseconds);
  deployment.paid += ok;
  bench.received += ok;
  const { lastAt } = await arrived(bench.receiver, bench.received);
  return { perSecond, notifiedPerSecond: ok / ((lastAt - start) / 1_000), cost: await costs(ok) };
}

async function charges(bench: Bench, engine: Child<object, RoundSeen>): Promise<Round['charged']> {
  const costs = await watch(bench, [engine]);
  const { charges: done, milliseconds } = await engine.ask({});
  if (done !== chargesInRound) throw new Error(`A round made ${done} charges instead of ${chargesInRound}.`);
  return { perSecond: (done / milliseconds) * 1_000, cost: await costs(done) };
}

/** Starts counting CPU; the returned function divides the CPU of each part by the number of items. */
async function watch(bench: Bench, nodes: readonly { readonly pid: number }[]) {
  const parts = {
    service: () => Promise.resolve(nodes.map(({ pid }) => pid)),
    postgres: () => bench.database.pids(),
    load: () => Promise.resolve([bench.load.pid]),
    receiver: () => Promise.resolve([bench.receiver.pid]),
  };
  const spent = async () => {
    const seen: Record<string, number> = {};
    for (const [name, pids] of Object.entries(parts)) {
      const each = await Promise.all([...(await pids())].map(processMilliseconds));
      seen[name] = each.reduce((sum, one) => sum + one, 0);
    }
    const threads = await Promise.all(nodes.map(({ pid }) => threadMilliseconds(pid)));
    for (const [name, had] of threads.flatMap((map) => [...map])) seen[name] = (seen[name] ?? 0) + had;
    return seen;
  };
  const before = await spent();
  return async (items: number): Promise<Cost> =>
    Object.fromEntries(
      Object.entries(await spent()).map(([name, had]) => [name, ((had - (before[name] ?? 0)) / items) * 1_000]),
    );
}

async function tokenOf({ port, clientId, clientSecret }: NodeReady): Promise<string> {
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
  const response = await fetch(`http://127.0.0.1:${port}/oauth/auth`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function fire(bench: Bench, { serving, token }: Deployment, body: string, milliseconds: number) {
  const seen = await bench.load.ask({
    host: '127.0.0.1',
    port: serving.port,
    path: '/transactions',
    headers: { authorization: `Bearer ${token}` },
    bodies: [body],
    connections,
    warmupMilliseconds: 0,
    milliseconds,
  });
  if (seen.notOk > 0) throw new Error(`${seen.notOk} requests were not answered with 200.`);
  return seen;
}

/** Waits until this many notifications arrived. */
async function arrived(receiver: Child<object, Received>, count: number): Promise<Received> {
  const until = performance.now() + arriveWithinMilliseconds;
  for (;;) {
    const received = await receiver.ask({});
    if (received.count >= count) return received;
    if (performance.now() > until)
      throw new Error(`${received.count} of ${count} notifications arrived within a minute.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function count(deployments: readonly Deployment[]): Promise<readonly [answered: number, paid: number]> {
  const all = await Promise.all(
    deployments.map(({ databaseUrl }) =>
      query(databaseUrl, "select count(*) from transaction where status = 'paid'").then(Number),
    ),
  );
  return [deployments.reduce((sum, { paid }) => sum + paid, 0), all.reduce((sum, one) => sum + one, 0)];
}

const ours = (cost: Cost) => (cost.service ?? 0) + (cost.postgres ?? 0);

function report(seen: readonly Round[]): void {
  const rate = (of: (round: Round) => number) => String(Math.round(median(seen.map(of)))).padStart(8);
  const ratio = (of: (round: Round) => number) => median(seen.map(of)).toFixed(3).padStart(10);
  const line = (title: string, perSecond: (round: Round) => number, cost?: (round: Round) => Cost) =>
    `  ${title.padEnd(40)}${rate(perSecond)}${ratio((round) => perSecond(round) / round.charged.perSecond)}` +
    (cost
      ? `${rate((round) => ours(cost(round)))}${ratio((round) => ours(cost(round)) / ours(round.charged.cost))}`
      : '');
  const part = (title: string, name: string) =>
    `  ${title.padEnd(40)}${[
      (round: Round) => round.one.cost,
      (round: Round) => round.two.cost,
      (round: Round) => round.charged.cost,
    ]
      .map((cost) => rate((round) => cost(round)[name] ?? 0).padStart(14))
      .join('')}`;
  process.stdout.write(`
Payments from end to end, ${connections} connections, ${rounds} rounds of ${roundMilliseconds / 1_000} s

                                          a second of charge CPU µs of charge
${line(
  'recurring charges',
  (round) => round.charged.perSecond,
  (round) => round.charged.cost,
)}
${line('created', (round) => round.created)}
${line('one process: paid and answered', (round) => round.one.perSecond)}
${line(
  'one process: until the merchant knew',
  (round) => round.one.notifiedPerSecond,
  (round) => round.one.cost,
)}
${line('serve and work: paid and answered', (round) => round.two.perSecond)}
${line(
  'serve and work: until the merchant knew',
  (round) => round.two.notifiedPerSecond,
  (round) => round.two.cost,
)}

  CPU µs for each                            one process  serve, work        charge
${part('the service', 'service')}
${part('  its main thread', 'main')}
${part('  its thread pool (RSA signatures)', 'libuv-worker')}
${part('  threads of V8', 'node-V8Worker')}
${part('PostgreSQL', 'postgres')}
${part('who asks (not counted above)', 'load')}
${part('who is told (not counted above)', 'receiver')}

`);
}

/** One more round with a profile of the main thread: how its CPU splits. */
async function reportStages(bench: Bench, deployment: Deployment): Promise<void> {
  for (const node of deployment.nodes) await node.ask({ profile: true });
  const { cost } = await payments(bench, deployment, roundMilliseconds);
  for (const node of deployment.nodes) {
    const { shares } = await node.ask({ profile: false });
    const lines = Object.entries(shares)
      .sort(([, left], [, right]) => right - left)
      .map(
        ([stage, share]) =>
          `  ${stage.padEnd(40)}${String(Math.round(share * (cost.main ?? 0))).padStart(8)}${`${Math.round(share * 100)} %`.padStart(8)}`,
      );
    process.stdout.write(
      `Main thread of the one process, profiled: CPU µs for each payment\n\n${lines.join('\n')}\n\n`,
    );
  }
}
