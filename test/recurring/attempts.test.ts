// R3, GET /recurring/{recurringId}/transactions.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { show } from '../support/payments.ts';
import { aRecurring, attemptsOf, chargeAll, pauseCharges } from '../support/recurring.ts';
import { chargeDue } from '../support/rooms.ts';
import { aCredential, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('GET /recurring/{recurringId}/transactions', () => {
  let service: Service;
  let merchant: TestMerchant;
  let id: string;
  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    // Three charges, on the first day of each month; the first attempt of each fails.
    id = await aRecurring(service, merchant, {
      schedule: { firstChargeDate: '2026-03-10T09:00:00Z', chargeCount: 3 },
      paymentInstrument: { value: 'fail-1-insufficient-funds' },
    });
    for (const at of ['2026-03-10', '2026-03-11', '2026-04-10', '2026-04-11', '2026-05-10', '2026-05-11']) {
      service.world.clock.set(`${at}T09:00:00Z`);
      await chargeAll(service.world);
    }
  });

  const list = (query = '', token = merchant.token, of = id) =>
    service.ask('GET', `/recurring/${of}/transactions${query}`, { token });

  // Guarantee: an object with only `items`; each item has exactly the six documented fields.
  test('200: all, oldest first, with the exact fields', async () => {
    const { status, body } = await list();
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['items']);
    assert.deepEqual(
      body.items.map(({ transactionId: _, ...item }: { transactionId: string }) => item),
      [1, 2, 3].flatMap((iterationCount) => {
        const day = ['2026-03', '2026-04', '2026-05'][iterationCount - 1];
        const [hour, offset] = iterationCount === 1 ? ['10', '+01:00'] : ['11', '+02:00'];
        return [
          {
            createdAt: `${day}-10T${hour}:00:00${offset}`,
            status: 'failed',
            iterationCount,
            iterationAttemptCount: 1,
            reason: 'insufficient funds',
          },
          {
            createdAt: `${day}-11T${hour}:00:00${offset}`,
            status: 'correct',
            iterationCount,
            iterationAttemptCount: 2,
            reason: null,
          },
        ];
      }),
    );
  });

  // Guarantee: each attempt is a transaction, shown like any other.
  test('200: its transactions', async () => {
    const items = await attemptsOf(service, merchant, id);
    assert.equal(new Set(items.map(({ transactionId }) => transactionId)).size, 6);
    for (const { transactionId, status } of items) {
      const { body } = await show(service, merchant, transactionId);
      assert.deepEqual([body.status, body.amount], [status === 'correct' ? 'paid' : 'canceled', 49.9]);
    }
  });

  // Guarantee: `page` and `limit` return parts of the same list; all of it if neither is given.
  test('200: page and limit', async () => {
    const all = (await list()).body.items;
    const pages = await Promise.all([1, 2, 3, 4].map(async (page) => (await list(`?page=${page}&limit=2`)).body.items));
    assert.deepEqual(pages.flat(), all);
    assert.deepEqual(
      pages.map((page) => page.length),
      [2, 2, 2, 0],
    );
    assert.equal((await list('?limit=4')).body.items.length, 4);
    assert.equal((await list('?page=1')).body.items.length, 6);
    assert.equal((await list('?page=2')).body.items.length, 0);
  });

  test('200: none yet', async () => {
    const later = await aRecurring(service, merchant, { schedule: { firstChargeDate: '2030-01-01T10:00:00Z' } });
    assert.deepEqual((await list('', merchant.token, later)).body, { items: [] });
  });

  // Guarantee: an attempt in flight is pending, without a reason.
  test('200: pending', async () => {
    const live = await aRecurring(service, merchant, { schedule: { chargeCount: 1 } });
    const held = pauseCharges(service.world, 'before');
    const round = chargeDue(held.world);
    await held.gate.arrived();
    const [item] = (await list('', merchant.token, live)).body.items;
    assert.deepEqual([item.status, item.reason, item.iterationAttemptCount], ['pending', null, 1]);
    held.gate.open();
    await round;
    assert.equal((await list('', merchant.token, live)).body.items[0].status, 'correct');
  });

  test('200 with a read-only credential', async () => {
    assert.equal((await list('', (await aCredential(service, merchant, 'read_only')).token)).status, 200);
  });

  // Guarantee: without `page` and `limit` the list is complete or refused, never truncated; pages continue beyond.
  test('200 up to 10,000 attempts, 400 for more', async () => {
    const many = await aRecurring(service, merchant, { schedule: { chargeCount: 1 } });
    await chargeAll(service.world);
    const grow = (from: number, to: number) =>
      service.world.db.atomic(async (sql) => {
        // Their transactions are left out.
        await sql.run`set local session_replication_role = replica`;
        await sql.run`
          insert into charge
          select made.* from charge as first
           cross join generate_series(${from}::integer, ${to}::integer) as place
           cross join lateral jsonb_populate_record(first, jsonb_build_object('id', lpad(place::text, 26, '0'),
                  'transaction_id', lpad(place::text, 26, '0'), 'iteration', place)) as made
           where first.recurring_id = ${many} and first.iteration = 1`;
      });
    await grow(2, 10_000);
    const { status, body } = await list('', merchant.token, many);
    assert.equal(status, 200);
    assert.deepEqual(
      body.items.map(({ iterationCount }: { iterationCount: number }) => iterationCount),
      Array.from({ length: 10_000 }, (_, index) => index + 1),
    );
    await grow(10_001, 10_001);
    const refused = await list('', merchant.token, many);
    assert.deepEqual([refused.status, faultsOf(refused)], [400, ['too_many limit']]);
    const [last] = (await list('?page=10001&limit=1', merchant.token, many)).body.items;
    assert.equal(last.iterationCount, 10_001);
  });

  for (const [query, expected] of [
    ['?page=0', 'too_low page'],
    ['?limit=0', 'too_low limit'],
    ['?limit=101', 'too_high limit'],
    ['?limit=x', 'not_integer limit'],
    ['?page=1.5', 'not_integer page'],
    ['?page=1&page=2', 'not_integer page'],
  ] as const) {
    test(`400: ${query}`, async () => {
      const answer = await list(query);
      assert.deepEqual([answer.status, faultsOf(answer)], [400, [expected]]);
    });
  }

  test('401, 404', async () => {
    assert.equal((await service.ask('GET', `/recurring/${id}/transactions`)).status, 401);
    const other = await aMerchant(service);
    assert.equal((await list('', other.token)).status, 404);
    assert.equal((await list('', merchant.token, service.world.ids.ulid())).status, 404);
    assert.equal((await list('', merchant.token, 'x')).status, 404);
  });
});
