// Lists of transactions of one merchant with 10 thousand and with 1 million of them, as the API queries them, without
// HTTP. The sides alternate with every query, so that a slow moment of the machine affects both.

import { readConfig } from '../src/config.ts';
import { type AccountId, knownId } from '../src/kernel/index.ts';
import { openService, type Service } from '../src/open.ts';
import { type ListQuery, listTransactions, transactionCounts } from '../src/transactions/index.ts';
import { seedMerchant } from './refund/seed.ts';
import { drawsOf, median, say } from './support/figures.ts';
import { type BenchDatabase, openBenchDatabase, query } from './support/postgres.ts';

const sizes = [10_000, 1_000_000];
const times = 300;
const warmTimes = 30;
const limit = 35;
const growthAtMost = 2.5;

/**
 * One every twenty seconds from the start of 2026; of every thousand, one is canceled, one pending, the others paid.
 */
const everySeconds = 20;
const rareEvery = 1_000;

interface Side {
  readonly service: Service;
  readonly merchantId: AccountId;
  readonly size: number;
}

type Kind = (draw: () => number, size: number) => { readonly options: ListQuery; readonly expected: number };

const anyPage = (draw: () => number, count: number) => 1 + Math.floor(draw() * Math.floor(count / limit));
const begin = Temporal.PlainDateTime.from('2026-01-01T00:00:00');
/** When the given transaction was created, in the API's format. */
const momentOf = (number: number) =>
  begin
    .add({ seconds: number * everySeconds })
    .toString({ smallestUnit: 'second' })
    .replace('T', ' ');

const kinds: Readonly<Record<string, Kind>> = {
  'the first page': (_draw, size) => ({ options: {}, expected: size }),
  'any page': (draw, size) => ({ options: { page: anyPage(draw, size) }, expected: size }),
  'the last page': (_draw, size) => ({ options: { page: Math.ceil(size / limit) }, expected: size }),
  'any page of the paid ones': (draw, size) => {
    const paid = size - (2 * size) / rareEvery;
    return { options: { status: 'paid', page: anyPage(draw, paid) }, expected: paid };
  },
  'the newest of the canceled ones': (_draw, size) => ({
    options: { status: 'canceled', limit: 5 },
    expected: size / rareEvery,
  }),
  'any page of any period': (draw, size) => {
    const first = 1 + Math.floor((draw() * size) / 2);
    const last = Math.floor(size / 2 + (draw() * size) / 2);
    const expected = last - first + 1;
    return { options: { from: momentOf(first), to: momentOf(last), page: anyPage(draw, expected) }, expected };
  },
};

export async function measureList(): Promise<boolean> {
  const database = await openBenchDatabase();
  const sides: Side[] = [];
  try {
    for (const size of sizes) sides.push(await openSide(database, size));
    return await measure(sides);
  } finally {
    for (const { service } of sides) await service.close();
    await database.stop();
  }
}

async function openSide(database: BenchDatabase, size: number): Promise<Side> {
  const name = `list${size}`;
  const databaseUrl = await database.create(name);
  const config = readConfig({ MODE: 'sandbox', DATA_DIR: `${database.folder}/${name}`, DATABASE_URL: databaseUrl });
  const service = await openService({ ...config, logLevel: 'silent' }, databaseUrl, { name });
  const merchant = await seedMerchant(service.tools);
  await query(
    databaseUrl,
    `insert into transaction (id, merchant_id, pos_id, title, status, created_at, amount_minor, currency, description,
            hidden_description, lang, payer_id, payer_email, payer_name, payer_phone, payer_address, payer_city,
            payer_postal_code, payer_country, payer_tax_id, payer_user_agent, payment_status, pay_key)
     select '01BENCHTRANS' || lpad(number::text, 14, '0'), '${merchant.id}', '${merchant.posId}',
            'TR-BNCH-' || lpad(number::text, 7, '0'),
            case number % ${rareEvery} when 0 then 'canceled' when 1 then 'pending' else 'paid' end,
            '2026-01-01Z'::timestamptz + number * interval '${everySeconds} seconds', 1000, 'PLN', 'Order', '', 'pl', 'payer',
            'jan@example.com', 'Jan Nowak', '', '', '', '', 'PL', '', '', 'pending', 'key'
       from generate_series(1, ${size}) as number`,
  );
  await transactionCounts.add(service.tools, size);
  await query(databaseUrl, 'vacuum analyze transaction, transaction_count, transaction_count_change');
  return { service, merchantId: knownId(merchant.id), size };
}

async function measure(sides: readonly Side[]): Promise<boolean> {
  const row = (title: string, cells: readonly string[]) =>
    `${title.padEnd(36)}${cells.map((cell) => cell.padStart(12)).join('')}\n`;
  const titles = sizes.map((size) => size.toLocaleString('en'));
  process.stdout.write(`\nLists of transactions, median of ${times} in ms\n\n${row('', [...titles, 'growth'])}`);
  let worst = 0;
  for (const [title, kind] of Object.entries(kinds)) {
    await askInTurn(sides, kind, warmTimes, 1);
    const [small = 0, large = 0] = (await askInTurn(sides, kind, times, 2)).map(median);
    worst = Math.max(worst, large / small);
    process.stdout.write(row(title, [small.toFixed(3), large.toFixed(3), (large / small).toFixed(2)]));
  }
  process.stdout.write('\n');
  return say(worst <= growthAtMost, `growth of every list at most ${growthAtMost}; the worst`, worst.toFixed(2));
}

async function askInTurn(sides: readonly Side[], kind: Kind, count: number, seed: number): Promise<number[][]> {
  const draws = sides.map(() => drawsOf(seed));
  const milliseconds: number[][] = sides.map(() => []);
  for (let time = 0; time < count; time += 1) {
    for (const [index, { service, merchantId, size }] of sides.entries()) {
      const { options, expected } = kind(draws[index] ?? (() => 0), size);
      const begun = performance.now();
      const { total, list } = await listTransactions(
        service.tools,
        { id: merchantId, zone: 'UTC' },
        { limit, ...options },
      );
      milliseconds[index]?.push(performance.now() - begun);
      // A fast result must also be correct.
      if (total !== expected || list.length === 0) throw new Error(`${total} in all, expected ${expected}.`);
    }
  }
  return milliseconds;
}
