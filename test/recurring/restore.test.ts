// R6 on a recurring payment whose last retry failed: the new instrument restores it.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { checkInvariants } from '../support/payments.ts';
import {
  aRecurring,
  askRecurring,
  attemptsOf,
  chargeAll,
  notificationsOf,
  recurringOf,
  storyOf,
} from '../support/recurring.ts';
import { aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('restoring a failed recurring payment', () => {
  let service: Service;
  let merchant: TestMerchant;
  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });
  after(() => checkInvariants(service.world));

  const day = { value: 1, unit: 'days' };
  const goTo = async (instant: string) => {
    service.world.clock.set(instant);
    await chargeAll(service.world);
  };
  const passDays = async (days: number) => {
    for (let passed = 0; passed < days; passed += 1) {
      service.world.clock.advance({ hours: 24 });
      await chargeAll(service.world);
    }
  };
  /** Monthly from 10 March, 9:00 UTC; failed before 15 March, 9:00. */
  const aFailedOne = async (schedule: object = {}) => {
    service.world.clock.set('2026-03-10T09:00:00Z');
    const id = await aRecurring(service, merchant, {
      schedule: { firstChargeDate: '2026-03-10T09:00:00Z', retryIntervals: [day], ...schedule },
      paymentInstrument: { value: 'instrument-invalid' },
    });
    await chargeAll(service.world);
    await passDays(5);
    assert.equal((await recurringOf(service, merchant, id)).status, 'failed');
    return id;
  };
  const restore = (id: string, value = 'tok') =>
    askRecurring(service, merchant, id, 'payment_instrument', {
      paymentInstrument: { paymentType: 'card_token', value },
    });
  const failures = ['1.1 failed instrument invalid', '1.2 failed instrument invalid'];
  const datesOf = async (id: string) =>
    (await attemptsOf(service, merchant, id))
      .filter(({ status }) => status === 'correct')
      .map(({ iterationCount, createdAt }) => `${iterationCount} ${createdAt.slice(0, 10)}`);

  // Guarantee: 201 and active again; the failed iteration is tried at once with the new instrument, and the schedule
  // goes on as it was.
  test('201: tried at once', async () => {
    const id = await aFailedOne();
    service.world.clock.set('2026-03-17T15:00:00Z');
    const { status, body } = await restore(id);
    assert.deepEqual([status, body.status, body.reason], [201, 'active', 'instrument invalid']);
    assert.deepEqual(body, await recurringOf(service, merchant, id));
    await chargeAll(service.world);
    assert.deepEqual(await storyOf(service, merchant, id), [...failures, '1.3 correct']);
    const notified = (await notificationsOf(service, id)).at(-1);
    assert.deepEqual([notified?.status, notified?.nextChargeDate], ['correct', '2026-04-10T10:00:00+02:00']);
    await goTo('2026-04-10T08:00:00Z');
    assert.deepEqual(await datesOf(id), ['1 2026-03-17', '2 2026-04-10']);
  });

  // Guarantee: it gets all its retries again, counted from the new attempt; only the last of them ends it, and then it
  // can be restored again.
  test('201: its retries start anew', async () => {
    const id = await aFailedOne({ retryIntervals: [day, day] });
    for (const attempts of [6, 9]) {
      assert.equal((await restore(id, 'insufficient-funds')).status, 201);
      await chargeAll(service.world);
      await passDays(1);
      assert.equal((await recurringOf(service, merchant, id)).status, 'active');
      await passDays(1);
      assert.equal((await recurringOf(service, merchant, id)).status, 'failed');
      await passDays(3);
      assert.equal((await attemptsOf(service, merchant, id)).length, attempts);
    }
    assert.equal((await restore(id)).status, 201);
    await chargeAll(service.world);
    assert.equal((await storyOf(service, merchant, id)).at(-1), '1.10 correct');
  });

  // Guarantee: dates that passed meanwhile are not charged and count as passed, also for chargeCount.
  test('dates that passed are not charged', async () => {
    const id = await aFailedOne({ chargeCount: 6 });
    await goTo('2026-06-20T09:00:00Z');
    assert.equal((await restore(id)).status, 201);
    await chargeAll(service.world);
    await goTo('2026-07-10T08:00:00Z');
    assert.deepEqual(await datesOf(id), ['1 2026-06-20', '5 2026-07-10']);
    await goTo('2026-08-10T08:00:00Z');
    assert.deepEqual(await datesOf(id), ['1 2026-06-20', '5 2026-07-10', '6 2026-08-10']);
    assert.equal((await recurringOf(service, merchant, id)).status, 'finished');
    await goTo('2027-08-10T08:00:00Z');
    assert.equal((await datesOf(id)).length, 3);
  });

  // Guarantee: when all other dates have passed, the success of the failed iteration finishes it.
  test('all other dates have passed', async () => {
    const id = await aFailedOne({ chargeCount: 3 });
    await goTo('2026-09-01T09:00:00Z');
    assert.equal((await restore(id)).status, 201);
    await chargeAll(service.world);
    assert.deepEqual(await storyOf(service, merchant, id), [...failures, '1.3 correct']);
    assert.equal((await recurringOf(service, merchant, id)).status, 'finished');
    assert.equal((await notificationsOf(service, id)).at(-1)?.nextChargeDate, null);
  });

  // Guarantee: a date that comes while the restored iteration is still open waits for it, as always.
  test('a date that comes while it is open is charged', async () => {
    const id = await aFailedOne({ retryIntervals: Array(5).fill(day) });
    service.world.clock.set('2026-04-09T09:00:00Z');
    assert.equal((await restore(id, 'fail-8-insufficient-funds')).status, 201);
    await chargeAll(service.world);
    await passDays(2);
    assert.deepEqual((await storyOf(service, merchant, id)).slice(6), [
      '1.7 failed insufficient funds',
      '1.8 failed insufficient funds',
      '1.9 correct',
      '2.1 failed insufficient funds',
    ]);
    assert.equal((await attemptsOf(service, merchant, id)).at(-1)?.createdAt, '2026-04-11T11:00:00+02:00');
  });

  // Guarantee: failing again before the next date leaves the dates that passed; restoring later passes over more.
  test('restored twice', async () => {
    const id = await aFailedOne({ retryIntervals: [] });
    await goTo('2026-05-20T09:00:00Z');
    await restore(id, 'payer-rejected');
    await chargeAll(service.world);
    assert.equal((await recurringOf(service, merchant, id)).status, 'failed');
    await goTo('2026-06-20T09:00:00Z');
    await restore(id);
    await chargeAll(service.world);
    await goTo('2026-07-10T08:00:00Z');
    assert.deepEqual(await datesOf(id), ['1 2026-06-20', '5 2026-07-10']);
  });

  // Guarantee: manual retries work again once the new attempt failed, and still count for their iteration.
  test('R4 after it', async () => {
    const id = await aFailedOne();
    await restore(id, 'payer-rejected');
    const early = await askRecurring(service, merchant, id, 'retry');
    assert.deepEqual([early.status, faultsOf(early)], [406, ['last_attempt_not_failed']]);
    await chargeAll(service.world);
    for (let made = 0; made < 30; made += 1) {
      assert.equal((await askRecurring(service, merchant, id, 'retry')).status, 201);
      await chargeAll(service.world);
    }
    await passDays(1);
    await restore(id, 'payer-rejected');
    await chargeAll(service.world);
    const answer = await askRecurring(service, merchant, id, 'retry');
    assert.deepEqual([answer.status, faultsOf(answer)], [406, ['retry_limit_reached']]);
  });

  // Guarantee: canceled before the engine comes to it, nothing is charged.
  test('R5 after it', async () => {
    const id = await aFailedOne();
    await restore(id);
    assert.equal((await askRecurring(service, merchant, id, 'cancel')).status, 200);
    await passDays(3);
    assert.deepEqual(await storyOf(service, merchant, id), failures);
  });

  // Guarantee: a repeat with the same idempotency key, and requests at the same moment, restore once.
  test('once', async () => {
    const id = await aFailedOne();
    const answers = await Promise.all(Array.from({ length: 10 }, () => restore(id)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    await chargeAll(service.world);
    assert.deepEqual(await storyOf(service, merchant, id), [...failures, '1.3 correct']);
  });
});
