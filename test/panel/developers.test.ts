// For the merchant's developers: the log of requests, notifications, API keys, secrets.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, suite, test } from 'node:test';
import { readBigint } from '../../src/database/index.ts';
import { aPartner } from '../support/marketplace.ts';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { aTransaction } from '../support/payments.ts';
import { aReceiver } from '../support/receiver.ts';
import { tickAll } from '../support/rooms.ts';
import { aMerchant, aService, aToken, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('developers', () => {
  let service: Service;
  let merchant: TestMerchant;
  let owner: TestPerson;
  let stranger: TestPerson;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    owner = await aPerson(service, 'owner', merchant.id);
    stranger = await aPerson(service, 'owner', (await aMerchant(service)).id);
  });

  // Guarantee: a developer sees what was sent and answered, and nobody sees a card number or a secret in it.
  test('P60, P61: requests with masked bodies', async () => {
    const body = {
      amount: 12.34,
      description: 'Tea 4111 1111 1111 1111',
      tint: 'red',
      payer: { email: 'jan@example.com', name: 'Jan' },
      pay: { groupId: 150, blikPaymentData: { blikToken: '777123' } },
    };
    const created = await service.ask('POST', '/transactions', { token: merchant.token, body });
    service.world.wall.advance({ seconds: 1 });
    await service.ask('POST', '/transactions', { token: merchant.token, body: {} });
    await service.rooms.panel.requests.flush();
    const { requests } = (await owner.ask('GET', '/panel/api/requests')).body;
    assert.deepEqual(
      requests.map(({ endpoint, status }: { endpoint: string; status: number }) => `${endpoint} ${status}`),
      ['E1 400', `E1 ${created.status}`],
    );
    assert.equal(requests[1].ignoredFields, 'tint');
    const { request } = (await owner.ask('GET', `/panel/api/requests/${requests[1].id}`)).body;
    assert.equal(request.requestId, created.headers.get('x-request-id'));
    assert.match(request.body, /"description":"Tea \(hidden\)"/);
    assert.match(request.body, /"blikToken":"\(hidden\)"/);
    assert.doesNotMatch(request.body + request.response, /4111|777123/);
    assert.equal((await stranger.ask('GET', `/panel/api/requests/${requests[1].id}`)).status, 404);
    assert.deepEqual((await stranger.ask('GET', '/panel/api/requests')).body.requests, []);
    const failed = (await owner.ask('GET', '/panel/api/requests?status=error&limit=1')).body;
    assert.deepEqual([failed.requests.length, failed.requests[0].status, failed.nextBefore], [1, 400, null]);
  });

  // Guarantee: what was asked about a transaction is found by its id: the request that created it, and those that name it.
  test('by what they are about', async () => {
    const shop = await aMerchant(service);
    const staff = await aPerson(service, 'staff', shop.id);
    const [one, other] = [await aTransaction(service, shop), await aTransaction(service, shop)];
    await service.ask('GET', `/transactions/${one}`, { token: shop.token });
    await service.ask('POST', `/transactions/${other}/cancel`, { token: shop.token });
    await service.rooms.panel.requests.flush();
    const about = async (id: string) =>
      (await staff.ask('GET', `/panel/api/requests?subjectId=${id}`)).body.requests
        .map(({ method, path }: { method: string; path: string }) => `${method} ${path}`)
        .sort();
    assert.deepEqual(await about(one), [`GET /transactions/${one}`, 'POST /transactions']);
    assert.deepEqual(await about(other), ['POST /transactions', `POST /transactions/${other}/cancel`]);
    assert.deepEqual(await about(shop.id), []);
  });

  const good = { amount: 12.34, description: 'Tea', payer: { email: 'jan@example.com', name: 'Jan' } };
  const careless: [string, string, object?][] = [
    ['POST', '/transactions', { ...good, pan: 4111111111111111 }],
    ['POST', '/transactions', { ...good, description: 4111111111111111 }],
    ['POST', '/transactions', { ...good, '4111 1111 1111 1111': 'x' }],
    ['POST', '/transactions', { ...good, hiddenDescription: '4111\u00a01111\u00a01111\u00a01111' }],
    ['GET', '/transactions?hiddenDescription=4111+1111+1111+1111'],
    ['GET', '/transactions?client_secret=4111secret'],
    ['GET', '/transactions/4111-1111-1111-1111'],
    ['GET', '/transactions?blikCode=4111'],
    ['POST', '/transactions', { ...good, blikCode: '411100', cardCvv: '4111', verificationCode: '4111', otp: '4111' }],
    ['POST', '/transactions', { ...good, pin: 4111, cardData: { number: '4111', expiry: '12/30' } }],
    ['POST', '/transactions', { ...good, hiddenDescription: '4111    -    1111 /// 1111 , , , , 1111' }],
    ['POST', '/transactions', { ...good, hiddenDescription: '{"payment":{"cvv":"4111"}}' }],
  ];
  for (const [method, path, body] of careless) {
    test(`P61: no card number in the log after ${method} ${path} ${JSON.stringify(body ?? '')}`, async () => {
      service.world.wall.advance({ seconds: 1 });
      await service.ask(method, path, { token: merchant.token, ...(body && { body }) });
      await service.rooms.panel.requests.flush();
      const [{ id }] = (await owner.ask('GET', '/panel/api/requests?limit=1')).body.requests;
      const { text } = await owner.ask('GET', `/panel/api/requests/${id}`);
      assert.match(text, /\(hidden\)/);
      assert.doesNotMatch(text, /4111/);
    });
  }

  // Guarantee: one token leaves at most so many rows a second, whichever seller each request is for.
  test('a partner counts once, not once per seller', async () => {
    const partner = await aPartner(service);
    const { sql } = service.world.db;
    const rows = () => sql.one((row) => readBigint(row, 'count'))`select count(*) as count from request_log`;
    service.world.wall.advance({ seconds: 1 });
    await service.rooms.panel.requests.flush();
    const before = await rows();
    for (const { id } of [partner, ...partner.sellers]) {
      for (let index = 0; index < 15; index += 1)
        await service.ask('GET', '/transactions/x', { token: partner.token, headers: { 'x-merchant-id': id } });
    }
    await service.rooms.panel.requests.flush();
    assert.equal((await rows()) - before, 20n);
  });

  test('requests are forgotten after seven days', async () => {
    await service.ask('GET', '/transactions', { token: merchant.token });
    await service.rooms.panel.requests.flush();
    service.world.wall.advance({ hours: 7 * 24 + 1 });
    assert.ok((await service.rooms.panel.requests.forget()) > 0);
    owner = await aPerson(service, 'owner', merchant.id);
    stranger = await aPerson(service, 'owner', (await aMerchant(service)).id);
    assert.deepEqual((await owner.ask('GET', '/panel/api/requests')).body.requests, []);
  });

  test('P64: a test notification is signed, judged and stored nowhere', async () => {
    const receiver = await aReceiver();
    const answer = await owner.ask('POST', '/panel/api/notifications/test', { body: { url: receiver.url } });
    assert.deepEqual([answer.status, answer.body.delivered, answer.body.status], [200, true, 200], answer.text);
    const fields = new URLSearchParams(answer.body.request);
    const { securityCode } = (await owner.ask('GET', '/panel/api/secrets')).body;
    assert.match(fields.get('id') ?? '', /^\d+$/);
    const text = `${fields.get('id')}${fields.get('tr_id')}${fields.get('tr_amount')}${fields.get('tr_crc')}${securityCode}`;
    assert.equal(fields.get('md5sum'), createHash('md5').update(text).digest('hex'));
    assert.equal(fields.get('test_mode'), '1');
    assert.deepEqual((await owner.ask('GET', '/panel/api/notifications')).body.notifications, []);
  });

  test('P64 400: an address that is none', async () => {
    const answer = await owner.ask('POST', '/panel/api/notifications/test', { body: { url: 'ftp://example.com' } });
    assert.equal(answer.status, 400);
  });

  test('P62, P63: no notifications yet', async () => {
    const { body } = await owner.ask('GET', '/panel/api/notifications/endpoints');
    assert.deepEqual([body.endpoints, body.pending, body.exhausted], [[], 0, 0]);
    for (const status of ['pending', 'delivered', 'exhausted', 'no_address']) {
      assert.equal((await owner.ask('GET', `/panel/api/notifications?status=${status}`)).status, 200);
    }
    assert.equal((await owner.ask('GET', '/panel/api/notifications?before=x')).status, 400);
  });

  // Guarantee: a developer sees what was sent, byte for byte, and only of their own account.
  test('P62, P72: a notification with what is sent', async () => {
    const receiver = await aReceiver();
    const shop = await aMerchant(service);
    const person = await aPerson(service, 'owner', shop.id);
    const body = {
      amount: 12.34,
      description: 'Tea',
      payer: { email: 'jan@example.com', name: 'Jan' },
      pay: { groupId: 150, blikPaymentData: { blikToken: '777123' } },
      callbacks: { notification: { url: receiver.url } },
    };
    const { transactionId } = (await service.ask('POST', '/transactions', { token: shop.token, body })).body;
    await tickAll(service.world);
    const [listed] = (await person.ask('GET', '/panel/api/notifications')).body.notifications;
    assert.deepEqual([listed.subjectId, listed.status, listed.tries], [transactionId, 'delivered', 1]);
    const { title } = (await service.ask('GET', `/transactions/${transactionId}`, { token: shop.token })).body;
    assert.deepEqual([listed.title, listed.amount, listed.currency], [title, 12.34, 'PLN']);
    const url = `/panel/api/notifications/${listed.eventId}`;
    const { contentType, payload, ...same } = (await person.ask('GET', url)).body.notification;
    assert.deepEqual(same, listed);
    assert.deepEqual([contentType, payload], ['application/x-www-form-urlencoded', receiver.received[0]?.body]);
    assert.equal((await stranger.ask('GET', url)).status, 404);
  });

  test('P65 to P69: an API key from its creation to its revocation', async () => {
    service.world.clock.advance({ seconds: 1 });
    const made = (await owner.ask('POST', '/panel/api/keys', { body: { name: 'New', kind: 'full' } })).body;
    await aToken(service, made.clientId, made.clientSecret);
    const rotated = (await owner.ask('POST', `/panel/api/keys/${made.clientId}/rotate`)).body;
    await aToken(service, made.clientId, rotated.clientSecret);
    const listed = (await owner.ask('GET', '/panel/api/keys')).body.keys;
    assert.deepEqual([listed[0].name, listed[0].secrets, listed.length], ['New', 2, 2]);
    for (const action of ['rotate', 'drop-older', 'revoke']) {
      assert.equal((await stranger.ask('POST', `/panel/api/keys/${made.clientId}/${action}`)).status, 404, action);
    }
    assert.equal((await owner.ask('POST', `/panel/api/keys/${made.clientId}/drop-older`)).status, 200);
    const old = await service.ask('POST', '/oauth/auth', {
      body: { client_id: made.clientId, client_secret: made.clientSecret },
    });
    assert.deepEqual(faultsOf(old), ['invalid_client']);
    assert.equal((await owner.ask('POST', `/panel/api/keys/${made.clientId}/revoke`)).status, 200);
    assert.equal((await owner.ask('POST', `/panel/api/keys/${made.clientId}/revoke`)).status, 404);
  });

  // Guarantee: a replaced secret signs from then on, and who saw or replaced it is in the log.
  test('P70, P71: secrets are shown and replaced', async () => {
    const first = (await owner.ask('GET', '/panel/api/secrets')).body;
    assert.equal(
      (await owner.ask('POST', '/panel/api/secrets/rotate', { body: { which: 'webhookSecret' } })).status,
      200,
    );
    const second = (await owner.ask('GET', '/panel/api/secrets')).body;
    assert.equal(second.securityCode, first.securityCode);
    assert.notEqual(second.webhookSecret, first.webhookSecret);
    assert.match(second.webhookSecret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const { entries } = (await owner.ask('GET', '/panel/api/audit?limit=3')).body;
    assert.deepEqual(
      entries.map(({ action, outcome }: { action: string; outcome: string }) => `${action} ${outcome}`),
      ['P70 ok', 'P71 ok', 'P70 ok'],
    );
  });
});
