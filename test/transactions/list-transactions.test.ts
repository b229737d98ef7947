// T2, GET /transactions.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

interface Listed {
  readonly transactionId: string;
  readonly description: string;
}

suite('GET /transactions', () => {
  let service: Service;
  let merchant: TestMerchant;

  /** Five transactions, ten minutes apart: 10:00, 10:10, 10:20, 10:30 and 10:40 in Warsaw. */
  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    for (const description of ['one', 'two', 'three', 'four', 'five']) {
      await service.ask('POST', '/transactions', { token: merchant.token, body: { amount: 1, description } });
      service.world.clock.advance({ minutes: 10 });
    }
    await service.world.db.sql.run`
      update transaction set status = 'canceled' where description in ('two', 'four') and merchant_id = ${merchant.id}`;
  });

  const list = (query = '', token = merchant.token) => service.ask('GET', `/transactions${query}`, { token });
  const namesOf = (body: { transactions: { list: Listed[] } }) =>
    body.transactions.list.map(({ description }) => description).join(' ');

  // Guarantee: newest first, 35 per page by default, with the total (docs/api.md#conventions).
  test('200: everything', async () => {
    const { status, body, headers } = await list();
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['result', 'requestId', 'transactions', 'page', 'limit', 'total']);
    assert.equal(body.requestId, headers.get('x-request-id'));
    assert.equal(namesOf(body), 'five four three two one');
    assert.deepEqual([body.page, body.limit, body.total], [1, 35, 5]);
  });

  // Guarantee: an item has the fields of a transaction.
  test('200: an item is the transaction', async () => {
    const [item] = (await list()).body.transactions.list;
    const shown = (await service.ask('GET', `/transactions/${item.transactionId}`, { token: merchant.token })).body;
    const { result: _result, requestId: _requestId, payments, ...rest } = shown;
    const { attempts: _attempts, ...listed } = payments;
    assert.deepEqual(item, { ...rest, payments: listed });
  });

  // Guarantee: filters, pages and limits, one line per case. `from` and `to` are inclusive, to the second.
  for (const [query, names, total] of [
    ['?limit=2', 'five four', 5],
    ['?limit=2&page=2', 'three two', 5],
    ['?limit=2&page=3', 'one', 5],
    ['?limit=2&page=4', '', 5],
    ['?limit=1&page=1', 'five', 5],
    ['?limit=100', 'five four three two one', 5],
    ['?page=1000000&limit=100', '', 5],
    ['?status=canceled', 'four two', 2],
    ['?status=pending&limit=1', 'five', 3],
    ['?status=paid', '', 0],
    ['?status=refund', '', 0],
    ['?from=2026-03-10%2010:20:00', 'five four three', 3],
    ['?from=2026-03-10+10:20:01', 'five four', 2],
    ['?to=2026-03-10%2010:20:00', 'three two one', 3],
    ['?to=2026-03-10%2010:19:59', 'two one', 2],
    ['?from=2026-03-10%2010:10:00&to=2026-03-10%2010:30:00', 'four three two', 3],
    ['?from=2026-03-10%2010:10:00&to=2026-03-10%2010:30:00&status=canceled&limit=1', 'four', 2],
    ['?from=2026-03-10%2010:10:00&to=2026-03-10%2010:10:00', 'two', 1],
    ['?from=2026-03-11%2000:00:00', '', 0],
    ['?from=2026-03-10%2010:30:00&to=2026-03-10%2010:10:00', '', 0],
    ['?unknown=1', 'five four three two one', 5],
  ] as const) {
    test(`200: ${query}`, async () => {
      const { status, body } = await list(query);
      assert.equal(status, 200);
      assert.equal(namesOf(body), names);
      assert.equal(body.total, total);
    });
  }

  // Guarantee: a second is inclusive to its last millisecond.
  test('200: the whole second of `to` belongs to the list', async () => {
    const other = await aMerchant(service);
    service.world.clock.set('2026-04-01T10:00:00.999Z');
    await service.ask('POST', '/transactions', { token: other.token, body: { amount: 1, description: 'late' } });
    const { body } = await list('?to=2026-04-01%2012:00:00', other.token);
    assert.equal(namesOf(body), 'late');
  });

  // Guarantee: times of the filter are in the account's time zone, also around DST changes.
  test('200: a filter over the night when clocks go forward', async () => {
    const other = await aMerchant(service);
    for (const [instant, description] of [
      ['2026-03-29T00:59:59Z', 'before'],
      ['2026-03-29T01:00:00Z', 'after'],
    ] as const) {
      service.world.clock.set(instant);
      await service.ask('POST', '/transactions', { token: other.token, body: { amount: 1, description } });
    }
    assert.equal(namesOf((await list('?from=2026-03-29%2002:00:00', other.token)).body), 'after');
    assert.equal(namesOf((await list('?to=2026-03-29%2001:59:59', other.token)).body), 'before');
  });

  // Guarantee: pages of transactions created in the same millisecond omit none and repeat none.
  test('200: pages are stable within one instant', async () => {
    const other = await aMerchant(service);
    await Promise.all(
      Array.from({ length: 23 }, (_, index) =>
        service.ask('POST', '/transactions', { token: other.token, body: { amount: 1, description: `n${index}` } }),
      ),
    );
    const seen: string[] = [];
    for (const page of [1, 2, 3]) {
      const { body } = await list(`?limit=10&page=${page}`, other.token);
      seen.push(...body.transactions.list.map(({ transactionId }: Listed) => transactionId));
    }
    assert.equal(seen.length, 23);
    assert.equal(new Set(seen).size, 23);
    assert.deepEqual(seen, [...seen].sort().reverse());
  });

  // Guarantee: nobody sees another merchant's transactions, not even their number.
  test('200: others see nothing', async () => {
    const other = await aMerchant(service);
    const { body } = await list('', other.token);
    assert.deepEqual([body.transactions.list, body.total], [[], 0]);
  });

  // Guarantee: out-of-range values are refused and named, all together (docs/api.md#conventions).
  for (const [query, ...faults] of [
    ['?page=0', 'too_low page'],
    ['?page=-1', 'too_low page'],
    ['?page=1000001', 'too_high page'],
    ['?page=1.5', 'not_integer page'],
    ['?page=1e1', 'not_integer page'],
    ['?page=two', 'not_integer page'],
    ['?page=', 'not_integer page'],
    ['?page=1&page=2', 'not_integer page'],
    ['?page=99999999999999999999', 'not_integer page'],
    ['?limit=0', 'too_low limit'],
    ['?limit=101', 'too_high limit'],
    ['?limit=ten', 'not_integer limit'],
    ['?status=done', 'not_valid status'],
    ['?status=', 'not_valid status'],
    ['?status=paid&status=pending', 'not_valid status'],
    ['?status=%00', 'not_valid status'],
    ['?from=2026-03-10', 'not_valid from'],
    ['?from=2026-03-10T10:00:00Z', 'not_valid from'],
    ['?from=2026-02-30%2010:00:00', 'not_valid from'],
    ['?from=2026-03-10%2024:00:00', 'not_valid from'],
    ['?from=', 'not_valid from'],
    ['?to=tomorrow', 'not_valid to'],
    ['?from=2026-02-30%2010:00:00&to=2026-13-01%2010:00:00', 'not_valid from', 'not_valid to'],
    [
      '?page=0&limit=101&status=x&from=y&to=z',
      'not_valid from',
      'not_valid status',
      'not_valid to',
      'too_high limit',
      'too_low page',
    ],
  ] as const) {
    test(`400: ${query}`, async () => {
      const answer = await list(query);
      assert.equal(answer.status, 400);
      assert.deepEqual(faultsOf(answer), faults);
    });
  }

  test('401: no token', async () => {
    assert.equal((await service.ask('GET', '/transactions')).status, 401);
  });
});
