// The texts of errors: what is wrong, what to change, and where it is explained.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { allFailures } from '../../src/failures.ts';
import { errorDocUrl } from '../../src/http/index.ts';
import { aPaidTransaction, aTransaction } from '../support/payments.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

interface ShownError {
  readonly errorCode: string;
  readonly errorMessage: string;
  readonly fieldName: string;
  readonly devMessage: string;
  readonly docUrl: string;
}

suite('texts of errors', () => {
  let service: Service;
  let merchant: TestMerchant;
  let anchors: Set<string>;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    const page = await service.ask('GET', '/docs/errors');
    assert.equal(page.status, 200);
    anchors = new Set([...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
  });

  async function errorsOf(path: string, body: string): Promise<ShownError[]> {
    const id = path.includes('/refunds')
      ? await aPaidTransaction(service, merchant)
      : await aTransaction(service, merchant);
    const answer = await service.ask('POST', path.replace('{id}', id), {
      token: merchant.token,
      raw: body,
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(answer.status, 400, answer.text);
    return answer.body.errors;
  }

  const amount = '"amount": 1';
  const described = '"description": "x"';

  // Guarantee: messages name the field of that endpoint, what is wrong with it, and what to change.
  for (const [path, body, field, message, devMessage] of [
    [
      '/transactions',
      `{"amuont": 1, ${described}}`,
      'amount',
      'This field is required.',
      'The request has amuont. Did you mean amount?',
    ],
    [
      '/transactions',
      `{"Amount": 1, ${described}}`,
      'amount',
      'This field is required.',
      'The request has Amount. Did you mean amount?',
    ],
    ['/transactions', `{"tint": 1, ${described}}`, 'amount', 'This field is required.', ''],
    [
      '/transactions',
      `{${amount}, ${described}, "pay": {"channelId": 12345678901234567890}}`,
      'pay.channelId',
      'The value is too high.',
      '',
    ],
    [
      '/transactions',
      `{${amount}, ${described}, "pay": {"channelId": 6.5}}`,
      'pay.channelId',
      'Must be an integer.',
      'Send a whole number, without quotes or decimal places.',
    ],
    [
      '/transactions',
      `{${amount}, ${described}, "lang": "xx"}`,
      'lang',
      'Must be one of: pl, en, de, fr, it, es, uk, ru.',
      '',
    ],
    [
      '/transactions',
      `{${amount}, ${described}, "payer": {"email": "x"}}`,
      'payer.email',
      'Must be a valid email address.',
      '',
    ],
    [
      '/transactions',
      `{${amount}, ${described}, "payer": {"ip": "x"}}`,
      'payer.ip',
      'Must be an IPv4 or IPv6 address.',
      '',
    ],
    [
      '/transactions',
      `{${amount}, ${described}, "payer": {"country": "pol"}}`,
      'payer.country',
      'Must be two capital letters, such as PL.',
      'The value must match the regular expression ^[A-Z]{2}$.',
    ],
    [
      '/transactions',
      `{${amount}, ${described}, "callbacks": {"payerUrls": {"success": "/thanks"}}}`,
      'callbacks.payerUrls.success',
      'Must be an absolute http or https URL.',
      '',
    ],
    [
      '/transactions/{id}/pay',
      '{"groupId": 150, "blikPaymentData": {"blikToken": "7771"}}',
      'blikPaymentData.blikToken',
      'Must be six digits, such as 777123.',
      '',
    ],
    [
      '/transactions',
      `{${amount}, ${described}, "pay": {"channelId": 5}}`,
      'pay.channelId',
      'Does not exist or is not enabled for the account.',
      'GET /transactions/channels lists the enabled channels with their groups.',
    ],
    [
      '/transactions/{id}/pay',
      '{"channelId": 64, "groupId": 150}',
      'channelId',
      'channelId and groupId cannot be used together.',
      'Send either channelId or groupId.',
    ],
    [
      '/transactions/{id}/pay',
      '{"blikPaymentData": {"blikToken": "777123"}}',
      'channelId',
      'This field is required.',
      'Send channelId or groupId.',
    ],
    [
      '/transactions/{id}/pay',
      '{"channelId": 53, "blikPaymentData": {"blikToken": "777123"}}',
      'blikPaymentData',
      'This data does not belong to the chosen channel.',
      'Remove the field, or choose the channel that it belongs to.',
    ],
    [
      '/transactions/{id}/refunds',
      '{"ammount": 1}',
      'ammount',
      'This field is not allowed here.',
      'Did you mean amount?',
    ],
    [
      '/transactions/{id}/refunds',
      '{"reason": 1}',
      'reason',
      'This field is not allowed here.',
      'Remove the field or correct its name.',
    ],
  ] as const) {
    test(`${path} ${body}: ${devMessage}`, async () => {
      const errors = await errorsOf(path, body);
      assert.deepEqual(
        errors.map(({ fieldName, errorMessage, devMessage }) => ({ fieldName, errorMessage, devMessage })),
        [{ fieldName: field, errorMessage: message, devMessage }],
      );
      const [{ docUrl = '', errorCode = '' } = {}] = errors;
      assert.equal(docUrl, `${service.world.config.baseUrl}/docs/errors#${errorCode}`);
    });
  }

  // Guarantee: a misspelled field of a nested object is suggested among the fields of that object.
  test('a misspelled field inside an object', async () => {
    const errors = await errorsOf('/recurring', '{"shedule": {}, "payer": {"emial": "a@example.com", "name": "x"}}');
    const advice = Object.fromEntries(errors.map(({ fieldName, devMessage }) => [fieldName, devMessage]));
    assert.equal(advice.schedule, 'The request has shedule. Did you mean schedule?');
    assert.equal(advice['payer.email'], 'The request has emial. Did you mean email?');
  });

  // Guarantee: whatever code an error has, its docUrl exists.
  test('the page at docUrl explains every code', () => {
    const codes = allFailures.map(({ code }) => code);
    for (const code of codes) {
      const { pathname, hash } = new URL(errorDocUrl(`${service.url}/docs`, code));
      assert.equal(pathname, '/docs/errors');
      assert.ok(anchors.has(hash.slice(1)), code);
    }
    assert.equal(anchors.size, new Set(codes).size);
  });

  // Guarantee: every code says what is wrong, and what to change unless that is the same, in full sentences.
  for (const {
    code,
    usual: { message, fix },
  } of allFailures) {
    test(`${code}: ${fix || message}`, () => {
      for (const text of [message, fix].filter((one) => one !== '')) assert.match(text, /^[A-Za-z].{8,}\.$/);
      assert.notEqual(message, '');
    });
  }
});
