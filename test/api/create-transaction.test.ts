// E1, POST /transactions.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('POST /transactions', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });

  const create = (body: unknown) => service.ask('POST', '/transactions', { token: merchant.token, body });

  // Guarantee: the answer has exactly the fields of interface 2.1 and 2.2, nulls and empty strings included.
  test('200: the smallest request', async () => {
    const { status, body } = await create({ amount: 10.1, description: 'Order 1' });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      result: 'success',
      requestId: body.requestId,
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
      payments: { status: 'pending', method: null, amountPaid: 0, date: { realization: null } },
      transactionPaymentUrl: body.transactionPaymentUrl,
    });
  });

  // Guarantee: no amount changes on its way in and out.
  for (const amount of [0.01, 0.1, 10.1, 123.45, 0.29, 1.15, 4.35, 99999999999.99]) {
    test(`200: amount ${amount} comes back exactly`, async () => {
      const { body } = await create({ amount, description: 'x' });
      assert.equal(body.amount, amount);
      const shown = await service.ask('GET', `/transactions/${body.transactionId}`, { token: merchant.token });
      assert.equal(shown.body.amount, amount);
    });
  }

  // Guarantee: nothing that is no amount becomes one.
  for (const [spelled, fault] of [
    ['10.005', 'incorrect_precision amount'],
    ['10.0000000000000001', 'incorrect_precision amount'],
    ['"10"', 'not_number amount'],
    ['null', 'not_number amount'],
    ['true', 'not_number amount'],
    ['[5]', 'not_number amount'],
    ['0', 'too_low amount'],
    ['-1', 'too_low amount'],
    ['1e11', 'too_high amount'],
    ['1e400', 'not_number amount'],
  ] as const) {
    test(`400: amount ${spelled}`, async () => {
      const answer = await service.ask('POST', '/transactions', {
        token: merchant.token,
        raw: `{"amount": ${spelled}, "description": "x"}`,
        headers: { 'content-type': 'application/json' },
      });
      assert.equal(answer.status, 400);
      assert.deepEqual(faultsOf(answer), [fault]);
    });
  }
});
