// M4, GET /marketplace/v1/bank-groups.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { addSeller } from '../../src/accounts/index.ts';
import { type Answer, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('GET /marketplace/v1/bank-groups', () => {
  let service: Service;
  let partner: TestMerchant;
  const sellers: TestMerchant[] = [];
  let foreign: TestMerchant;

  before(async () => {
    service = await aService();
    partner = await aMerchant(service, { kind: 'partner' });
    for (const channels of [
      [21, 53, 64, 75, 106],
      [21, 53, 64, 75],
      [53, 64, 75, 106],
    ]) {
      const seller = await aMerchant(service, { kind: 'seller', channels });
      await addSeller(service.world.db.sql, partner.id, seller.id);
      sellers.push(seller);
    }
    foreign = await aMerchant(service, { kind: 'seller' });
  });

  const ask = (query: string): Promise<Answer> =>
    service.ask('GET', `/marketplace/v1/bank-groups${query}`, { token: partner.token });
  const groupsOf = ({ body }: Answer) => body.groups.map(({ id }: { id: string }) => id);
  const [a, b, c] = [() => sellers[0]?.id, () => sellers[1]?.id, () => sellers[2]?.id];

  // Guarantee: what all given sellers have, however the query spells them.
  test('200: the intersection, in every spelling', async () => {
    for (const query of [
      `?merchantId[]=${a()}&merchantId[]=${b()}&merchantId[]=${c()}`,
      `?merchantId[0]=${a()}&merchantId[1]=${b()}&merchantId[2]=${c()}`,
      `?merchantId%5B%5D=${a()}&merchantId%5B%5D=${b()}&merchantId%5B%5D=${c()}`,
      `?merchantId%5B0%5D=${a()}&merchantId%5B1%5D=${b()}&merchantId%5B7%5D=${c()}`,
      `?merchantId=${a()}&merchantId=${b()}&merchantId[]=${c()}&merchantId[]=${c()}`,
    ]) {
      const answer = await ask(query);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(groupsOf(answer), ['103', '150', '170'], query);
      assert.equal(answer.headers.get('x-ignored-fields'), null);
    }
    assert.deepEqual(groupsOf(await ask(`?merchantId[]=${b()}`)), ['101', '103', '150', '170']);
    const [first] = (await ask(`?merchantId[]=${b()}`)).body.groups;
    assert.deepEqual(Object.keys(first), ['id', 'name', 'img', 'mainChannel', 'availablePaymentChannels']);
  });

  // Guarantee: sellers of others are named, and nothing else is told about them.
  test('403: foreign sellers are named', async () => {
    const unknown = '01K9Z4M7Q2V5X8B1C3D6F9G0HJ';
    const { status, body } = await ask(`?merchantId[]=${a()}&merchantId[]=${foreign.id}&merchantId[]=${unknown}`);
    assert.equal(status, 403);
    assert.deepEqual(body.unassociatedMerchants, [foreign.id, unknown]);
    assert.equal(body.reasons.length, 1);
    assert.match(body.reasons[0], new RegExp(`${foreign.id}, ${unknown}`));
  });

  test('400: no seller, a bad id, too many', async () => {
    const none = await ask('');
    assert.deepEqual(faultsOf(none), ['field_required merchantId']);
    assert.deepEqual(none.body.violations, { merchantId: none.body.errors[0].errorMessage });
    assert.deepEqual(faultsOf(await ask('?merchantId[]=nope')), ['not_valid merchantId.0']);
    const many = Array.from({ length: 101 }, () => `merchantId[]=${a()}`).join('&');
    assert.deepEqual(faultsOf(await ask(`?${many}`)), ['too_many merchantId']);
  });

  test('401, 405', async () => {
    assert.equal((await service.ask('GET', '/marketplace/v1/bank-groups')).status, 401);
    const { status, body } = await service.ask('POST', '/marketplace/v1/bank-groups', {
      token: partner.token,
      body: {},
    });
    assert.equal(status, 405);
    assert.equal(body.reasons.length, 1);
  });
});
