// T4 and T5, GET /transactions/channels and /transactions/bank-groups.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { methodOf } from '../../src/methods/index.ts';
import { aPartner } from '../support/marketplace.ts';
import { aTransaction } from '../support/payments.ts';
import { aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

interface ShownChannel {
  readonly id: string;
  readonly image: { readonly url: string };
  readonly groups: readonly { readonly id: string; readonly image: { readonly url: string } }[];
  readonly available: boolean;
  readonly instantRedirection: boolean;
  readonly constraints: readonly { readonly field: string; readonly type: string; readonly value: number }[];
}

suite('payment channels', () => {
  let service: Service;
  let merchant: TestMerchant;
  let channels: readonly ShownChannel[];

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    channels = (await service.ask('GET', '/transactions/channels', { token: merchant.token })).body.channels;
  });

  const create = (amount: number, more: object = {}) =>
    service.ask('POST', '/transactions', { token: merchant.token, body: { amount, description: 'Tea', ...more } });

  // Guarantee: every field of the interface, for every channel.
  test('BLIK in full', () => {
    const { baseUrl } = service.world.config;
    const image = { url: `${baseUrl}/assets/methods/150.svg` };
    assert.deepEqual(
      channels.find(({ id }) => id === '64'),
      {
        id: '64',
        name: 'BLIK',
        fullName: 'BLIK',
        image,
        groups: [{ id: '150', name: 'BLIK', image }],
        available: true,
        onlinePayment: true,
        instantRedirection: false,
        refundable: true,
        constraints: [
          { field: 'amount', type: 'min', value: 0.01 },
          { field: 'amount', type: 'max', value: 99_999_999_999.99 },
        ],
      },
    );
    assert.deepEqual(
      channels.map(({ id }) => id),
      ['21', '53', '64', '75', '106'],
    );
  });

  // Guarantee: every picture is really there, without a token, and browsers keep it; channels, groups and M4 share them.
  test('pictures', async () => {
    const { baseUrl } = service.world.config;
    const partner = await aPartner(service, [{}]);
    const { body: groups } = await service.ask('GET', '/transactions/bank-groups', { token: merchant.token });
    const { body: sellers } = await service.ask('GET', `/accounts`, { token: partner.token });
    const { body: common } = await service.ask(
      'GET',
      `/marketplace/v1/bank-groups?merchantId[]=${sellers.list[0].id}`,
      { token: partner.token },
    );
    const known = new Map(channels.flatMap((channel) => channel.groups).map(({ id, image }) => [id, image.url]));
    for (const { id, img } of [...groups.groups, ...common.groups]) assert.equal(img, known.get(id));
    for (const { image, groups: own } of channels) {
      assert.deepEqual(
        [image],
        own.map((group) => group.image),
      );
      assert.ok(image.url.startsWith(`${baseUrl}/`));
      const answer = await service.ask('GET', image.url.slice(baseUrl.length));
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('content-type') ?? '', /^image\/svg\+xml/);
      assert.match(answer.headers.get('cache-control') ?? '', /^public, max-age=\d+/);
      assert.match(answer.text, /<svg[^>]*xmlns=/);
    }
  });

  // Guarantee: the constraints are those of E1: their ends are accepted, and nothing beyond them.
  test('amounts', async () => {
    for (const { id, constraints } of channels.filter(({ available }) => available)) {
      const pay = { channelId: Number(id) };
      const limit = (wanted: string) => constraints.find(({ type }) => type === wanted)?.value ?? Number.NaN;
      assert.equal((await create(limit('min'), { pay })).status, 200);
      assert.equal((await create(limit('max'), { pay })).status, 200);
      const own = methodOf(Number(id))?.limits;
      const below = own ? ['not_valid pay.channelId'] : ['too_low amount'];
      assert.deepEqual(faultsOf(await create(own ? own.least - 0.01 : 0, { pay })), below);
      const above = own ? ['not_valid pay.channelId'] : ['too_high amount'];
      assert.deepEqual(faultsOf(await create(limit('max') + 0.01, { pay })), above);
    }
  });

  // Guarantee: what is available can be chosen, what is not is refused; without a setup nobody can pay by wallet.
  test('available', async () => {
    for (const { id, available } of channels) {
      const { status } = await create(10, { pay: { channelId: Number(id) } });
      assert.equal(status, available ? 200 : 400, id);
    }
    const few = await aMerchant(service, { channels: [53] });
    const { body } = await service.ask('GET', '/transactions/channels', { token: few.token });
    assert.deepEqual(
      body.channels.map(({ id }: ShownChannel) => id),
      ['53'],
    );
  });

  // Guarantee: with instantRedirection the payer can be sent to the bank at once; the others need data.
  test('instantRedirection', async () => {
    for (const { id, available, instantRedirection } of channels.filter((channel) => channel.available)) {
      assert.ok(available);
      const transactionId = await aTransaction(service, merchant);
      const answer = await service.ask('POST', `/transactions/${transactionId}/pay`, {
        token: merchant.token,
        body: { channelId: Number(id) },
      });
      assert.equal(answer.status, instantRedirection ? 200 : 400, id);
      if (instantRedirection) assert.match(answer.body.transactionPaymentUrl, /\/bank\//);
    }
  });
});
