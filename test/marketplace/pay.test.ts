// M2, POST /marketplace/v1/transaction/{id}/pay, and the notification about it.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { flattenedVerify } from 'jose';
import { Webhook } from 'standardwebhooks';
import { changeAccount, readAccountSecrets } from '../../src/accounts/index.ts';
import { readInteger, readText } from '../../src/database/index.ts';
import {
  aChild,
  aPaidSplit,
  aPartner,
  aSplit,
  balanceOf,
  balancesOf,
  cancelSplit,
  checkDenied,
  checkMethods,
  checkNotFound,
  createSplit,
  paySplit,
  showSplit,
  type TestPartner,
} from '../support/marketplace.ts';
import { checkInvariants, encryptCard, savedTokenOf, settleAll } from '../support/payments.ts';
import { aReceiver } from '../support/receiver.ts';
import { type Answer, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';
import { aToken, walletConfig } from '../support/wallet.ts';

const blik = (blikToken: string) => ({ blikPaymentData: { blikToken } });
const pathOf = (id: string) => `/marketplace/v1/transaction/${id}/pay`;

suite('POST /marketplace/v1/transaction/{id}/pay', () => {
  let service: Service;
  let partner: TestPartner;

  before(async () => {
    service = await aService({ config: walletConfig() });
    partner = await aPartner(service, [{ paymentFeeMinor: 10n }, {}, { channels: [53] }]);
  });
  after(() => checkInvariants(service.world));

  const card = (more: object = {}) => ({ cardPaymentData: { card: encryptCard(service), ...more } });
  const pay = (id: string, body: object) => paySplit(service, partner, id, body);
  /** Of 10.01 by default: cards pay it without 3-D Secure. */
  const split = (amount = 1_001, more: object = {}) =>
    aSplit(service, partner, [aChild(partner, 0, amount - 1, { commission: 40 }), aChild(partner, 1, 1)], more);
  const shown = async (id: string) => (await showSplit(service, partner, id)).body;
  const eventsOf = (id: string) =>
    service.world.db.sql.many((row) => JSON.parse(readText(row, 'body')))`
      select body from event where subject_id = ${id} and type = 'marketplace' order by created_at, id`;
  const capturesOf = async (id: string) => {
    const attempts = new Set(
      await service.world.db.sql.many((row) => readText(row, 'id'))`
        select id from charge where transaction_id = ${id}`,
    );
    return service.world.bank.record().captures.filter(({ key }) => attempts.has(key)).length;
  };
  const headOf = ({ body }: Answer) => [body.result, body.status, body.payments.status];

  suite('200', () => {
    // Guarantee: the sellers get their parts and the partner its commission; the partner is notified once.
    test('BLIK', async () => {
      const before = await balancesOf(service, partner);
      const id = await split();
      const answer = await pay(id, blik('777123'));
      assert.equal(answer.status, 200);
      assert.deepEqual(headOf(answer), ['success', 'paid', 'correct']);
      assert.deepEqual(Object.keys(answer.body), [
        'result',
        'requestId',
        'transactionId',
        'title',
        'status',
        'payments',
        'paymentUrl',
      ]);
      assert.equal(answer.body.transactionId, id);
      assert.ok(answer.body.paymentUrl.startsWith(`${service.world.config.baseUrl}/pay/${id}.`));
      const after = await balancesOf(service, partner);
      assert.deepEqual(
        after.map((balance, index) => balance - (before[index] ?? 0n)),
        [1_000n - 10n - 40n, 1n, 0n, 40n],
      );
      assert.equal((await eventsOf(id)).length, 1);
    });

    // Guarantee: a declined attempt moves nothing and says why; the payer may try again; nothing is notified.
    for (const [code, reason] of [
      ['111222', 'wrong_code'],
      ['222222', 'insufficient_funds'],
      ['333222', 'payer_rejected'],
    ] as const) {
      test(`BLIK ${code} is declined, then 777 pays`, async () => {
        const before = await balancesOf(service, partner);
        const id = await split();
        const declined = await pay(id, blik(code));
        assert.equal(declined.status, 200);
        assert.deepEqual(headOf(declined), ['failed', 'pending', 'declined']);
        const [error] = declined.body.payments.errors;
        assert.ok(error.errorCode.length > 0 && error.errorMessage.length > 0, `${reason}: ${declined.text}`);
        assert.deepEqual((await shown(id)).payments.errors, declined.body.payments.errors);
        assert.deepEqual(await balancesOf(service, partner), before);
        assert.deepEqual(await eventsOf(id), []);
        const paid = await pay(id, blik('777222'));
        assert.deepEqual(headOf(paid), ['success', 'paid', 'correct']);
        assert.equal(paid.body.payments.errors, undefined);
        assert.equal((await eventsOf(id)).length, 1);
      });
    }

    test('a card without 3-D Secure', async () => {
      const id = await split();
      assert.deepEqual(headOf(await pay(id, card())), ['success', 'paid', 'correct']);
      assert.equal((await shown(id)).payments.attempts.length, 1);
    });

    // Guarantee: the answer has the link to 3-D Secure; the payment stands when the payer has confirmed there.
    for (const [choice, status] of [
      ['confirm', 'paid'],
      ['refuse', 'pending'],
    ] as const) {
      test(`a card with 3-D Secure: ${choice}`, async () => {
        const id = await split(1_002);
        const answer = await pay(id, card());
        assert.deepEqual(headOf(answer), ['pending', 'pending', 'pending']);
        const link = new URL(answer.body.paymentUrl);
        assert.match(link.pathname, /^\/bank\//);
        assert.deepEqual(await eventsOf(id), []);
        await service.world.bank.choose(link.pathname.split('/').at(-1) ?? '', choice);
        await settleAll(service.world);
        assert.equal((await shown(id)).status, status);
        assert.equal((await eventsOf(id)).length, status === 'paid' ? 1 : 0);
      });
    }

    for (const [amount, status] of [
      [1_003, 'paid'],
      [1_005, 'pending'],
      [1_006, 'pending'],
    ] as const) {
      test(`a card, amount ${amount}: ${status}`, async () => {
        const id = await split(amount);
        await pay(id, card());
        await settleAll(service.world);
        assert.equal((await shown(id)).status, status);
      });
    }

    // Guarantee: a card that was saved by one payment pays the next.
    test('a saved token', async () => {
      const first = await split();
      assert.equal((await pay(first, card({ save: true }))).body.status, 'paid');
      const token = await savedTokenOf(service, first);
      const id = await split();
      assert.deepEqual(headOf(await pay(id, { cardPaymentData: { token } })), ['success', 'paid', 'correct']);
      const other = await aPartner(service, [{}]);
      const theirs = await aSplit(service, other, [aChild(other, 0, 1_001)]);
      const foreign = await paySplit(service, other, theirs, { cardPaymentData: { token } });
      assert.deepEqual([foreign.status, faultsOf(foreign)], [400, ['not_valid cardPaymentData.token']]);
    });

    // Guarantee: a wallet token pays its transaction, and no other.
    test('wallet', async () => {
      const id = await split();
      const walletPayPaymentData = aToken(service);
      const first = await pay(id, { walletPayPaymentData });
      assert.deepEqual(headOf(first), ['success', 'paid', 'correct'], first.text);
      const again = await pay(id, { walletPayPaymentData });
      assert.deepEqual(headOf(again), ['success', 'paid', 'correct']);
      assert.equal(await capturesOf(id), 1);
      const other = await pay(await split(), { walletPayPaymentData });
      assert.deepEqual([other.status, faultsOf(other)], [400, ['payment_failed walletPayPaymentData']]);
      const wrongAmount = await pay(await split(), { walletPayPaymentData: aToken(service, { amount: 1_000n }) });
      assert.deepEqual([wrongAmount.status, faultsOf(wrongAmount)], [400, ['payment_failed walletPayPaymentData']]);
      const malformed = await pay(await split(), { walletPayPaymentData: 'x' });
      assert.deepEqual([malformed.status, faultsOf(malformed)], [400, ['not_valid walletPayPaymentData']]);
    });

    test('wallet, declined', async () => {
      const answer = await pay(await split(), { walletPayPaymentData: aToken(service, { card: 'declined' }) });
      assert.deepEqual(headOf(answer), ['failed', 'pending', 'declined']);
      assert.equal(answer.body.payments.errors.length, 1);
    });

    // Guarantee: a repeat under its key charges once.
    test('repeated under an idempotency key', async () => {
      const id = await split();
      const asking = { token: partner.token, body: blik('777123'), headers: { 'idempotency-key': 'pay-1' } };
      const first = await service.ask('POST', pathOf(id), asking);
      const second = await service.ask('POST', pathOf(id), asking);
      assert.equal(second.text, first.text);
      assert.equal(await capturesOf(id), 1);
      const other = await service.ask('POST', pathOf(id), { ...asking, body: blik('777124') });
      assert.deepEqual([other.status, faultsOf(other)], [422, ['idempotency_key_reused']]);
    });

    // Guarantee: what is null or unknown is not given.
    test('null and unknown fields', async () => {
      const answer = await pay(await split(), { ...blik('777123'), cardPaymentData: null, channelId: 64 });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get('x-ignored-fields'), 'channelId');
    });

    // Guarantee: fee and commission are those of the time when the transaction was created.
    test('fees that changed meanwhile', async () => {
      const market = await aPartner(service, [{ paymentFeeMinor: 10n }]);
      const id = await aSplit(service, market, [aChild(market, 0, 100, { commission: 90 })]);
      const [seller] = market.sellers as [TestMerchant];
      await changeAccount(service.world, seller.id, { paymentFeeMinor: 50n });
      assert.equal((await paySplit(service, market, id)).body.status, 'paid');
      assert.deepEqual([await balanceOf(service, seller), await balanceOf(service, market)], [0n, 90n]);
    });
  });

  // Guarantee: hiddenDescription is there even if none was given.
  test('200: the notification without hiddenDescription', async () => {
    const id = await aPaidSplit(service, partner, [aChild(partner, 0, 1_001)], { hiddenDescription: undefined });
    const [event] = await eventsOf(id);
    assert.equal(event.data.transactionHiddenDescription, '');
  });

  suite('400', () => {
    for (const [name, body, faults] of [
      ['no data', () => ({}), ['field_required blikPaymentData']],
      ['data of null', () => ({ blikPaymentData: null }), ['field_required blikPaymentData']],
      ['two kinds of data', () => ({ ...blik('777123'), ...card() }), ['not_valid cardPaymentData']],
      [
        'three kinds of data',
        () => ({ ...blik('777123'), ...card(), walletPayPaymentData: 'x' }),
        ['not_valid cardPaymentData', 'not_valid walletPayPaymentData'],
      ],
      ['BLIK without a code', () => ({ blikPaymentData: {} }), ['field_required blikPaymentData.blikToken']],
      [
        'a BLIK code as number',
        () => ({ blikPaymentData: { blikToken: 777123 } }),
        ['not_string blikPaymentData.blikToken'],
      ],
      ['a BLIK code of five digits', () => blik('77712'), ['not_valid blikPaymentData.blikToken']],
      [
        'a card that is not encrypted',
        () => ({ cardPaymentData: { card: '4111' } }),
        ['not_valid cardPaymentData.card'],
      ],
      ['an unknown token', () => ({ cardPaymentData: { token: 'x' } }), ['not_valid cardPaymentData.token']],
      ['a card without data', () => ({ cardPaymentData: {} }), ['field_required cardPaymentData.card']],
      ['a wallet token as object', () => ({ walletPayPaymentData: {} }), ['not_string walletPayPaymentData']],
    ] as [string, () => object, string[]][]) {
      test(name, async () => {
        const id = await split();
        const answer = await pay(id, body());
        assert.equal(answer.status, 400, answer.text);
        assert.deepEqual(faultsOf(answer), faults, answer.text);
        assert.deepEqual(Object.keys(answer.body.violations).sort(), faults.map((fault) => fault.split(' ')[1]).sort());
        assert.equal((await shown(id)).payments.attempts.length, 0);
      });
    }

    // Guarantee: a method that one of the sellers lacks is refused, with where the others are listed.
    test('a method that one seller lacks', async () => {
      const id = await aSplit(service, partner, [aChild(partner, 0, 1_000), aChild(partner, 2, 1)]);
      const answer = await pay(id, blik('777123'));
      assert.deepEqual(answer.body.violations, {
        blikPaymentData: 'Is not a payment method that all sellers of the transaction have.',
      });
      assert.match(answer.body.errors[0].devMessage, /bank-groups/);
      assert.equal((await pay(id, card())).body.status, 'paid');
    });
  });

  test('401, 403: who may', async () => {
    const id = await split();
    const call = (who: TestMerchant | undefined, of: string) =>
      service.ask('POST', pathOf(of), { ...(who ? { token: who.token } : {}), body: blik('777123') });
    await checkDenied(service, partner, call, { id, writes: true });
    assert.equal((await shown(id)).status, 'pending');
  });

  // Guarantee: a blocked seller takes no new payments, not even of an old transaction.
  test('403: a seller that was blocked meanwhile', async () => {
    const market = await aPartner(service, [{}, {}]);
    const id = await aSplit(service, market, [aChild(market, 0, 100), aChild(market, 1, 100)]);
    const seller = market.sellers[1] as TestMerchant;
    await changeAccount(service.world, seller.id, { status: 'blocked' });
    const answer = await paySplit(service, market, id);
    assert.deepEqual([answer.status, faultsOf(answer)], [403, ['access_denied']]);
    assert.deepEqual(answer.body.reasons, [`The seller ${seller.id} is blocked.`]);
    await changeAccount(service.world, seller.id, { status: 'active' });
    assert.equal((await paySplit(service, market, id)).body.status, 'paid');
  });

  // Guarantee: without the marketplace function nobody pays, because the partner could not refund it.
  test('403, and no pay page: the function was switched off meanwhile', async () => {
    const market = await aPartner(service, [{}]);
    const { paymentUrl, transactionId } = (await createSplit(service, market, [aChild(market, 0, 100)])).body;
    const page = async () => (await fetch(`${service.url}${new URL(paymentUrl).pathname}`)).status;
    assert.equal(await page(), 200);
    await changeAccount(service.world, market.id, { marketplaceEnabled: false });
    service.world.wall.advance({ seconds: 2 });
    assert.deepEqual([await page(), (await paySplit(service, market, transactionId)).status], [404, 403]);
  });

  test('404: foreign, standard and malformed ids', () =>
    checkNotFound(service, partner, (who, id) =>
      service.ask('POST', pathOf(id), { ...(who ? { token: who.token } : {}), body: blik('777123') }),
    ));

  test('405: other methods', () => checkMethods(service, pathOf('x'), 'POST'));

  suite('409', () => {
    test('paid already', async () => {
      const id = await split();
      await pay(id, blik('777123'));
      const answer = await pay(id, blik('777124'));
      assert.deepEqual([answer.status, faultsOf(answer)], [409, ['already_paid']]);
      assert.deepEqual(answer.body.reasons, [answer.body.errors[0].errorMessage]);
      assert.equal(await capturesOf(id), 1);
    });

    test('canceled', async () => {
      const id = await split();
      await cancelSplit(service, partner, id);
      const answer = await pay(id, blik('777123'));
      assert.deepEqual([answer.status, faultsOf(answer)], [409, ['transaction_canceled']]);
      assert.equal(answer.body.reasons.length, 1);
      assert.equal(await capturesOf(id), 0);
    });

    // Guarantee: the payment of a marketplace transaction knows its sellers: E2 refuses it and names the place to go.
    test('E2 and T3 refuse it, T1 shows it', async () => {
      const id = await split();
      for (const [verb, body] of [
        ['pay', { groupId: 150, ...blik('777123') }],
        ['cancel', {}],
      ] as const) {
        const answer = await service.ask('POST', `/transactions/${id}/${verb}`, { token: partner.token, body });
        assert.deepEqual([answer.status, faultsOf(answer)], [409, ['belongs_to_marketplace']], answer.text);
        assert.match(answer.body.errors[0].devMessage, /\/marketplace\/v1\/transaction/);
      }
      const { status, body } = await service.ask('GET', `/transactions/${id}`, { token: partner.token });
      assert.deepEqual([status, body.status, body.amount], [200, 'pending', 10.01]);
      assert.equal((await shown(id)).status, 'pending');
    });
  });

  test('413, 415', async () => {
    const id = await split();
    const headers = { 'content-type': 'application/json' };
    const large = await service.ask('POST', pathOf(id), { token: partner.token, raw: ' '.repeat(65_537), headers });
    assert.equal(large.status, 413);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await service.ask('POST', pathOf(id), { token: partner.token, raw: 'a=1', headers: form });
    assert.equal(answer.status, 415);
  });
});

// Guarantee: the payload of docs/marketplace.md#the-notification, signed twice, confirmed by {"result": true}.
test('the notification when it is paid', async () => {
  const service = await aService();
  const receiver = await aReceiver();
  receiver.answer = { status: 200, body: '{"result": true}' };
  // standardwebhooks uses the real time.
  service.world.wall.set(Temporal.Now.instant().toString());
  const partner = await aPartner(service, [{}]);
  const id = await aSplit(service, partner, [aChild(partner, 0, 1_001)], {
    hiddenDescription: 'order-77',
    description: 'Żółta herbata',
    transactionCallbacks: [{ type: 3, value: receiver.url }],
  });
  const { title } = (await paySplit(service, partner, id)).body;
  await settleAll(service.world);
  const [notified, ...more] = receiver.received;
  assert.ok(notified);
  assert.equal(more.length, 0);
  assert.match(String(notified.headers['content-type']), /^application\/json/);
  const payload = JSON.parse(notified.body);
  assert.deepEqual(
    { ...payload, data: { ...payload.data, transactionDate: '' } },
    {
      type: 'marketplace_transaction',
      merchantId: partner.id,
      data: {
        transactionId: id,
        transactionTitle: title,
        transactionAmount: '10.01',
        transactionPaidAmount: '10.01',
        transactionStatus: 'paid',
        transactionHiddenDescription: 'order-77',
        payerEmail: 'payer@example.com',
        transactionDate: '',
        transactionDescription: 'Żółta herbata',
      },
    },
  );
  assert.match(payload.data.transactionDate, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  const headers = notified.headers as Record<string, string>;
  const secrets = await readAccountSecrets(service.world, partner.id);
  new Webhook(secrets.webhookSecret.reveal()).verify(notified.body, headers);
  const [header = '', , signature = ''] = String(headers['x-jws-signature']).split('.');
  assert.equal(JSON.parse(Buffer.from(header, 'base64url').toString()).mid, partner.id);
  const { text } = await service.ask('GET', '/x509/notifications-jws.pem');
  const encoded = Buffer.from(notified.body).toString('base64url');
  await flattenedVerify({ protected: header, payload: encoded, signature }, new X509Certificate(text).publicKey);
  const open = await service.world.db.sql.one((row) => readInteger(row, 'count'))`
        select count(*)::integer as count from delivery join event on event.id = event_id
         where subject_id = ${id} and delivery.status <> 'delivered'`;
  assert.equal(open, 0);
});
