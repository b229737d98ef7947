// Refunds of one merchant (E4, over HTTP) against bare SQL that does the same in the ledger; and lists of refunds with
// ten thousand against a million. Rounds are short and interleaved, so that a slow moment of the machine affects all
// sides; figures are medians, ratios are medians of the ratios within each round.

import type { BareGiven, BareOptions, BareSeen } from './refund/bare.ts';
import { type ListsGiven, type ListsOptions, type ListsSeen, listKinds } from './refund/kinds.ts';
import { paidId } from './refund/seed.ts';
import type { ServiceGiven, ServiceReady } from './refund/service.ts';
import { startChild } from './support/child.ts';
import { median, say } from './support/figures.ts';
import type { Load, LoadSeen } from './support/load.ts';
import { type Disturbance, watchOthers } from './support/machine.ts';
import { type BenchDatabase, openBenchDatabase, query } from './support/postgres.ts';

const rounds = 5;
const warmupMilliseconds = 300;
const roundMilliseconds = 2_000;
const connections = 64;
/** More connections queue for the same balance; the peer gets the number that is best for it. */
const bareConnections = [1, 4, 16];
const paid = 5_000;

const warmTimes = 30;
const listTimes = 400;
const sizes = { small: { paid: 1_000, each: 10 }, large: { paid: 100_000, each: 10 } };

const goals = { ofBare: 0.5, growth: 1.5 };

export async function measureRefund(): Promise<boolean> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const database = await openBenchDatabase();
    closing.unshift(() => database.stop());
    const made = await measureMaking(database, closing);
    const listed = await measureLists(database, closing);
    return made && listed;
  } finally {
    for (const close of closing) await close();
  }
}

async function measureMaking(database: BenchDatabase, closing: (() => Promise<unknown>)[]): Promise<boolean> {
  const databaseUrl = await database.create('ours');
  const options: ServiceGiven = { dataDir: `${database.folder}/ours`, databaseUrl, paid };
  const { child: service, ready } = await startChild<ServiceReady, object, object>(
    new URL('./refund/service.ts', import.meta.url),
    options,
  );
  closing.unshift(() => service.end());
  const bareUrl = await database.create('bare');
  const bareOptions: BareGiven = { dataDir: `${database.folder}/bare`, databaseUrl: bareUrl, paid };
  const { child: bare } = await startChild<object, BareOptions, BareSeen>(
    new URL('./refund/bare.ts', import.meta.url),
    bareOptions,
  );
  closing.unshift(() => bare.end());
  const { child: load } = await startChild<object, Load, LoadSeen>(new URL('./support/load.ts', import.meta.url), {});
  closing.unshift(() => load.end());
  const token = await authorize(ready);
  let made = 0;
  const fire = async (milliseconds: number): Promise<LoadSeen> => {
    const seen = await load.ask(loadOf(ready.port, token, milliseconds));
    if (seen.notOk > 0) throw new Error(`${seen.notOk} refunds were refused.`);
    made += seen.ok;
    return seen;
  };
  let bareMade = 0;
  const ask = async (count: number, milliseconds: number): Promise<number> => {
    const seen = await bare.ask({ connections: count, warmupMilliseconds, milliseconds });
    bareMade += seen.made;
    return seen.perSecond;
  };
  const others = await watchOthers(async () => [
    process.pid,
    service.pid,
    bare.pid,
    load.pid,
    ...(await database.pids()),
  ]);
  await fire(1_000);
  const tried: number[] = [];
  for (const count of bareConnections) tried.push(await ask(count, 1_000));
  const best = bareConnections[tried.indexOf(Math.max(...tried))] ?? 1;
  const seen: { ours: LoadSeen; bare: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    seen.push({ ours: await fire(roundMilliseconds), bare: await ask(best, roundMilliseconds) });
  }
  printMaking(seen, best);
  await sayDisturbed(others);
  const ratio = median(seen.map(({ ours, bare: peer }) => ours.perSecond / peer));
  const rows = Number(await query(databaseUrl, 'select count(*) from refund'));
  const bareRows = Number(await query(bareUrl, 'select count(*) from refund'));
  return [
    say(ratio >= goals.ofBare, `refunds on one merchant, at least ${goals.ofBare} of bare SQL`, ratio.toFixed(2)),
    say(rows === made, 'rows of ours = answers of 200', `${rows} = ${made}`),
    say(bareRows === bareMade, 'rows of the peer = its refunds', `${bareRows} = ${bareMade}`),
  ].every((met) => met);
}

function loadOf(port: number, token: string, milliseconds: number): Load {
  return {
    host: '127.0.0.1',
    port,
    path: '',
    paths: Array.from({ length: paid }, (_, index) => `/transactions/${paidId(index + 1)}/refunds`),
    headers: { authorization: `Bearer ${token}` },
    bodies: ['{"amount":0.01}'],
    connections,
    warmupMilliseconds,
    milliseconds,
  };
}

async function authorize({ port, merchant }: ServiceReady): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/oauth/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: merchant.clientId, client_secret: merchant.clientSecret }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}

function printMaking(seen: readonly { ours: LoadSeen; bare: number }[], best: number): void {
  const row = (name: string, ...cells: string[]) =>
    `${name.padEnd(44)}${cells.map((cell) => cell.padStart(12)).join('')}\n`;
  const bare = median(seen.map((round) => round.bare));
  process.stdout.write(`
Refunds of one merchant, ${rounds} rounds of ${roundMilliseconds / 1_000} s

${row('', 'refunds/s', 'p50 ms', 'p99 ms')}${row(
  `bare SQL, one commit a refund, connections: ${best}`,
  Math.round(bare).toLocaleString('en'),
)}${row(
  `Grosz, E4 over HTTP, connections: ${connections}`,
  Math.round(median(seen.map(({ ours }) => ours.perSecond))).toLocaleString('en'),
  median(seen.map(({ ours }) => ours.p50Milliseconds)).toFixed(2),
  median(seen.map(({ ours }) => ours.p99Milliseconds)).toFixed(2),
)}
`);
}

const seedWithinMilliseconds = 300_000;

async function measureLists(database: BenchDatabase, closing: (() => Promise<unknown>)[]): Promise<boolean> {
  const sides = [
    { databaseUrl: await database.create('small'), ...sizes.small },
    { databaseUrl: await database.create('large'), ...sizes.large },
  ];
  const options: ListsGiven = { dataDir: `${database.folder}/lists`, sides };
  const file = new URL('./refund/lists.ts', import.meta.url);
  const { child } = await startChild<object, ListsOptions, ListsSeen>(file, options, [], seedWithinMilliseconds);
  closing.unshift(() => child.end());
  const row = (name: string, cells: readonly string[]) =>
    `${name.padEnd(36)}${cells.map((cell) => cell.padStart(12)).join('')}\n`;
  const counts = sides.map(({ paid: transactions, each }) => (transactions * each).toLocaleString('en'));
  process.stdout.write(`\nLists of refunds, median of ${listTimes} in ms\n\n${row('', [...counts, 'growth'])}`);
  const growths: number[] = [];
  const others = await watchOthers(async () => [process.pid, child.pid, ...(await database.pids())]);
  for (const kind of listKinds) {
    await child.ask({ kind, times: warmTimes, seed: 1 });
    const { milliseconds } = await child.ask({ kind, times: listTimes, seed: 2 });
    const [small = 0, large = 0] = milliseconds.map(median);
    growths.push(large / small);
    process.stdout.write(row(kind, [small.toFixed(3), large.toFixed(3), (large / small).toFixed(2)]));
  }
  const worst = Math.max(...growths);
  process.stdout.write('\n');
  await sayDisturbed(others);
  return say(worst <= goals.growth, `growth of every list at most ${goals.growth}; the worst`, worst.toFixed(2));
}

/** Reports figures that were disturbed by other processes. */
async function sayDisturbed(others: Disturbance): Promise<void> {
  const share = await others.share();
  if (share !== undefined)
    process.stdout.write(`Other processes took ${Math.round(share * 100)} % of the machine.\n\n`);
}
