// Payment data under a name that we do not know: whoever sent it meant to pay.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { aChild, aPartner, aSplit, createSplit, paySplit, type TestPartner } from '../support/marketplace.ts';
import { aTransaction, checkInvariants, show } from '../support/payments.ts';
import { aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('unknown payment data', () => {
  let service: Service;
  let merchant: TestMerchant;
  let partner: TestPartner;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    partner = await aPartner(service, [{}]);
  });
  after(() => checkInvariants(service.world));

  const create = (more: object) =>
    service.ask('POST', '/transactions', {
      token: merchant.token,
      body: { amount: 10, description: 'Tea', ...more },
    });

  const names = [
    'googlePayPaymentData',
    'applePayPaymentData',
    'paymentData',
    'BlikPaymentData',
    'blikpaymentdata',
    'BLIK_PAYMENT_DATA',
    'card-payment-data',
    'cardPaymentData ',
  ];

  // Guarantee: data that was meant to pay is never ignored, whatever its spelling and its place; nothing is created.
  for (const name of names) {
    test(`400 in E1, at the top and in pay: ${JSON.stringify(name)}`, async () => {
      assert.deepEqual(faultsOf(await create({ [name]: { token: 'x' } })), [`unexpected_field ${name}`.trim()]);
      const inPay = await create({ pay: { channelId: 64, [name]: 'x' } });
      assert.equal(inPay.status, 400);
      assert.deepEqual(faultsOf(inPay), [`unexpected_field pay.${name}`.trim()]);
    });
    test(`400 in E2 and M2: ${JSON.stringify(name)}`, async () => {
      const id = await aTransaction(service, merchant);
      const paid = await service.ask('POST', `/transactions/${id}/pay`, {
        token: merchant.token,
        body: { groupId: 150, blikPaymentData: { blikToken: '777123' }, [name]: 'x' },
      });
      assert.deepEqual([paid.status, ...faultsOf(paid)], [400, `unexpected_field ${name}`.trim()]);
      assert.deepEqual((await show(service, merchant, id)).body.payments.attempts, []);
      const split = await aSplit(service, partner, [aChild(partner, 0, 1_000)]);
      const answer = await paySplit(service, partner, split, {
        blikPaymentData: { blikToken: '777123' },
        [name]: { token: 'x' },
      });
      assert.deepEqual([answer.status, ...faultsOf(answer)], [400, `unexpected_field ${name}`.trim()]);
      assert.deepEqual(Object.keys(answer.body.violations), [name]);
    });
  }

  // Guarantee: it is found inside objects and lists that are otherwise ignored, and behind as many other fields as an object may have.
  test('400: nested, and among many fields', async () => {
    const many = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`x${index}`, 1]));
    const cases: [object, string][] = [
      [{ payment: { blikPaymentData: { blikToken: '777123' } } }, 'payment.blikPaymentData'],
      [{ ways: [{}, { way: { xPaymentData: 1 } }] }, 'ways.1.way.xPaymentData'],
      [{ payer: { email: 'a@example.com', cardPaymentData: {} } }, 'payer.cardPaymentData'],
      [
        { pay: { blikPaymentData: { blikToken: '777123', cardPaymentData: {} } } },
        'pay.blikPaymentData.cardPaymentData',
      ],
      [{ ...many, googlePayPaymentData: 'x' }, 'googlePayPaymentData'],
    ];
    for (const [body, field] of cases) {
      assert.deepEqual(faultsOf(await create(body)), [`unexpected_field ${field}`], field);
    }
    const id = await aTransaction(service, merchant);
    const body = { groupId: 150, pay: { blikPaymentData: { blikToken: '777123' } } };
    const paid = await service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body });
    assert.ok(faultsOf(paid).includes('unexpected_field pay.blikPaymentData'));
  });

  // Guarantee: M1 takes no payment data at all.
  test('400 in M1', async () => {
    const answer = await createSplit(service, partner, [aChild(partner, 0, 1_000)], {
      blikPaymentData: { blikToken: '777123' },
    });
    assert.deepEqual([answer.status, ...faultsOf(answer)], [400, 'unexpected_field blikPaymentData']);
  });

  // Guarantee: null means "not given" here too, and other unknown fields are ignored as before.
  test('200: null, and names that only contain it', async () => {
    const answer = await create({ applePayPaymentData: null, paymentDataKind: 'x', payer: { email: 'a@example.com' } });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('x-ignored-fields'), 'applePayPaymentData, paymentDataKind');
  });

  // Guarantee: the message says which names there are.
  test('what to send instead', async () => {
    const { body } = await create({ pay: { channelId: 64, blik_payment_data: {} } });
    assert.equal(body.errors[0].devMessage, 'Did you mean blikPaymentData?');
    const other = await create({ pay: { channelId: 64, voucherPaymentData: {} } });
    assert.match(other.body.errors[0].devMessage, /blikPaymentData, cardPaymentData, walletPayPaymentData/);
  });
});
