// Marketplace payments (created and paid by BLIK) with 1, 10 and 100 children, against bare SQL that writes the same rows;
// and showing a transaction as large as a request allows. Rounds alternate; figures are medians, ratios are medians of
// the ratios within each round.

import type { NodeAsk, PayAsk, PaySeen, ShowSeen, SideGiven } from './marketplace/node.ts';
import { type Child, startChild } from './support/child.ts';
import { median, say } from './support/figures.ts';
import { watchOthers } from './support/machine.ts';
import { openBenchDatabase, query } from './support/postgres.ts';

const sizes = [1, 10, 100];
const rounds = 5;
const warmupMilliseconds = 3_000;
const roundMilliseconds = 1_500;
const connections = 64;
/** The peer gets the number that is best for it. */
const bareConnections = [1, 4, 16];
const shows = 30;

const goals = { ofBare: 0.5, showMilliseconds: 100 };

interface Round {
  readonly ours: number;
  readonly bare: number;
}

export async function measureMarketplace(): Promise<boolean> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const database = await openBenchDatabase();
    closing.unshift(() => database.stop());
    const open = async <Asked, Seen>(name: string) => {
      const databaseUrl = await database.create(name);
      const given: SideGiven = { dataDir: `${database.folder}/${name}`, databaseUrl };
      const file = new URL(name === 'ours' ? './marketplace/node.ts' : './marketplace/bare.ts', import.meta.url);
      const { child } = await startChild<object, Asked, Seen>(file, given);
      closing.unshift(() => child.end());
      return { child, databaseUrl };
    };
    const ours = await open<NodeAsk, PaySeen | ShowSeen>('ours');
    const bare = await open<PayAsk, PaySeen>('bare');
    const others = await watchOthers(async () => [
      process.pid,
      ours.child.pid,
      bare.child.pid,
      ...(await database.pids()),
    ]);
    let paid = 0;
    const pay = async (children: number, milliseconds: number): Promise<number> => {
      const seen = (await ours.child.ask({ children, connections, milliseconds })) as PaySeen;
      paid += seen.paid;
      return seen.perSecond;
    };
    await pay(10, warmupMilliseconds);
    const seen = new Map<number, readonly Round[]>();
    for (const children of sizes) seen.set(children, await measureSize(children, pay, bare.child));
    const shown = (await ours.child.ask({ show: shows, full: false })) as ShowSeen;
    const full = (await ours.child.ask({ show: shows, full: true })) as ShowSeen;
    print(seen, shown, full);
    const share = await others.share();
    if (share !== undefined)
      process.stdout.write(`Other processes took ${Math.round(share * 100)} % of the machine.\n\n`);
    const rows = Number(await query(ours.databaseUrl, "select count(*) from transaction where status = 'paid'"));
    return judge(seen, shown, rows, paid);
  } finally {
    for (const close of closing) await close();
  }
}

async function measureSize(
  children: number,
  pay: (children: number, milliseconds: number) => Promise<number>,
  bare: Child<PayAsk, PaySeen>,
): Promise<Round[]> {
  const tried: number[] = [];
  for (const count of bareConnections)
    tried.push((await bare.ask({ children, connections: count, milliseconds: 800 })).perSecond);
  const best = bareConnections[tried.indexOf(Math.max(...tried))] ?? 1;
  await pay(children, 800);
  const seen: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const asked = { children, connections: best, milliseconds: roundMilliseconds };
    seen.push({ ours: await pay(children, roundMilliseconds), bare: (await bare.ask(asked)).perSecond });
  }
  return seen;
}

const ratioOf = (seen: readonly Round[]) => median(seen.map(({ ours, bare }) => ours / bare));

/** Microseconds per child. */
const costOf = (children: number, seen: readonly Round[]) =>
  1_000_000 / median(seen.map(({ ours }) => ours)) / children;

function print(seen: ReadonlyMap<number, readonly Round[]>, shown: ShowSeen, full: ShowSeen): void {
  const row = (...cells: string[]) => `${cells.map((cell) => cell.padStart(16)).join('')}\n`;
  process.stdout.write(`\nMarketplace payments, ${rounds} rounds of ${roundMilliseconds / 1_000} s\n\n`);
  process.stdout.write(row('children', 'payments/s', 'bare SQL', 'of bare', 'µs per child'));
  for (const [children, ofSize] of seen)
    process.stdout.write(
      row(
        String(children),
        median(ofSize.map(({ ours }) => ours)).toFixed(0),
        median(ofSize.map(({ bare }) => bare)).toFixed(0),
        ratioOf(ofSize).toFixed(2),
        costOf(children, ofSize).toFixed(0),
      ),
    );
  for (const [products, { bytes, milliseconds }] of [
    [120, shown],
    [1_000, full],
  ] as const) {
    const size = (bytes / 1_000_000).toFixed(2);
    const cost = median(milliseconds).toFixed(1);
    process.stdout.write(`\nM6 of 100 children with ${products} products each: ${cost} ms, ${size} MB\n`);
  }
  process.stdout.write('\n');
}

function judge(
  seen: ReadonlyMap<number, readonly Round[]>,
  { milliseconds }: ShowSeen,
  rows: number,
  paid: number,
): boolean {
  const costs = [...seen].map(([children, ofSize]) => costOf(children, ofSize));
  const falling = costs.every((cost, index) => index === 0 || cost < (costs[index - 1] ?? 0));
  const met = [...seen].map(([children, ofSize]) =>
    say(
      ratioOf(ofSize) >= goals.ofBare,
      `payments with ${children} children, at least ${goals.ofBare} of bare SQL`,
      ratioOf(ofSize).toFixed(2),
    ),
  );
  met.push(say(falling, 'cost per child falls', costs.map((cost) => cost.toFixed(0)).join(' > ')));
  const slowest = median(milliseconds);
  met.push(
    say(slowest <= goals.showMilliseconds, `M6 within ${goals.showMilliseconds} ms`, `${slowest.toFixed(1)} ms`),
  );
  met.push(say(rows === paid, 'paid transactions = answers', `${rows} = ${paid}`));
  return met.every((one) => one);
}
