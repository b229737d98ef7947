// Stored recurring payments for the benchmark, made by the database itself: real requests would take longer than the measuring.

import pg from 'pg';
import { createAccount } from '../../src/accounts/index.ts';
import { Secret } from '../../src/kernel/index.ts';
import type { Tools } from '../../src/tools.ts';

export interface Seeded {
  readonly merchantIds: readonly string[];
  /** Those that fall due at `firstAt` and then every month. */
  readonly dueIds: readonly string[];
}

/** When the first charges fall due. The benchmark's clock jumps from month to month. */
export const firstAt = Temporal.Instant.from('2030-01-15T09:00:00Z');

const merchants = 20;
const chunk = 5_000;

/** Hexadecimal digits are digits of a ULID, too; spread like this, neighbours in time are not neighbours in the index. */
const idOf = (number: string) => `'0' || upper(substr(md5((${number})::text) || md5('x' || (${number})::text), 1, 25))`;

export async function onConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** `stored` recurring payments of some merchants, of which `due` fall due every month and the others much later. */
export async function seed(world: Tools, url: string, stored: number, due: number): Promise<Seeded> {
  const merchantIds: string[] = [];
  for (let number = 0; number < merchants; number += 1) {
    const account = await world.db.atomic((sql) =>
      createAccount(world, sql, {
        kind: 'merchant',
        name: `Bench ${number}`,
        email: 'bench@example.com',
        testMode: true,
        paymentFeeBasisPoints: 100,
        paymentFeeMinor: 25n,
      }),
    );
    merchantIds.push(account.id);
  }
  return onConnection(url, async (client) => {
    await client.query('insert into recurring_merchant (merchant_id) select unnest($1::text[])', [merchantIds]);
    await insertRecurring(client, merchantIds, stored);
    const { rows } = await client.query<{ id: string }>(
      `select ${idOf('number')} as id from generate_series(1, $1) as number`,
      [due],
    );
    const dueIds = rows.map(({ id }) => id);
    for (let start = 0; start < dueIds.length; start += chunk)
      await makeDue(client, world, dueIds.slice(start, start + chunk));
    await client.query('vacuum analyze recurring');
    await client.query('checkpoint');
    return { merchantIds, dueIds };
  });
}

/** Due some time in the forties. Their instruments need not open. */
async function insertRecurring(client: pg.Client, merchantIds: readonly string[], stored: number): Promise<void> {
  const million = 1_000_000;
  for (let start = 1; start <= stored; start += million) {
    await client.query(
      `insert into recurring (id, merchant_id, status, request_hash, description, hidden_description, payer, amount_minor,
              currency, first_charge_at, interval, interval_type, instrument_type, instrument_sealed, callback_url,
              created_at, iteration, attempts, retries_used, scheduled_at, due_at)
       select ${idOf('number')}, ($1::text[])[1 + number % ${merchants}], 'active', md5(number::text) || md5(number::text),
              'Monthly box', 'subscription-' || number,
              jsonb_build_object('email', 'payer' || number || '@example.com', 'name', 'Jan Nowak', 'phone', '', 'address', '',
                                 'code', '', 'city', '', 'country', 'PL', 'taxId', ''),
              4990, 'PLN', due, 1, 'months', 'card_token', repeat('x', 64), 'https://shop.example.com/recurring',
              '2026-01-01Z', 1, 0, 0, due, due
         from generate_series($2::integer, $3::integer) as number
         cross join lateral (select '2040-01-01Z'::timestamptz + (number % 1000003) * interval '5 minutes' as due) as spread`,
      [merchantIds, start, Math.min(stored, start + million - 1)],
    );
  }
}

async function makeDue(client: pg.Client, world: Tools, ids: readonly string[]): Promise<void> {
  const rows = ids.map((id) => ({ id, sealed: world.vault.seal(new Secret('tok'), `recurring ${id} instrument`) }));
  await client.query(
    `update recurring set first_charge_at = $2, scheduled_at = $2, due_at = $2, instrument_sealed = given.sealed
       from json_to_recordset($1::json) as given (id text, sealed text) where recurring.id = given.id`,
    [JSON.stringify(rows), firstAt.toString()],
  );
}
