// The peer: bare SQL that does the same in the ledger, one statement and one commit per refund, over several
// connections. It debits the balance and the total with conditional updates, and inserts the refund, its journal and
// its entries; it has no requests, responses, events or work queue.

import pg from 'pg';
import { methods } from '../../contract/methods.ts';
import { readConfig } from '../../src/config.ts';
import { openService } from '../../src/open.ts';
import { given, serveParent } from '../support/child.ts';
import { paidId, seedMerchant, seedPaid } from './seed.ts';

export interface BareGiven {
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly paid: number;
}

export interface BareOptions {
  readonly connections: number;
  readonly warmupMilliseconds: number;
  readonly milliseconds: number;
}

export interface BareSeen {
  /** All refunds, including those of the warm-up. */
  readonly made: number;
  readonly perSecond: number;
}

const { dataDir, databaseUrl, paid } = given<BareGiven>();
const config = readConfig({ MODE: 'sandbox', DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
const service = await openService({ ...config, logLevel: 'silent' }, databaseUrl, { name: 'bare' });
const merchant = await seedMerchant(service.tools);
await seedPaid(databaseUrl, merchant, paid);
await service.close();
const setup = new pg.Client({ connectionString: databaseUrl });
await setup.connect();
await setup.query("insert into refund_counter values ($1, 0, 0, '2026-01-01Z')", [merchant.id]);
await setup.end();

const statement = `
  with covered as (
    update ledger_balance set balance_minor = balance_minor - 101
     where account = 'merchant:' || $1 || ':available' and balance_minor >= 101 returning account
  ), totaled as (
    insert into refund_total (transaction_id, paid_minor, refunded_minor, refunds)
    select $2, 10000000, 1, 1 from covered
    on conflict (transaction_id) do update
       set refunded_minor = refund_total.refunded_minor + 1, refunds = refund_total.refunds + 1
     where refund_total.refunded_minor + 1 <= refund_total.paid_minor
    returning transaction_id
  ), counted as (
    update refund_counter set refunds = refunds + 1 from totaled where merchant_id = $1 returning refunds, card_refunds
  ), made as (
    insert into refund (id, transaction_id, merchant_id, number, card_count, context, form, status, amount_minor,
                        fee_minor, currency, channel_id, payer_email, created_at)
    select $3, $2, $1, refunds, card_refunds, 'transactional', 'partial', 'New', 1, 100, 'PLN', ${methods.transfer.id},
           'payer@example.com', $4 from counted
  ), outgoing as (
    insert into outgoing_refund (id, acquirer, merchant_id, currency, amount_minor, charge_key, purpose, subject_id, state,
                                 created_at, next_try_at)
    select $3, 'simulator', $1, 'PLN', 1, 'charge', 'refund', $3, 'new', $4, $4 from counted
  ), posted as (
    insert into journal (id, source, kind, currency, posted_at) select $5, $3, 'refund', 'PLN', $4 from counted
  )
  insert into entry (journal_id, line, account, amount_minor)
  select $5, line, account, minor from counted, (values
    (1::smallint, 'merchant:' || $1 || ':available', 101), (2::smallint, 'refund:payable', -1),
    (3::smallint, 'income:refund_fee', -100)) as entries (line, account, minor)`;

let number = 0;

async function run(options: BareOptions): Promise<BareSeen> {
  const clients = await Promise.all(
    Array.from({ length: options.connections }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  const from = performance.now() + options.warmupMilliseconds;
  const until = from + options.milliseconds;
  let [made, measured] = [0, 0];
  async function refund(client: pg.Client): Promise<void> {
    while (performance.now() < until) {
      number += 1;
      const id = `01BARE${String(number).padStart(20, '0')}`;
      const journalId = `02BARE${String(number).padStart(20, '0')}`;
      const values = [merchant.id, paidId(1 + (number % paid)), id, '2026-01-01T00:00:00Z', journalId];
      const { rowCount } = await client.query({ name: 'refund', text: statement, values });
      if (rowCount !== 3) throw new Error(`The peer made no refund but ${rowCount} entries.`);
      made += 1;
      const now = performance.now();
      if (now >= from && now < until) measured += 1;
    }
  }
  await Promise.all(clients.map(refund));
  await Promise.all(clients.map((client) => client.end()));
  return { made, perSecond: measured / (options.milliseconds / 1_000) };
}

serveParent({}, run, async () => undefined);
