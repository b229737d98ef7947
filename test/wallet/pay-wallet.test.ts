// Channel 75: E2 with a token, a token inside E1, and a token used once.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readInteger, readText } from '../../src/database/index.ts';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import { badKinds } from '../../src/simulators/index.ts';
import { aTransaction, checkInvariants, passTime, settleAll, show } from '../support/payments.ts';
import {
  type Answer,
  aMerchant,
  aNode,
  aService,
  faultsOf,
  type Service,
  serve,
  type TestMerchant,
} from '../support/service.ts';
import { aToken, payWallet } from '../support/wallet.ts';

suite('wallet payments', () => {
  let service: Service;
  let merchant: TestMerchant;
  const logLines: string[] = [];

  before(async () => {
    service = await aService({ logLines });
    merchant = await aMerchant(service);
  });
  after(() => checkInvariants(service.world));

  const attemptsOf = (id: string) =>
    service.world.db.sql.one((row) => readInteger(row, 'count'))`
      select count(*)::integer as count from charge where transaction_id = ${id}`;
  const create = (pay: object, headers: Record<string, string> = {}) =>
    service.ask('POST', '/transactions', {
      token: merchant.token,
      headers,
      body: { amount: 10.01, description: 'Order', payer: { ip: '198.51.100.7' }, pay },
    });
  const transactions = () =>
    service.world.db.sql.one((row) => readInteger(row, 'count'))`select count(*)::integer as count from transaction`;

  suite('E2', () => {
    // Guarantee: a token pays its transaction, and the merchant gets the money.
    test('200: a token pays', async () => {
      const balance = () => findBalance(service.world.db.sql, ledgerAccounts.available(merchant.id));
      const had = await balance();
      const id = await aTransaction(service, merchant, { pay: { channelId: 75 } });
      const { status, body } = await payWallet(service, merchant, id, aToken(service));
      assert.equal(status, 200);
      assert.equal(body.result, 'success');
      assert.equal(body.status, 'paid');
      assert.equal(body.payments.method, 'pay_by_link');
      assert.equal((await balance()) - had, 1_001n);
      const shown = await show(service, merchant, id);
      assert.equal(shown.body.payments.attempts[0].channelId, '75');
    });

    // Guarantee: the bank decides, by the number in the token.
    for (const [card, reason] of [
      ['declined', 'instrument rejected'],
      ['insufficient_funds', 'insufficient funds'],
    ] as const) {
      test(`200: ${card} is failed with "${reason}", and another token pays`, async () => {
        const id = await aTransaction(service, merchant);
        const declined = await payWallet(service, merchant, id, aToken(service, { card }));
        assert.equal(declined.status, 200);
        assert.equal(declined.body.result, 'failed');
        assert.equal(declined.body.payments.errors[0].errorMessage, reason);
        const paid = await payWallet(service, merchant, id, aToken(service));
        assert.equal(paid.body.status, 'paid');
      });
    }

    // Guarantee: a result that arrives by callback pays when it arrives.
    test('200: a callback after 3 s pays', async () => {
      const id = await aTransaction(service, merchant);
      const answer = await payWallet(service, merchant, id, aToken(service, { card: 'callback' }));
      assert.equal(answer.body.result, 'pending');
      await passTime(service.world, { seconds: 4 }, 2);
      assert.equal((await show(service, merchant, id)).body.status, 'paid');
    });

    // Guarantee: the token is required, and accepted only with channel 75.
    test('400: without the token, with another channel, with stray data', async () => {
      const id = await aTransaction(service, merchant);
      const pay = (body: object) => service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body });
      assert.deepEqual(faultsOf(await pay({ channelId: 75 })), ['field_required walletPayPaymentData']);
      assert.deepEqual(faultsOf(await pay({ channelId: 64, walletPayPaymentData: aToken(service) })), [
        'not_valid walletPayPaymentData',
      ]);
      assert.equal(await attemptsOf(id), 0);
    });

    test('404: the transaction of another merchant, and one that does not exist', async () => {
      const other = await aMerchant(service);
      const id = await aTransaction(service, other);
      assert.equal((await payWallet(service, merchant, id, aToken(service))).status, 404);
      assert.equal((await payWallet(service, merchant, '01K9Z4M7Q2V5X8B1C3D6F9G0HJ', aToken(service))).status, 404);
    });

    test('409: a paid transaction takes no other token', async () => {
      const id = await aTransaction(service, merchant);
      await payWallet(service, merchant, id, aToken(service));
      assert.deepEqual(faultsOf(await payWallet(service, merchant, id, aToken(service))), ['already_paid']);
    });

    // Guarantee: a bad token of any kind starts nothing, and neither the response nor the log reveals its content.
    test('400: a token of every bad kind starts no attempt', async () => {
      const id = await aTransaction(service, merchant);
      for (const { name, reason } of badKinds) {
        logLines.length = 0;
        const answer = await payWallet(service, merchant, id, aToken(service, { badKind: name }));
        assert.equal(answer.status, 400, `${name}: ${answer.text}`);
        const [{ errorCode }] = answer.body.errors;
        assert.match(errorCode, /^(payment_failed|not_valid|too_long|too_short)$/, name);
        const output = `${answer.text}\n${logLines.join('\n')}`;
        assert.doesNotMatch(output, /4111111111111111|onlinePayment|SyntaxError|JSON at|ASN/i, name);
        if (errorCode.startsWith('too_')) continue;
        const logged = logLines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'a wallet token was refused');
        assert.equal(logged.reason, reason, name);
      }
      assert.equal(await attemptsOf(id), 0);
    });

    // Guarantee: a token is valid only for its exact amount.
    test('400 payment_failed: a token for another amount', async () => {
      const id = await aTransaction(service, merchant);
      const answer = await payWallet(service, merchant, id, aToken(service, { amount: 1_000n }));
      assert.deepEqual(faultsOf(answer), ['payment_failed walletPayPaymentData']);
      assert.equal(answer.body.errors[0].errorMessage, 'The wallet token was refused.');
    });
  });

  suite('a token is used once', () => {
    // Guarantee: the same token for the same transaction repeats the response, whatever the result.
    for (const card of ['approved', 'declined', 'callback'] as const) {
      test(`the same request again: the same response (${card})`, async () => {
        const id = await aTransaction(service, merchant);
        const token = aToken(service, { card });
        const first = await payWallet(service, merchant, id, token);
        const second = await payWallet(service, merchant, id, token);
        assert.deepEqual({ ...second.body, requestId: '' }, { ...first.body, requestId: '' });
        assert.equal(await attemptsOf(id), 1);
      });
    }

    // Guarantee: a repeat gets its response even if the token has become too old to pay with.
    test('the same request after ten minutes: the same response', async () => {
      const id = await aTransaction(service, merchant);
      const token = aToken(service);
      const first = await payWallet(service, merchant, id, token);
      service.world.wall.advance({ minutes: 10 });
      const second = await payWallet(service, await aFreshToken(merchant), id, token);
      assert.deepEqual({ ...second.body, requestId: '' }, { ...first.body, requestId: '' });
    });

    const aFreshToken = async (of: TestMerchant): Promise<TestMerchant> => {
      const { body } = await service.ask('POST', '/oauth/auth', {
        body: { client_id: of.clientId, client_secret: of.clientSecret },
      });
      return { ...of, token: body.access_token };
    };

    // Guarantee: a token pays no second transaction, of any merchant, by any endpoint.
    test('400 payment_failed: the same token for another transaction', async () => {
      const own = await aFreshToken(merchant);
      const [one, two] = [await aTransaction(service, own), await aTransaction(service, own)];
      const other = await aMerchant(service);
      const three = await aTransaction(service, other);
      const token = aToken(service);
      await payWallet(service, own, one, token);
      const refused = ['payment_failed walletPayPaymentData'];
      logLines.length = 0;
      assert.deepEqual(faultsOf(await payWallet(service, own, two, token)), refused);
      assert.deepEqual(faultsOf(await payWallet(service, other, three, token)), refused);
      const reasons = logLines
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => msg === 'a wallet token was refused')
        .map(({ step, reason, merchantId }) => [step, reason, merchantId]);
      assert.deepEqual(reasons, [
        [16, 'used_before', own.id],
        [16, 'used_before', other.id],
      ]);
      const before = await transactions();
      const again = await service.ask('POST', '/transactions', {
        token: own.token,
        body: { amount: 10.01, description: 'Order', pay: { channelId: 75, walletPayPaymentData: token } },
      });
      assert.deepEqual(faultsOf(again), ['payment_failed pay.walletPayPaymentData']);
      assert.equal(await transactions(), before);
    });

    // Guarantee: an id says nothing about a token: another one that was given the same id is no repetition of the first.
    test('400 payment_failed: another token with the id of one that has paid', async () => {
      const own = await aFreshToken(merchant);
      const id = await aTransaction(service, own);
      const sameRandom = () => ({ bytes: (count: number) => new Uint8Array(count).fill(7) });
      const token = (amount: bigint) => aToken(service, { amount, random: sameRandom() });
      const idOf = (text: string) => JSON.parse(Buffer.from(text, 'base64').toString()).header.transactionId;
      const [first, other] = [token(1_001n), token(1_002n)];
      assert.equal(idOf(first), idOf(other));
      assert.equal((await payWallet(service, own, id, first)).body.status, 'paid');
      const dearer = await aTransaction(service, own, { amount: 10.02 });
      for (const transaction of [id, dearer]) {
        const answer = await payWallet(service, own, transaction, other);
        assert.deepEqual(faultsOf(answer), ['payment_failed walletPayPaymentData'], transaction);
      }
    });

    // Guarantee: of twenty concurrent requests at two nodes, one starts an attempt, and all get its result.
    test('twenty concurrent requests: one attempt', async () => {
      const own = await aFreshToken(merchant);
      const node = await serve(await aNode(service.world));
      const id = await aTransaction(service, own);
      const token = aToken(service);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => payWallet(index % 2 === 0 ? service : node, own, id, token)),
      );
      assert.equal(await attemptsOf(id), 1);
      await settleAll(service.world);
      assert.deepEqual(
        [...new Set(answers.map((answer: Answer) => `${answer.status} ${answer.body.status}`))],
        ['200 paid'],
      );
    });

    // Guarantee: if twenty transactions race for one token, one is paid, and nothing is left of the others.
    test('twenty concurrent transactions with one token: one is paid', async () => {
      const own = await aFreshToken(merchant);
      const token = aToken(service);
      const ids = await Promise.all(Array.from({ length: 10 }, () => aTransaction(service, own)));
      const before = await transactions();
      const answers = await Promise.all([
        ...ids.map((id) => payWallet(service, own, id, token)),
        ...ids.map(() =>
          service.ask('POST', '/transactions', {
            token: own.token,
            body: { amount: 10.01, description: 'Order', pay: { channelId: 75, walletPayPaymentData: token } },
          }),
        ),
      ]);
      const paid = answers.filter(({ status }) => status === 200);
      assert.equal(paid.length, 1);
      const uses = await service.world.db.sql.many((row) => readText(row, 'transaction_id'))`
        select transaction_id from wallet_token where attempt_id in (select id from charge where state = 'correct')
         and transaction_id = ${paid[0]?.body.transactionId}`;
      assert.equal(uses.length, 1);
      assert.ok((await transactions()) - before <= 1);
    });

    // Guarantee: a token whose attempt could not start is not used up.
    test('a token for a canceled transaction pays another one', async () => {
      const own = await aFreshToken(merchant);
      const [canceled, open] = [await aTransaction(service, own), await aTransaction(service, own)];
      await service.ask('POST', `/transactions/${canceled}/cancel`, { token: own.token, body: {} });
      const token = aToken(service);
      assert.deepEqual(faultsOf(await payWallet(service, own, canceled, token)), ['transaction_canceled']);
      assert.equal((await payWallet(service, own, open, token)).body.status, 'paid');
    });
  });

  suite('a token inside E1', () => {
    const own = async () =>
      (
        await service.ask('POST', '/oauth/auth', {
          body: { client_id: merchant.clientId, client_secret: merchant.clientSecret },
        })
      ).body.access_token as string;

    test('200: creates and pays, and repeats under its idempotency key', async () => {
      merchant = { ...merchant, token: await own() };
      const headers = { 'idempotency-key': 'wallet-1' };
      const pay = { channelId: 75, walletPayPaymentData: aToken(service) };
      const first = await create(pay, headers);
      assert.equal(first.status, 200, first.text);
      assert.equal(first.body.status, 'paid');
      assert.equal(first.body.payer.ip, '198.51.100.7');
      const second = await create(pay, headers);
      assert.deepEqual(second.body, first.body);
      assert.equal(await attemptsOf(first.body.transactionId), 1);
    });

    // Guarantee: a request that cannot be paid creates nothing.
    test('400: a refused token creates nothing', async () => {
      const before = await transactions();
      const bad = await create({ channelId: 75, walletPayPaymentData: aToken(service, { amount: 1n }) });
      assert.deepEqual(faultsOf(bad), ['payment_failed pay.walletPayPaymentData']);
      const malformed = await create({ channelId: 75, walletPayPaymentData: 'AAAA' });
      assert.deepEqual(faultsOf(malformed), ['not_valid pay.walletPayPaymentData']);
      assert.equal(await transactions(), before);
    });
  });

  // Guarantee: the channel is shown as available where it can be used.
  test('GET /transactions/channels: 75 is available', async () => {
    const { body } = await service.ask('GET', '/transactions/channels', { token: merchant.token });
    assert.equal(body.channels.find(({ id }: { id: string }) => id === '75').available, true);
  });
});
