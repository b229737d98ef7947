// Verifying a million payments with their refunds, recurring payments and marketplace parts, and what changed since: the
// time and the memory of `grosz verify`, run as its own process.

import { readConfig } from '../src/config.ts';
import { patientTimes } from '../src/database/index.ts';
import { openService } from '../src/open.ts';
import { runCommand, secondsSince } from './support/command.ts';
import { say } from './support/figures.ts';
import { openBenchDatabase } from './support/postgres.ts';
import { closeSeed, seedAccounts, seedPayments, stepMilliseconds } from './verify/seed.ts';

const usualSize = 1_000_000;
const newOnes = 10_000;
const secondsAtMost = 120;
const megabytesAtMost = 300;
const newSecondsAtMost = 2;

export async function measureVerify([given = String(usualSize)]: readonly string[]): Promise<boolean> {
  const size = Number(given);
  const database = await openBenchDatabase();
  try {
    const url = await database.create('verify');
    const environment = {
      MODE: 'sandbox',
      DATA_DIR: `${database.folder}/verify`,
      DATABASE_URL: url,
      VERIFY_EVERY: 'off',
      RECONCILE_AT: 'off',
    };
    const verify = (...options: readonly string[]) => runCommand(['verify', ...options], environment);
    const config = readConfig(environment);
    const service = await openService({ ...config, logLevel: 'silent' }, url, { name: 'bench', times: patientTimes });
    try {
      const { tools, rooms } = service;
      const base = tools.wall.now().subtract({ milliseconds: (size + newOnes) * stepMilliseconds + 600_000 });
      const finish = async () => {
        for (const name of ['seal_journals', 'sum_up'] as const) {
          const work = rooms.works.find((one) => one.name === name);
          while (work && (await work.run()) > 0);
        }
      };
      const begun = performance.now();
      const business = await seedAccounts(tools);
      await seedPayments(tools, url, business, base, [1, size]);
      await finish();
      await closeSeed(url);
      print(`${size.toLocaleString('en')} payments: generated in ${secondsSince(begun)} s`);
      const whole = await verify();
      const since = base.add({ milliseconds: size * stepMilliseconds });
      await seedPayments(tools, url, business, base, [size + 1, size + newOnes]);
      await finish();
      await closeSeed(url);
      const changed = await verify('--since', since.toString());
      const idle = await verify('--since', tools.wall.now().toString());
      const own = changed.seconds - idle.seconds;
      print(`\nwhole: ${whole.said}\nsince: ${changed.said}\n`);
      return [
        say(whole.isRight, 'everything is right', ''),
        say(
          whole.seconds * (usualSize / size) <= secondsAtMost,
          `a million within ${secondsAtMost} s`,
          `${whole.seconds} s`,
        ),
        say(whole.megabytes <= megabytesAtMost, `at most ${megabytesAtMost} MB`, `${whole.megabytes} MB`),
        say(changed.isRight, 'what changed is right', ''),
        say(
          own <= newSecondsAtMost,
          `10,000 new ones within ${newSecondsAtMost} s`,
          `${own.toFixed(1)} s, and ${idle.seconds} s to start and read nothing`,
        ),
      ].every(Boolean);
    } finally {
      await service.close();
    }
  } finally {
    await database.stop();
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
