// Paths that do not exist, a slash at the end of one that does, and a header that names a foreign account.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

suite('unknown paths', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });

  // Guarantee: a mistyped path is told the one that was meant, with its method; nothing of the path is repeated.
  for (const [method, path, advice] of [
    ['POST', '/transaction', 'Did you mean POST /transactions?'],
    ['GET', '/recuring/secret-4111', 'Did you mean GET /recurring/{recurringId}?'],
    ['GET', '/oauth/aut', 'Did you mean POST /oauth/auth?'],
    ['POST', '/something/else', 'The reference at /docs lists all paths.'],
  ] as const) {
    test(`404: ${method} ${path}: ${advice}`, async () => {
      const answer = await service.ask(method, path, { token: merchant.token });
      assert.equal(answer.status, 404);
      const [{ errorCode, errorMessage, devMessage }] = answer.body.errors;
      assert.deepEqual([errorCode, errorMessage, devMessage], ['not_found', 'There is no such path.', advice]);
      assert.doesNotMatch(answer.text, /4111/);
    });
  }

  // Guarantee: a slash at the end changes nothing, with a query and an idempotency key neither.
  test('200: a slash at the end', async () => {
    const body = { amount: 1, description: 'x' };
    const headers = { 'idempotency-key': 'slash' };
    const created = await service.ask('POST', '/transactions/', { token: merchant.token, body, headers });
    assert.equal(created.status, 200);
    const again = await service.ask('POST', '/transactions', { token: merchant.token, body, headers });
    assert.equal(again.text, created.text);
    const { transactionId } = created.body;
    for (const path of ['/transactions/?limit=1', `/transactions/${transactionId}/`]) {
      assert.equal((await service.ask('GET', path, { token: merchant.token })).status, 200, path);
    }
    assert.equal((await service.ask('DELETE', '/transactions/', { token: merchant.token })).status, 405);
    assert.equal((await service.ask('GET', '/transactions//', { token: merchant.token })).status, 404);
  });

  // Guarantee: a foreign X-Merchant-Id is named, in the same words whether there is such an account or not.
  test('404: X-Merchant-Id of another account', async () => {
    const other = await aMerchant(service);
    const partner = await aMerchant(service, { kind: 'partner' });
    const answers = new Set<string>();
    for (const { token } of [merchant, partner]) {
      for (const id of [other.id, '01K9Z4M7Q2V5X8B1C3D6F9G0HJ', 'x']) {
        const answer = await service.ask('GET', '/transactions', { token, headers: { 'x-merchant-id': id } });
        assert.equal(answer.status, 404);
        assert.equal(answer.body.errors[0].fieldName, 'X-Merchant-Id');
        assert.match(answer.body.errors[0].errorMessage, /X-Merchant-Id/);
        answers.add(answer.text.replace(answer.body.requestId, ''));
      }
    }
    assert.equal(answers.size, 1);
  });
});

suite('ignored fields', () => {
  const body = { amount: 1, description: 'x', tint: 'red', payer: { email: 'a@example.com', emial: 'b' } };

  // Guarantee: in the sandbox they are in the body too, also of a repeated response; a body without any has no such key.
  test('are in the body of the sandbox', async () => {
    const service = await aService();
    const { token } = await aMerchant(service);
    const headers = { 'idempotency-key': 'ignored' };
    const first = await service.ask('POST', '/transactions', { token, body, headers });
    assert.deepEqual(first.body.ignoredFields, ['tint', 'payer.emial']);
    assert.equal(first.headers.get('x-ignored-fields'), 'tint, payer.emial');
    assert.equal((await service.ask('POST', '/transactions', { token, body, headers })).text, first.text);
    const clean = await service.ask('POST', '/transactions', { token, body: { amount: 1, description: 'x' } });
    assert.equal('ignoredFields' in clean.body, false);
    const listed = await service.ask('GET', '/transactions?limt=1', { token });
    assert.deepEqual(listed.body.ignoredFields, ['limt']);
  });

  // Guarantee: in live mode responses have the fields of the contract and no others.
  test('are only in the header of a live service', async () => {
    const service = await aService({ config: { mode: 'live' } });
    const { token } = await aMerchant(service);
    const answer = await service.ask('POST', '/transactions', { token, body });
    assert.deepEqual([answer.status, 'ignoredFields' in answer.body], [200, false]);
    assert.equal(answer.headers.get('x-ignored-fields'), 'tint, payer.emial');
  });
});
