// T1, GET /transactions/{transactionId}.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aCredential, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('GET /transactions/{transactionId}', () => {
  let service: Service;
  let merchant: TestMerchant;
  let transactionId: string;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    const created = await service.ask('POST', '/transactions', {
      token: merchant.token,
      body: { amount: 12.3, description: 'Order', payer: { email: 'jan@example.com', ip: '192.0.2.7' } },
    });
    transactionId = created.body.transactionId;
  });

  const show = (id: string, token = merchant.token) => service.ask('GET', `/transactions/${id}`, { token });

  // Guarantee: the fields of a transaction, and payments.attempts, which is always an array.
  test('200: all fields', async () => {
    const { status, body, headers } = await show(transactionId);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      result: 'success',
      requestId: headers.get('x-request-id'),
      transactionId,
      title: body.title,
      posId: merchant.posId,
      status: 'pending',
      date: { creation: '2026-03-10 10:00:00', realization: null },
      amount: 12.3,
      currency: 'PLN',
      description: 'Order',
      hiddenDescription: '',
      payer: {
        payerId: body.payer.payerId,
        email: 'jan@example.com',
        name: '',
        ip: '192.0.2.7',
        phone: '',
        address: '',
        city: '',
        country: 'PL',
        postalCode: '',
      },
      payments: {
        status: 'pending',
        method: null,
        channelId: null,
        groupId: null,
        amountPaid: 0,
        date: { realization: null },
        attempts: [],
      },
      transactionPaymentUrl: body.transactionPaymentUrl,
    });
  });

  // Guarantee: a read-only credential is enough for reading.
  test('200: a read-only credential', async () => {
    const reader = await aCredential(service, merchant, 'read_only');
    assert.equal((await show(transactionId, reader.token)).body.transactionId, transactionId);
  });

  test('200: HEAD returns only the headers', async () => {
    const answer = await service.ask('HEAD', `/transactions/${transactionId}`, { token: merchant.token });
    assert.equal(answer.status, 200);
    assert.equal(answer.text, '');
  });

  // Guarantee: without a token nothing is revealed, not even whether the transaction exists.
  test('401: no token', async () => {
    const answer = await service.ask('GET', `/transactions/${transactionId}`);
    assert.equal(answer.status, 401);
    assert.deepEqual(faultsOf(answer), ['invalid_token']);
  });

  // Guarantee: a missing, malformed or foreign id gives the same response, byte for byte (docs/decisions/0001).
  test('404: missing, malformed and foreign ids alike', async () => {
    const other = await aMerchant(service);
    const foreign = await show(transactionId, other.token);
    assert.equal(foreign.status, 404);
    assert.deepEqual(faultsOf(foreign), ['not_found']);
    const blank = (text: string) => text.replace(/"requestId":"[0-9a-f]{20}"/, '');
    const namesOf = (headers: Headers) => [...headers.keys()].sort();
    for (const id of [
      service.world.ids.ulid(),
      transactionId.toLowerCase(),
      `${transactionId}0`,
      transactionId.slice(1),
      'x',
      '%20',
      '%00',
      '..%2f..',
      '1%27%20or%201=1',
      'a'.repeat(299),
      'a'.repeat(5_000),
      '%E0%A4%A',
    ]) {
      const answer = await show(id, other.token);
      assert.equal(answer.status, 404, id.slice(0, 40));
      assert.equal(blank(answer.text), blank(foreign.text), id.slice(0, 40));
      assert.deepEqual(namesOf(answer.headers), namesOf(foreign.headers), id.slice(0, 40));
    }
  });

  // Guarantee: the response to a wrong method names the right ones.
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    test(`405: ${method}`, async () => {
      const answer = await service.ask(method, `/transactions/${transactionId}`, { token: merchant.token });
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get('allow'), 'HEAD, GET');
    });
  }
});
