// Rows for the benchmark of refunds, made by the database itself: real ones would take longer than the measuring.

import pg from 'pg';
import { createAccount, createCredential } from '../../src/accounts/index.ts';
import { postOpening } from '../../src/ledger/index.ts';
import type { Tools } from '../../src/tools.ts';

export interface SeededMerchant {
  readonly id: string;
  readonly posId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const openingMinor = 1_000_000_000_000n;

/** A merchant with a fee for each refund and more money than any round can spend. */
export function seedMerchant(world: Tools): Promise<SeededMerchant> {
  return world.db.atomic(async (sql) => {
    const account = await createAccount(world, sql, {
      kind: 'merchant',
      name: 'Bench',
      email: 'bench@example.com',
      testMode: true,
      refundFeeMinor: 100n,
    });
    await postOpening(sql, world.ids, account.id, openingMinor, 'PLN', world.clock.now());
    const credential = await createCredential(world, sql, account.id, 'full', 'Bench');
    const { clientId, clientSecret } = credential;
    return { id: account.id, posId: account.posId, clientId, clientSecret: clientSecret.reveal() };
  });
}

/** 26 characters that begin with these and end with a number. */
const idText = (prefix: string, number: string) => `'${prefix}' || lpad((${number})::text, ${26 - prefix.length}, '0')`;

export const paidPrefix = '01BENCHPA1D';

/** The id of one of the paid transactions, counted from 1. */
export function paidId(number: number): string {
  return paidPrefix + String(number).padStart(26 - paidPrefix.length, '0');
}

/** What the tables hold in place of a card token. */
const reference = (number: string) => `encode(sha256(('token' || (${number}))::bytea), 'hex')`;

/** Payers have so many transactions each, and so have cards. */
const transactionsOfPayer = 10;

/** Transactions of 100,000.00, each paid; every second one by a card that is kept. */
export async function seedPaid(url: string, merchant: SeededMerchant, count: number): Promise<void> {
  await onConnection(url, async (client) => {
    await client.query(
      `insert into card_token (token, merchant_id, card_sealed, tail, brand, expiry, created_at, active_at)
       select ${reference('number')}, $1, '', '1111', 'visa', '1239', '2026-01-01Z', '2026-01-01Z'
         from generate_series(0, $2::integer / ${transactionsOfPayer}) as number`,
      [merchant.id, count],
    );
    await client.query(
      `insert into transaction (id, merchant_id, pos_id, title, status, created_at, realized_at, amount_minor, currency,
              description, hidden_description, lang, payer_id, payer_email, payer_name, payer_phone, payer_address,
              payer_city, payer_postal_code, payer_country, payer_tax_id, payer_user_agent, payment_status,
              payment_method, channel_id, amount_paid_minor, paid_at, pay_key, attempts_started)
       select ${idText(paidPrefix, 'number')}, $1, $2, 'TR-BNCH-' || lpad(number::text, 7, '0'), 'paid', '2026-01-01Z',
              '2026-01-01Z', 10000000, 'PLN', 'Order', '', 'pl', 'payer',
              'payer' || (number / ${transactionsOfPayer}) || '@example.com', 'Jan Nowak', '', '', '', '', 'PL', '', '',
              'correct', 'pay_by_link', case number % 2 when 0 then 53 else 64 end, 10000000, '2026-01-01Z', 'key', 1
         from generate_series(1, $3::integer) as number`,
      [merchant.id, merchant.posId, count],
    );
    await client.query(
      `insert into payment_attempt (id, transaction_id, merchant_id, number, channel_id, acquirer, state, amount_minor,
              currency, card_token, created_at, settled_at)
       select ${idText('01BENCHATT', 'number')}, ${idText(paidPrefix, 'number')}, $1, 1,
              case number % 2 when 0 then 53 else 64 end, 'simulator', 'correct', 10000000, 'PLN',
              case number % 2 when 0 then ${reference(`number / ${transactionsOfPayer}`)} end, '2026-01-01Z', '2026-01-01Z'
         from generate_series(1, $2::integer) as number`,
      [merchant.id, count],
    );
    await client.query('vacuum analyze transaction, payment_attempt, card_token');
  });
}

/** So many refunds of each paid transaction, one a second from the beginning of 2026. Indexes are built afterwards. */
export async function seedRefunds(url: string, merchant: SeededMerchant, paid: number, each: number): Promise<void> {
  await onConnection(url, async (client) => {
    const { rows } = await client.query<{ indexdef: string; indexname: string }>(
      `select indexname, indexdef from pg_indexes where tablename = 'refund'
          and indexname not in (select conname from pg_constraint)`,
    );
    for (const { indexname } of rows) await client.query(`drop index ${indexname}`);
    await client.query(
      `insert into refund (id, transaction_id, merchant_id, number, card_count, context, form, status, steps, amount_minor,
              fee_minor, currency, channel_id, charge_key, acquirer, card_token, payer_email, created_at, sent_at,
              processed_at, ended_at)
       select ${idText('01BENCHREF', 'number')}, ${idText(paidPrefix, 'paid')}, $1, number, number / 2,
              case number % 2 when 0 then 'card' else 'transactional' end, 'partial',
              case number % 2 when 0 then 'Done' else 'BLIK_processed' end, 4, 100, 100, 'PLN',
              case number % 2 when 0 then 53 else 64 end, 'charge', 'simulator',
              case number % 2 when 0 then ${reference(`paid / ${transactionsOfPayer}`)} end,
              'payer' || (paid / ${transactionsOfPayer}) || '@example.com',
              '2026-01-01Z'::timestamptz + number * interval '1 second', '2026-01-01Z', '2026-01-01Z', '2026-01-01Z'
         from (select number, 1 + (number - 1) % $2::integer as paid
                 from generate_series(1, $2::integer * $3::integer) as number) as numbered`,
      [merchant.id, paid, each],
    );
    for (const { indexdef } of rows) await client.query(indexdef);
    await client.query(
      `insert into refund_counter (merchant_id, refunds, card_refunds, last_created_at)
       select $1, count(*), count(*) filter (where context = 'card'), max(created_at) from refund`,
      [merchant.id],
    );
    await client.query('vacuum analyze refund');
  });
}

async function onConnection(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
