// Transactions not paid within a month are canceled (docs/decisions/0006).

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { nextExpiry, transactionCounts } from '../../src/transactions/index.ts';
import { expireTransactions } from '../support/rooms.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

suite('expiry', () => {
  /** Created on the given days of March; the second merchant's are between the first's. */
  async function aStage() {
    const service = await aService();
    const merchants = [await aMerchant(service), await aMerchant(service)] as const;
    const ids: Record<string, string> = {};
    async function create(at: string, merchant: TestMerchant): Promise<void> {
      service.world.clock.set(at);
      const body = { amount: 1, description: at };
      ids[at] = (await service.ask('POST', '/transactions', { token: merchant.token, body })).body.transactionId;
    }
    await create('2026-03-10T05:59:59Z', merchants[0]);
    await create('2026-03-10T06:00:00Z', merchants[1]);
    await create('2026-03-10T06:00:01Z', merchants[0]);
    await create('2026-03-12T23:00:00Z', merchants[1]);
    const statuses = async () => {
      const found = await service.world.db.sql.many((row) => String(row.status))`
        select status from transaction order by created_at`;
      return found.join(' ');
    };
    return { service, ids, statuses };
  }

  const next = async (service: Service) => (await nextExpiry(service.world))?.toString();

  // Guarantee: to the second, oldest first, for every merchant, whether or not the counts were added up.
  for (const added of [false, true]) {
    test(added ? 'with counts added up' : 'with counts not added yet', async () => {
      const { service, ids, statuses } = await aStage();
      const { world } = service;
      const run = async () => {
        const expired = await expireTransactions(world);
        if (added) await transactionCounts.add(world, 100);
        return expired;
      };
      await run();
      assert.equal(await next(service), '2026-04-10T05:59:59Z');
      world.clock.set('2026-04-10T05:59:58Z');
      assert.equal(await run(), 0);
      world.clock.set('2026-04-10T05:59:59Z');
      assert.deepEqual([await run(), await statuses()], [1, 'canceled pending pending pending']);
      assert.equal(await next(service), '2026-04-10T06:00:00Z');

      // One that is paid meanwhile stays paid, and is not what comes next.
      await world.db.sql.run`update transaction set status = 'paid' where id = ${ids['2026-03-10T06:00:00Z']}`;
      if (added) await transactionCounts.add(world, 100);
      assert.equal(await next(service), '2026-04-10T06:00:01Z');
      world.clock.set('2026-05-01T00:00:00Z');
      assert.deepEqual([await run(), await statuses()], [2, 'canceled paid canceled canceled']);
      assert.deepEqual([await run(), await next(service)], [0, undefined]);
    });
  }

  // Guarantee: a charge that waits for the bank is ended by the recurring engine only, however old it is.
  test('recurring charges do not expire', async () => {
    const { service, statuses } = await aStage();
    const { world } = service;
    await world.db.sql.run`update transaction set origin = 'recurring'`;
    world.clock.set('2026-05-01T00:00:00Z');
    assert.deepEqual([await expireTransactions(world), await next(service)], [0, undefined]);
    assert.equal(await statuses(), 'pending pending pending pending');
  });
});
