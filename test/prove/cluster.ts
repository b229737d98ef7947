// A cluster: two serve and two work nodes on a replicated PostgreSQL, under load, with one fault after another. What the
// merchants were told is compared with the rows, and the bank's record with the books.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { quietPort } from '../../src/embedded/index.ts';
import { openLog, pause, systemClock, systemRandom } from '../../src/runtime/index.ts';
import { openSimulator } from '../../src/simulators/index.ts';
import { aDataDir, type Environment, type Running, runGrosz, startGrosz } from '../support/process.ts';
import { ask } from '../support/service.ts';
import { Keeper } from './cluster/keeper.ts';
import { Load, type Window } from './cluster/load.ts';
import { findPrograms, startServers } from './cluster/servers.ts';
import type { ProveOptions, Seen } from './figure.ts';

const frozenMilliseconds = 12_000;
const waitSecondsAtMost = 20;
const writesAfterwards = 60;
const settledTries = 600;

interface Node {
  running: Running;
  readonly start: () => Promise<Running>;
}

/** The nodes of the service, each on a port of its own. */
async function startNodes(environment: Environment): Promise<{ serve: Node[]; work: Node[]; urls: string[] }> {
  const [serve, work, urls]: [Node[], Node[], string[]] = [[], [], []];
  for (let index = 0; index < 2; index += 1) {
    const [port, workPort] = [String(await quietPort()), String(await quietPort())];
    urls.push(`http://127.0.0.1:${port}`);
    serve.push(await nodeOf(['serve'], { ...environment, PORT: port }, `http://127.0.0.1:${port}`));
    work.push(await nodeOf(['work'], { ...environment, WORK_PORT: workPort }, `http://127.0.0.1:${workPort}`));
  }
  return { serve, work, urls };
}

async function nodeOf(words: readonly string[], environment: Environment, url: string): Promise<Node> {
  const start = async () => {
    const running = startGrosz(words, environment);
    for (let tries = 0; tries < settledTries; tries += 1) {
      const ready = await fetch(`${url}/health/ready`).catch(() => undefined);
      if (ready?.status === 200) return running;
      await pause(100);
    }
    throw new Error(`grosz ${words} did not become ready.`);
  };
  return { running: await start(), start };
}

async function restart(node: Node | undefined): Promise<void> {
  if (!node) return;
  node.running.kill('SIGKILL');
  await node.running.ended;
  node.running = await node.start();
}

type Fault = readonly [name: string, strike: () => Promise<unknown>];

export async function proveCluster({ print }: ProveOptions): Promise<Seen[]> {
  const programs = findPrograms();
  if (!programs) {
    const seen = 'not run: install postgresql (pg_basebackup is needed)';
    return [{ figure: 'a cluster under faults', goal: 'lost 0, doubled 0', seen, met: false }];
  }
  const [primary, ...standbys] = await startServers(programs);
  const keeper = new Keeper(primary, standbys);
  await keeper.start();
  const dataDir = aDataDir();
  const environment = {
    DATABASE_URL: keeper.url,
    DATA_DIR: dataDir,
    VAULT_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    RECONCILE_AT: 'off',
    LOG_LEVEL: 'silent',
  };
  const migrated = await runGrosz(['migrate'], environment);
  if (migrated.code !== 0) throw new Error(migrated.stderr);
  const made = await runGrosz(['merchant', 'create', '--name', 'Shop', '--email', 'shop@example.com'], environment);
  const merchant = JSON.parse(made.stdout) as { clientId: string; clientSecret: string };
  const { serve, work, urls } = await startNodes(environment);
  const body = { client_id: merchant.clientId, client_secret: merchant.clientSecret };
  const token = String((await ask(urls[0] ?? '', 'POST', '/oauth/auth', { body })).body.access_token);
  const load = new Load(() => urls, token);
  load.start();

  const frozen = async (signaled: { signal(signal: NodeJS.Signals): void }) => {
    signaled.signal('SIGSTOP');
    await pause(frozenMilliseconds);
    signaled.signal('SIGCONT');
  };
  const faults: readonly Fault[] = [
    ['none', () => load.writes(200)],
    ['switchover', () => keeper.switchOver()],
    ['kill -9 of the primary', async () => keeper.primary.signal('SIGKILL')],
    ['SIGSTOP of the primary', () => frozen(keeper.primary)],
    ['SIGSTOP of a standby', () => frozen(keeper.standby)],
    ['packets dropped', async () => keeper.dropPackets()],
    ['kill -9 of a serve node', () => restart(serve[0])],
    ['kill -9 of a work node', () => restart(work[0])],
  ];
  const windows: Window[] = [];
  for (const [name, strike] of faults) {
    const window = load.begin(name);
    await load.writes(20);
    await strike();
    // Work goes on through the fault, and after it.
    await load.writes(writesAfterwards);
    await keeper.whole();
    await load.writes(writesAfterwards);
    windows.push(window);
    print(`${name}: ${rowOf(window)}`);
  }
  await load.stop();
  for (const node of [...serve, ...work]) if (!node.running.pid) node.running = await node.start();

  await settled(keeper.url);
  const { lost, doubled } = await compare(keeper.url, join(dataDir, 'bank.sqlite'), windows);
  const reconciled = await runGrosz(['reconcile'], environment);
  const verified = await runGrosz(['verify'], environment);
  for (const node of [...serve, ...work]) await node.running.stop();
  const longest = Math.max(...windows.map(({ longestWait }) => longestWait)) / 1_000;
  const acknowledged = windows.reduce((sum, { created, paid }) => sum + created.length + paid.length, 0);
  return [
    ...windows.map((window) => ({
      figure: `cluster: ${window.name}`,
      goal: `no request over ${waitSecondsAtMost} s`,
      seen: rowOf(window),
      met: window.longestWait <= waitSecondsAtMost * 1_000,
    })),
    {
      figure: 'cluster: acknowledged writes',
      goal: 'lost 0, doubled 0',
      seen: `${lost} lost, ${doubled} doubled of ${acknowledged}; ${keeper.promotions} promotions; longest wait ${longest.toFixed(1)} s`,
      met: lost === 0 && doubled === 0,
    },
    {
      figure: 'cluster: grosz reconcile, grosz verify',
      goal: 'agree',
      seen: `${(reconciled.stderr || reconciled.stdout).trim().split('\n').at(-1)} ${(verified.stderr || verified.stdout).trim().split('\n')[0]}`,
      met: reconciled.code === 0 && verified.code === 0,
    },
  ];
}

function rowOf({ created, paid, statuses, longestGap, longestWait }: Window): string {
  const seen = [...statuses].map(([status, count]) => `${status} x ${count}`).join(', ');
  const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(1);
  return `gap of writes ${seconds(longestGap)} s, longest wait ${seconds(longestWait)} s, ${
    created.length + paid.length
  } writes, answers ${seen}`;
}

/** Waits until nothing is open any more. */
async function settled(url: string): Promise<void> {
  for (let tries = 0; tries < settledTries; tries += 1) {
    const [open] = await rowsOf(
      url,
      `select count(*)::text as open from charge where state in ('sent', 'waiting', 'unknown')`,
    );
    if (open?.open === '0') return;
    await pause(200);
  }
  throw new Error('Payments stay open.');
}

async function rowsOf(url: string, statement: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** What merchants were told against the rows, and the bank's captures against the transactions. */
async function compare(url: string, file: string, windows: readonly Window[]) {
  const rows = await rowsOf(url, 'select id, status from transaction');
  const statusOf = new Map(rows.map(({ id, status }) => [id, status]));
  const created = windows.flatMap((window) => window.created);
  const paid = windows.flatMap((window) => window.paid);
  const lost =
    created.filter((id) => !statusOf.has(id)).length + paid.filter((id) => statusOf.get(id) !== 'paid').length;
  const attempts = await rowsOf(url, 'select id, transaction_id from charge');
  const transactionOf = new Map(attempts.map(({ id, transaction_id: transactionId }) => [id, transactionId]));
  const log = openLog({ level: 'silent' });
  const bank = openSimulator({
    file,
    clock: systemClock,
    random: systemRandom(),
    log,
    pagesUrl: 'http://127.0.0.1/bank',
  });
  const counts = new Map<string, number>();
  for (const [key, minor] of bank.record().netMinor) {
    const transaction = transactionOf.get(key) ?? key;
    if (minor > 0n) counts.set(transaction, (counts.get(transaction) ?? 0) + 1);
  }
  await bank.close();
  return { lost, doubled: [...counts.values()].filter((count) => count > 1).length };
}
