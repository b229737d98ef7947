// Cancel, instrument change and retry against a charge in flight: before and after it was sent.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { checkInvariants } from '../support/payments.ts';
import {
  aRecurring,
  askRecurring,
  attemptsOf,
  chargeAll,
  notificationsOf,
  pauseCharges,
  recurringOf,
  storyOf,
} from '../support/recurring.ts';
import { chargeDue, lookUpCharges } from '../support/rooms.ts';
import { aMerchant, aService, type Service, type TestMerchant, type TestWorld } from '../support/service.ts';

suite('changes while a charge is in flight', () => {
  let service: Service;
  let world: TestWorld;
  let merchant: TestMerchant;
  beforeEach(async () => {
    service = await aService();
    world = service.world;
    merchant = await aMerchant(service);
  });
  afterEach(() => checkInvariants(world));

  const captures = () => world.bank.record().captures.length;
  const cancel = (id: string) => askRecurring(service, merchant, id, 'cancel');

  /** A round of charges that is paused until it is released. */
  const pausedAt = async (where: 'before' | 'after') => {
    const held = pauseCharges(world, where);
    const round = chargeDue(held.world);
    await held.gate.arrived();
    return async () => {
      held.gate.open();
      await round;
    };
  };

  // Guarantee: canceled before it is due, it is never sent.
  test('cancel before the claim', async () => {
    const id = await aRecurring(service, merchant);
    await cancel(id);
    await chargeAll(world);
    assert.deepEqual(await storyOf(service, merchant, id), []);
    assert.equal(captures(), 0);
  });

  // Guarantee: a charge in flight finishes and is reported; nothing follows it, whatever its result.
  for (const [value, story, reason] of [
    ['tok', '1.1 correct', undefined],
    ['payer-rejected', '1.1 failed payer rejected', 'payer rejected'],
  ] as const) {
    test(`cancel after the send: ${value}`, async () => {
      const id = await aRecurring(service, merchant, { paymentInstrument: { value } });
      const resume = await pausedAt('after');
      const answer = await cancel(id);
      assert.deepEqual([answer.status, answer.body.status], [200, 'canceled']);
      await resume();
      const [notified, ...others] = await notificationsOf(service, id);
      assert.deepEqual([notified?.status, notified?.nextChargeDate, others], [story.split(' ')[1], null, []]);
      world.clock.advance({ hours: 24 * 60 });
      await chargeAll(world);
      assert.deepEqual(await storyOf(service, merchant, id), [story]);
      const shown = await recurringOf(service, merchant, id);
      assert.deepEqual([shown.status, shown.reason], ['canceled', reason]);
    });
  }

  // Guarantee: a payer who canceled is never charged by an attempt that had not been sent: the worker died between the
  // claim and the send, the cancel came, and the next worker does not send it.
  test('cancel after a claim whose worker died before the send', async () => {
    const id = await aRecurring(service, merchant);
    const held = pauseCharges(world, 'before');
    void chargeDue(held.world);
    await held.gate.arrived();
    assert.equal((await cancel(id)).status, 200);
    for (let seconds = 0; seconds < 20; seconds += 1) {
      world.clock.advance({ seconds: 1 });
      await lookUpCharges(world);
    }
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 canceled']);
    assert.equal(captures(), 0);
    const [notified, ...others] = await notificationsOf(service, id);
    assert.deepEqual(
      [notified?.status, notified?.nextChargeDate, notified?.reason, others],
      ['canceled', null, null, []],
    );
    // If the dead worker's request arrives after all, the bank refuses it.
    held.gate.open();
    await chargeAll(world);
    assert.equal(captures(), 0);
    assert.equal((await recurringOf(service, merchant, id)).status, 'canceled');
  });

  // Guarantee: the same if the bank was away and the payer cancels before it is back.
  test('cancel while the bank cannot be reached', async () => {
    const id = await aRecurring(service, merchant, { paymentInstrument: { value: 'unreachable' } });
    await chargeAll(world);
    await cancel(id);
    world.clock.advance({ seconds: 3 });
    await chargeAll(world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 canceled']);
    assert.equal(captures(), 0);
  });

  // Guarantee: a cancel whose response is lost too is repeated until the bank has confirmed it.
  test('cancel at a bank whose responses get lost', async () => {
    world.bank.setFaults({ lostRequest: { probability: 1, seed: 1 } });
    const id = await aRecurring(service, merchant);
    await chargeAll(world);
    await cancel(id);
    for (let seconds = 0; seconds < 60; seconds += 3) {
      world.clock.advance({ seconds: 3 });
      await chargeAll(world);
    }
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 canceled']);
    assert.equal(captures(), 0);
  });

  const change = (id: string, value: string) =>
    askRecurring(service, merchant, id, 'payment_instrument', {
      paymentInstrument: { paymentType: 'card_token', value },
    });

  // Guarantee: the instrument is fixed at the send: before it, the new one is charged.
  test('instrument change before the send', async () => {
    const id = await aRecurring(service, merchant, { paymentInstrument: { value: 'instrument-invalid' } });
    await change(id, 'good');
    await chargeAll(world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
  });

  // Guarantee: after the send the old one is charged, even if the same attempt has to be sent again; retries use the
  // new one.
  test('instrument change after the send', async () => {
    const id = await aRecurring(service, merchant, { paymentInstrument: { value: 'unreachable-instrument-rejected' } });
    await chargeAll(world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 pending']);
    assert.equal((await change(id, 'good')).status, 201);
    world.clock.advance({ seconds: 3 });
    await chargeAll(world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed instrument rejected']);
    world.clock.advance({ hours: 24 });
    await chargeAll(world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed instrument rejected', '1.2 correct']);
  });

  test('instrument change from a card to an alias while a charge is in flight', async () => {
    const id = await aRecurring(service, merchant);
    const resume = await pausedAt('after');
    await askRecurring(service, merchant, id, 'payment_instrument', {
      paymentInstrument: { paymentType: 'blik_payid', value: 'alias', blik: { model: 'A', noDelay: true } },
    });
    await resume();
    world.clock.set('2026-04-10T08:00:00Z');
    await chargeAll(world);
    const channels = await Promise.all(
      (await attemptsOf(service, merchant, id)).map(
        ({ transactionId }) =>
          world.db.sql.one((row) => row.channel_id)`select channel_id from transaction where id = ${transactionId}`,
      ),
    );
    assert.deepEqual(channels, [53, 64]);
  });

  // Guarantee: nobody else pays or cancels the transaction of a charge in flight.
  test("its transaction is the engine's", async () => {
    const id = await aRecurring(service, merchant);
    const resume = await pausedAt('before');
    const [{ transactionId } = { transactionId: '' }] = await attemptsOf(service, merchant, id);
    const paid = await service.ask('POST', `/transactions/${transactionId}/pay`, {
      token: merchant.token,
      body: { groupId: 150, blikPaymentData: { blikToken: '777123' } },
    });
    const canceled = await service.ask('POST', `/transactions/${transactionId}/cancel`, { token: merchant.token });
    assert.deepEqual([paid.status, canceled.status], [409, 409]);
    await resume();
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
    assert.equal(captures(), 1);
  });
});
