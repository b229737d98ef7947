// M6, GET /marketplace/v1/transaction/{id}.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  aChild,
  aPaidSplit,
  aPartner,
  aSplit,
  checkDenied,
  checkMethods,
  checkNotFound,
  paySplit,
  refundSplit,
  showSplit,
  type TestPartner,
} from '../support/marketplace.ts';
import { checkInvariants, passTime } from '../support/payments.ts';
import { fund } from '../support/refunds.ts';
import { aCredential, aService, type Service, type TestMerchant } from '../support/service.ts';

const pathOf = (id: string) => `/marketplace/v1/transaction/${id}`;
const tea = { externalId: 'tea', name: 'Tea', quantity: 2.5, unitPrice: 200 };

suite('GET /marketplace/v1/transaction/{id}', () => {
  let service: Service;
  let partner: TestPartner;

  before(async () => {
    service = await aService();
    partner = await aPartner(service, [{ paymentFeeMinor: 15n, refundFeeMinor: 7n }, {}]);
    for (const seller of partner.sellers) await fund(service, seller, 10_000n);
  });
  after(() => checkInvariants(service.world));

  // Guarantee: the whole transaction, with every field.
  test('200: pending', async () => {
    const id = await aSplit(service, partner, [aChild(partner, 0, 1_000, { commission: 50, products: [tea] })]);
    const answer = await showSplit(service, partner, id);
    const { body } = answer;
    assert.deepEqual(body, {
      result: 'success',
      requestId: answer.headers.get('x-request-id'),
      transactionId: id,
      title: body.title,
      posId: partner.posId,
      status: 'pending',
      date: { creation: '2026-03-10 10:00:00', realization: null },
      amount: 1_000,
      currency: 'PLN',
      description: 'Cart',
      hiddenDescription: 'cart-1',
      billingAddress: { email: 'payer@example.com', name: 'Jan Nowak' },
      paymentUrl: body.paymentUrl,
      childTransactions: [
        {
          id: body.childTransactions[0].id,
          merchant: { id: partner.sellers[0]?.id },
          amount: 1_000,
          description: 'Part 0',
          hiddenDescription: '',
          fee: 15,
          commission: 50,
          refunded: 0,
          commissionReturned: 0,
          products: [{ ...tea, refundedQuantity: 0 }],
        },
      ],
      payments: { status: 'pending', channelId: null, groupId: null, attempts: [] },
      refunds: [],
    });
  });

  // Guarantee: attempts in order, refunds newest first, with what each took from which child and product.
  test('200: declined, paid and refunded twice', async () => {
    const children = [aChild(partner, 0, 1_000, { commission: 50, products: [tea] }), aChild(partner, 1, 30)];
    const id = await aSplit(service, partner, children);
    await paySplit(service, partner, id, { blikPaymentData: { blikToken: '222123' } });
    await paySplit(service, partner, id);
    const [first, second] = (await showSplit(service, partner, id)).body.childTransactions;
    const products = [{ ...tea, quantity: 0.5 }];
    const one = await refundSplit(service, partner, id, { childTransactions: [{ id: first.id, products }] });
    await passTime(service.world, { minutes: 1 }, 2);
    const two = await refundSplit(service, partner, id, { childTransactions: [{ id: second.id, amount: 30 }] });
    const { body } = await showSplit(service, partner, id);
    assert.equal(body.status, 'paid');
    assert.notEqual(body.date.realization, null);
    assert.deepEqual(
      body.payments.attempts.map(({ status, amount }: Record<string, unknown>) => [status, amount]),
      [
        ['declined', 1_030],
        ['correct', 1_030],
      ],
    );
    assert.deepEqual(
      body.refunds.map(({ date: _date, ...rest }: { date: unknown }) => rest),
      [
        {
          refundId: two.body.refundId,
          status: 'BLIK_pending',
          amount: 30,
          fee: 0,
          childTransactions: [
            {
              id: second.id,
              merchantId: partner.sellers[1]?.id,
              amount: 30,
              fee: 0,
              commissionReturned: 0,
              products: [],
            },
          ],
        },
        {
          refundId: one.body.refundId,
          status: 'BLIK_processed',
          amount: 100,
          fee: 7,
          childTransactions: [
            {
              id: first.id,
              merchantId: partner.sellers[0]?.id,
              amount: 100,
              fee: 7,
              commissionReturned: 5,
              products: [{ externalId: 'tea', quantity: 0.5, unitPrice: 200 }],
            },
          ],
        },
      ],
    );
    assert.equal(body.childTransactions[0].products[0].refundedQuantity, 0.5);
  });

  // Guarantee: children in the order of the request.
  test('200: 100 children', async () => {
    const children = Array.from({ length: 100 }, (_, index) =>
      aChild(partner, index % 2, index + 20, { products: [{ ...tea, externalId: `p${index}` }] }),
    );
    const id = await aSplit(service, partner, children);
    const { childTransactions } = (await showSplit(service, partner, id)).body;
    assert.deepEqual(
      childTransactions.map((child: { amount: number; products: { externalId: string }[] }) => [
        child.amount,
        child.products[0]?.externalId,
      ]),
      children.map((_, index) => [index + 20, `p${index}`]),
    );
  });

  // Guarantee: 100 refunds are shown, the latest ones.
  test('200: more than 100 refunds', async () => {
    const id = await aPaidSplit(service, partner, [aChild(partner, 1, 1_000)]);
    const merchantId = partner.sellers[1]?.id;
    let last = '';
    for (let count = 0; count < 101; count += 1) {
      const { body } = await refundSplit(service, partner, id, { childTransactions: [{ merchantId, amount: 1 }] });
      last = body.refundId;
      service.world.clock.advance({ seconds: 1 });
    }
    const { refunds, childTransactions } = (await showSplit(service, partner, id)).body;
    assert.deepEqual([refunds.length, refunds[0].refundId, childTransactions[0].refunded], [100, last, 101]);
  });

  // Guarantee: refunds of as many products as fit into a request do not add up in the response: the latest are shown,
  // and it is no larger than the largest transaction.
  test('200: refunds with tens of thousands of products', async () => {
    const cents = { externalId: 'a', quantity: 1_000_000, unitPrice: 1 };
    const merchantId = partner.sellers[1]?.id;
    const id = await aPaidSplit(service, partner, [aChild(partner, 1, 1_000_000, { products: [cents] })]);
    const products = Array.from({ length: 1_000 }, () => ({ ...cents, quantity: 1 }));
    const body = { childTransactions: Array.from({ length: 22 }, () => ({ merchantId, products })) };
    const made: string[] = [];
    for (const refund of [body, body, body, { childTransactions: [{ merchantId, amount: 1 }] }]) {
      const answer = await refundSplit(service, partner, id, refund);
      assert.equal(answer.status, 200, answer.text);
      made.unshift(answer.body.refundId);
    }
    const shown = await showSplit(service, partner, id);
    assert.deepEqual(
      shown.body.refunds.map(({ refundId }: { refundId: string }) => refundId),
      made.slice(0, 2),
    );
    assert.equal(shown.body.childTransactions[0].refunded, 66_001);
    assert.ok(shown.text.length < 2_097_152, `${shown.text.length} characters`);
    const listed = await service.ask('GET', `/transactions/${id}/refunds`, { token: partner.token });
    assert.equal(listed.body.total, 4);
  });

  // Guarantee: who may only read cannot pay.
  test('200: a read-only credential sees no pay page', async () => {
    const id = await aSplit(service, partner, [aChild(partner, 0, 100)]);
    const reader = await aCredential(service, partner, 'read_only');
    const { status, body } = await showSplit(service, reader, id);
    assert.deepEqual([status, body.paymentUrl], [200, '']);
  });

  test('401, 403: who may', async () => {
    const id = await aSplit(service, partner, [aChild(partner, 0, 100)]);
    const call = (who: TestMerchant | undefined, of: string) =>
      service.ask('GET', pathOf(of), who ? { token: who.token } : {});
    await checkDenied(service, partner, call, { id, writes: false });
  });

  // Guarantee: not even a seller of the transaction sees it.
  test('404: foreign, standard and malformed ids', () =>
    checkNotFound(service, partner, (who, id) => service.ask('GET', pathOf(id), who ? { token: who.token } : {})));

  test('405: other methods', () => checkMethods(service, pathOf('x'), 'HEAD, GET'));
});
