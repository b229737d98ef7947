// Edge values that once caused a 500: each is refused with a message that says what is wrong.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { httpReceiver, openAcquirers, openHttpAcquirer } from '../../src/acquirer/index.ts';
import { build } from '../../src/app.ts';
import { Secret } from '../../src/kernel/index.ts';
import { aPartner } from '../support/marketplace.ts';
import { aPaidTransaction, aTransaction, settleAll } from '../support/payments.ts';
import { aRecurring, aRecurringRequest, attemptsOf, postRecurring } from '../support/recurring.ts';
import {
  aMerchant,
  aService,
  ask,
  atEnd,
  faultsOf,
  roomsOf,
  type Service,
  type TestMerchant,
} from '../support/service.ts';

suite('values at the edges', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });

  // Guarantee: a closed body with any number of unknown keys is refused, and every key is named.
  for (const count of [1, 99, 100]) {
    test(`400: a refund with ${count} unknown keys`, async () => {
      const id = await aPaidTransaction(service, merchant);
      const body = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
      const answer = await service.ask('POST', `/transactions/${id}/refunds`, { token: merchant.token, body });
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.body.errors.length, count);
      assert.equal(faultsOf(answer)[0], 'unexpected_field k0');
    });
  }

  // Guarantee: an object that is expensive to build is refused before it is built, and the message says why.
  test('400: a refund with 101 unknown keys', async () => {
    const id = await aPaidTransaction(service, merchant);
    const body = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, index]));
    const answer = await service.ask('POST', `/transactions/${id}/refunds`, { token: merchant.token, body });
    assert.deepEqual([answer.status, faultsOf(answer)], [400, ['invalid_request_body']]);
    assert.equal(answer.body.errors[0].errorMessage, 'An object in the JSON must not have more than 100 fields.');
  });

  // Guarantee: the response does not repeat a key of any length.
  test('400: a refund with a key of 60,000 characters', async () => {
    const id = await aPaidTransaction(service, merchant);
    const body = { ['k'.repeat(60_000)]: 1 };
    const answer = await service.ask('POST', `/transactions/${id}/refunds`, { token: merchant.token, body });
    assert.deepEqual([answer.status, faultsOf(answer)], [400, [`unexpected_field ${'k'.repeat(100)}...`]]);
  });

  // Guarantee: the message of a fault says how to fix that value, in the terms of that endpoint.
  for (const [path, raw, message] of [
    ['/transactions', '{"amount": 0, "description": "x"}', 'Must be greater than 0.'],
    ['/transactions', '{"amount": 100000000000, "description": "x"}', 'Must be less than 100000000000.'],
    ['/transactions', '{"amount": 123456789012345678901, "description": "x"}', 'The value is too high.'],
    ['/transactions', '{"amount": -123456789012345678901, "description": "x"}', 'The value is too low.'],
    [
      '/transactions',
      '{"amount": 1.00000000000000000001, "description": "x"}',
      'Must have at most two decimal places.',
    ],
    ['/transactions', '{"amount": 1, "description": ""}', 'Must have at least 1 character.'],
    [
      '/transactions',
      '{"amount": 1, "description": "x", "pay": {"channelId": 64, "groupId": 150}}',
      'pay.channelId and pay.groupId cannot be used together.',
    ],
    ['/transactions/{id}/pay', '{"channelId": 64, "groupId": 150}', 'channelId and groupId cannot be used together.'],
  ] as const) {
    test(`${path} ${raw}: ${message}`, async () => {
      const id = await aTransaction(service, merchant);
      const headers = { 'content-type': 'application/json' };
      const answer = await service.ask('POST', path.replace('{id}', id), { token: merchant.token, raw, headers });
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(
        answer.body.errors.map(({ errorMessage }: { errorMessage: string }) => errorMessage),
        [message],
      );
    });
  }

  // Guarantee: an integer that is too long is too high, not an amount with too many places.
  test('400: an interval of 21 digits', async () => {
    const raw = JSON.stringify(aRecurringRequest(service, { schedule: { interval: 7 } })).replace(
      '"interval":7',
      '"interval":123456789012345678901',
    );
    const headers = { 'content-type': 'application/json' };
    const answer = await service.ask('POST', '/recurring', { token: merchant.token, raw, headers });
    assert.deepEqual(faultsOf(answer), ['too_high schedule.interval']);
  });

  // Guarantee: an object that cannot be converted to a string is refused like any other object.
  test('400: an amount with a toString of its own', async () => {
    const headers = { 'content-type': 'application/json' };
    const raw = '{"amount": {"toString": null, "valueOf": 1, "toJSON": 1, "__proto__": null}, "description": "x"}';
    const answer = await service.ask('POST', '/transactions', { token: merchant.token, raw, headers });
    assert.deepEqual([answer.status, faultsOf(answer)], [400, ['not_number amount']]);
  });

  // Guarantee: a first charge whose date the database cannot store is refused.
  for (const firstChargeDate of [
    '9999-12-31T23:59:59-14:00',
    '9999-01-01T00:00:00Z',
    '9998-12-31T23:59:59-00:01',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '1970-01-01T00:00:00+14:00',
  ]) {
    test(`400: a first charge at ${firstChargeDate}`, async () => {
      const body = aRecurringRequest(service, { schedule: { firstChargeDate } });
      const answer = await postRecurring(service, merchant, body);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultsOf(answer), ['not_valid schedule.firstChargeDate']);
    });
  }

  // Guarantee: the longest accepted retries can be scheduled: a failed charge is settled, not stuck.
  test('retries after thousands of years', async () => {
    const retryIntervals = [{ value: 100_000, unit: 'months' }];
    const refused = await postRecurring(
      service,
      merchant,
      aRecurringRequest(service, { schedule: { retryIntervals } }),
    );
    assert.equal(refused.status, 400, refused.text);
    assert.deepEqual(faultsOf(refused), ['not_valid schedule.retryIntervals.0']);
    const id = await aRecurring(service, merchant, {
      schedule: { retryIntervals: [{ value: 1_200, unit: 'months' }] },
      paymentInstrument: { value: 'insufficient-funds' },
    });
    await settleAll(service.world);
    assert.deepEqual(
      (await attemptsOf(service, merchant, id)).map(({ status }) => status),
      ['failed'],
    );
  });

  // Guarantee: a path with characters that the database cannot store is not found.
  for (const path of [
    '/mail/%00',
    '/mail/%00/html',
    '/idempotency/%00',
    '/transactions/%00',
    '/refunds/%00',
    '/events/%00/deliveries',
    '/marketplace/v1/transaction/%00',
  ]) {
    test(`404: ${path}`, async () => {
      // Whoever may not use the marketplace learns that first.
      const { token } = path.startsWith('/marketplace/') ? await aPartner(service) : merchant;
      const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${token}` } });
      assert.equal(response.status, 404, await response.text());
    });
  }

  // Guarantee: a callback without a body is unsigned, whatever its headers say.
  test('401: an empty callback under a known key', async () => {
    const { world } = service;
    const keys = [{ id: 'known', secret: new Secret('a secret of 32 characters or more') }] as const;
    const acquirer = openHttpAcquirer({ url: 'http://127.0.0.1:9', keys, wall: world.wall, log: world.log });
    const http = { name: 'http', acquirer, takesNew: true, receiver: httpReceiver(keys, world.wall) };
    const acquirers = openAcquirers(world, [http], { get: async () => [], forget: () => undefined });
    const hosted = { ...world, bank: undefined, acquirers };
    const app = await build(hosted, await roomsOf(hosted));
    atEnd(() => app.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const headers = { 'acquirer-key-id': 'known', 'acquirer-timestamp': '1', 'acquirer-signature': 'v1=00' };
    for (const path of ['/acquirer/http/events', '/acquirer/callback'])
      assert.equal((await ask(url, 'POST', path, { headers })).status, 401);
  });
});
