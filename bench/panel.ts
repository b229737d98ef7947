// The screens of the panel with 10 thousand and with 1 million transactions of one merchant: the server's time for each
// endpoint, with signing in, validation and the database, without the network. The sides alternate with every request.
// A number as an option is used instead of the million.

import type { FastifyInstance } from 'fastify';
import { build } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createUser } from '../src/identity/index.ts';
import { type AccountId, knownId, Secret } from '../src/kernel/index.ts';
import { openService, type Service } from '../src/open.ts';
import { seedBusiness, transactionIdOf } from './panel/seed.ts';
import { drawsOf, median, say } from './support/figures.ts';
import { type BenchDatabase, openBenchDatabase, query } from './support/postgres.ts';

const smallSize = 10_000;
const usualSize = 1_000_000;
const times = 60;
const warmTimes = 8;
const growthAtMost = 1.5;
const millisecondsAtMost = 200;
/** Each may make 50 requests in a second. */
const usersOfSide = 8;
const password = 'correct horse battery staple';

interface Side {
  readonly service: Service;
  readonly app: FastifyInstance;
  readonly cookies: readonly string[];
  readonly size: number;
}

/** The address of a request, and what its response must have. */
type Kind = (draw: () => number, size: number) => { readonly url: string; readonly has: (body: Body) => boolean };

interface Body {
  readonly [key: string]: unknown;
  readonly transactions?: readonly { readonly transactionId: string }[];
  readonly moves?: readonly unknown[];
  readonly rows?: readonly unknown[];
  readonly recurring?: readonly unknown[];
  readonly notifications?: readonly unknown[];
}

const anyOf = (draw: () => number, size: number) => 1 + Math.floor(draw() * (size - 1));
/** Paid, and never the same amount as a tenth of all. */
const paidOf = (draw: () => number, size: number) => Math.floor(anyOf(draw, size) / 1_000) * 1_000 + 501;
const day = (before: number) => Temporal.Now.plainDateISO('Europe/Warsaw').subtract({ days: before }).toString();

const search = (query: string, atLeast = 1): ReturnType<Kind> => ({
  url: `/panel/api/transactions?${query}`,
  has: ({ transactions = [] }) => transactions.length >= atLeast,
});
const overview = (period: string): ReturnType<Kind> => ({
  url: `/panel/api/overview?period=${period}`,
  has: ({ current }) => (current as { payments: number }).payments > 0,
});
const ledger = (query: string): ReturnType<Kind> => ({
  url: `/panel/api/ledger?${query}`,
  has: ({ moves = [] }) => moves.length > 0,
});
const statements = (query: string, rows: number): ReturnType<Kind> => ({
  url: `/panel/api/statements?${query}`,
  has: ({ rows: found = [] }) => found.length === rows,
});

const notifications = (query: string, count: number): ReturnType<Kind> => ({
  url: `/panel/api/notifications?${query}`,
  has: ({ notifications: found = [] }) => found.length === count,
});

const kinds: Readonly<Record<string, Kind>> = {
  'overview, 7 days': () => overview('7d'),
  'overview, 30 days': () => overview('30d'),
  'overview, 90 days': () => overview('90d'),
  'overview, 12 months': () => overview('12m'),
  attention: () => ({ url: '/panel/api/attention', has: ({ items }) => Array.isArray(items) }),
  'transactions, first page': () => search('limit=50', 50),
  'transactions, any place': (draw) => search(`limit=50&to=${day(10 + Math.floor(draw() * 600))}`, 50),
  'search: title': (draw, size) => search(`q=TR-BNCH-${String(anyOf(draw, size)).padStart(7, '0')}`),
  'search: id': (draw, size) => search(`q=${transactionIdOf(anyOf(draw, size))}`),
  'search: email': (draw, size) => search(`q=payer${Math.floor(anyOf(draw, size) / 10)}@example.com`),
  'search: hiddenDescription': (draw, size) => search(`q=order-${anyOf(draw, size)}`),
  'search: a rare amount': (draw, size) => search(`q=${(1_000 + ((paidOf(draw, size) * 7_919) % 1_000_003)) / 100}`),
  'search: a common amount': () => search('q=49.90', 50),
  'search: a common beginning': () => search('q=payer', 50),
  'filter: a common status': () => search('status=paid', 50),
  'filter: a rare status': () => search('status=pending&limit=20', 1),
  'filter: declined': () => search('status=pending&paymentStatus=declined&limit=20', 1),
  'filter: a rare amount': () => search('amountFrom=10000&amountTo=10000.01&limit=20', 0),
  'transaction in full': (draw, size) => ({
    url: `/panel/api/transactions/${transactionIdOf(paidOf(draw, size))}`,
    has: ({ timeline }) => (timeline as unknown[]).length > 4,
  }),
  balance: () => ({ url: '/panel/api/balance', has: ({ balance }) => Number(balance) > 0 }),
  'ledger, first page': () => ledger('limit=50'),
  'ledger, any place': (draw) => ledger(`limit=50&to=${day(10 + Math.floor(draw() * 600))}`),
  'ledger, refunds': () => ledger('kind=refund&limit=50'),
  'ledger, what is rare': () => ledger('kind=opening'),
  'statements by day': () => statements(`from=${day(364)}&to=${day(0)}`, 365),
  'statements by month': () => statements(`by=month&from=${day(700).slice(0, 8)}01&to=${day(0)}`, 24),
  'recurring, first page': () => ({
    url: '/panel/api/recurring',
    has: ({ recurring = [] }) => recurring.length === 50,
  }),
  'recurring calendar': () => ({
    url: '/panel/api/recurring/calendar?days=366',
    has: ({ recurring = [] }) => recurring.length === 50,
  }),
  'notifications, first page': () => notifications('limit=50', 50),
  'notifications, delivered': () => notifications('status=delivered&limit=50', 50),
  'notifications, waiting': () => notifications('status=pending&limit=50', 0),
  'saved views': () => ({ url: '/panel/api/views', has: ({ views }) => Array.isArray(views) }),
};

export async function measurePanel([given]: readonly string[]): Promise<boolean> {
  const size = Number(given ?? usualSize);
  if (!Number.isSafeInteger(size) || size < smallSize) {
    process.stderr.write(`The number of transactions must be at least ${smallSize}.\n`);
    return false;
  }
  const database = await openBenchDatabase();
  const sides: Side[] = [];
  try {
    for (const [index, one] of [smallSize, size].entries()) sides.push(await openSide(database, `panel${index}`, one));
    const met = await measure(sides);
    return (await measureExport(sides.at(-1))) && met;
  } finally {
    for (const { app, service } of sides) {
      await app.close();
      await service.close();
    }
    await database.stop();
  }
}

async function openSide(database: BenchDatabase, name: string, size: number): Promise<Side> {
  const databaseUrl = await database.create(name);
  const config = readConfig({ MODE: 'sandbox', DATA_DIR: `${database.folder}/${name}`, DATABASE_URL: databaseUrl });
  const service = await openService({ ...config, logLevel: 'silent' }, databaseUrl, { name });
  const begun = performance.now();
  const merchant = await seedBusiness(service.tools, databaseUrl, size);
  process.stdout.write(`${size.toLocaleString('en')} transactions: generated in ${secondsSince(begun)}`);
  for (const work of ['count_transactions', 'sum_up', 'fill_search']) {
    const started = performance.now();
    await runAll(service, work);
    process.stdout.write(`, ${work} ${secondsSince(started)}`);
  }
  process.stdout.write('\n');
  await query(databaseUrl, 'vacuum analyze');
  const app = await build(service.tools, service.rooms);
  return { service, app, cookies: await signIn(service, app, knownId<AccountId>(merchant.id)), size };
}

function secondsSince(begun: number): string {
  return `${Math.round((performance.now() - begun) / 1_000)} s`;
}

async function runAll({ rooms }: Service, name: string): Promise<void> {
  const work = rooms.works.find((one) => one.name === name);
  if (!work) throw new Error(`There is no work "${name}".`);
  while ((await work.run()) > 0);
}

async function signIn({ rooms }: Service, app: FastifyInstance, accountId: AccountId): Promise<string[]> {
  const cookies: string[] = [];
  for (let number = 1; number <= usersOfSide; number += 1) {
    const email = `person${number}@example.com`;
    const person = { accountId, email, name: 'Person', role: 'owner', language: 'en' } as const;
    await createUser(rooms.identity.tools, person, new Secret(password));
    const response = await app.inject({ method: 'POST', url: '/panel/api/sign-in', payload: { email, password } });
    cookies.push(String(response.headers['set-cookie']).split(';', 1)[0] ?? '');
  }
  return cookies;
}

async function measure(sides: readonly Side[]): Promise<boolean> {
  const row = (title: string, cells: readonly string[]) =>
    `${title.padEnd(36)}${cells.map((cell) => cell.padStart(12)).join('')}\n`;
  const titles = sides.map(({ size }) => size.toLocaleString('en'));
  process.stdout.write(`\nServer time, median of ${times} in ms\n\n${row('', [...titles, 'growth'])}`);
  const worst = { growth: 0, milliseconds: 0 };
  for (const [title, kind] of Object.entries(kinds)) {
    await askInTurn(sides, kind, warmTimes, 1);
    const [small = 0, large = 0] = (await askInTurn(sides, kind, times, 2)).map(median);
    worst.growth = Math.max(worst.growth, large / small);
    worst.milliseconds = Math.max(worst.milliseconds, large);
    process.stdout.write(row(title, [small.toFixed(2), large.toFixed(2), (large / small).toFixed(2)]));
  }
  process.stdout.write('\n');
  const grows = say(
    worst.growth <= growthAtMost,
    `growth of every endpoint at most ${growthAtMost}; the worst`,
    worst.growth.toFixed(2),
  );
  const slow = say(
    worst.milliseconds <= millisecondsAtMost,
    `at most ${millisecondsAtMost} ms; the slowest`,
    worst.milliseconds.toFixed(1),
  );
  return grows && slow;
}

async function askInTurn(sides: readonly Side[], kind: Kind, count: number, seed: number): Promise<number[][]> {
  const draws = sides.map(() => drawsOf(seed));
  const milliseconds: number[][] = sides.map(() => []);
  for (let time = 0; time < count; time += 1) {
    for (const [index, side] of sides.entries()) {
      const { url, has } = kind(draws[index] ?? (() => 0), side.size);
      const cookie = side.cookies[time % usersOfSide] ?? '';
      const begun = performance.now();
      const response = await side.app.inject({ url, headers: { cookie } });
      milliseconds[index]?.push(performance.now() - begun);
      // A fast result must also be correct.
      if (response.statusCode !== 200 || !has(response.json()))
        throw new Error(`${url}: ${response.body.slice(0, 500)}`);
    }
  }
  return milliseconds;
}

const memoryAtMost = 100;

/** The whole ledger as a file: at most a page of it is in memory. */
async function measureExport(side: Side | undefined): Promise<boolean> {
  if (!side) return false;
  const url = await side.app.listen({ host: '127.0.0.1', port: 0 });
  const before = process.memoryUsage.rss();
  const begun = performance.now();
  const response = await fetch(`${url}/panel/api/ledger/export`, { headers: { cookie: side.cookies[0] ?? '' } });
  const total = Number(response.headers.get('x-total-rows'));
  let [bytes, lines, peak] = [0, 0, before];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  const seconds = (performance.now() - begun) / 1_000;
  const megabytes = Math.round((peak - before) / 1_048_576);
  process.stdout.write(
    `\nThe whole ledger as CSV: ${total.toLocaleString('en')} rows, ${Math.round(bytes / 1_048_576)} MB in ` +
      `${seconds.toFixed(1)} s\n\n`,
  );
  const complete = say(lines === total + 1, 'rows = X-Total-Rows', `${lines - 1} = ${total}`);
  return say(megabytes <= memoryAtMost, `at most ${memoryAtMost} MB of memory for it`, `${megabytes} MB`) && complete;
}
