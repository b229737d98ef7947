// BLIK aliases: models A, M, O, with and without delay.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { acquirersOf } from '../support/acquirers.ts';
import { gated } from '../support/gate.ts';
import { checkInvariants } from '../support/payments.ts';
import {
  aRecurring,
  askRecurring,
  chargeAll,
  notificationsOf,
  pauseCharges,
  recurringOf,
  storyOf,
} from '../support/recurring.ts';
import { chargeDue, lookUpCharges } from '../support/rooms.ts';
import { aMerchant, aService, type Service, type TestMerchant, type TestWorld } from '../support/service.ts';

suite('BLIK aliases', () => {
  let service: Service;
  let world: TestWorld;
  let merchant: TestMerchant;
  beforeEach(async () => {
    service = await aService();
    world = service.world;
    merchant = await aMerchant(service);
  });
  afterEach(() => checkInvariants(world));

  const one = (value: string, blik: object, schedule: object = {}) =>
    aRecurring(service, merchant, { schedule, paymentInstrument: { paymentType: 'blik_payid', value, blik } });
  const after = async (seconds: number) => {
    world.clock.advance({ seconds });
    await chargeAll(world);
  };

  // Guarantee: the bank charges immediately, later, or after the payer has confirmed, as the model says; until then the
  // attempt is pending, there is no notification, and nothing is sent twice.
  for (const [name, blik, waitsSeconds] of [
    ['A without delay', { model: 'A', noDelay: true }, 0],
    ['O without delay', { model: 'O', noDelay: true }, 0],
    ['A', { model: 'A' }, 300],
    ['A with delay', { model: 'A', noDelay: false }, 300],
    ['O', { model: 'O' }, 300],
    ['M', { model: 'M' }, 60],
    ['M, no delay not asked for', { model: 'M', noDelay: false }, 60],
  ] as const) {
    for (const [value, story] of [
      ['alias', '1.1 correct'],
      ['alias-payer-rejected', '1.1 failed payer rejected'],
    ] as const) {
      test(`${name}: ${story}`, async () => {
        const id = await one(value, blik);
        await chargeAll(world);
        if (waitsSeconds > 0) {
          await after(waitsSeconds - 1);
          assert.deepEqual(await storyOf(service, merchant, id), ['1.1 pending']);
          assert.deepEqual(await notificationsOf(service, id), []);
          assert.equal((await recurringOf(service, merchant, id)).reason, undefined);
          await after(1);
        }
        assert.deepEqual(await storyOf(service, merchant, id), [story]);
        assert.equal((await notificationsOf(service, id)).length, 1);
        await askRecurring(service, merchant, id, 'cancel');
      });
    }
  }

  // Guarantee: a retry counts from the attempt, not from the bank's decision; the next charge from the first.
  test('A: fails, is retried a day after the attempt, and then charged', async () => {
    const id = await one('fail-1-insufficient-funds', { model: 'A' }, { chargeCount: 1 });
    await chargeAll(world);
    await after(300);
    assert.equal((await notificationsOf(service, id))[0]?.nextChargeDate, '2026-03-11T10:00:00+01:00');
    world.clock.set('2026-03-11T09:00:00Z');
    await chargeAll(world);
    await after(300);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed insufficient funds', '1.2 correct']);
    assert.equal((await recurringOf(service, merchant, id)).status, 'finished');
  });

  // Guarantee: a lost callback is made up for by a lookup.
  test('A: the callback comes an hour late', async () => {
    world.bank.setFaults({ lateCallback: { probability: 1, seed: 1 } });
    const id = await one('alias', { model: 'A' }, { chargeCount: 1 });
    await chargeAll(world);
    await after(300);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 pending']);
    await after(310);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
    await after(4_000);
    assert.equal((await notificationsOf(service, id)).length, 1);
  });

  const canceledAtBank = async (id: string) => {
    const [notified, ...more] = await notificationsOf(service, id);
    assert.deepEqual(
      [notified?.status, notified?.nextChargeDate, notified?.reason, more],
      ['canceled', null, null, []],
    );
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 canceled']);
    // The payer can confirm no more.
    await after(24 * 3_600);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 canceled']);
    assert.deepEqual(world.bank.record().captures, []);
  };

  // Guarantee: a charge that only waits for the payer when its recurring payment is canceled is canceled at the bank,
  // and reported.
  test('M: canceled before the payer confirms', async () => {
    const id = await one('alias', { model: 'M' });
    await chargeAll(world);
    assert.equal((await askRecurring(service, merchant, id, 'cancel')).status, 200);
    await chargeAll(world);
    await canceledAtBank(id);
  });

  // Guarantee: the same if the bank accepts it only after the cancel, and if the worker dies before it hears of that.
  for (const [name, where, seconds] of [
    ['canceled while it is sent', 'before', 0],
    ['canceled while the answer is on its way', 'after', 0],
    ['canceled, and the worker died', 'after', 20],
  ] as const) {
    test(`M: ${name}`, async () => {
      const id = await one('alias', { model: 'M' });
      const held = pauseCharges(world, where);
      const round = chargeDue(held.world);
      await held.gate.arrived();
      assert.equal((await askRecurring(service, merchant, id, 'cancel')).status, 200);
      if (seconds > 0) await after(seconds);
      held.gate.open();
      await round;
      await chargeAll(world);
      await canceledAtBank(id);
    });
  }

  // Guarantee: a payer who was faster has paid: the charge finishes and is reported.
  test('M: canceled after the payer confirmed', async () => {
    const id = await one('alias', { model: 'M' });
    await chargeAll(world);
    world.clock.advance({ seconds: 60 });
    await askRecurring(service, merchant, id, 'cancel');
    await chargeAll(world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
  });

  // Guarantee: a bank that does not answer the cancel is asked again until it does.
  test('M: the bank is away during the cancel', async () => {
    const id = await one('alias', { model: 'M' });
    await chargeAll(world);
    await askRecurring(service, merchant, id, 'cancel');
    await lookUpCharges({
      ...world,
      acquirers: acquirersOf(world, { ...gated(world.bank, {}), cancel: async () => ({ kind: 'unknown' }) }),
    });
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 pending']);
    await after(20);
    await canceledAtBank(id);
  });

  // Guarantee: a charge that waits for the bank and not for the payer finishes and is reported; nothing follows.
  test('A: canceled while the bank waits', async () => {
    const id = await one('alias', { model: 'A' });
    await chargeAll(world);
    await askRecurring(service, merchant, id, 'cancel');
    await after(300);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
    assert.equal((await notificationsOf(service, id))[0]?.nextChargeDate, null);
  });
});
