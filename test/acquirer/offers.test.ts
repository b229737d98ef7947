// What acquirers offer: channels that nobody takes are not available, are refused like those that are off, and are not
// shown to payers.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Offer } from '../../src/acquirer/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { gated } from '../support/gate.ts';
import { aTransaction, checkInvariants, payBlik } from '../support/payments.ts';
import { aMerchant, aService, atEnd, faultsOf, type Service, serve, type TestMerchant } from '../support/service.ts';

const blikOnly: Offer = {
  method: 'blik',
  currency: 'PLN',
  leastMinor: 200n,
  mostMinor: 100_000n,
  fields: 'own',
  recurring: [],
};

let everything: Service;
/** Its only acquirer takes BLIK, from 2.00 to 1,000.00. */
let service: Service;
let merchant: TestMerchant;

before(async () => {
  everything = await aService();
  const { world } = everything;
  const acquirer = { ...gated(world.bank, {}), offers: [blikOnly] };
  service = await serve({ ...world, acquirers: acquirersOf(world, acquirer) });
  merchant = await aMerchant(service);
  atEnd(() => checkInvariants(world));
});

const channelsOf = async (at: Service) => {
  const { body } = await at.ask('GET', '/transactions/channels', { token: merchant.token });
  return new Map<string, { available: boolean; constraints: { type: string; value: number }[] }>(
    body.channels.map((channel: { id: string }) => [channel.id, channel]),
  );
};

suite('what acquirers offer', () => {
  test('channels that nobody takes are not available, and amounts are those that somebody takes', async () => {
    const channels = await channelsOf(service);
    assert.equal(channels.get('64')?.available, true);
    assert.deepEqual(
      channels.get('64')?.constraints.map(({ value }) => value),
      [2, 1_000],
    );
    for (const id of ['21', '53', '106']) {
      assert.equal(channels.get(id)?.available, false, id);
      assert.deepEqual(channels.get(id)?.constraints.at(-1), { field: 'amount', type: 'max', value: 0 });
    }
    assert.equal((await channelsOf(everything)).get('21')?.available, true);
  });

  test('groups have only what can be paid', async () => {
    const { body } = await service.ask('GET', '/transactions/bank-groups', { token: merchant.token });
    assert.deepEqual(
      body.groups.map(({ mainChannel }: { mainChannel: string }) => mainChannel),
      ['64'],
    );
  });

  // Guarantee: nothing is created or charged through a channel that nobody takes.
  test('E1 and E2 refuse it like a channel that is off', async () => {
    const { token } = merchant;
    const count = async () => (await service.ask('GET', '/transactions', { token })).body.totalElements;
    const before = await count();
    for (const [amount, pay] of [
      [10, { channelId: 21 }],
      [10, { groupId: 101 }],
      [1.99, { channelId: 64 }],
      [1_000.01, { groupId: 150, blikPaymentData: { blikToken: '777123' } }],
    ] as const) {
      const headers = { 'idempotency-key': `order-of-${amount}` };
      const body = { amount, description: 'Order', pay };
      const answer = await service.ask('POST', '/transactions', { token, body, headers });
      assert.deepEqual([answer.status, faultsOf(answer)], [400, ['not_valid pay.channelId']], answer.text);
      const key = await service.ask('GET', `/idempotency/order-of-${amount}`, { token });
      assert.equal(key.status, 404, `nothing was begun: ${key.text}`);
    }
    assert.equal(await count(), before);
    const id = await aTransaction(service, merchant, { amount: 1.99 });
    const answer = await payBlik(service, merchant, id);
    assert.deepEqual([answer.status, faultsOf(answer)], [400, ['not_valid channelId']]);
  });

  test('what is offered is paid', async () => {
    for (const amount of [2, 1_000]) {
      const id = await aTransaction(service, merchant, { amount });
      assert.equal((await payBlik(service, merchant, id)).body.status, 'paid');
    }
  });

  test('the pay page shows what can be paid', async () => {
    const page = async (at: Service, amount: number) => {
      const { body } = await at.ask('POST', '/transactions', {
        token: merchant.token,
        body: { amount, description: 'Order' },
      });
      const { pathname } = new URL(body.transactionPaymentUrl);
      return (await at.ask('GET', pathname)).text;
    };
    assert.match(await page(service, 10), /blik/i);
    assert.doesNotMatch(await page(service, 10), /method=53/);
    assert.match(await page(everything, 10), /method=53/);
    assert.doesNotMatch(await page(service, 1.99), /name="blik"/);
  });
});
