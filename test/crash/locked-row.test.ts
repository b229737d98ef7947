// Somebody holds the row of one merchant's balance for longer than any request waits.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import pg from 'pg';
import { ledgerAccounts } from '../../src/ledger/index.ts';
import { pause } from '../../src/runtime/index.ts';
import { untilBlocked } from '../support/database.ts';
import { aTransaction, checkInvariants, passTime } from '../support/payments.ts';
import { type Answer, aMerchant, aService, atEnd } from '../support/service.ts';

const heldMilliseconds = 24_000;

suite('a locked balance', () => {
  // Guarantee: every request is answered within the promised 20 s, also those that are repeated and wait for one row after
  // another; the node stays ready, because other requests work; nothing is lost or doubled.
  test('of one merchant', async () => {
    const service = await aService();
    const { world } = service;
    const [shop, other] = [await aMerchant(service), await aMerchant(service)];
    const ids = await Promise.all(Array.from({ length: 3 }, () => aTransaction(service, shop)));
    const holder = new pg.Client({ connectionString: world.databaseUrl });
    await holder.connect();
    atEnd(() => holder.end());
    await holder.query('begin');
    await holder.query('select from ledger_balance where account = $1 for update', [ledgerAccounts.available(shop.id)]);
    const endsAt = performance.now() + heldMilliseconds;
    const body = { groupId: 150, blikPaymentData: { blikToken: '777123' } };
    const slowest: number[] = [];
    const payer = async (id: string) => {
      while (performance.now() < endsAt) {
        const beganAt = performance.now();
        const headers = { 'idempotency-key': `pay-${id}` };
        const answer = await service.ask('POST', `/transactions/${id}/pay`, { token: shop.token, body, headers });
        assert.ok([200, 409, 503].includes(answer.status), answer.text);
        slowest.push(performance.now() - beganAt);
        await pause(50);
      }
    };
    const paying = ids.map(payer);
    await untilBlocked(world.databaseUrl);
    const health: Answer[] = [];
    const created: Answer[] = [];
    while (performance.now() < endsAt) {
      health.push(await service.ask('GET', '/health/ready'));
      const order = { amount: 1, description: 'Order' };
      created.push(await service.ask('POST', '/transactions', { token: other.token, body: order }));
      await pause(500);
    }
    await holder.query('rollback');
    await Promise.all(paying);
    assert.deepEqual([...new Set(health.map(({ status }) => status))], [200]);
    assert.deepEqual([...new Set(created.map(({ status }) => status))], [200]);
    assert.ok(Math.max(...slowest) < 20_000, `${Math.max(...slowest)} ms`);
    for (const id of ids) {
      const answer = await service.ask('GET', `/transactions/${id}`, { token: shop.token });
      assert.ok(['pending', 'paid'].includes(answer.body.status));
    }
    await passTime(world, { hours: 1 });
    await checkInvariants(world);
  });
});
