// E4, POST /transactions/{id}/refunds.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { aPaidTransaction, aTransaction, checkInvariants, payCard, settleAll, show } from '../support/payments.ts';
import { aPaidOnlineWallet, aRefund, fund, refund } from '../support/refunds.ts';
import {
  aCredential,
  aMerchant,
  aService,
  faultsOf,
  type Service,
  serve,
  type TestMerchant,
} from '../support/service.ts';

suite('POST /transactions/{id}/refunds', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service, { refundFeeMinor: 100n });
    await fund(service, merchant, 100_000n);
  });
  after(() => checkInvariants(service.world));

  const balance = (of = merchant) => findBalance(service.world.db.sql, ledgerAccounts.available(of.id));
  const statusOf = async (id: string, of = merchant) => (await show(service, of, id)).body.status;
  const notificationsOf = (subjectId: string) =>
    service.world.db.sql.many((row) => readText(row, 'body'))`
      select body from event where subject_id = ${subjectId} order by created_at, id`;
  const chargebacks = async (id: string) =>
    (await notificationsOf(id)).filter((body) => body.includes('tr_status=CHARGEBACK')).length;

  suite('the table of states', () => {
    // Guarantee: a full refund moves amount and fee with the request, sets the status `refund` and is reported as
    // CHARGEBACK.
    test('200: {} refunds all of it', async () => {
      const id = await aPaidTransaction(service, merchant, { amount: 50 });
      const before = await balance();
      const { status, body, headers } = await refund(service, merchant, id, {});
      assert.equal(status, 200);
      assert.equal(body.result, 'success');
      assert.equal(body.requestId, headers.get('x-request-id'));
      assert.equal(body.transactionId, id);
      assert.equal(body.status, 'refund');
      assert.equal(before - (await balance()), 5_100n);
      assert.deepEqual(body.refundsList, [
        {
          refundId: body.refundsList[0].refundId,
          status: 'BLIK_pending',
          amount: 50,
          currency: 'PLN',
          date: { schedule: '2026-03-10 10:00:00', processed: null },
        },
      ]);
      assert.deepEqual([body.refundsNoAccountList, body.refundsCardsList], [[], []]);
      assert.deepEqual([body.page, body.limit, body.total], [1, 35, 1]);
      assert.equal(await statusOf(id), 'refund');
      assert.equal(await chargebacks(id), 1);
    });

    // Guarantee: an empty body of any type is {} (docs/api.md#conventions).
    for (const [name, asking] of [
      ['no body', {}],
      ['an empty body called text', { raw: '', headers: { 'content-type': 'text/plain' } }],
    ] as const) {
      test(`200: ${name} is the full form`, async () => {
        const id = await aPaidTransaction(service, merchant);
        const answer = await service.ask('POST', `/transactions/${id}/refunds`, { token: merchant.token, ...asking });
        assert.deepEqual([answer.status, answer.body.status], [200, 'refund'], answer.text);
      });
    }

    // Guarantee: partial refunds do not change the status, even if they sum up to 100 %, and are not a CHARGEBACK.
    test('200: parts up to 100 % leave the status paid', async () => {
      const id = await aPaidTransaction(service, merchant, { amount: 30 });
      const before = await balance();
      for (const [amount, total] of [
        [10, 1],
        [19.99, 2],
        [0.01, 3],
      ] as const) {
        const { status, body } = await refund(service, merchant, id, { amount });
        assert.deepEqual([status, body.status, body.total], [200, 'paid', total]);
        assert.equal(body.refundsList[0].amount, amount, 'newest first');
      }
      assert.equal(before - (await balance()), 3_300n);
      assert.equal(await statusOf(id), 'paid');
      assert.equal(await chargebacks(id), 0);
      const more = await refund(service, merchant, id, { amount: 0.01 });
      assert.deepEqual([more.status, faultsOf(more)], [409, ['refund_exceeds_paid']]);
      const rest = await refund(service, merchant, id, {});
      assert.deepEqual([rest.status, faultsOf(rest)], [409, ['already_refunded']], 'nothing is left');
      assert.equal(await statusOf(id), 'paid');
    });

    // Guarantee: {amount} with the full amount is still partial.
    test('200: a part that is all of it leaves the status paid', async () => {
      const id = await aPaidTransaction(service, merchant, { amount: 12.34 });
      const { status, body } = await refund(service, merchant, id, { amount: 12.34 });
      assert.deepEqual([status, body.status, await chargebacks(id)], [200, 'paid', 0]);
    });

    // Guarantee: {} after partial refunds refunds exactly what is left.
    test('200: {} after parts refunds the rest', async () => {
      const id = await aPaidTransaction(service, merchant, { amount: 30 });
      await refund(service, merchant, id, { amount: 12.5 });
      const { status, body } = await refund(service, merchant, id, {});
      assert.deepEqual([status, body.status, body.total], [200, 'refund', 2]);
      assert.equal(body.refundsList[0].amount, 17.5);
      assert.equal(await chargebacks(id), 1);
    });
  });

  // Guarantee: a refund to a card is also in the list of cards, and starts as New.
  test('200: a card', async () => {
    const id = await aTransaction(service, merchant);
    await payCard(service, merchant, id);
    const { body } = await refund(service, merchant, id, { amount: 1 });
    assert.equal(body.refundsList[0].status, 'New');
    assert.deepEqual(body.refundsCardsList, body.refundsList);
  });

  suite('400', () => {
    // Guarantee: a body that is not exactly {} or {amount} moves nothing: a misspelled amount is never a full refund.
    for (const [raw, fault] of [
      ['{"amout": 5}', 'unexpected_field amout'],
      ['{"amount": null}', 'not_number amount'],
      ['{"amount": 0}', 'too_low amount'],
      ['{"amount": -1}', 'too_low amount'],
      ['{"amount": "5"}', 'not_number amount'],
      ['{"amount": ""}', 'not_number amount'],
      ['{"amount": 5.001}', 'incorrect_precision amount'],
      ['{"amount": 0.001}', 'incorrect_precision amount'],
      ['{"amount": 1e11}', 'too_high amount'],
      ['{"amount": 5.0000000000000001}', 'incorrect_precision amount'],
      ['{"amount": []}', 'not_number amount'],
      ['{"amount": true}', 'not_number amount'],
      ['{"amount": {}}', 'not_number amount'],
      ['{"Amount": 5}', 'unexpected_field Amount'],
      ['{"amount": 5, "amount": 6}', 'duplicate_field amount'],
      ['{"\\u0061mount": 5, "amount": 6}', 'duplicate_field amount'],
      ['{"__proto__": 5}', 'unexpected_field __proto__'],
      ['{"constructor": 5}', 'unexpected_field constructor'],
      ['{"": 5}', 'unexpected_field'],
      ['[]', 'not_object'],
      ['null', 'not_object'],
      ['"full"', 'not_object'],
      ['5', 'not_object'],
      ['{', 'invalid_request_body'],
      ['{"amount": NaN}', 'invalid_request_body'],
    ] as const) {
      test(raw, async () => {
        const id = await aPaidTransaction(service, merchant);
        const before = await balance();
        const answer = await service.ask('POST', `/transactions/${id}/refunds`, {
          token: merchant.token,
          raw,
          headers: { 'content-type': 'application/json' },
        });
        assert.equal(answer.status, 400, answer.text);
        assert.deepEqual(faultsOf(answer), [fault]);
        assert.equal(await balance(), before);
        assert.equal(await statusOf(id), 'paid');
      });
    }

    test('all faults at once', async () => {
      const id = await aPaidTransaction(service, merchant);
      const answer = await refund(service, merchant, id, { amount: 0, reason: 'x' });
      assert.deepEqual(faultsOf(answer), ['too_low amount', 'unexpected_field reason']);
    });
  });

  test('401: no token', async () => {
    const { status } = await service.ask('POST', '/transactions/01K9Z4M7Q2V5X8B1C3D6F9G0HJ/refunds', { body: {} });
    assert.equal(status, 401);
  });

  test('403: a credential that may only read', async () => {
    const id = await aPaidTransaction(service, merchant);
    const reader = await aCredential(service, merchant, 'read_only');
    assert.equal((await refund(service, reader, id, {})).status, 403);
    assert.equal(await statusOf(id), 'paid');
  });

  suite('404', () => {
    // Guarantee: another merchant's transaction gives the same response as a nonexistent one, byte for byte.
    test('foreign, unknown and malformed ids', async () => {
      const id = await aPaidTransaction(service, merchant);
      const stranger = await aMerchant(service);
      await fund(service, stranger, 10_000n);
      const answers = await Promise.all(
        [id, '01K9Z4M7Q2V5X8B1C3D6F9G0HJ', 'nonsense', id.toLowerCase()].map((one) =>
          refund(service, stranger, one, {}),
        ),
      );
      const texts = answers.map(({ text, body }) => text.replace(body.requestId, ''));
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [404]);
      assert.equal(new Set(texts).size, 1);
      assert.equal(await statusOf(id), 'paid');
    });
  });

  test('405: no PUT', async () => {
    const { status } = await service.ask('PUT', '/transactions/01K9Z4M7Q2V5X8B1C3D6F9G0HJ/refunds');
    assert.equal(status, 405);
  });

  suite('409', () => {
    // Guarantee: only paid transactions can be refunded.
    test('not paid, canceled, refunded', async () => {
      const pending = await aTransaction(service, merchant);
      const canceled = await aTransaction(service, merchant);
      await service.ask('POST', `/transactions/${canceled}/cancel`, { token: merchant.token });
      const refunded = await aPaidTransaction(service, merchant);
      await refund(service, merchant, refunded, {});
      for (const [id, code] of [
        [pending, 'cannot_create_refund'],
        [canceled, 'transaction_canceled'],
        [refunded, 'already_refunded'],
      ] as const) {
        for (const body of [{}, { amount: 1 }]) {
          const answer = await refund(service, merchant, id, body);
          assert.deepEqual([answer.status, faultsOf(answer)], [409, [code]], answer.text);
        }
      }
    });

    // Guarantee: the sum never exceeds what was paid.
    test('more than what is left', async () => {
      const id = await aPaidTransaction(service, merchant, { amount: 10 });
      assert.deepEqual(faultsOf(await refund(service, merchant, id, { amount: 10.01 })), ['refund_exceeds_paid']);
      await refund(service, merchant, id, { amount: 4 });
      assert.deepEqual(faultsOf(await refund(service, merchant, id, { amount: 6.01 })), ['refund_exceeds_paid']);
      assert.equal((await refund(service, merchant, id, { amount: 6 })).status, 200);
    });

    // Guarantee: the channel of the third-party online wallet does not support refunds (E4).
    test('channel 106', async () => {
      const id = await aPaidOnlineWallet(service, merchant);
      const before = await balance();
      for (const body of [{}, { amount: 1 }]) {
        const answer = await refund(service, merchant, id, body);
        assert.deepEqual([answer.status, faultsOf(answer)], [409, ['cannot_create_refund']]);
      }
      assert.equal(await balance(), before);
    });

    // Guarantee: the balance covers amount and fee, to the grosz, or nothing happens.
    test('not enough funds for the fee', async () => {
      const poor = await aMerchant(service, { refundFeeMinor: 100n });
      const id = await aPaidTransaction(service, poor, { amount: 10 });
      const answer = await refund(service, poor, id, {});
      assert.deepEqual([answer.status, faultsOf(answer)], [409, ['insufficient_funds']]);
      assert.deepEqual([await balance(poor), await statusOf(id, poor)], [1_000n, 'paid']);
      const part = await refund(service, poor, id, { amount: 9.01 });
      assert.deepEqual(faultsOf(part), ['insufficient_funds']);
      assert.equal((await refund(service, poor, id, { amount: 9 })).status, 200);
      assert.equal(await balance(poor), 0n);
    });
  });

  test('415: a form', async () => {
    const id = await aPaidTransaction(service, merchant);
    const answer = await service.ask('POST', `/transactions/${id}/refunds`, {
      token: merchant.token,
      raw: 'amount=5',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(answer.status, 415);
    assert.equal(await statusOf(id), 'paid');
  });

  suite('Idempotency-Key', () => {
    // Guarantee: a retried request refunds once and gets the same response.
    test('200: the same key again', async () => {
      const id = await aPaidTransaction(service, merchant, { amount: 20 });
      const headers = { 'idempotency-key': `again-${id}` };
      const ask = () =>
        service.ask('POST', `/transactions/${id}/refunds`, { token: merchant.token, body: { amount: 5 }, headers });
      const before = await balance();
      const first = await ask();
      const second = await ask();
      assert.equal(second.text, first.text);
      assert.equal(second.headers.get('idempotent-replayed'), 'true');
      assert.equal(before - (await balance()), 600n);
    });

    // Guarantee: a request that died after its commit and before its response was stored finds its own refund.
    test('200: the response was lost', async () => {
      const id = await aPaidTransaction(service, merchant, { amount: 20 });
      const headers = { 'idempotency-key': `lost-${id}` };
      const ask = () =>
        service.ask('POST', `/transactions/${id}/refunds`, { token: merchant.token, body: {}, headers });
      const first = await ask();
      await service.world.db.sql.run`
        update idempotency_key set answered_at = null, status = null, body = null, lease_until = started_at
         where key = ${headers['idempotency-key']}`;
      const before = await balance();
      const second = await ask();
      assert.equal(second.status, 200, second.text);
      assert.deepEqual(second.body.refundsList, first.body.refundsList);
      assert.equal(second.body.status, 'refund');
      assert.equal(await balance(), before);
    });

    test('422: the same key for another amount', async () => {
      const id = await aPaidTransaction(service, merchant, { amount: 20 });
      const headers = { 'idempotency-key': `other-${id}` };
      const ask = (body: object) =>
        service.ask('POST', `/transactions/${id}/refunds`, { token: merchant.token, body, headers });
      await ask({ amount: 5 });
      assert.equal((await ask({ amount: 6 })).status, 422);
    });
  });

  // Guarantee: a refund is sent with one key: whatever is requested in between, the payer gets it once.
  test('the whole way to the payer', async () => {
    const id = await aPaidTransaction(service, merchant, { amount: 7 });
    const { body } = await refund(service, merchant, id, {});
    service.world.clock.advance({ seconds: 5 });
    await settleAll(service.world);
    const shown = await service.ask('GET', `/refunds/${body.refundsList[0].refundId}`, { token: merchant.token });
    assert.equal(shown.body.status, 'BLIK_processed');
    assert.equal(shown.body.date.processed, '2026-03-10 10:00:05');
  });
});

suite('a refund on a node of another acquirer', () => {
  // Guarantee: a refund waits, so that it can be canceled, and goes to the acquirer that captured its payment.
  test('goes to the one that captured, after the delay', async () => {
    const service = await aService({ config: { refundDelaySeconds: 90 } });
    const merchant = await aMerchant(service);
    const id = await aPaidTransaction(service, merchant, { amount: 10 });
    const { bank, clock, db } = service.world;
    const another = Object.create(bank, { name: { value: 'another' } });
    const node = await serve({ ...service.world, acquirers: acquirersOf(service.world, another, bank) });
    const refundId = await aRefund(node, merchant, id);
    const rows = await db.sql.many((row) => [String(row.acquirer), String(row.due)])`
      select acquirer, extract(epoch from next_try_at)::bigint::text as due from outgoing_refund where id = ${refundId}`;
    const due = Math.floor(clock.now().add({ seconds: 90 }).epochMilliseconds / 1_000);
    assert.deepEqual(rows, [[bank.name, String(due)]]);
  });
});
