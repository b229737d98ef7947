// M1, POST /marketplace/v1/transaction.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { addPos, changeAccount, changePos } from '../../src/accounts/index.ts';
import { readInteger, readText } from '../../src/database/index.ts';
import { knownId } from '../../src/kernel/index.ts';
import {
  aChild,
  aPartner,
  aSplit,
  balancesOf,
  checkDenied,
  checkMethods,
  createSplit,
  paySplit,
  showSplit,
  splitBody,
  type TestPartner,
} from '../support/marketplace.ts';
import { checkInvariants, show } from '../support/payments.ts';
import { aMerchant, aService, faultsOf, type Service, serve } from '../support/service.ts';

const path = '/marketplace/v1/transaction';
const product = { externalId: 'tea', name: 'Tea', quantity: 1, unitPrice: 100 };

suite('POST /marketplace/v1/transaction', () => {
  let service: Service;
  let partner: TestPartner;

  before(async () => {
    service = await aService({ catchMail: true });
    partner = await aPartner(service, [
      { paymentFeeBasisPoints: 150, paymentFeeMinor: 10n },
      { channels: [53, 64] },
      { channels: [21, 64, 106] },
    ]);
  });
  after(() => checkInvariants(service.world));

  const ask = (body: unknown, headers: Record<string, string> = {}) =>
    service.ask('POST', path, { token: partner.token, body, headers });
  const total = () =>
    service.world.db.sql.one((row) => readInteger(row, 'count'))`
      select count(*)::integer as count from transaction where merchant_id = ${partner.id}`;
  const mailsTo = (address: string) =>
    service.world.db.sql.many((row) => ({ subject: readText(row, 'subject'), language: readText(row, 'language') }))`
      select subject, language from mail where recipient = ${address} order by id`;

  suite('200', () => {
    // Guarantee: the required fields are enough; the answer has the five fields of the interface.
    test('with as little as possible', async () => {
      const child = { amount: 1, description: 'Tea', merchant: { id: partner.sellers[0]?.id }, products: [] };
      const answer = await ask({
        currency: 'PLN',
        description: 'Cart',
        pos: { id: partner.posId },
        billingAddress: { email: 'least@example.com', name: 'Jan' },
        childTransactions: [child],
      });
      assert.equal(answer.status, 200, answer.text);
      const { body } = answer;
      assert.deepEqual(Object.keys(body), ['result', 'requestId', 'transactionId', 'title', 'paymentUrl']);
      assert.equal(body.result, 'success');
      assert.equal(body.requestId, answer.headers.get('x-request-id'));
      assert.match(body.transactionId, /^[0-9A-Z]{26}$/);
      assert.match(body.title, /^TR-[0-9A-Z]{4}-[0-9A-Z]{7}$/);
      assert.ok(body.paymentUrl.startsWith(`${service.world.config.baseUrl}/pay/${body.transactionId}.`));
      const shown = (await showSplit(service, partner, body.transactionId)).body;
      assert.deepEqual(
        [shown.status, shown.amount, shown.hiddenDescription, shown.childTransactions.length],
        ['pending', 1, '', 1],
      );
      assert.deepEqual(
        (await mailsTo('least@example.com')).map(({ language }) => language),
        ['pl'],
        'the language of the country of the partner',
      );
    });

    // Guarantee: everything that is given is kept.
    test('with everything', async () => {
      const id = await aSplit(
        service,
        partner,
        [
          aChild(partner, 0, 12_345, {
            hiddenDescription: 'part-1',
            commission: 500,
            products: [product, { externalId: 'x', quantity: 0.000001, unitPrice: 0 }],
          }),
          aChild(partner, 1, 55),
        ],
        {
          hiddenDescription: 'order-7',
          languageCode: 'En',
          preSelectedChannelId: 64,
          billingAddress: {
            email: 'all@example.com',
            name: 'Jan Nowak',
            phone: '+48600100200',
            street: 'Długa',
            houseNo: '12',
            flatNo: '3',
            postalCode: '00-001',
            city: 'Warszawa',
            country: 'DE',
          },
          transactionCallbacks: [
            { type: 1, value: 'https://shop.example/ok' },
            { type: 2, value: 'https://shop.example/error' },
            { type: 3, value: 'https://shop.example/told' },
            { type: 4, value: 'shop@example.com' },
          ],
          transactionEmails: { transactionCreated: true },
        },
      );
      const { body } = await showSplit(service, partner, id);
      assert.deepEqual(
        [body.amount, body.currency, body.description, body.hiddenDescription, body.posId],
        [12_400, 'PLN', 'Cart', 'order-7', partner.posId],
      );
      assert.deepEqual(body.billingAddress, { email: 'all@example.com', name: 'Jan Nowak' });
      const [first, second] = body.childTransactions;
      assert.deepEqual(
        { ...first, id: '' },
        {
          id: '',
          merchant: { id: partner.sellers[0]?.id },
          amount: 12_345,
          description: 'Part 0',
          hiddenDescription: 'part-1',
          fee: 195,
          commission: 500,
          refunded: 0,
          commissionReturned: 0,
          products: [
            { ...product, refundedQuantity: 0 },
            { externalId: 'x', name: '', quantity: 0.000001, unitPrice: 0, refundedQuantity: 0 },
          ],
        },
      );
      assert.deepEqual([second.fee, second.commission, second.products], [0, 0, []]);
      const { payer } = (await show(service, partner, id)).body;
      assert.deepEqual(
        [payer.phone, payer.address, payer.city, payer.postalCode, payer.country],
        ['+48600100200', 'Długa 12/3', 'Warszawa', '00-001', 'DE'],
      );
      const [kept] = await service.world.db.sql.many((row) => row)`
        select lang, channel_id, success_url, error_url, notification_url, notification_email from transaction where id = ${id}`;
      assert.deepEqual(Object.values(kept ?? {}), [
        'en',
        64,
        'https://shop.example/ok',
        'https://shop.example/error',
        'https://shop.example/told',
        'shop@example.com',
      ]);
      assert.deepEqual(
        (await mailsTo('all@example.com')).map(({ language }) => language),
        ['en'],
      );
    });

    // Guarantee: the mail is in the language of the request, in any case, and can be switched off.
    for (const [languageCode, language, subject] of [
      ['PL', 'pl', 'Market: płatność'],
      ['pl', 'pl', 'Market: płatność'],
      ['EN', 'en', 'Payment of'],
      ['eN', 'en', 'Payment of'],
      ['De', 'de', 'Zahlung'],
      ['FR', 'fr', 'Paiement'],
      ['it', 'it', 'Pagamento'],
      ['ES', 'es', 'Pago'],
      ['uk', 'uk', ''],
      ['Ru', 'ru', ''],
    ] as const) {
      test(`languageCode ${languageCode}`, async () => {
        const email = `${languageCode}@example.com`;
        await aSplit(service, partner, [aChild(partner, 0, 100)], {
          languageCode,
          billingAddress: { email, name: 'Jan' },
        });
        const [mail, ...more] = await mailsTo(email);
        assert.equal(more.length, 0);
        assert.equal(mail?.language, language);
        assert.ok(mail?.subject.startsWith(subject), mail?.subject);
        assert.match(mail?.subject ?? '', language === 'pl' ? /Market.*1,00/ : /1[.,]00.*Market/);
      });
    }
    test('no mail if none is wanted', async () => {
      const billingAddress = { email: 'quiet@example.com', name: 'Jan' };
      const transactionEmails = { transactionCreated: false };
      await aSplit(service, partner, [aChild(partner, 0, 100)], { billingAddress, transactionEmails });
      assert.deepEqual(await mailsTo('quiet@example.com'), []);
    });

    // Guarantee: null for an optional field means "not given".
    test('null', async () => {
      const child = aChild(partner, 0, 100, {
        hiddenDescription: null,
        commission: null,
        products: [{ ...product, name: null }],
      });
      const answer = await createSplit(service, partner, [child], {
        hiddenDescription: null,
        languageCode: null,
        preSelectedChannelId: null,
        transactionCallbacks: null,
        transactionEmails: { transactionCreated: null },
        billingAddress: { email: 'null@example.com', name: 'Jan', phone: null, street: null, country: null },
      });
      assert.equal(answer.status, 200, answer.text);
      assert.equal((await mailsTo('null@example.com')).length, 1);
    });

    // Guarantee: unknown fields are ignored and named.
    test('unknown fields', async () => {
      const child = aChild(partner, 0, 100, { products: [{ ...product, tint: 'green' }], weight: 1 });
      const { status, headers } = await createSplit(service, partner, [child], { color: 1 });
      assert.equal(status, 200);
      assert.deepEqual(
        headers.get('x-ignored-fields')?.split(', ').sort(),
        ['childTransactions.0.products.0.tint', 'childTransactions.0.weight', 'color'].sort(),
      );
    });

    // Guarantee: one seller may have several children; products are not compared with the amount, nor with each other.
    test('one seller twice, one product twice', async () => {
      const children = [
        aChild(partner, 0, 100, { products: [product, product] }),
        aChild(partner, 0, 1, { products: [{ ...product, unitPrice: 9_999_999_999_999, quantity: 1_000_000_000 }] }),
      ];
      const { body } = await showSplit(service, partner, await aSplit(service, partner, children));
      assert.deepEqual(
        body.childTransactions.map(({ products }: { products: { quantity: number; unitPrice: number }[] }) =>
          products.map(({ quantity, unitPrice }) => [quantity, unitPrice]),
        ),
        [
          [
            [1, 100],
            [1, 100],
          ],
          [[1_000_000_000, 9_999_999_999_999]],
        ],
      );
    });

    // Guarantee: 100 children are accepted and paid, all of them in one journal.
    test('100 children', async () => {
      const market = await aPartner(service, [{}, {}]);
      const children = Array.from({ length: 100 }, (_, index) =>
        aChild(market, index % 2, index + 1, { commission: index % 2 }),
      );
      const id = await aSplit(service, market, children);
      assert.equal((await paySplit(service, market, id)).body.status, 'paid');
      assert.deepEqual(await balancesOf(service, market), [2_500n, 2_500n, 50n]);
    });

    test('1,000 products in a child', async () => {
      const products = Array.from({ length: 1_000 }, (_, index) => ({ ...product, externalId: `p${index}` }));
      const id = await aSplit(service, partner, [aChild(partner, 0, 100, { products })]);
      const { body } = await showSplit(service, partner, id);
      assert.equal(body.childTransactions[0].products.length, 1_000);
      assert.equal(body.childTransactions[0].products[999].externalId, 'p999');
    });

    // Guarantee: the highest amount, alone or as a sum.
    for (const amounts of [[9_999_999_999_999], [9_999_999_999_998, 1]]) {
      test(`amounts of ${amounts.join(' + ')}`, async () => {
        const id = await aSplit(
          service,
          partner,
          amounts.map((amount) => aChild(partner, 1, amount)),
        );
        assert.equal((await showSplit(service, partner, id)).body.amount, 9_999_999_999_999);
      });
    }

    // Guarantee: quantities are exact to the sixth place.
    for (const quantity of [0.000001, 0.1, 0.3, 1.005, 33.333333, 999_999_999.999999, 1_000_000_000]) {
      test(`a quantity of ${quantity}`, async () => {
        const id = await aSplit(service, partner, [aChild(partner, 0, 100, { products: [{ ...product, quantity }] })]);
        const { body } = await showSplit(service, partner, id);
        assert.equal(body.childTransactions[0].products[0].quantity, quantity);
      });
    }

    // Guarantee: the partner may take all that the fee leaves, and nothing more.
    test('a commission of the whole amount', async () => {
      const market = await aPartner(service, [{ paymentFeeMinor: 30n }, {}]);
      const children = [aChild(market, 0, 100, { commission: 70 }), aChild(market, 1, 50, { commission: 50 })];
      const id = await aSplit(service, market, children);
      assert.equal((await paySplit(service, market, id)).body.status, 'paid');
      assert.deepEqual(await balancesOf(service, market), [0n, 0n, 120n]);
    });

    // Guarantee: a repeat under its key makes no second transaction and no second mail, and the fee stays that of the
    // first request.
    test('repeated under an idempotency key', async () => {
      const body = splitBody(partner, [aChild(partner, 0, 100)], {
        billingAddress: { email: 'once@example.com', name: 'Jan' },
      });
      const headers = { 'idempotency-key': 'create-1' };
      const first = await ask(body, headers);
      const second = await ask(body, headers);
      assert.equal(second.text, first.text);
      assert.equal(second.headers.get('idempotent-replayed'), 'true');
      assert.equal((await mailsTo('once@example.com')).length, 1);
      const other = await ask({ ...body, description: 'Other' }, headers);
      assert.deepEqual([other.status, faultsOf(other)], [422, ['idempotency_key_reused']]);
      assert.equal(other.body.reasons.length, 1);
    });

    // Guarantee: another point of sale of the partner, if it is active and verified.
    test('a second point of sale', async () => {
      const posId = await aPos({ active: true, verified: true });
      const id = await aSplit(service, partner, [aChild(partner, 0, 100)], { pos: { id: posId } });
      assert.equal((await showSplit(service, partner, id)).body.posId, posId);
    });
  });

  async function aPos({ active, verified }: { active: boolean; verified: boolean }): Promise<string> {
    const details = { name: 'Second', url: 'https://second.example', notificationUrl: null, verified };
    const id = await addPos(service.world, partner.id, details);
    await changePos(service.world, id, { active });
    return id;
  }

  suite('400', () => {
    const child = (more: object = {}) => aChild(partner, 0, 100, more);
    const withProduct = (more: object) => [child({ products: [{ ...product, ...more }] })];
    const callbacks = (...given: unknown[]) => ({ transactionCallbacks: given });

    // Guarantee: every rule of every field, with its place; nothing is stored.
    for (const [name, body, faults] of [
      [
        'nothing',
        () => ({}),
        [
          'field_required billingAddress',
          'field_required childTransactions',
          'field_required currency',
          'field_required description',
          'field_required pos',
        ],
      ],
      [
        'empty objects',
        () => splitBody(partner, [{}], { pos: {}, billingAddress: {} }),
        [
          'field_required billingAddress.email',
          'field_required billingAddress.name',
          'field_required childTransactions.0.amount',
          'field_required childTransactions.0.description',
          'field_required childTransactions.0.merchant',
          'field_required childTransactions.0.products',
          'field_required pos.id',
        ],
      ],
      ['no children', () => splitBody(partner, []), ['too_few childTransactions']],
      [
        'children that are no list',
        () => splitBody(partner, [], { childTransactions: {} }),
        ['not_array childTransactions'],
      ],
      [
        'a child that is no object',
        () => splitBody(partner, [1 as unknown as object]),
        ['not_object childTransactions.0'],
      ],
      [
        'a child that is null',
        () => splitBody(partner, [null as unknown as object]),
        ['not_object childTransactions.0'],
      ],
      [
        '101 children',
        () =>
          splitBody(
            partner,
            Array.from({ length: 101 }, () => child()),
          ),
        ['too_many childTransactions'],
      ],
      [
        '1,001 products',
        () => splitBody(partner, [child({ products: Array.from({ length: 1_001 }, () => product) })]),
        ['too_many childTransactions.0.products'],
      ],
      [
        'no products',
        () => splitBody(partner, [child({ products: undefined })]),
        ['field_required childTransactions.0.products'],
      ],
      [
        'products null',
        () => splitBody(partner, [child({ products: null })]),
        ['not_array childTransactions.0.products'],
      ],
      [
        'an empty product',
        () => splitBody(partner, [child({ products: [{}] })]),
        [
          'field_required childTransactions.0.products.0.externalId',
          'field_required childTransactions.0.products.0.quantity',
          'field_required childTransactions.0.products.0.unitPrice',
        ],
      ],
      ['another currency', () => splitBody(partner, [child()], { currency: 'EUR' }), ['not_valid currency']],
      ['pln', () => splitBody(partner, [child()], { currency: 'pln' }), ['not_valid currency']],
      ['an empty description', () => splitBody(partner, [child()], { description: '' }), ['too_short description']],
      [
        'a long description',
        () => splitBody(partner, [child()], { description: 'x'.repeat(129) }),
        ['too_long description'],
      ],
      [
        'a long hiddenDescription',
        () => splitBody(partner, [child()], { hiddenDescription: 'x'.repeat(256) }),
        ['too_long hiddenDescription'],
      ],
      ['an unknown language', () => splitBody(partner, [child()], { languageCode: 'xx' }), ['not_valid languageCode']],
      ['an empty language', () => splitBody(partner, [child()], { languageCode: '' }), ['not_valid languageCode']],
      [
        'a channel as text',
        () => splitBody(partner, [child()], { preSelectedChannelId: 'BLIK' }),
        ['not_integer preSelectedChannelId'],
      ],
      ['a malformed point of sale', () => splitBody(partner, [child()], { pos: { id: 'x' } }), ['not_valid pos.id']],
      [
        'a malformed seller',
        () => splitBody(partner, [child({ merchant: { id: 'x' } })]),
        ['not_valid childTransactions.0.merchant.id'],
      ],
      [
        'a seller in small letters',
        () => splitBody(partner, [child({ merchant: { id: String(partner.sellers[0]?.id).toLowerCase() } })]),
        ['not_valid childTransactions.0.merchant.id'],
      ],
      [
        'a bad payer',
        () =>
          splitBody(partner, [child()], {
            billingAddress: { email: 'x', name: '', country: 'Poland', phone: 'x'.repeat(33), houseNo: 1 },
          }),
        [
          'not_string billingAddress.houseNo',
          'not_valid billingAddress.country',
          'not_valid billingAddress.email',
          'too_long billingAddress.phone',
          'too_short billingAddress.name',
        ],
      ],
      ['an amount of zero', () => splitBody(partner, [child({ amount: 0 })]), ['too_low childTransactions.0.amount']],
      ['a negative amount', () => splitBody(partner, [child({ amount: -1 })]), ['too_low childTransactions.0.amount']],
      [
        'a decimal amount',
        () => splitBody(partner, [child({ amount: 1.5 })]),
        ['not_integer childTransactions.0.amount'],
      ],
      [
        'an amount as text',
        () => splitBody(partner, [child({ amount: '100' })]),
        ['not_integer childTransactions.0.amount'],
      ],
      [
        'an amount of null',
        () => splitBody(partner, [child({ amount: null })]),
        ['not_integer childTransactions.0.amount'],
      ],
      [
        'an amount over the limit',
        () => splitBody(partner, [child({ amount: 10_000_000_000_000 })]),
        ['too_high childTransactions', 'too_high childTransactions.0.amount'],
      ],
      [
        'a sum over the limit',
        () => splitBody(partner, [child({ amount: 9_999_999_999_999 }), child({ amount: 1 })]),
        ['too_high childTransactions'],
      ],
      [
        'a negative commission',
        () => splitBody(partner, [child({ commission: -1 })]),
        ['too_low childTransactions.0.commission'],
      ],
      [
        'an amount that no conversion makes a number',
        () => splitBody(partner, [child({ amount: { toString: 1, valueOf: 1 } }), child({ amount: '1e20' })]),
        ['not_integer childTransactions.0.amount', 'not_integer childTransactions.1.amount'],
      ],
      [
        'a decimal commission',
        () => splitBody(partner, [child({ commission: 0.5 })]),
        ['not_integer childTransactions.0.commission'],
      ],
      [
        'a commission over amount less fee',
        () => splitBody(partner, [child({ commission: 88 }), child({ commission: 89 })]),
        ['too_high childTransactions.1.commission'],
      ],
      [
        'a quantity of zero',
        () => splitBody(partner, withProduct({ quantity: 0 })),
        ['too_low childTransactions.0.products.0.quantity'],
      ],
      [
        'a negative quantity',
        () => splitBody(partner, withProduct({ quantity: -1 })),
        ['too_low childTransactions.0.products.0.quantity'],
      ],
      [
        'a quantity as text',
        () => splitBody(partner, withProduct({ quantity: '1' })),
        ['not_number childTransactions.0.products.0.quantity'],
      ],
      [
        'a quantity with seven places',
        () => splitBody(partner, withProduct({ quantity: 0.1234567 })),
        ['incorrect_precision childTransactions.0.products.0.quantity'],
      ],
      [
        'a quantity below the sixth place',
        () => splitBody(partner, withProduct({ quantity: 1e-7 })),
        ['incorrect_precision childTransactions.0.products.0.quantity'],
      ],
      [
        'a huge quantity',
        () => splitBody(partner, withProduct({ quantity: 1_000_000_001 })),
        ['too_high childTransactions.0.products.0.quantity'],
      ],
      [
        'a negative price',
        () => splitBody(partner, withProduct({ unitPrice: -1 })),
        ['too_low childTransactions.0.products.0.unitPrice'],
      ],
      [
        'a decimal price',
        () => splitBody(partner, withProduct({ unitPrice: 1.5 })),
        ['not_integer childTransactions.0.products.0.unitPrice'],
      ],
      [
        'an empty and a long text of a product',
        () => splitBody(partner, withProduct({ externalId: '', name: 'x'.repeat(256) })),
        ['too_long childTransactions.0.products.0.name', 'too_short childTransactions.0.products.0.externalId'],
      ],
      [
        'a NUL in a product',
        () => splitBody(partner, withProduct({ externalId: 'a\0b' })),
        ['not_valid childTransactions.0.products.0.externalId'],
      ],
      [
        'callbacks of unknown types',
        () => splitBody(partner, [child()], callbacks({ type: 0, value: 'x' }, { type: 5, value: 'x' }, { type: '1' })),
        [
          'field_required transactionCallbacks.2.value',
          'not_integer transactionCallbacks.2.type',
          'not_valid transactionCallbacks.0.value',
          'not_valid transactionCallbacks.1.value',
          'too_high transactionCallbacks.1.type',
          'too_low transactionCallbacks.0.type',
        ],
      ],
      [
        'callbacks with bad values',
        () =>
          splitBody(
            partner,
            [child()],
            callbacks(
              { type: 1, value: 'shop.example' },
              { type: 2, value: 'ftp://shop.example' },
              { type: 3, value: '' },
              { type: 4, value: 'https://shop.example' },
            ),
          ),
        [
          'not_valid transactionCallbacks.0.value',
          'not_valid transactionCallbacks.1.value',
          'not_valid transactionCallbacks.3.value',
          'too_short transactionCallbacks.2.value',
        ],
      ],
      [
        'a callback twice',
        () =>
          splitBody(
            partner,
            [child()],
            callbacks({ type: 1, value: 'https://shop.example/a' }, { type: 1, value: 'https://shop.example/b' }),
          ),
        ['not_valid transactionCallbacks.1.type'],
      ],
      [
        'five callbacks',
        () =>
          splitBody(
            partner,
            [child()],
            callbacks(...Array.from({ length: 5 }, () => ({ type: 1, value: 'https://shop.example' }))),
          ),
        [
          'not_valid transactionCallbacks.1.type',
          'not_valid transactionCallbacks.2.type',
          'not_valid transactionCallbacks.3.type',
          'too_many transactionCallbacks',
        ],
      ],
      [
        'a mail setting that is no boolean',
        () => splitBody(partner, [child()], { transactionEmails: { transactionCreated: 'false' } }),
        ['not_boolean transactionEmails.transactionCreated'],
      ],
      [
        'a channel that one seller lacks',
        () => splitBody(partner, [child(), aChild(partner, 2, 1)], { preSelectedChannelId: 53 }),
        ['not_valid preSelectedChannelId'],
      ],
      [
        'a channel that does not exist',
        () => splitBody(partner, [child()], { preSelectedChannelId: 54 }),
        ['not_valid preSelectedChannelId'],
      ],
      ['a list', () => [], ['not_object']],
    ] as [string, () => unknown, string[]][]) {
      test(name, async () => {
        const before = await total();
        const answer = await ask(body());
        assert.equal(answer.status, 400, answer.text);
        assert.deepEqual(faultsOf(answer), faults);
        assert.deepEqual(
          answer.body.violations,
          Object.fromEntries(
            answer.body.errors.map(({ fieldName, errorMessage }: Record<string, string>) => [fieldName, errorMessage]),
          ),
        );
        assert.equal(answer.body.reasons, undefined);
        assert.equal(await total(), before);
      });
    }

    // Guarantee: numbers that a double cannot represent are refused, not rounded.
    for (const [field, number, fault] of [
      ['amount', '12345678901234567890', 'too_high childTransactions.0.amount'],
      ['amount', '100.00000000000000001', 'not_integer childTransactions.0.amount'],
      ['amount', '1e400', 'not_integer childTransactions.0.amount'],
      ['quantity', '1.00000000000000001', 'incorrect_precision childTransactions.0.products.0.quantity'],
      ['unitPrice', '12345678901234567890', 'too_high childTransactions.0.products.0.unitPrice'],
    ] as const) {
      test(`${field} ${number}`, async () => {
        const text = JSON.stringify(splitBody(partner, [child({ products: [product] })]));
        const raw = text.replace(new RegExp(`"${field}":\\d+`), `"${field}":${number}`);
        const headers = { 'content-type': 'application/json' };
        const answer = await service.ask('POST', path, { token: partner.token, raw, headers });
        assert.equal(answer.status, 400, answer.text);
        assert.ok(faultsOf(answer).includes(fault), answer.text);
        if (field === 'quantity')
          assert.deepEqual(Object.values(answer.body.violations), ['Must have at most 6 decimal places.']);
      });
    }

    // Guarantee: all points of sale that cannot be paid at, each with its reason.
    test('points of sale', async () => {
      const other = await aMerchant(service, { kind: 'partner' });
      for (const [id, message] of [
        [await aPos({ active: false, verified: true }), 'The point of sale must be active and verified.'],
        [await aPos({ active: true, verified: false }), 'The point of sale must be active and verified.'],
        [other.posId, 'Is not a point of sale of your account.'],
        [partner.sellers[0]?.posId, 'Is not a point of sale of your account.'],
        [service.world.ids.ulid(), 'Is not a point of sale of your account.'],
      ] as const) {
        const answer = await createSplit(service, partner, [child()], { pos: { id } });
        assert.deepEqual([answer.status, answer.body.violations], [400, { 'pos.id': message }], answer.text);
      }
    });

    // Guarantee: the notification URL must be one that notifications may go to.
    test('private addresses', async () => {
      const { world } = service;
      const strict = { ...world.config, callbackPolicy: { allowHttp: false, allowPrivate: false } };
      const live = await serve({ ...world, config: strict });
      for (const value of ['http://shop.example', 'https://127.0.0.1/x', 'https://10.0.0.1', 'https://localhost']) {
        const body = splitBody(partner, [child()], callbacks({ type: 3, value }));
        const answer = await live.ask('POST', path, { token: partner.token, body });
        assert.deepEqual([answer.status, faultsOf(answer)], [400, ['not_valid transactionCallbacks.0.value']], value);
      }
      const body = splitBody(partner, [child()], callbacks({ type: 1, value: 'http://127.0.0.1/ok' }));
      const payerUrl = await live.ask('POST', path, { token: partner.token, body });
      assert.equal(payerUrl.status, 200, 'the payer goes there, not the service');
    });

    // Guarantee: the answer says how to do better.
    test('messages', async () => {
      const answer = await createSplit(service, partner, [child({ commission: 99 })], { preSelectedChannelId: 7 });
      assert.deepEqual(answer.body.violations, {
        preSelectedChannelId: 'Is not a payment method that all sellers of the transaction have.',
        'childTransactions.0.commission': 'Must be at most 88: the amount less the fee of the seller.',
      });
      const misspelled = await createSplit(service, partner, [{ ...child(), amount: undefined, ammount: 5 }]);
      assert.equal(misspelled.body.errors[0].devMessage, 'The request has ammount. Did you mean amount?');
    });
  });

  test('401, 403: who may', () =>
    checkDenied(
      service,
      partner,
      (who) =>
        service.ask('POST', path, {
          ...(who ? { token: who.token } : {}),
          body: splitBody(partner, [aChild(partner, 0, 100)]),
        }),
      { id: '', writes: true },
    ));

  suite('403', () => {
    // Guarantee: sellers of others are named together, whether they exist or not; nothing is stored.
    test('foreign sellers', async () => {
      const other = await aPartner(service, [{}]);
      const merchant = await aMerchant(service);
      const foreign = [other.sellers[0]?.id, merchant.id, partner.id, service.world.ids.ulid()];
      const children = [aChild(partner, 0, 100), ...foreign.map((id) => aChild(partner, 0, 100, { merchant: { id } }))];
      const before = await total();
      const answer = await createSplit(service, partner, children);
      assert.deepEqual([answer.status, faultsOf(answer)], [403, ['access_denied childTransactions.1.merchant.id']]);
      assert.deepEqual(answer.body.unassociatedMerchants, foreign);
      assert.deepEqual(answer.body.reasons, [
        `These merchants are not sellers of your marketplace: ${foreign.join(', ')}.`,
      ]);
      assert.equal(await total(), before);
    });

    // Guarantee: no payer gets a link to a page without a payment method.
    test('sellers without a method in common', async () => {
      const market = await aPartner(service, [{ channels: [53] }, { channels: [64] }]);
      const answer = await createSplit(service, market, [aChild(market, 0, 100), aChild(market, 1, 100)]);
      assert.deepEqual([answer.status, faultsOf(answer)], [400, ['not_valid childTransactions']]);
      assert.equal(answer.body.violations.childTransactions, 'The sellers have no payment method in common.');
    });

    // Guarantee: a blocked seller takes no new payments; each is named.
    test('blocked sellers', async () => {
      const market = await aPartner(service, [{}, {}, {}]);
      const [, second, third] = market.sellers;
      for (const seller of [second, third]) {
        const answer = await service.ask('POST', `/accounts/${seller?.id}`, {
          token: market.token,
          body: { status: 'blocked' },
        });
        assert.equal(answer.status, 200, answer.text);
      }
      const children = [0, 1, 2].map((seller) => aChild(market, seller, 100));
      const answer = await createSplit(service, market, children);
      assert.deepEqual(
        [answer.status, faultsOf(answer)],
        [403, ['access_denied childTransactions.1.merchant.id', 'access_denied childTransactions.2.merchant.id']],
      );
      assert.deepEqual(
        answer.body.reasons.sort(),
        [`The seller ${second?.id} is blocked.`, `The seller ${third?.id} is blocked.`].sort(),
      );
      assert.equal(answer.body.unassociatedMerchants, undefined);
      await changeAccount(service.world, knownId(String(second?.id)), { status: 'active' });
      assert.equal((await createSplit(service, market, children.slice(0, 2))).status, 200);
    });
  });

  test('404: for another account', async () => {
    const other = await aPartner(service, []);
    const answer = await ask(splitBody(partner, [aChild(partner, 0, 100)]), { 'x-merchant-id': other.id });
    assert.equal(answer.status, 404);
  });

  // Guarantee: a seller has no marketplace of its own, not even through its partner.
  test('403: for one of the sellers', async () => {
    const headers = { 'x-merchant-id': String(partner.sellers[0]?.id) };
    const answer = await ask(splitBody(partner, [aChild(partner, 0, 100)]), headers);
    assert.deepEqual([answer.status, faultsOf(answer)], [403, ['access_denied']]);
  });

  test('405: other methods', () => checkMethods(service, path, 'HEAD, POST, GET'));

  // Guarantee: a mebibyte is read, and not a byte more.
  test('413: a body over 1 MiB', async () => {
    const text = JSON.stringify(splitBody(partner, [aChild(partner, 0, 100)]));
    const padded = (bytes: number) => ' '.repeat(bytes - Buffer.byteLength(text)) + text;
    const send = (raw: string) =>
      service.ask('POST', path, { token: partner.token, raw, headers: { 'content-type': 'application/json' } });
    assert.equal((await send(padded(1_048_576))).status, 200);
    const answer = await send(padded(1_048_577));
    assert.deepEqual([answer.status, faultsOf(answer)], [413, ['body_too_large']]);
    assert.equal(answer.body.reasons.length, 1);
  });

  test('415: a form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await service.ask('POST', path, { token: partner.token, raw: 'a=1', headers });
    assert.equal(answer.status, 415);
    assert.equal(answer.body.reasons.length, 1);
  });
});
