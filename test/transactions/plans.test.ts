// What a payment reads: the rows that it needs, however many others there are. Plans are kept with their prepared
// statements, so one made for a small table must still be good when the table has grown.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readBigint } from '../../src/database/index.ts';
import { sealJournals } from '../../src/ledger/index.ts';
import { aPaidTransaction, aTransaction } from '../support/payments.ts';
import { aMerchant, aService, type Service } from '../support/service.ts';
import { counting, onOwnConnection, publishCounts } from '../support/statistics.ts';

/** After this many runs PostgreSQL keeps a statement's plan. */
const runsUntilKept = 8;
const others = 5_000n;
const payments = 4;

/** Rows of a table read so far. */
async function rowsRead(service: Service, table: string): Promise<bigint> {
  const { sql } = service.world.db;
  await publishCounts(sql);
  return sql.one((row) => readBigint(row, 'read'))`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_user_tables where relname = ${table}`;
}

/** Copies of one transaction, each with a copy of some attempt. */
async function insertOthers(service: Service, id: string): Promise<void> {
  await onOwnConnection(service.world, async (client) => {
    await client.query(
      `insert into transaction
       select (jsonb_populate_record(one, jsonb_build_object(
                'id', '00000000000000000000' || lpad(number::text, 6, '0'), 'title', 'TR-0000-' || number))).*
         from transaction as one, generate_series(1, $1::bigint) as number where one.id = $2`,
      [others, id],
    );
    await client.query(
      `insert into charge
       select (jsonb_populate_record(one, jsonb_build_object(
                'id', '10000000000000000000' || lpad(place::text, 6, '0'),
                'transaction_id', '00000000000000000000' || lpad(place::text, 6, '0')))).*
         from charge as one, generate_series(1, $1::bigint) as place
        where one.id = (select id from charge limit 1)`,
      [others],
    );
  });
}

suite('plans', () => {
  // Guarantee: a payment costs the same with ten and with thousands of other pending transactions.
  test('a payment does not read the transactions and attempts of others', async () => {
    const service = await aService(counting);
    const merchant = await aMerchant(service);
    const pending = await aTransaction(service, merchant);
    for (let run = 0; run < runsUntilKept; run += 1) await aPaidTransaction(service, merchant);
    await insertOthers(service, pending);
    const count = async () => [await rowsRead(service, 'transaction'), await rowsRead(service, 'charge')];
    const before = await count();
    for (let run = 0; run < payments; run += 1) await aPaidTransaction(service, merchant);
    for (const [index, after] of (await count()).entries()) {
      const read = after - (before[index] ?? 0n);
      assert.ok(read > 0n, 'The server did not count.');
      assert.ok(read < others / 10n, `${payments} payments read ${read} rows.`);
    }
  });

  // Guarantee: what a row refers to is found by its id. The list of a merchant also has the ids, as its last column:
  // PostgreSQL can find an id in it, by reading all of it.
  test('a payment and its refund do not look through the list of their merchant', async () => {
    const service = await aService(counting);
    const merchant = await aMerchant(service);
    const scans = async () => {
      const { sql } = service.world.db;
      await publishCounts(sql);
      return sql.one((row) => readBigint(row, 'scans'))`
        select sum(idx_scan)::bigint as scans from pg_stat_user_indexes
         where indexrelname in ('transaction_merchant', 'transaction_marketplace')`;
    };
    const payAndRefund = async () => {
      const id = await aPaidTransaction(service, merchant);
      const answer = await service.ask('POST', `/transactions/${id}/refunds`, { token: merchant.token, body: {} });
      assert.equal(answer.status, 200);
    };
    await payAndRefund();
    const before = await scans();
    for (let run = 0; run < payments; run += 1) await payAndRefund();
    assert.equal((await scans()) - before, 0n);
  });

  // Guarantee: booking a payment and sealing its journal cost the same, however many journals there are.
  test('a payment does not read the journals of others, nor does its seal', async () => {
    const service = await aService(counting);
    const { db } = service.world;
    const merchant = await aMerchant(service);
    const payAndSeal = async () => {
      await aPaidTransaction(service, merchant);
      await sealJournals(service.world);
    };
    for (let run = 0; run < runsUntilKept; run += 1) await payAndSeal();
    await db.sql.run`
      insert into journal (id, source, kind, currency, posted_at)
      select '00000000000000000000' || lpad(number::text, 6, '0'), 'other ' || number, 'payment', 'PLN', journal.posted_at
        from generate_series(1, ${others}::bigint) as number, (select posted_at from journal limit 1) as journal`;
    // They do not wait to be sealed.
    await db.sql.run`delete from journal_unsealed`;
    const before = await rowsRead(service, 'journal');
    for (let run = 0; run < payments; run += 1) await payAndSeal();
    const read = (await rowsRead(service, 'journal')) - before;
    assert.ok(read > 0n, 'The server did not count.');
    assert.ok(read < others / 10n, `${payments} payments read ${read} journals.`);
  });
});
