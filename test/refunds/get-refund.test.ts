// E7, GET /refunds/{refundId}, and F1 to F3: holding, releasing and canceling.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import { aPaidTransaction, aTransaction, checkInvariants, payCard, settleAll, show } from '../support/payments.ts';
import { aRefund, fund, refund } from '../support/refunds.ts';
import { aCredential, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('one refund', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service, { refundFeeMinor: 100n });
    await fund(service, merchant, 100_000n);
  });
  after(() => checkInvariants(service.world));

  const balance = () => findBalance(service.world.db.sql, ledgerAccounts.available(merchant.id));
  const get = (id: string, of = merchant) => service.ask('GET', `/refunds/${id}`, { token: of.token });
  const change = (id: string, verb: string, of = merchant) =>
    service.ask('POST', `/refunds/${id}/${verb}`, { token: of.token });
  const stepsOf = (id: string) =>
    service.world.db.sql.many((row) => JSON.parse(readText(row, 'body')).data.refundStatus)`
      select body from event where subject_id = ${id} order by created_at, id`;
  async function aCardPayment(): Promise<string> {
    const id = await aTransaction(service, merchant);
    await payCard(service, merchant, id);
    return id;
  }
  async function pass(): Promise<void> {
    service.world.clock.advance({ seconds: 6 });
    await settleAll(service.world);
  }

  suite('GET /refunds/{refundId}', () => {
    test('200: the record and its transaction', async () => {
      const id = await aCardPayment();
      const refundId = await aRefund(service, merchant, id, { amount: 4 });
      const { status, body } = await get(refundId);
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body), [
        'result',
        'requestId',
        'refundId',
        'status',
        'amount',
        'currency',
        'date',
        'transactionId',
        'transactionTitle',
      ]);
      assert.deepEqual([body.status, body.amount, body.currency], ['New', 4, 'PLN']);
      assert.deepEqual(
        [body.transactionId, body.transactionTitle],
        [id, (await show(service, merchant, id)).body.title],
      );
      await pass();
      const done = await get(refundId);
      assert.equal(done.body.status, 'Done');
      assert.notEqual(done.body.date.processed, null);
      assert.deepEqual(await stepsOf(refundId), ['New', 'Pending', 'Processed', 'Done']);
    });

    test('200: a credential that may only read', async () => {
      const refundId = await aRefund(service, merchant, await aPaidTransaction(service, merchant));
      const reader = await aCredential(service, merchant, 'read_only');
      assert.equal((await get(refundId, reader)).status, 200);
    });

    test('401: no token', async () => {
      assert.equal((await service.ask('GET', '/refunds/01K9Z4M7Q2V5X8B1C3D6F9G0HJ')).status, 401);
    });

    // Guarantee: another merchant's refund gives the same response as a nonexistent one, byte for byte.
    test('404: foreign, unknown and malformed ids, to look at or to change', async () => {
      const refundId = await aRefund(service, merchant, await aPaidTransaction(service, merchant));
      const stranger = await aMerchant(service);
      const answers = await Promise.all(
        [refundId, '01K9Z4M7Q2V5X8B1C3D6F9G0HJ', 'nonsense'].flatMap((id) => [
          get(id, stranger),
          ...['hold', 'release', 'cancel'].map((verb) => change(id, verb, stranger)),
        ]),
      );
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [404]);
      assert.equal(new Set(answers.map(({ text, body }) => text.replace(body.requestId, ''))).size, 1);
    });
  });

  suite('hold and release', () => {
    // Guarantee: a held refund is not sent to the bank, however long it takes; a released one is.
    for (const [name, pay, first, last] of [
      ['a card', aCardPayment, 'New', 'Done'],
      ['BLIK', () => aPaidTransaction(service, merchant), 'BLIK_pending', 'BLIK_processed'],
    ] as const) {
      test(`200: ${name}`, async () => {
        const refundId = await aRefund(service, merchant, await pay());
        const held = await change(refundId, 'hold');
        assert.deepEqual([held.status, held.body.status], [200, 'Hold'], held.text);
        assert.equal((await change(refundId, 'hold')).body.status, 'Hold', 'again');
        service.world.clock.advance({ hours: 24 * 365 });
        await settleAll(service.world);
        assert.equal((await get(refundId)).body.status, 'Hold');
        assert.equal((await change(refundId, 'release')).body.status, first);
        assert.equal((await change(refundId, 'release')).body.status, first, 'again');
        await settleAll(service.world);
        assert.equal((await get(refundId)).body.status, last);
        assert.deepEqual((await stepsOf(refundId)).slice(0, 3), [first, 'Hold', first]);
      });
    }

    test('403: a credential that may only read', async () => {
      const refundId = await aRefund(service, merchant, await aCardPayment());
      const reader = await aCredential(service, merchant, 'read_only');
      for (const verb of ['hold', 'release', 'cancel']) {
        assert.equal((await change(refundId, verb, reader)).status, 403);
      }
    });

    test('409: it was sent', async () => {
      const refundId = await aRefund(service, merchant, await aCardPayment());
      await pass();
      for (const verb of ['hold', 'release', 'cancel']) {
        const answer = await change(refundId, verb);
        assert.deepEqual([answer.status, faultsOf(answer)], [409, ['refund_already_sent']]);
      }
    });
  });

  suite('cancel', () => {
    // Guarantee: amount and fee are returned, and count as refundable again.
    test('200: a part, while New', async () => {
      const id = await aCardPayment();
      const before = await balance();
      const refundId = await aRefund(service, merchant, id, { amount: 10.01 });
      const told = () => service.world.db.sql.many((row) => String(row.id))`
        select id from event where subject_id = ${id} and type = 'transaction' order by id`;
      const toldBefore = await told();
      const { status, body } = await change(refundId, 'cancel');
      assert.deepEqual(await told(), toldBefore, 'it never ceased to be paid');
      assert.deepEqual([status, body.status, body.date.processed], [200, 'Cancel', null]);
      assert.equal(await balance(), before);
      assert.equal((await change(refundId, 'cancel')).body.status, 'Cancel', 'again');
      assert.equal(await balance(), before, 'once');
      await pass();
      assert.equal((await get(refundId)).body.status, 'Cancel');
      const { body: anew } = await refund(service, merchant, id, { amount: 10.01 });
      assert.deepEqual([anew.status, anew.total], ['paid', 2]);
    });

    // Guarantee: a canceled full refund is undone: the transaction is paid, reported so, and can be refunded again.
    test('200: all of it, while Hold', async () => {
      const id = await aPaidTransaction(service, merchant, { amount: 25 });
      await refund(service, merchant, id, { amount: 5 });
      const before = await balance();
      const refundId = await aRefund(service, merchant, id);
      assert.equal((await show(service, merchant, id)).body.status, 'refund');
      await change(refundId, 'hold');
      assert.equal((await change(refundId, 'cancel')).body.status, 'Cancel');
      assert.equal(await balance(), before);
      assert.equal((await show(service, merchant, id)).body.status, 'paid');
      const { body } = await refund(service, merchant, id, {});
      assert.deepEqual([body.status, body.refundsList[0].amount], ['refund', 20]);
    });

    // Guarantee: a merchant may cancel while New or Hold (docs/decisions/0010), and a BLIK refund is neither until it
    // is held.
    test('409: BLIK that is not held', async () => {
      const refundId = await aRefund(service, merchant, await aPaidTransaction(service, merchant));
      const answer = await change(refundId, 'cancel');
      assert.deepEqual([answer.status, faultsOf(answer)], [409, ['refund_already_sent']]);
    });

    test('405: no GET', async () => {
      assert.equal((await service.ask('GET', '/refunds/01K9Z4M7Q2V5X8B1C3D6F9G0HJ/cancel')).status, 405);
    });
  });
});
