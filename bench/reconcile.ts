// Reconciling a million captures, of which some are not in the books, and some not at the bank: the time of the whole
// run and the memory it takes. Everything is generated: real payments would take longer than the measurement.

import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { methods } from '../contract/methods.ts';
import { readConfig } from '../src/config.ts';
import { ulid } from '../src/kernel/index.ts';
import { openService } from '../src/open.ts';
import type { Tools } from '../src/tools.ts';
import { type SeededMerchant, seedMerchant } from './refund/seed.ts';
import { say } from './support/figures.ts';
import { openBenchDatabase } from './support/postgres.ts';

const usualSize = 1_000_000;
const atOnce = 50_000;
/** One in so many is at the bank only, and one at ours only. */
const lostEvery = 10_000;
const secondsAtMost = 60;
/** With what the runtime has not collected yet: what is in use stays below 50 MB, whatever the size. */
const megabytesAtMost = 512;

export async function measureReconcile([size = String(usualSize)]: readonly string[]): Promise<boolean> {
  const captures = Number(size);
  const database = await openBenchDatabase();
  try {
    const url = await database.create('reconcile');
    const config = readConfig({ MODE: 'sandbox', DATA_DIR: `${database.folder}/reconcile`, DATABASE_URL: url });
    const service = await openService({ ...config, logLevel: 'silent' }, url, { name: 'reconcile' });
    try {
      const from = service.tools.clock.now();
      const begun = performance.now();
      await fillBooks(service.tools, url, captures, from);
      fillBank(config.bankFile, captures, from);
      process.stdout.write(`${captures.toLocaleString('en')} captures: generated in ${secondsSince(begun)} s\n`);

      const before = process.memoryUsage.rss();
      let peak = before;
      const started = performance.now();
      const run = await service.rooms.reconciliation.reconcile({ from, to: from.add({ seconds: 3_600 }) }, () => {
        peak = Math.max(peak, process.memoryUsage.rss());
      });
      const seconds = Number(secondsSince(started));
      const megabytes = Math.round((peak - before) / 1_048_576);
      process.stdout.write(
        `compared in ${seconds} s: ${Math.round(captures / seconds).toLocaleString('en')} a second\n\n`,
      );
      const expected = 2 * Math.floor(captures / lostEvery);
      const results = [
        say(run?.found === expected, 'every difference is found, and nothing else', `${run?.found} of ${expected}`),
        say(seconds * (usualSize / captures) <= secondsAtMost, `a million within ${secondsAtMost} s`, `${seconds} s`),
        say(megabytes <= megabytesAtMost, `at most ${megabytesAtMost} MB of memory for it`, `${megabytes} MB`),
      ];
      return results.every(Boolean);
    } finally {
      await service.close();
    }
  } finally {
    await database.stop();
  }
}

function secondsSince(begun: number): string {
  return ((performance.now() - begun) / 1_000).toFixed(1);
}

const isAtBankOnly = (number: string) => `${number} % ${lostEvery} = 1`;
const isOursOnly = (number: string) => `${number} % ${lostEvery} = 2`;

/** Payments with their journals, all of the same instant. */
async function fillBooks(tools: Tools, url: string, size: number, at: Temporal.Instant): Promise<void> {
  const merchant = await seedMerchant(tools);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set synchronous_commit = off');
    await client.query('set session_replication_role = replica');
    for (let first = 1; first <= size; first += atOnce) {
      const numbers = `generate_series(${first}, ${Math.min(size, first + atOnce - 1)}) as number`;
      for (const statement of statementsOf(merchant, at, numbers)) await client.query(statement);
    }
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

function statementsOf({ id, posId }: SeededMerchant, at: Temporal.Instant, numbers: string): string[] {
  // Ids of this time, so that they are in the period.
  const time = ulid(at.epochMilliseconds + 1, new Uint8Array(16)).slice(0, 10);
  const idOf = (letter: string) => `'${time}${letter}' || lpad(number::text, 15, '0')`;
  const [transaction, attempt, journal] = [idOf('T'), idOf('A'), idOf('J')];
  const booked = `from ${numbers} where not (${isAtBankOnly('number')})`;
  return [
    `insert into transaction (id, merchant_id, pos_id, title, status, created_at, realized_at, amount_minor, currency,
            description, hidden_description, lang, payer_id, payer_email, payer_name, payer_phone, payer_address,
            payer_city, payer_postal_code, payer_country, payer_tax_id, payer_user_agent, payment_status,
            payment_method, channel_id, amount_paid_minor, paid_at, pay_key, attempts_started)
     select ${transaction}, '${id}', '${posId}', 'TR-BNCH-' || number, 'paid', '${at}', '${at}', 1000, 'PLN', 'Order', '',
            'pl', 'payer', '', '', '', '', '', '', 'PL', '', '', 'correct', 'sale', ${methods.blik.id}, 1000, '${at}', 'key', 1 ${booked}`,
    `insert into charge (id, purpose, transaction_id, merchant_id, number, channel_id, acquirer, state, amount_minor,
            currency, created_at, settled_at)
     select ${attempt}, 'payment', ${transaction}, '${id}', 1, ${methods.blik.id}, 'simulator', 'correct', 1000, 'PLN', '${at}', '${at}' ${booked}`,
    `insert into journal (id, source, kind, currency, posted_at)
     select ${journal}, ${attempt}, 'payment', 'PLN', '${at}' ${booked}`,
    `insert into entry (journal_id, line, account, amount_minor)
     select ${journal}, line, account, minor
       from (select number ${booked}) as booked
      cross join lateral (values (1, 'acquirer:simulator:receivable', 1000), (2, 'merchant:${id}:available', -985),
                                 (3, 'income:processing_fee', -15)) as lines (line, account, minor)`,
  ];
}

/** The bank's record of the same captures, a thousand a millisecond. */
function fillBank(file: string, size: number, at: Temporal.Instant): void {
  const time = ulid(at.epochMilliseconds + 1, new Uint8Array(16)).slice(0, 10);
  const db = new DatabaseSync(file, { timeout: 10_000 });
  try {
    db.exec('begin');
    db.prepare(
      `insert into charge (key, amount_minor, currency, kind, description, return_url, state, created_at, captured_at)
       with recursive numbered (number) as (select 1 union all select number + 1 from numbered where number < ?1)
       select '${time}A' || printf('%015d', number), 1000, 'PLN', 'blik', '', '', 'approved', ?2, ?2 + number / 1000
         from numbered where not (${isOursOnly('number')})`,
    ).run(size, at.epochMilliseconds);
    db.exec('commit');
  } finally {
    db.close();
  }
}
