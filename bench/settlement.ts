// A settlement of a million lines: how long it takes to be cut, and to begin and end as a file. A number as an option is used
// instead of the million.

import { build } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { type AccountId, knownId } from '../src/kernel/index.ts';
import { openService, type Service } from '../src/open.ts';
import { seedBusiness } from './panel/seed.ts';
import type { SeededMerchant } from './refund/seed.ts';
import { say } from './support/figures.ts';
import { openBenchDatabase } from './support/postgres.ts';

const usualSize = 1_000_000;
const firstByteAtMost = 1_000;
const memoryAtMost = 100;

export async function measureSettlement([given]: readonly string[]): Promise<boolean> {
  const size = Number(given ?? usualSize);
  const database = await openBenchDatabase();
  try {
    const databaseUrl = await database.create('settlement');
    const config = readConfig({
      MODE: 'sandbox',
      DATA_DIR: `${database.folder}/settlement`,
      DATABASE_URL: databaseUrl,
    });
    const service = await openService({ ...config, logLevel: 'silent' }, databaseUrl, { name: 'settlement' });
    try {
      return await measure(service, databaseUrl, size);
    } finally {
      await service.close();
    }
  } finally {
    await database.stop();
  }
}

async function measure({ tools, rooms }: Service, databaseUrl: string, size: number): Promise<boolean> {
  const merchant = await seedBusiness(tools, databaseUrl, size);
  await rooms.ledger.seal();
  await rooms.panel.sumUp();
  const cutting = performance.now();
  const [made] = (await rooms.settlements.cut([knownId<AccountId>(merchant.id)])) ?? [];
  const cut = performance.now() - cutting;
  if (!made) throw new Error('There is no settlement.');
  const app = await build(tools, rooms);
  try {
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const headers = { authorization: `Bearer ${await tokenOf(url, merchant)}`, accept: 'text/csv' };
    const before = process.memoryUsage.rss();
    const begun = performance.now();
    const response = await fetch(`${url}/settlements/${made.id}/lines`, { headers });
    let [first, lines, peak] = [0, 0, before];
    for await (const chunk of response.body ?? []) {
      first ||= performance.now() - begun;
      for (const byte of chunk) if (byte === 10) lines += 1;
      peak = Math.max(peak, process.memoryUsage.rss());
    }
    const seconds = (performance.now() - begun) / 1_000;
    const shown = made.lines.toLocaleString('en');
    process.stdout.write(
      `\nA settlement of ${shown} lines: cut in ${Math.round(cut)} ms, a file in ${seconds.toFixed(1)} s\n\n`,
    );
    const megabytes = Math.round((peak - before) / 1_048_576);
    const met = [
      say(first <= firstByteAtMost, `the first byte within ${firstByteAtMost} ms`, `${Math.round(first)} ms`),
      say(lines === made.lines + 1, 'the file has every line', `${lines - 1} = ${made.lines}`),
      say(megabytes <= memoryAtMost, `at most ${memoryAtMost} MB of memory for it`, `${megabytes} MB`),
    ];
    return met.every(Boolean);
  } finally {
    await app.close();
  }
}

async function tokenOf(url: string, { clientId, clientSecret }: SeededMerchant): Promise<string> {
  const body = JSON.stringify({ client_id: clientId, client_secret: clientSecret });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/oauth/auth`, { method: 'POST', headers, body });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}
