// Restored to an hour ago: the database from a base backup and its WAL, the bank as it is.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { migrate, readMigrations, readText } from '../../src/database/index.ts';
import { systemClock } from '../../src/runtime/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { anArchivedServer, restoreServer } from '../support/archive.ts';
import { aPaidTransaction, aTransaction, payBlik } from '../support/payments.ts';
import { aRecurring } from '../support/recurring.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { tickAll } from '../support/rooms.ts';
import { aFolder, aMerchant, aToken, aWorld, type Service, serve, type TestMerchant } from '../support/service.ts';
import { whole } from '../support/verify.ts';

async function business(service: Service, merchant: TestMerchant): Promise<void> {
  const { clock } = service.world;
  const paid = await aPaidTransaction(service, merchant);
  await aRefund(service, merchant, paid, { amount: 4 });
  await aTransaction(service, merchant);
  await aPaidTransaction(service, merchant);
  await payBlik(service, merchant, await aTransaction(service, merchant), '111111');
  clock.advance({ minutes: 10 });
  await tickAll(service.world);
}

suite('restored to an hour ago', () => {
  // Guarantee: nobody is charged twice, and every capture and refund of the lost hour is booked or parked.
  test('nobody is charged twice, and nothing is lost', async () => {
    const folder = await aFolder();
    const server = await anArchivedServer(folder);
    await migrate(server.url, await readMigrations(), systemClock.now().toString());
    const world = await aWorld({ through: async () => server.url });
    const service = await serve(world);
    const merchant = await aMerchant(service);
    await fund(service, merchant, 100_000n);
    await business(service, merchant);
    await server.backUp();
    for (let index = 0; index < 3; index += 1) await aRecurring(service, merchant);
    await business(service, merchant);
    const anHourAgo = await server.now();

    // The hour that is lost, in which the second charges are due.
    world.clock.advance({ hours: 31 * 24 });
    world.wall.advance({ minutes: 1 });
    const token = await aToken(service, merchant.clientId, merchant.clientSecret);
    await business(service, { ...merchant, token });
    const { captures, refunds } = world.bank.record();
    await server.archiveAll();

    const { bank, vault, vaultKey, clock, wall, ids } = world;
    const url = await restoreServer(server, folder, anHourAgo);
    const other = await aWorld({ through: async () => url });
    const restored = await serve({
      ...other,
      bank,
      acquirers: acquirersOf(other, bank),
      vault,
      vaultKey,
      clock,
      wall,
      ids,
    });
    const { sql } = restored.world.db;
    const count = await sql.one((row) => readText(row, 'count'))`select count(*)::text as count from charge`;
    // Two businesses with three attempts each, and three charges.
    assert.equal(count, '9', 'the database is as it was');

    // As in the runbook: the worker first, which repeats charges under their keys, then the comparison.
    await tickAll(restored.world);
    clock.advance({ seconds: 1 });
    const run = await restored.rooms.reconciliation.reconcile({});
    assert.deepEqual([bank.record().captures.length, bank.record().refunds.length], [captures.length, refunds.length]);
    assert.deepEqual([run?.state, run?.found], ['differs', 3], 'two payments and a refund of the lost hour');

    const unknown = await sql.many((row) => readText(row, 'key'))`
      select key from (select unnest(${[...captures, ...refunds].map(({ key }) => key)}::text[]) as key) as moved
       where not exists (select from journal where source = moved.key)
         and not exists (select from reconciliation_record as record join journal on journal.source = record.id
                          where record.key = moved.key)`;
    assert.deepEqual(unknown, []);
    for (const { verify } of restored.rooms.capabilities)
      assert.deepEqual((await verify?.(whole(restored.world))) ?? [], []);
  });
});
