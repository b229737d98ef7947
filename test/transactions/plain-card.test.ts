// Card data that is not encrypted: the developer is told so and how to encrypt; nothing of it is repeated or logged.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

suite('plain card data', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });

  const number = '4111111111111111';

  // Guarantee: whatever form plain card data has, the error says what to encrypt and with which key.
  for (const [name, data, message] of [
    ['a number as text', { card: number }, 'The card data is not encrypted.'],
    ['a grouped number', { card: '4111 1111-1111 1111' }, 'The card data is not encrypted.'],
    ['number, date and code', { card: `${number}|12/30|123` }, 'The card data is not encrypted.'],
    ['JSON as text', { card: `{"number":"${number}"}` }, 'The card data is not encrypted.'],
    ['a number', { card: Number(number) }, 'Must be a string.'],
    ['an object', { card: { number, expiry: '12/30' } }, 'Must be a string.'],
    ['fields of its own', { number, expiry: '12/30', cvv: '123' }, 'Send either the encrypted card or a token.'],
    ['something unreadable', { card: 'abc' }, 'The card data could not be read.'],
  ] as const) {
    test(`400: ${name}`, async () => {
      const answer = await service.ask('POST', '/transactions', {
        token: merchant.token,
        body: { amount: 1, description: 'x', pay: { channelId: 53, cardPaymentData: data } },
      });
      assert.equal(answer.status, 400, answer.text);
      const [{ errorMessage, fieldName, devMessage }] = answer.body.errors;
      assert.deepEqual([errorMessage, fieldName], [message, 'pay.cardPaymentData.card']);
      assert.match(devMessage, /^Encrypt number\|MM\/YY\|code with the key of GET \/cards\/public-key/);
      assert.doesNotMatch(answer.text.replaceAll(/[ -]/g, ''), /41111111/);
    });
  }
});
