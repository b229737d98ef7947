// E1, POST /transactions.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import pg from 'pg';
import { isUlid } from '../../src/kernel/index.ts';
import { openTitles } from '../../src/transactions/index.ts';
import { untilBlocked } from '../support/database.ts';
import {
  type Asking,
  aCredential,
  aMerchant,
  aService,
  faultsOf,
  type Service,
  serve,
  type TestMerchant,
} from '../support/service.ts';

const smallest = { amount: 10.1, description: 'Order 1' };
const json = { 'content-type': 'application/json' };

/** How many transactions the merchant has, by the API. */
async function totalOf(service: Service, merchant: TestMerchant): Promise<number> {
  const { body } = await service.ask('GET', '/transactions?limit=1', { token: merchant.token });
  return body.total;
}

suite('POST /transactions, 200', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });

  const create = (body: unknown) => service.ask('POST', '/transactions', { token: merchant.token, body });
  const show = (id: string) => service.ask('GET', `/transactions/${id}`, { token: merchant.token });

  // Guarantee: the response has exactly the documented fields, including nulls and empty strings.
  test('the smallest request', async () => {
    const { status, body, headers } = await create(smallest);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.deepEqual(body, {
      result: 'success',
      requestId: headers.get('x-request-id'),
      transactionId: body.transactionId,
      title: body.title,
      posId: merchant.posId,
      status: 'pending',
      date: { creation: '2026-03-10 10:00:00', realization: null },
      amount: 10.1,
      currency: 'PLN',
      description: 'Order 1',
      hiddenDescription: '',
      payer: {
        payerId: body.payer.payerId,
        email: '',
        name: '',
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
      },
      transactionPaymentUrl: body.transactionPaymentUrl,
    });
    assert.ok(isUlid(body.transactionId));
  });

  // Guarantee: what the merchant sent is returned unchanged, immediately and when it is read again.
  test('all optional fields', async () => {
    const { status, body } = await create({
      ...smallest,
      currency: 'PLN',
      hiddenDescription: 'order-1024 ąęż 😀',
      lang: 'en',
      payer: {
        email: 'Jan.Nowak@example.com',
        name: 'Jan Nowak',
        phone: '+48 600 100 200',
        address: 'ul. Długa 1',
        code: '00-001',
        city: 'Warszawa',
        country: 'DE',
        taxId: '1234563218',
        ip: '2001:db8::1',
        userAgent: 'Shop/1.0',
      },
      pay: { channelId: 64, method: 'sale' },
      callbacks: {
        payerUrls: { success: 'https://shop.example.com/ok?order=1', error: 'http://shop.example.com/error' },
        notification: { url: 'https://shop.example.com/notify', email: 'shop@example.com' },
      },
    });
    assert.equal(status, 200);
    assert.equal(body.hiddenDescription, 'order-1024 ąęż 😀');
    assert.deepEqual(body.payer, {
      payerId: body.payer.payerId,
      email: 'Jan.Nowak@example.com',
      name: 'Jan Nowak',
      ip: '2001:db8::1',
      phone: '+48 600 100 200',
      address: 'ul. Długa 1',
      city: 'Warszawa',
      country: 'DE',
      postalCode: '00-001',
    });
    assert.equal(body.payments.method, 'sale');
    const { payments, requestId, ...shown } = (await show(body.transactionId)).body;
    assert.deepEqual({ ...shown, requestId: body.requestId, payments: body.payments }, body);
    assert.deepEqual(payments, { ...body.payments, attempts: [] });
    assert.notEqual(requestId, body.requestId);
  });

  // Guarantee: the longest and most unusual valid texts are stored unchanged.
  test('texts at their limits', async () => {
    const description = '😀'.repeat(128);
    const { status, body } = await create({ amount: 1, description, hiddenDescription: `\t"'\\<&>${'h'.repeat(248)}` });
    assert.equal(status, 200);
    assert.equal((await show(body.transactionId)).body.description, description);
    assert.equal(body.hiddenDescription, `\t"'\\<&>${'h'.repeat(248)}`);
  });

  // Guarantee: no amount changes on its way in and out.
  for (const amount of [0.01, 0.1, 10.1, 123.45, 0.29, 1.15, 4.35, 99999999999.99]) {
    test(`amount ${amount} comes back exactly`, async () => {
      const { body } = await create({ amount, description: 'x' });
      assert.equal(body.amount, amount);
      assert.equal((await show(body.transactionId)).body.amount, amount);
    });
  }

  // Guarantee: another notation of the same number is the same amount.
  for (const [spelled, amount] of [
    ['10.10', 10.1],
    ['1.01e1', 10.1],
    ['100E-1', 10],
    ['10.10000000000000000000', 10.1],
    ['99999999999.9900000', 99999999999.99],
  ] as const) {
    test(`amount spelled ${spelled}`, async () => {
      const { status, body } = await service.ask('POST', '/transactions', {
        token: merchant.token,
        raw: `{"amount": ${spelled}, "description": "x"}`,
        headers: json,
      });
      assert.equal(status, 200);
      assert.equal(body.amount, amount);
    });
  }

  // Guarantee: null for an optional field means "not given" (docs/decisions/0002).
  for (const nothing of [
    { currency: null, hiddenDescription: null, lang: null, payer: null, pay: null, callbacks: null },
    {
      payer: {
        email: null,
        name: null,
        phone: null,
        address: null,
        code: null,
        city: null,
        country: null,
        taxId: null,
        ip: null,
        userAgent: null,
      },
      pay: { groupId: null, channelId: null, method: null },
      callbacks: { payerUrls: null, notification: null },
    },
    { callbacks: { payerUrls: { success: null, error: null }, notification: { url: null, email: null } } },
  ]) {
    test(`nulls are not given: ${JSON.stringify(nothing).slice(0, 40)}…`, async () => {
      const { status, body } = await create({ ...smallest, ...nothing });
      assert.equal(status, 200);
      const plain = (await create(smallest)).body;
      const { requestId, transactionId, title, transactionPaymentUrl, payer } = plain;
      const own = { requestId, transactionId, title, transactionPaymentUrl };
      assert.deepEqual({ ...body, ...own, payer: { ...body.payer, payerId: payer.payerId } }, plain);
    });
  }

  // Guarantee: an unknown field changes nothing, whatever it contains (docs/decisions/0002).
  test('unknown fields are ignored', async () => {
    const { status, body, headers } = await service.ask('POST', '/transactions?page=1&a%2Cb=2', {
      token: merchant.token,
      headers: json,
      raw: `{"amount": 1, "description": "x", "tint": "red", "n": 12345678901234567890.123, "amountPaid": 5,
             "status": "paid", "transactionId": "1", "__proto__": {"status": "paid"}, "nul": "a\\u0000b", "half": "\\ud800",
             "payer": {"name": "Jan", "shoeSize": 44, "payerId": "mine"}, "constructor": null, "payments": {"amountPaid": 1}}`,
    });
    assert.equal(status, 200);
    assert.equal(body.status, 'pending');
    assert.equal(body.payments.amountPaid, 0);
    assert.equal(body.payer.name, 'Jan');
    assert.notEqual(body.payer.payerId, 'mine');
    const named =
      'page, a%2Cb, tint, n, amountPaid, status, transactionId, __proto__, nul, half, payer.shoeSize, payer.payerId, ' +
      'constructor, payments';
    assert.equal(headers.get('x-ignored-fields'), named);
  });

  // Guarantee: a misspelled field is named even if the request is refused; names are bounded, and safe in a header.
  test('X-Ignored-Fields with many, long and strange names', async () => {
    const strange = { 'a\r\nSet-Cookie: x': 1, 'ż, ó': 1, '\ud800': 1, ['k'.repeat(5_000)]: 1 };
    const many = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`k${index}`, 1]));
    const asked = { token: merchant.token, body: { amout: 5, ...strange, ...many } };
    const { status, headers } = await service.ask('POST', '/transactions', asked);
    assert.equal(status, 400);
    const names = (headers.get('x-ignored-fields') ?? '').split(', ');
    assert.deepEqual(names.slice(0, 6), [
      'amout',
      'a%0D%0ASet-Cookie%3A%20x',
      '%C5%BC%2C%20%C3%B3',
      '%EF%BF%BD',
      `${'k'.repeat(64)}...`,
      'k0',
    ]);
    assert.deepEqual([names.length, names.at(-1), headers.get('set-cookie')], [21, '...', null]);
  });

  // Guarantee: without unknown fields there is no header.
  test('no X-Ignored-Fields', async () => {
    const { headers } = await service.ask('POST', '/transactions', { token: merchant.token, body: smallest });
    assert.equal(headers.get('x-ignored-fields'), null);
  });

  // Guarantee: a wallet transaction is pay_by_link from the start; without a choice there is no method.
  for (const [pay, method] of [
    [{ channelId: 75 }, 'pay_by_link'],
    [{ groupId: 150 }, 'pay_by_link'],
    [{ channelId: 53, method: 'sale' }, 'sale'],
    [{ method: 'transfer' }, 'transfer'],
    [{}, null],
  ] as const) {
    test(`pay ${JSON.stringify(pay)} gives the method ${method}`, async () => {
      const { status, body } = await create({ ...smallest, pay });
      assert.equal(status, 200);
      assert.equal(body.payments.method, method);
      assert.equal((await show(body.transactionId)).body.payments.method, method);
    });
  }

  // Guarantee: a payer has one id per merchant, and different ids at different merchants.
  test('payerId follows the email address', async () => {
    const payerIdFor = async (email?: string) => (await create({ ...smallest, payer: { email } })).body.payer.payerId;
    const first = await payerIdFor('jan@example.com');
    assert.equal(await payerIdFor('Jan@Example.com'), first);
    assert.notEqual(await payerIdFor('ewa@example.com'), first);
    assert.notEqual(await payerIdFor(), await payerIdFor());
    const other = await aMerchant(service);
    const theirs = await service.ask('POST', '/transactions', {
      token: other.token,
      body: { ...smallest, payer: { email: 'jan@example.com' } },
    });
    assert.notEqual(theirs.body.payer.payerId, first);
  });

  // Guarantee: payer.ip is present exactly if it was sent.
  test('payer.ip only when sent', async () => {
    assert.equal('ip' in (await create({ ...smallest, payer: { name: 'Jan' } })).body.payer, false);
    assert.equal((await create({ ...smallest, payer: { ip: '192.0.2.1' } })).body.payer.ip, '192.0.2.1');
  });

  // Guarantee: ids, titles and pay URLs are unique, and a title has its format (docs/decisions/0003).
  test('ids, titles and addresses are unique', async () => {
    const many = await Promise.all(Array.from({ length: 300 }, () => create(smallest)));
    for (const { status, body } of many) {
      assert.equal(status, 200);
      assert.match(body.title, /^TR-[A-Z0-9]{4}-[A-Z0-9]{7}$/);
      assert.ok(!body.title.includes('-TST'));
      assert.ok(body.transactionPaymentUrl.startsWith(`${service.world.config.baseUrl}/pay/${body.transactionId}.`));
    }
    for (const field of ['transactionId', 'title', 'transactionPaymentUrl', 'requestId']) {
      assert.equal(new Set(many.map(({ body }) => body[field])).size, 300, field);
    }
  });

  // Guarantee: a title that is taken is drawn again, and other rows of the batch are not affected.
  test('a title that is taken', async () => {
    const { body: first } = await create(smallest);
    const titles = openTitles(service.world.random);
    const draws = [first.title, first.title, first.title];
    const unlucky = await serve({ ...service.world, titles: { draw: () => draws.pop() ?? titles.draw() } });
    const before = await totalOf(service, merchant);
    const many = await Promise.all(
      Array.from({ length: 20 }, () => unlucky.ask('POST', '/transactions', { token: merchant.token, body: smallest })),
    );
    assert.deepEqual(new Set(many.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set([first, ...many.map(({ body }) => body)].map(({ title }) => title)).size, 21);
    assert.equal(await totalOf(service, merchant), before + 20);
  });

  // Guarantee: if every title is taken nothing is written, and the caller gets an error.
  test('500: no title is left', async () => {
    const { body: first } = await create(smallest);
    const unlucky = await serve({ ...service.world, titles: { draw: () => first.title } });
    const before = await totalOf(service, merchant);
    const answer = await unlucky.ask('POST', '/transactions', { token: merchant.token, body: smallest });
    assert.equal(answer.status, 500);
    assert.equal(await totalOf(service, merchant), before);
  });

  // Guarantee: times and the default country are those of the account.
  test('zone and country of the account', async () => {
    const far = await aMerchant(service, { zone: 'Asia/Kathmandu', country: 'NP' });
    const { body } = await service.ask('POST', '/transactions', { token: far.token, body: smallest });
    assert.equal(body.date.creation, '2026-03-10 14:45:00');
    assert.equal(body.payer.country, 'NP');
  });

  // Guarantee: the usual spellings of the content type are accepted.
  for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.shop+json']) {
    test(`content type ${type}`, async () => {
      const asking = { token: merchant.token, body: smallest, headers: { 'content-type': type } };
      assert.equal((await service.ask('POST', '/transactions', asking)).status, 200);
    });
  }

  // Guarantee: a body of exactly the limit is accepted.
  test('a body of 64 KiB', async () => {
    const start = '{"amount": 1, "description": "x", "junk": "';
    const raw = `${start}${'a'.repeat(65_536 - start.length - 2)}"}`;
    const { status } = await service.ask('POST', '/transactions', { token: merchant.token, raw, headers: json });
    assert.equal(raw.length, 65_536);
    assert.equal(status, 200);
  });
});

suite('POST /transactions, 400: nothing is created and every fault is named', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service, { channels: [53, 64] });
  });

  async function refused(asking: Asking, faults: readonly string[]): Promise<void> {
    const answer = await service.ask('POST', '/transactions', { token: merchant.token, ...asking });
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(faultsOf(answer), [...faults].sort());
    assert.equal(await totalOf(service, merchant), 0);
  }

  // Guarantee: only a valid amount is accepted.
  for (const [spelled, fault] of [
    ['10.005', 'incorrect_precision amount'],
    ['0.001', 'incorrect_precision amount'],
    ['1e-7', 'incorrect_precision amount'],
    ['10.0000000000000001', 'incorrect_precision amount'],
    ['99999999999.999', 'incorrect_precision amount'],
    ['"10"', 'not_number amount'],
    ['null', 'not_number amount'],
    ['true', 'not_number amount'],
    ['[5]', 'not_number amount'],
    ['{}', 'not_number amount'],
    ['""', 'not_number amount'],
    ['0', 'too_low amount'],
    ['0.00', 'too_low amount'],
    ['-0', 'too_low amount'],
    ['-1', 'too_low amount'],
    ['-0.01', 'too_low amount'],
    ['1e11', 'too_high amount'],
    ['100000000000', 'too_high amount'],
    ['1e30', 'too_high amount'],
    ['123456789012345678901234567890', 'too_high amount'],
    ['1e400', 'not_number amount'],
  ] as const) {
    test(`amount ${spelled}`, () =>
      refused({ raw: `{"amount": ${spelled}, "description": "x"}`, headers: json }, [fault]));
  }

  // Guarantee: each field is checked separately, and the fault names it by its dotted path.
  const given = (fields: object) => ({ ...smallest, ...fields });
  for (const [body, ...faults] of [
    [{}, 'field_required amount', 'field_required description'],
    [{ description: 'x' }, 'field_required amount'],
    [{ amount: 1 }, 'field_required description'],
    [given({ description: null }), 'not_string description'],
    [given({ description: 5 }), 'not_string description'],
    [given({ description: [] }), 'not_string description'],
    [given({ description: '' }), 'too_short description'],
    [given({ description: 'x'.repeat(129) }), 'too_long description'],
    [given({ description: '😀'.repeat(129) }), 'too_long description'],
    [given({ description: `e${'\u0301'.repeat(200)}` }), 'too_long description'],
    [given({ description: 'a\0b' }), 'not_valid description'],
    [given({ hiddenDescription: 1 }), 'not_string hiddenDescription'],
    [given({ hiddenDescription: 'x'.repeat(256) }), 'too_long hiddenDescription'],
    [given({ hiddenDescription: '\0' }), 'not_valid hiddenDescription'],
    [given({ currency: 'EUR' }), 'not_valid currency'],
    [given({ currency: 'pln' }), 'not_valid currency'],
    [given({ currency: 985 }), 'not_valid currency'],
    [given({ currency: '' }), 'not_valid currency'],
    [given({ lang: 'xx' }), 'not_valid lang'],
    [given({ lang: 5 }), 'not_valid lang'],
    [given({ payer: 'Jan' }), 'not_object payer'],
    [given({ payer: [] }), 'not_object payer'],
    // Names that JavaScript calls to convert to a string or a number.
    [{ amount: { toString: 1, valueOf: 1 }, description: 'x' }, 'not_number amount'],
    [given({ payer: { email: { toString: 1, valueOf: 1 } } }), 'not_string payer.email'],
    [given({ payer: { email: 'jan' } }), 'not_valid payer.email'],
    [given({ payer: { email: 'jan@' } }), 'not_valid payer.email'],
    [given({ payer: { email: 'a b@example.com' } }), 'not_valid payer.email'],
    [given({ payer: { email: 'jan@example.com\n' } }), 'not_valid payer.email'],
    [given({ payer: { email: '"a\r\nBcc: all"@example.com' } }), 'not_valid payer.email'],
    [given({ payer: { email: '"a\nb"@example.com' } }), 'not_valid payer.email'],
    [given({ payer: { email: '"a\u2028b"@example.com' } }), 'not_valid payer.email'],
    [given({ payer: { email: '"a\u007fb"@example.com' } }), 'not_valid payer.email'],
    [given({ callbacks: { notification: { email: '"a\r\nb"@x.pl' } } }), 'not_valid callbacks.notification.email'],
    [given({ payer: { email: '' } }), 'not_valid payer.email'],
    [given({ payer: { email: 5 } }), 'not_string payer.email'],
    [given({ payer: { email: `${'a'.repeat(250)}@example.com` } }), 'too_long payer.email'],
    [given({ payer: { name: 5 } }), 'not_string payer.name'],
    [given({ payer: { name: 'x'.repeat(256) } }), 'too_long payer.name'],
    [given({ payer: { name: 'Jan\0' } }), 'not_valid payer.name'],
    [given({ payer: { phone: 600100200 } }), 'not_string payer.phone'],
    [given({ payer: { phone: '1'.repeat(33) } }), 'too_long payer.phone'],
    [given({ payer: { address: 'x'.repeat(256) } }), 'too_long payer.address'],
    [given({ payer: { code: 'x'.repeat(33) } }), 'too_long payer.code'],
    [given({ payer: { city: 'x'.repeat(129) } }), 'too_long payer.city'],
    [given({ payer: { taxId: 'x'.repeat(33) } }), 'too_long payer.taxId'],
    [given({ payer: { userAgent: 'x'.repeat(513) } }), 'too_long payer.userAgent'],
    [given({ payer: { country: 'Poland' } }), 'not_valid payer.country'],
    [given({ payer: { country: 'P' } }), 'not_valid payer.country'],
    [given({ payer: { country: 'P1' } }), 'not_valid payer.country'],
    [given({ payer: { country: 48 } }), 'not_string payer.country'],
    [given({ payer: { ip: '256.1.1.1' } }), 'not_valid payer.ip'],
    [given({ payer: { ip: '1.2.3' } }), 'not_valid payer.ip'],
    [given({ payer: { ip: '::g' } }), 'not_valid payer.ip'],
    [given({ payer: { ip: 'localhost' } }), 'not_valid payer.ip'],
    [given({ payer: { ip: '' } }), 'not_valid payer.ip'],
    [given({ payer: { ip: 16909060 } }), 'not_string payer.ip'],
    [given({ pay: 64 }), 'not_object pay'],
    [given({ pay: { channelId: '64' } }), 'not_integer pay.channelId'],
    [given({ pay: { channelId: 64.5 } }), 'not_integer pay.channelId'],
    [given({ pay: { channelId: true } }), 'not_integer pay.channelId'],
    [given({ pay: { channelId: 0 } }), 'too_low pay.channelId'],
    [given({ pay: { channelId: 9999 } }), 'not_valid pay.channelId'],
    [given({ pay: { channelId: 4_294_967_360 } }), 'not_valid pay.channelId'],
    // It exists, but this account does not have it.
    [given({ pay: { channelId: 75 } }), 'not_valid pay.channelId'],
    [given({ pay: { groupId: 170 } }), 'not_valid pay.groupId'],
    [given({ pay: { groupId: 9999 } }), 'not_valid pay.groupId'],
    [given({ pay: { groupId: '150' } }), 'not_integer pay.groupId'],
    [given({ pay: { channelId: 64, groupId: 150 } }), 'channel_passed_with_group pay.channelId'],
    [given({ pay: { method: 'cash' } }), 'not_valid pay.method'],
    [given({ callbacks: [] }), 'not_object callbacks'],
    [given({ callbacks: { payerUrls: 'https://x.example' } }), 'not_object callbacks.payerUrls'],
    [given({ callbacks: { payerUrls: { success: 'shop' } } }), 'not_valid callbacks.payerUrls.success'],
    [given({ callbacks: { payerUrls: { error: 'ftp://x.example/' } } }), 'not_valid callbacks.payerUrls.error'],
    [given({ callbacks: { payerUrls: { error: 'javascript:alert(1)' } } }), 'not_valid callbacks.payerUrls.error'],
    [given({ callbacks: { notification: { url: 'https://a:b@x.example/' } } }), 'not_valid callbacks.notification.url'],
    [
      given({ callbacks: { notification: { url: `https://x.example/${'a'.repeat(2048)}` } } }),
      'too_long callbacks.notification.url',
    ],
    [
      given({ callbacks: { notification: { url: 5, email: 'no' } } }),
      'not_string callbacks.notification.url',
      'not_valid callbacks.notification.email',
    ],
  ] as [object, ...string[]][]) {
    test(`${faults.join(', ')}: ${JSON.stringify(body).slice(0, 100)}`, () => refused({ body }, faults));
  }

  // Guarantee: a number too long for a double is reported as a fault of the field's own type.
  test('a long number where a text belongs', () =>
    refused({ raw: '{"amount": 1, "description": 12345678901234567890}', headers: json }, ['not_string description']));

  // Guarantee: text that the database could not return unchanged is refused, not altered.
  test('half of a surrogate pair', () =>
    refused({ raw: '{"amount": 1, "description": "\\ud800x"}', headers: json }, ['not_valid description']));

  // Guarantee: all faults of a body are reported together, of any kind (docs/decisions/0002).
  test('all faults at once', () =>
    refused(
      {
        body: {
          amount: -5,
          hiddenDescription: 'a\0b',
          currency: 'USD',
          lang: 'xx',
          payer: { email: 'no', ip: 'no', country: 'pl', name: 7 },
          pay: { channelId: 64, groupId: 150, method: 'cash' },
          callbacks: { payerUrls: { success: 'no', error: 1 }, notification: { url: 'no', email: 'no' } },
        },
      },
      [
        'too_low amount',
        'field_required description',
        'not_valid hiddenDescription',
        'not_valid currency',
        'not_valid lang',
        'not_valid payer.email',
        'not_valid payer.ip',
        'not_valid payer.country',
        'not_string payer.name',
        'channel_passed_with_group pay.channelId',
        'not_valid pay.method',
        'not_valid callbacks.payerUrls.success',
        'not_string callbacks.payerUrls.error',
        'not_valid callbacks.notification.url',
        'not_valid callbacks.notification.email',
      ],
    ));

  test('a channel that the account lacks, with other faults', () =>
    refused({ body: { amount: 0, description: 'x', pay: { channelId: 75 } } }, [
      'too_low amount',
      'not_valid pay.channelId',
    ]));

  // Guarantee: an unreadable body is one fault without a field.
  const bytes = (...parts: (string | number[])[]) =>
    new Uint8Array(
      Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))),
    );
  for (const [name, raw] of [
    ['not JSON', 'amount=1'],
    ['cut off', '{"amount": 1, "description": "x"'],
    ['a comma too many', '{"amount": 1, "description": "x",}'],
    ['two values', '{"amount": 1, "description": "x"} {}'],
    ['NaN', '{"amount": NaN, "description": "x"}'],
    ['only spaces', '   '],
    ['single quotes', "{'amount': 1}"],
    ['invalid UTF-8', bytes('{"amount": 1, "description": "', [0xc3, 0x28], '"}')],
    ['an encoded surrogate', bytes('{"amount": 1, "description": "', [0xed, 0xa0, 0x80], '"}')],
    ['UTF-16', bytes([...Buffer.from('{"amount": 1, "description": "x"}', 'utf16le')])],
    ['nested too deep', `{"amount": 1, "description": "x", "deep": ${'['.repeat(40)}${']'.repeat(40)}}`],
    ['nested far too deep', '['.repeat(60_000)],
  ] as const) {
    test(`unreadable: ${name}`, () => refused({ raw, headers: json }, ['invalid_request_body']));
  }

  // Guarantee: brackets inside a string do not count as nesting.
  test('brackets in a text are only text', () =>
    refused({ body: { amount: 0, description: `${'[{'.repeat(60)}\\"` } }, ['too_low amount']));

  for (const raw of ['[]', '"x"', '5', 'null', 'true', `[${JSON.stringify(smallest)}]`]) {
    test(`not an object: ${raw}`, () => refused({ raw, headers: json }, ['not_object']));
  }

  // Guarantee: an empty body is {}, whatever its content type (docs/api.md#conventions).
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'nonsense', undefined]) {
    test(`an empty body with the content type ${type}`, () =>
      refused({ raw: new Uint8Array(0), headers: type === undefined ? {} : { 'content-type': type } }, [
        'field_required amount',
        'field_required description',
      ]));
  }

  // Guarantee: a key that cannot be stored is refused before anything is done.
  for (const key of ['', ' ', 'a b', 'x'.repeat(256), 'caf\u00e9']) {
    test(`Idempotency-Key "${key.slice(0, 20)}"`, () =>
      refused({ body: smallest, headers: { 'idempotency-key': key } }, ['not_valid Idempotency-Key']));
  }
});

suite('POST /transactions, other refusals: nothing is created', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });

  async function refused(asking: Asking, status: number, fault: string) {
    const answer = await service.ask('POST', '/transactions', asking);
    assert.equal(answer.status, status, answer.text);
    assert.deepEqual(faultsOf(answer), [fault]);
    assert.equal(await totalOf(service, merchant), 0);
    return answer;
  }

  // Guarantee: without a live token there is no access, and all such responses look alike.
  for (const [name, authorization] of [
    ['no header', undefined],
    ['an unknown token', `Bearer ${'A'.repeat(43)}`],
    ['a malformed token', 'Bearer abc'],
    ['an empty token', 'Bearer '],
    ['another scheme', 'Token abc'],
    ['a very long token', `Bearer ${'A'.repeat(5_000)}`],
  ] as const) {
    test(`401: ${name}`, async () => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const answer = await refused({ body: smallest, headers }, 401, 'invalid_token');
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    });
  }

  // Guarantee: access is decided before the body is read.
  test('401 comes before 400', async () => {
    await refused({ raw: '{', headers: json }, 401, 'invalid_token');
  });

  // Guarantee: a read-only credential can read and cannot write.
  test('403: a read-only credential', async () => {
    const reader = await aCredential(service, merchant, 'read_only');
    await refused({ token: reader.token, body: smallest }, 403, 'access_denied');
    assert.equal(await totalOf(service, reader), 0);
  });

  // Guarantee: the response to a wrong method names the right ones, with or without a token, whatever the body.
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    test(`405: ${method}`, async () => {
      const raw = method === 'OPTIONS' ? {} : { raw: '{', headers: json };
      for (const token of [merchant.token, undefined]) {
        const answer = await service.ask(method, '/transactions', { ...(token ? { token } : {}), ...raw });
        assert.equal(answer.status, 405);
        assert.deepEqual(faultsOf(answer), ['method_not_allowed']);
        const allow = answer.headers.get('allow') ?? '';
        assert.deepEqual(allow.split(', ').sort(), ['GET', 'HEAD', 'POST']);
        assert.ok(answer.body.errors[0].errorMessage.includes(allow), answer.text);
      }
    });
  }

  // Guarantee: one byte over the limit is refused, with a length or chunked, and the response names the limit.
  test('413: a body over 64 KiB', async () => {
    const raw = new Uint8Array(65_537).fill(32);
    const answer = await refused({ token: merchant.token, raw, headers: json }, 413, 'body_too_large');
    assert.match(answer.text, /at most 64 KiB/);
  });

  test('413: a body over 64 KiB in chunks', async () => {
    const answer = await fetch(`${service.url}/transactions`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${merchant.token}` },
      body: new Blob([new Uint8Array(70_000).fill(32)]).stream(),
      duplex: 'half',
    });
    assert.equal(answer.status, 413);
    assert.equal(((await answer.json()) as { result: string }).result, 'failed');
  });

  // Guarantee: a body of an unsupported type is refused, not guessed.
  for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'jsonish', undefined]) {
    test(`415: content type ${type}`, async () => {
      await refused(
        {
          token: merchant.token,
          raw: new Uint8Array(Buffer.from(JSON.stringify(smallest))),
          headers: type === undefined ? {} : { 'content-type': type },
        },
        415,
        'unsupported_media_type',
      );
    });
  }

  // Guarantee: a key stands for one request; with other data it creates nothing (more in idempotency.test.ts).
  test('422: a key reused with other data', async () => {
    const other = await aMerchant(service);
    const headers = { 'idempotency-key': 'order-1' };
    const first = await service.ask('POST', '/transactions', { token: other.token, body: smallest, headers });
    const second = await service.ask('POST', '/transactions', {
      token: other.token,
      body: { ...smallest, amount: 10.11 },
      headers,
    });
    assert.deepEqual([first.status, second.status], [200, 422]);
    assert.deepEqual(faultsOf(second), ['idempotency_key_reused']);
    assert.equal(await totalOf(service, other), 1);
  });
});

suite('POST /transactions, 429 and 503', () => {
  // Guarantee: guessing tokens is slow, and does not affect known callers.
  test('429: too many unknown tokens from one address', async () => {
    const service = await aService({ config: { addressRequestsPerSecond: 50 } });
    const { token } = await aMerchant(service);
    const create = (given: string) => service.ask('POST', '/transactions', { token: given, body: smallest });
    assert.equal((await create(token)).status, 200);
    const guess = (number: number) => create(String(number).padStart(43, 'x'));
    const statuses = new Map<number, number>();
    for (let ten = 0; ten < 21; ten += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, (_, one) => guess(ten * 10 + one)));
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    // One of the two seconds' worth was the request for the token.
    assert.deepEqual(
      statuses,
      new Map([
        [401, 99],
        [429, 111],
      ]),
    );
    const refused = await guess(0);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal((await create(token)).status, 200);
    service.world.wall.advance({ seconds: 1 });
    assert.equal((await guess(0)).status, 401);
    assert.equal((await create(token)).status, 200);
  });

  // Guarantee: an account over its limit is told how long to wait, and affects no other account.
  test('429 with Retry-After', async () => {
    const service = await aService({ config: { requestsPerSecond: 2 } });
    const [merchant, other] = [await aMerchant(service), await aMerchant(service)];
    const create = (token: string) => service.ask('POST', '/transactions', { token, body: smallest });
    for (let burst = 0; burst < 4; burst += 1) assert.equal((await create(merchant.token)).status, 200);
    const answer = await create(merchant.token);
    assert.equal(answer.status, 429);
    assert.deepEqual(faultsOf(answer), ['too_many_requests']);
    assert.equal(answer.headers.get('retry-after'), '1');
    assert.equal((await create(other.token)).status, 200);
    service.world.wall.advance({ seconds: 1 });
    assert.equal(await totalOf(service, merchant), 4);
    assert.equal((await create(merchant.token)).status, 200);
    assert.equal((await create(merchant.token)).status, 429);
  });

  // Guarantee: when the system clock is set back, nobody is locked out for the difference.
  test('a clock that is set back does not use up the limit', async () => {
    const service = await aService({ config: { requestsPerSecond: 2 } });
    const merchant = await aMerchant(service);
    assert.equal(await totalOf(service, merchant), 0);
    service.world.wall.advance({ minutes: -10 });
    assert.equal(await totalOf(service, merchant), 0);
  });

  // Guarantee: when the database is slower than the callers, the queue stays bounded and the rest are told to retry;
  // queued requests are completed.
  test('503 with Retry-After when the queue is full', async () => {
    const service = await aService({ batchLimits: { rowsAtMost: 1, lanes: 1, queueAtMost: 2 } });
    const merchant = await aMerchant(service);
    const blocker = new pg.Client({ connectionString: service.world.databaseUrl });
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('lock table transaction in exclusive mode');
    const statuses: number[] = [];
    let refusals = 0;
    const threeRefused = Promise.withResolvers<void>();
    const create = async () => {
      const answer = await service.ask('POST', '/transactions', { token: merchant.token, body: smallest });
      statuses.push(answer.status);
      if (answer.status === 503) {
        assert.deepEqual(faultsOf(answer), ['service_unavailable']);
        assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
        refusals += 1;
        if (refusals === 3) threeRefused.resolve();
      }
    };
    const first = create();
    await untilBlocked(service.world.databaseUrl);
    // One is in flight, two wait.
    const all = [first, ...Array.from({ length: 5 }, create)];
    await threeRefused.promise;
    await blocker.query('rollback');
    await blocker.end();
    await Promise.all(all);
    assert.deepEqual(statuses.sort(), [200, 200, 200, 503, 503, 503]);
    assert.equal(await totalOf(service, merchant), 3);
  });
});
