// Charging recurring payments, in one run:
//   against (a) bare SQL that writes the same rows in batches, and (b) a general job queue with one job per charge;
//   and the cost of a charge with ten thousand, a million and (--full) five million stored recurring payments.
// Rounds are interleaved, so that a slow moment of the machine affects all sides; figures are medians of the rounds,
// ratios are medians of the ratios within each round.

import { parseArgs } from 'node:util';
import type { BareOptions } from './charge/bare.ts';
import type { EngineGiven, RoundSeen } from './charge/engine.ts';
import type { QueueOptions } from './charge/queue.ts';
import { type Child, startChild } from './support/child.ts';
import { median, say } from './support/figures.ts';
import { watchOthers } from './support/machine.ts';
import { type BenchDatabase, openBenchDatabase } from './support/postgres.ts';

const rounds = 7;
/** Charges per round; the queue is slower and gets fewer. */
const due = 5_000;
const queueJobs = 500;
/** The peers run with their best options. */
const bareOptionSets: readonly BareOptions[] = [
  { setSize: 500, loops: 1 },
  { setSize: 1_000, loops: 1 },
  { setSize: 500, loops: 2 },
];
const queueOptionSets: readonly QueueOptions[] = [
  { jobs: queueJobs, concurrency: 10 },
  { jobs: queueJobs, concurrency: 20 },
];
const stored = 10_000;
const seedWithinMilliseconds = 600_000;

const goals = { ofBare: 0.5, timesQueue: 5, growth: 1.2 };

/**
 * If other processes used more than this, the result is skewed: a queue with twenty backends gets a larger share of
 * what is left than we do.
 */
const tolerable = 0.1;

type Side<Wish extends object> = Child<Wish, RoundSeen>;

interface Measured {
  readonly perSecond: number;
  /** CPU microseconds per charge, including PostgreSQL. */
  readonly cpu: number;
  readonly othersShare: number;
}

export async function measureCharge(options: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...options],
    options: { full: { type: 'boolean', default: false }, profile: { type: 'string' } },
  });
  const database = await openBenchDatabase({ max_wal_size: '4GB', checkpoint_timeout: '30min' });
  try {
    const profile = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
    const met = [...(await comparePeers(database, profile)), ...(await measureGrowth(database, values.full))];
    return met.every((goal) => goal);
  } finally {
    await database.stop();
  }
}

async function startSide<Wish extends object>(
  database: BenchDatabase,
  file: string,
  name: string,
  size: number,
  execArgv: readonly string[] = [],
): Promise<Side<Wish>> {
  const databaseUrl = await database.create(name);
  const given: EngineGiven = { name, dataDir: `${database.folder}/${name}`, databaseUrl, stored: size, due };
  const url = new URL(`./charge/${file}.ts`, import.meta.url);
  const { child } = await startChild<object, Wish, RoundSeen>(url, given, execArgv, seedWithinMilliseconds);
  return child;
}

const perSecond = ({ charges, milliseconds }: RoundSeen) => (charges / milliseconds) * 1_000;
const microseconds = ({ charges, milliseconds }: RoundSeen) => (milliseconds / charges) * 1_000;

async function comparePeers(database: BenchDatabase, profile: readonly string[]): Promise<boolean[]> {
  const ours = await startSide<object>(database, 'engine', 'ours', stored, profile);
  const bare = await startSide<BareOptions>(database, 'bare', 'bare', stored);
  const queue = await startSide<QueueOptions>(database, 'queue', 'queue', stored);
  try {
    // The first round warms up and finds a peer's best options.
    await ours.ask({});
    const bareOptions = await best(bareOptionSets, bare);
    const queueOptions = await best(queueOptionSets, queue);
    const machine = await watchOthers(async () => [...(await database.pids()), ours.pid, bare.pid, queue.pid]);
    const measure = async (round: Promise<RoundSeen>): Promise<Measured> => {
      await machine.look();
      const seen = await round;
      const { ownMilliseconds, othersShare = 0 } = await machine.look();
      return { perSecond: perSecond(seen), cpu: (ownMilliseconds / seen.charges) * 1_000, othersShare };
    };
    const seen: Record<'ours' | 'bare' | 'queue', Measured>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      seen.push({
        ours: await measure(full(ours.ask({}))),
        bare: await measure(full(bare.ask(bareOptions))),
        queue: await measure(queue.ask(queueOptions)),
      });
    }
    const row = (name: string, side: 'ours' | 'bare' | 'queue') => [
      name,
      whole(median(seen.map((round) => round[side].perSecond))),
      whole(median(seen.map((round) => round[side].cpu))),
      `${whole(median(seen.map((round) => round[side].othersShare)) * 100)} %`,
    ];
    print(`Charges, ${rounds} rounds of ${due.toLocaleString('en')}`, [
      ['', 'charges/s', 'CPU µs each', 'others took'],
      row(`(a) bare SQL, sets of ${bareOptions.setSize}, loops: ${bareOptions.loops}`, 'bare'),
      row(`(b) graphile-worker, ${queueOptions.concurrency} jobs at once`, 'queue'),
      row('Grosz, the simulated bank included', 'ours'),
    ]);
    const ofBare = median(seen.map((round) => round.ours.perSecond / round.bare.perSecond));
    const timesQueue = median(seen.map((round) => round.ours.perSecond / round.queue.perSecond));
    if (seen.some((round) => round.ours.othersShare > tolerable)) {
      process.stdout.write('Other processes were busy meanwhile: the rates say little, CPU says more.\n\n');
    }
    return [
      say(ofBare >= goals.ofBare, `at least ${goals.ofBare} of (a)`, ofBare.toFixed(2)),
      say(timesQueue >= goals.timesQueue, `at least ${goals.timesQueue} times (b)`, timesQueue.toFixed(1)),
    ];
  } finally {
    for (const side of [queue, bare, ours]) await side.end();
  }
}

async function best<Wish extends object>(wishes: readonly Wish[], side: Side<Wish>): Promise<Wish> {
  let chosen: { given: Wish; perSecond: number } | undefined;
  for (const given of wishes) {
    const seen = perSecond(await side.ask(given));
    if (!chosen || seen > chosen.perSecond) chosen = { given, perSecond: seen };
  }
  if (!chosen) throw new Error('There is nothing to choose from.');
  return chosen.given;
}

/** A round that did not charge everything would look too fast. */
async function full(round: Promise<RoundSeen>): Promise<RoundSeen> {
  const seen = await round;
  if (seen.charges !== due) throw new Error(`A round made ${seen.charges} charges instead of ${due}.`);
  return seen;
}

async function measureGrowth(database: BenchDatabase, isFull: boolean): Promise<boolean[]> {
  const sizes = isFull ? [stored, 1_000_000, 5_000_000] : [stored, 1_000_000];
  const sides: Side<object>[] = [];
  try {
    for (const size of sizes) sides.push(await startSide<object>(database, 'engine', `stored_${size}`, size));
    for (const side of sides) await full(side.ask({}));
    const seen: number[][] = sizes.map(() => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, side] of sides.entries()) seen[index]?.push(microseconds(await full(side.ask({}))));
    }
    const [smallest = []] = seen;
    const growths = seen.map((side) => median(side.map((cost, round) => cost / (smallest[round] ?? cost))));
    print('Cost of a charge', [
      ['stored recurring payments', 'µs a charge', 'growth'],
      ...sizes.map((size, index) => [
        size.toLocaleString('en'),
        whole(median(seen[index] ?? [])),
        (growths[index] ?? 0).toFixed(2),
      ]),
    ]);
    return sizes
      .map((size, index) => ({ size, growth: growths[index] ?? Number.POSITIVE_INFINITY }))
      .slice(1)
      .map(({ size, growth }) =>
        say(
          growth <= goals.growth,
          `growth to ${size.toLocaleString('en')} at most ${goals.growth}`,
          growth.toFixed(2),
        ),
      );
  } finally {
    for (const side of sides) await side.end();
  }
}

const whole = (value: number) => Math.round(value).toLocaleString('en');

function print(title: string, rows: readonly (readonly string[])[]): void {
  const lines = rows.map(
    ([first = '', ...cells]) => `${first.padEnd(40)}${cells.map((cell) => cell.padStart(14)).join('')}`,
  );
  process.stdout.write(`\n${title}\n\n${lines.join('\n')}\n\n`);
}
