// The peer: bare SQL that writes the same rows for a payment, five statements and one commit, over several connections.
// It has no requests, validation, bank or responses.

import pg from 'pg';
import { methods } from '../../contract/methods.ts';
import { readConfig } from '../../src/config.ts';
import { openService } from '../../src/open.ts';
import { given, serveParent } from '../support/child.ts';
import type { PayAsk, PaySeen, SideGiven } from './node.ts';
import { seedPartner, sellersOf } from './sellers.ts';

const { dataDir, databaseUrl } = given<SideGiven>();
const config = readConfig({ MODE: 'sandbox', DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
const service = await openService({ ...config, logLevel: 'silent' }, databaseUrl, { name: 'bare' });
const partner = await seedPartner(service.tools);
await service.close();

const at = '2026-01-01T00:00:00Z';

const statements = {
  transaction: `
    insert into transaction (id, merchant_id, pos_id, title, status, created_at, realized_at, amount_minor, currency, description,
      hidden_description, lang, payer_id, payer_email, payer_name, payer_phone, payer_address, payer_city, payer_postal_code,
      payer_country, payer_tax_id, payer_user_agent, payment_status, payment_method, channel_id, pay_key, attempts_started, origin)
    values ($1::text, $2, $3, $4, 'pending', $5, null, $6, 'PLN', 'Cart', '', '', $1::text, 'payer@example.com', 'Jan Nowak', '', '', '', '',
            'PL', '', '', 'pending', null, null, 'key', 1, 'marketplace')`,
  parts: `
    insert into transaction_part (id, transaction_id, number, merchant_id, amount_minor, fee_minor, commission_minor, description,
                                  hidden_description, products, mac)
    select $2::text || lpad(number::text, 6, '0'), $1, number, seller, 10000, 150, 500, 'Part', '', '[]', 'none'
      from unnest($3::text[]) with ordinality as given (seller, number)`,
  attempt: `
    insert into charge (id, purpose, transaction_id, merchant_id, number, channel_id, acquirer, state, amount_minor, currency,
                                 created_at, settled_at)
    values ($1::text, 'payment', $1::text, $2, 1, ${methods.blik.id}, 'simulator', 'correct', $3, 'PLN', $4, $4)`,
  booked: `
    with paid as (
      update transaction set status = 'paid', payment_status = 'correct', channel_id = ${methods.blik.id}, payment_method = 'pay_by_link',
                             realized_at = $4, paid_at = $4, amount_paid_minor = amount_minor where id = $1::text
    ), told as (
      insert into event (id, account_id, type, subject_id, url, content_type, body, sealed, created_at)
      values ($1::text, $2::text, 'marketplace', $1::text, null, 'application/json', $5, false, $4)
    ), posted as (
      insert into journal (id, source, kind, currency, posted_at) values ($1::text, $1::text, 'payment', 'PLN', $4)
    )
    insert into entry (journal_id, line, account, amount_minor)
    select $1::text, line, account, minor from (
      select number::smallint, 'merchant:' || seller || ':available', -9350::bigint
        from unnest($3::text[]) with ordinality as given (seller, number)
      union all select 1001, 'acquirer:simulator:receivable', 10000 * cardinality($3::text[])
      union all select 1002, 'income:processing_fee', -150 * cardinality($3::text[])
      union all select 1003, 'merchant:' || $2::text || ':available', -500 * cardinality($3::text[])) as entries (line, account, minor)`,
  balances: `
    with moves as (
      select 'merchant:' || seller || ':available' as account, count(*) * 9350 as minor from unnest($2::text[]) as seller group by 1
      union all select 'merchant:' || $1::text || ':available', 500 * cardinality($2::text[])
    ), locked as materialized (
      select account from ledger_balance where account in (select account from moves) order by account for update
    )
    update ledger_balance set balance_minor = ledger_balance.balance_minor + moves.minor
      from moves join locked on locked.account = moves.account where ledger_balance.account = moves.account`,
} as const;

const body = JSON.stringify({ type: 'marketplace_transaction', data: { transactionStatus: 'paid' } }).padEnd(420);
let number = 0;

async function payOne(client: pg.Client, children: number): Promise<void> {
  number += 1;
  const id = `01BARE${String(number).padStart(20, '0')}`;
  const chosen = sellersOf(partner.sellerIds, children, number);
  const amount = 10_000 * children;
  const title = `TR-${String(number)
    .padStart(11, '0')
    .replace(/^(.{4})/, '$1-')
    .slice(0, 12)}`;
  const run = (name: keyof typeof statements, values: unknown[]) =>
    client.query({ name, text: statements[name], values });
  await client.query('begin');
  await run('transaction', [id, partner.id, partner.posId, title, at, amount]);
  await run('parts', [id, id.slice(6), chosen]);
  await run('attempt', [id, partner.id, amount, at]);
  await run('booked', [id, partner.id, chosen, at, body]);
  await run('balances', [partner.id, chosen]);
  await client.query('commit');
}

async function pay({ children, connections, milliseconds }: PayAsk): Promise<PaySeen> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  const begun = performance.now();
  const until = begun + milliseconds;
  let paid = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        await payOne(client, children);
        paid += 1;
      }
    }),
  );
  const perSecond = (paid / (performance.now() - begun)) * 1_000;
  await Promise.all(clients.map((client) => client.end()));
  return { paid, perSecond };
}

serveParent<PayAsk>({}, pay, async () => undefined);
