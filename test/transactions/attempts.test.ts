// What responses say about the attempts of a transaction: its channel, why one was declined, what was given back.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import { declineReasons } from '../../src/acquirer/index.ts';
import { knownId, type TransactionId } from '../../src/kernel/index.ts';
import { declines } from '../../src/transactions/index.ts';
import { insertAttempt } from '../../src/transactions/store/attempts.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { Gate, gated } from '../support/gate.ts';
import { aChild, aPartner, aSplit, paySplit, showSplit } from '../support/marketplace.ts';
import { aPerson } from '../support/panel.ts';
import { aTransaction, checkInvariants, passTime, payBlik, settleAll, show } from '../support/payments.ts';
import { handleCallback } from '../support/rooms.ts';
import { aMerchant, aService, type Service, serve, type TestMerchant } from '../support/service.ts';

suite('attempts in responses', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });
  after(() => checkInvariants(service.world));

  const pay = (id: string, body: object) =>
    service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body });
  const listed = async (id: string) => {
    const { body } = await service.ask('GET', '/transactions?limit=100', { token: merchant.token });
    return body.transactions.list.find(({ transactionId }: { transactionId: string }) => transactionId === id);
  };
  const channelOf = ({ payments: { channelId, groupId } }: { payments: { channelId: unknown; groupId: unknown } }) => [
    channelId,
    groupId,
  ];

  suite('the channel of the payment', () => {
    // Guarantee: null while nobody chose, then the chosen one, then that of the latest attempt, in the end that of the
    // successful one; the same in every response.
    test('from nothing to the one that paid', async () => {
      const id = await aTransaction(service, merchant);
      assert.deepEqual(channelOf((await show(service, merchant, id)).body), [null, null]);
      assert.deepEqual(channelOf(await listed(id)), [null, null]);
      const waiting = await payBlik(service, merchant, id, '770123');
      assert.deepEqual(channelOf(waiting.body), ['64', '150']);
      const transfer = await pay(id, { channelId: 21 });
      assert.deepEqual(channelOf(transfer.body), ['21', '101']);
      assert.deepEqual(channelOf(await listed(id)), ['21', '101']);
      await passTime(service.world, { seconds: 10 });
      const { body } = await show(service, merchant, id);
      assert.deepEqual([body.status, ...channelOf(body)], ['paid', '64', '150']);
      const refund = await service.ask('GET', `/transactions/${id}/refunds`, { token: merchant.token });
      assert.deepEqual(channelOf(refund.body), ['64', '150']);
    });

    // Guarantee: a method chosen in E1 is named at once, also one named by its group.
    test('chosen in E1', async () => {
      for (const chosen of [{ channelId: 53 }, { groupId: 103 }]) {
        const { body } = await service.ask('POST', '/transactions', {
          token: merchant.token,
          body: { amount: 1, description: 'Tea', pay: chosen },
        });
        assert.deepEqual(channelOf(body), ['53', '103']);
      }
    });

    // Guarantee: the marketplace names it too.
    test('in M2 and M6', async () => {
      const partner = await aPartner(service, [{}]);
      const id = await aSplit(service, partner, [aChild(partner, 0, 1_000)]);
      assert.deepEqual(channelOf((await showSplit(service, partner, id)).body), [null, null]);
      assert.deepEqual(channelOf((await paySplit(service, partner, id)).body), ['64', '150']);
      assert.deepEqual(channelOf((await showSplit(service, partner, id)).body), ['64', '150']);
    });
  });

  suite('paymentErrorCode', () => {
    // Guarantee: a declined attempt has the number of its reason, any other has null.
    test('declined, then correct', async () => {
      const id = await aTransaction(service, merchant);
      for (const code of ['111111', '222222', '333333', '777123']) await payBlik(service, merchant, id, code);
      const { attempts } = (await show(service, merchant, id)).body.payments;
      assert.deepEqual(
        attempts.map(({ status, paymentErrorCode }: Record<string, string>) => [status, paymentErrorCode]),
        [
          ['declined', '106'],
          ['declined', '101'],
          ['declined', '104'],
          ['correct', null],
        ],
      );
    });

    // Guarantee: the attempt of the request that created the transaction is the first of its attempts.
    test('declined in E1, then correct', async () => {
      const created = await service.ask('POST', '/transactions', {
        token: merchant.token,
        body: {
          amount: 10.01,
          description: 'Order',
          payer: { email: 'a@example.com', name: 'A', ip: '198.51.100.7', userAgent: 'x' },
          pay: { channelId: 64, blikPaymentData: { blikToken: '111111' } },
        },
      });
      const id = created.body.transactionId;
      assert.equal((await payBlik(service, merchant, id, '777123')).body.status, 'paid', created.text);
      assert.equal((await show(service, merchant, id)).body.payments.attempts.length, 2);
    });

    // Guarantee: an attempt starts under the lock of its transaction, whatever was checked before: not of one that was
    // canceled meanwhile or belongs to another merchant, and not beyond the limit.
    test('what no attempt starts of', async () => {
      const { world } = service;
      const [open, canceled] = [await aTransaction(service, merchant), await aTransaction(service, merchant)];
      await service.ask('POST', `/transactions/${canceled}/cancel`, { token: merchant.token });
      const stranger = await aMerchant(service);
      const start = (transactionId: string, merchantId = merchant.id, attemptsAtMost = 1) =>
        world.db.batch(insertAttempt, {
          id: world.ids.ulid(),
          transactionId: knownId<TransactionId>(transactionId),
          merchantId,
          channelId: 64,
          acquirer: world.bank.name,
          cardToken: null,
          cardBrand: null,
          cardTail: null,
          initiator: 'payer',
          createdAt: world.clock.now(),
          nextCheckAt: world.clock.now(),
          attemptsAtMost,
          lang: '',
        });
      assert.equal(await start(canceled), false);
      assert.equal(await start(open, stranger.id), false);
      assert.equal(await start(open), true);
      assert.equal(await start(open), false);
      await passTime(world, { minutes: 10 });
    });

    // Guarantee: the guide has exactly the codes of the service, each once.
    test('the table in docs/api.md', async () => {
      const guide = await readFile('docs/api.md', 'utf8');
      const rows = [...guide.matchAll(/^\| `(\d{3})` \| `([a-z_]+)` \| `([a-z ]+)` \|/gm)].map(([, ...row]) => row);
      assert.deepEqual(
        rows,
        declineReasons.map((reason) => [declines[reason].code, declines[reason].word, reason]),
      );
      assert.equal(new Set(rows.map(([code]) => code)).size, rows.length);
    });
  });

  suite('money that came too late', () => {
    // Guarantee: what is given back is told, in the API and in the panel, although the attempt had ended before.
    test('captured after the bank had declined', async () => {
      const id = await aTransaction(service, merchant);
      const after = new Gate();
      const held = await serve({
        ...service.world,
        acquirers: acquirersOf(service.world, gated(service.world.bank, { after })),
      });
      const paying = payBlik(held, merchant, id);
      await after.reachedBy(paying);
      const first = async () => (await show(service, merchant, id)).body.payments.attempts[0];
      const key: string = (await first()).attemptId;
      await handleCallback(service.world, { kind: 'charge', key, result: { kind: 'declined', reason: 'timed out' } });
      const declined = await first();
      assert.deepEqual([declined.status, declined.paymentErrorCode], ['declined', '107']);
      after.open();
      await paying;
      await settleAll(service.world);
      const late = await first();
      assert.deepEqual([late.status, late.paymentErrorCode], ['refunded', null]);
      const person = await aPerson(service, 'owner', merchant.id);
      const { body } = await person.ask('GET', `/panel/api/transactions/${id}`);
      assert.deepEqual([body.attempts[0].state, body.attempts[0].paymentErrorCode], ['surplus', null]);
    });

    // Guarantee: the same after a cancel.
    test('captured after the bank had canceled', async () => {
      service.world.bank.setFaults({ successAfterCancel: { probability: 1, seed: 0 } });
      const id = await aTransaction(service, merchant);
      await pay(id, { channelId: 21 });
      await service.ask('POST', `/transactions/${id}/cancel`, { token: merchant.token });
      await passTime(service.world, { minutes: 1 });
      service.world.bank.setFaults({});
      assert.equal((await show(service, merchant, id)).body.payments.attempts[0].status, 'refunded');
    });
  });
});
