// BLIK aliases: models A, M, O, with and without delay.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { checkInvariants } from '../support/payments.ts';
import { aRecurring, askRecurring, chargeAll, notificationsOf, recurringOf, storyOf } from '../support/recurring.ts';
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

  // Guarantee: if it is canceled while the bank waits, the charge finishes and is reported; nothing follows.
  test('M: canceled while the payer confirms', async () => {
    const id = await one('alias', { model: 'M' });
    await chargeAll(world);
    await askRecurring(service, merchant, id, 'cancel');
    await after(60);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
    assert.equal((await notificationsOf(service, id))[0]?.nextChargeDate, null);
  });
});
