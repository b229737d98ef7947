// Reconciling a million captures, of which some are not in the books, and some not at the bank: the time of the whole
// run and the memory it takes. Then how the time grows with the lines, on databases that were filled by a mixed load and
// never analyzed, of the embedded PostgreSQL and of the one that is installed: a plan that depends on statistics shows here.

import { readConfig } from '../src/config.ts';
import { openService } from '../src/open.ts';
import { fillBank, fillBooks, type Load, linesOf, lostEvery, onConnection } from './reconcile/fill.ts';
import { openInstalledDatabase } from './reconcile/installed.ts';
import { say } from './support/figures.ts';
import { type BenchDatabase, openBenchDatabase } from './support/postgres.ts';

const usualSize = 1_000_000;
const secondsAtMost = 60;
/** With what the runtime has not collected yet: what is in use stays below 50 MB, whatever the size. */
const megabytesAtMost = 512;
const growthSizes = [10_000, 20_000, 80_000] as const;
/** A line of the largest may cost so much more than one of the smallest, which has the start of the run in it. */
const growthAtMost = 1.5;
const never = { autovacuum: 'off' };

export async function measureReconcile([size = String(usualSize)]: readonly string[]): Promise<boolean> {
  const results = [await measureMany(Number(size)), await measureGrowth('embedded', () => openBenchDatabase(never))];
  const installed = await openInstalledDatabase(never);
  if (installed) results.push(await measureGrowth(installed.version, async () => installed));
  else process.stdout.write('No other PostgreSQL is installed.\n');
  return results.every(Boolean);
}

async function measureMany(captures: number): Promise<boolean> {
  const database = await openBenchDatabase();
  try {
    const load = { captures, mixed: false, atOnce: 50_000 };
    const { seconds, megabytes, found } = await measureRun(database, 'many', load, true);
    process.stdout.write(
      `compared in ${seconds} s: ${Math.round(captures / seconds).toLocaleString('en')} a second\n\n`,
    );
    const expected = 2 * Math.floor(captures / lostEvery);
    const results = [
      say(found === expected, 'every difference is found, and nothing else', `${found} of ${expected}`),
      say(seconds * (usualSize / captures) <= secondsAtMost, `a million within ${secondsAtMost} s`, `${seconds} s`),
      say(megabytes <= megabytesAtMost, `at most ${megabytesAtMost} MB of memory for it`, `${megabytes} MB`),
    ];
    return results.every(Boolean);
  } finally {
    await database.stop();
  }
}

/** The time of a line at each size, on a database of its own. */
async function measureGrowth(name: string, open: () => Promise<BenchDatabase>): Promise<boolean> {
  const database = await open();
  try {
    const costs: number[] = [];
    for (const captures of growthSizes) {
      const load = { captures, mixed: true, atOnce: 1_000 };
      const { seconds } = await measureRun(database, `growth_${captures}`, load, false);
      costs.push((seconds * 1_000_000) / linesOf(load));
      process.stdout.write(`${name}: ${linesOf(load).toLocaleString('en')} lines compared in ${seconds} s\n`);
    }
    const growth = (costs.at(-1) ?? Infinity) / (costs[0] ?? 1);
    const shown = costs.map((cost) => `${Math.round(cost)} µs`).join(', ');
    return say(growth <= growthAtMost, `PostgreSQL ${name}, never analyzed: the cost of a line does not grow`, shown);
  } finally {
    await database.stop();
  }
}

async function measureRun(database: BenchDatabase, name: string, load: Load, analyzed: boolean) {
  const url = await database.create(name);
  const config = readConfig({ MODE: 'sandbox', DATA_DIR: `${database.folder}/${name}`, DATABASE_URL: url });
  const service = await openService({ ...config, logLevel: 'silent' }, url, { name: 'reconcile' });
  try {
    const from = service.tools.clock.now();
    await fillBooks(service.tools, url, load, from);
    if (analyzed) await onConnection(url, async (client) => void (await client.query('vacuum analyze')));
    fillBank(config.bankFile, load, from);
    const period = { from, to: from.add({ seconds: 3_600 }) };
    if (!analyzed) {
      // As autovacuum does between two runs: what it knows of the lines is about an earlier run.
      await service.rooms.reconciliation.reconcile(period);
      await onConnection(url, async (client) => void (await client.query('analyze reconciliation_line')));
    }
    const before = process.memoryUsage.rss();
    let peak = before;
    const started = performance.now();
    const run = await service.rooms.reconciliation.reconcile(period, () => {
      peak = Math.max(peak, process.memoryUsage.rss());
    });
    const seconds = Math.round((performance.now() - started) / 10) / 100;
    return { seconds, megabytes: Math.round((peak - before) / 1_048_576), found: run?.found };
  } finally {
    await service.close();
  }
}
