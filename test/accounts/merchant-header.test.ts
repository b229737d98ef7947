// X-Merchant-Id (docs/decisions/0001): the account that a request is for.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { addSeller } from '../../src/accounts/index.ts';
import {
  type Answer,
  aCredential,
  aMerchant,
  aService,
  faultsOf,
  type Service,
  type TestMerchant,
} from '../support/service.ts';

suite('X-Merchant-Id', () => {
  let service: Service;
  let merchant: TestMerchant;
  let partner: TestMerchant;
  let seller: TestMerchant;
  let foreign: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    partner = await aMerchant(service, { kind: 'partner' });
    seller = await aMerchant(service, { kind: 'seller', channels: [53] });
    foreign = await aMerchant(service, { kind: 'seller' });
    await addSeller(service.world.db.sql, partner.id, seller.id);
  });

  const as = (who: TestMerchant, id: string | undefined, body?: object): Promise<Answer> =>
    service.ask(body ? 'POST' : 'GET', '/transactions', {
      token: who.token,
      headers: id === undefined ? {} : { 'x-merchant-id': id },
      ...(body ? { body } : {}),
    });
  const order = { amount: 5, description: 'Order' };

  // Guarantee: the caller's own id changes nothing.
  test('200: the own account', async () => {
    const { status, body } = await as(merchant, merchant.id, order);
    assert.equal(status, 200);
    assert.equal(body.posId, merchant.posId);
    assert.equal((await as(merchant, undefined)).body.total, 1);
    assert.equal((await as(merchant, merchant.id)).body.total, 1);
  });

  // Guarantee: a partner acts for its seller, with the seller's point of sale and channels; the seller sees the result,
  // and the partner's own account does not.
  test('200: a partner for its seller', async () => {
    const { status, body } = await as(partner, seller.id, order);
    assert.equal(status, 200);
    assert.equal(body.posId, seller.posId);
    assert.equal((await as(seller, undefined)).body.total, 1);
    assert.equal((await as(partner, seller.id)).body.total, 1);
    assert.equal((await as(partner, undefined)).body.total, 0);
    const refused = await as(partner, seller.id, { ...order, pay: { channelId: 64 } });
    assert.deepEqual(faultsOf(refused), ['not_valid pay.channelId']);
  });

  // Guarantee: a key that may only read writes for nobody, whether the account was looked up before or not.
  test('403: a read-only key of a partner, for its seller', async () => {
    const reader = await aCredential(service, partner, 'read_only');
    const { total } = (await as(seller, undefined)).body;
    for (const id of [seller.id, seller.id, undefined]) {
      assert.deepEqual(faultsOf(await as(reader, id, order)), ['access_denied']);
      assert.equal((await as(reader, id)).status, 200);
    }
    assert.equal((await as(seller, undefined)).body.total, total);
  });

  // Guarantee: only this header says who acts for whom, whatever is appended to a token.
  test('401: a token with a seller behind it', async () => {
    assert.equal((await as(partner, seller.id)).status, 200);
    const headers = { authorization: `Bearer ${partner.token} for ${seller.id}` };
    assert.equal((await service.ask('GET', '/transactions', { headers })).status, 401);
  });

  // Guarantee: the rate limit is the caller's, and token info is about the caller.
  test('200: tokeninfo is about the token', async () => {
    const headers = { 'x-merchant-id': seller.id };
    const { body } = await service.ask('GET', '/oauth/tokeninfo', { token: partner.token, headers });
    assert.equal(body.client_id, partner.clientId);
  });

  // Guarantee: any other value gives the same response, byte for byte, as an account that does not exist, and does
  // nothing.
  test('404: everybody else', async () => {
    const texts = new Set<string>();
    for (const [who, id] of [
      [merchant, partner.id],
      [merchant, seller.id],
      [partner, merchant.id],
      [partner, foreign.id],
      [seller, partner.id],
      [partner, service.world.ids.ulid()],
      [partner, seller.id.toLowerCase()],
      [partner, 'x'],
      [partner, `${seller.id},${seller.id}`],
      [partner, "' or 1=1 --"],
      [merchant, ''],
    ] as const) {
      // First without the header, so that the caller is cached.
      assert.equal((await as(who, undefined)).status, 200);
      for (const answer of [await as(who, id), await as(who, id, order)]) {
        assert.equal(answer.status, 404, id);
        assert.deepEqual(faultsOf(answer), ['not_found X-Merchant-Id']);
        texts.add(answer.text.replace(answer.body.requestId, ''));
      }
    }
    assert.equal(texts.size, 1);
    assert.equal((await as(foreign, undefined)).body.total, 0);
    assert.equal((await as(partner, undefined)).body.total, 0);
  });

  // Guarantee: without a token the header reveals nothing.
  test('401 comes before 404', async () => {
    const answer = await service.ask('GET', '/transactions', { headers: { 'x-merchant-id': 'x' } });
    assert.equal(answer.status, 401);
  });

  // Guarantee: a seller that leaves the partner is no longer accessible within a second.
  test('404 within a second after the seller left', async () => {
    const leaving = await aMerchant(service, { kind: 'seller' });
    await addSeller(service.world.db.sql, partner.id, leaving.id);
    assert.equal((await as(partner, leaving.id)).status, 200);
    await service.world.db.sql.run`delete from partner_seller where seller_id = ${leaving.id}`;
    service.world.wall.advance({ seconds: 1 });
    assert.equal((await as(partner, leaving.id)).status, 404);
  });

  // Guarantee: a blocked seller is not accessible either.
  test('404: a blocked seller', async () => {
    const blocked = await aMerchant(service, { kind: 'seller' });
    await addSeller(service.world.db.sql, partner.id, blocked.id);
    await service.world.db.sql.run`update account set status = 'blocked' where id = ${blocked.id}`;
    assert.equal((await as(partner, blocked.id)).status, 404);
  });
});
