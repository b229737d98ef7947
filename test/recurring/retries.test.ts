// Retries to their end, day by day.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
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
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

suite('retries', () => {
  let service: Service;
  let merchant: TestMerchant;
  beforeEach(async () => {
    service = await aService();
    merchant = await aMerchant(service, { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n });
  });
  afterEach(() => checkInvariants(service.world));

  const goTo = async (instant: string) => {
    service.world.clock.set(instant);
    await chargeAll(service.world);
  };
  /** Lets days pass, one by one, at the hour of the first charge. */
  const passDays = async (count: number) => {
    for (let day = 0; day < count; day += 1) {
      service.world.clock.advance({ hours: 24 });
      await chargeAll(service.world);
    }
  };

  // Guarantee: without its own schedule a failed charge is retried once a day for 14 days, then the recurring payment
  // has failed, nothing more is due, and every attempt was reported with all its fields.
  test('the default policy to its end', async () => {
    const id = await aRecurring(service, merchant, {
      hiddenDescription: 'box 7',
      schedule: { firstChargeDate: '2026-03-10T09:00:00Z' },
      paymentInstrument: { value: 'tok-insufficient-funds' },
    });
    await chargeAll(service.world);
    await passDays(14);
    const attempts = await attemptsOf(service, merchant, id);
    assert.deepEqual(
      attempts.map(({ createdAt, status, iterationCount, iterationAttemptCount, reason }) => ({
        createdAt,
        status,
        iterationCount,
        iterationAttemptCount,
        reason,
      })),
      Array.from({ length: 15 }, (_, index) => ({
        createdAt: `2026-03-${10 + index}T10:00:00+01:00`,
        status: 'failed',
        iterationCount: 1,
        iterationAttemptCount: index + 1,
        reason: 'insufficient funds',
      })),
    );
    assert.deepEqual(
      await notificationsOf(service, id),
      attempts.map(({ transactionId }, index) => ({
        recurringId: id,
        merchantId: merchant.id,
        transactionId,
        hiddenDescription: 'box 7',
        iterationCount: 1,
        iterationAttemptCount: index + 1,
        status: 'failed',
        nextChargeDate: index < 14 ? `2026-03-${11 + index}T10:00:00+01:00` : null,
        reason: 'insufficient funds',
      })),
    );
    const shown = await recurringOf(service, merchant, id);
    assert.deepEqual([shown.status, shown.reason], ['failed', 'insufficient funds']);
    await passDays(40);
    assert.equal((await attemptsOf(service, merchant, id)).length, 15);
  });

  // Guarantee: `[]` means no retries.
  test('no retries', async () => {
    const id = await aRecurring(service, merchant, {
      schedule: { retryIntervals: [] },
      paymentInstrument: { value: 'tok-instrument-rejected' },
    });
    await chargeAll(service.world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed instrument rejected']);
    assert.equal((await recurringOf(service, merchant, id)).status, 'failed');
    assert.equal((await notificationsOf(service, id))[0]?.nextChargeDate, null);
    await passDays(40);
    assert.equal((await attemptsOf(service, merchant, id)).length, 1);
  });

  // Guarantee: delays of the merchant's own schedule count from the failed attempt, in minutes, days and months.
  test('an own schedule of every unit', async () => {
    const id = await aRecurring(service, merchant, {
      schedule: {
        firstChargeDate: '2026-03-10T09:00:00Z',
        retryIntervals: [
          { value: 30, unit: 'minutes' },
          { value: 2, unit: 'days' },
          { value: 1, unit: 'months' },
        ],
      },
      paymentInstrument: { value: 'tok-payer-rejected' },
    });
    await chargeAll(service.world);
    await goTo('2026-03-10T09:29:59Z');
    assert.equal((await attemptsOf(service, merchant, id)).length, 1);
    await goTo('2026-03-10T09:30:00Z');
    await goTo('2026-03-12T09:29:59Z');
    assert.equal((await attemptsOf(service, merchant, id)).length, 2);
    await goTo('2026-03-12T09:30:00Z');
    await goTo('2026-04-12T08:30:00Z');
    assert.deepEqual(
      (await attemptsOf(service, merchant, id)).map(({ createdAt }) => createdAt),
      [
        '2026-03-10T10:00:00+01:00',
        '2026-03-10T10:30:00+01:00',
        '2026-03-12T10:30:00+01:00',
        '2026-04-12T10:30:00+02:00',
      ],
    );
    assert.equal((await recurringOf(service, merchant, id)).status, 'failed');
  });

  // Guarantee: an own schedule of thirty retries makes thirty, and the last failure ends it.
  test('thirty retries', async () => {
    const retryIntervals = Array.from({ length: 30 }, () => ({ value: 1, unit: 'days' }));
    const id = await aRecurring(service, merchant, {
      schedule: { firstChargeDate: '2026-03-10T09:00:00Z', retryIntervals },
      paymentInstrument: { value: 'tok-internal-error' },
    });
    await chargeAll(service.world);
    await passDays(29);
    assert.deepEqual(
      [(await attemptsOf(service, merchant, id)).length, (await recurringOf(service, merchant, id)).status],
      [30, 'active'],
    );
    await passDays(3);
    assert.deepEqual(
      [(await attemptsOf(service, merchant, id)).length, (await recurringOf(service, merchant, id)).status],
      [31, 'failed'],
    );
  });

  // Guarantee: a retry that succeeds ends the iteration; the next charge is where the schedule says, and its retries
  // start over.
  test('fail-2 in each of three charges, then finished', async () => {
    const id = await aRecurring(service, merchant, {
      schedule: { firstChargeDate: '2026-03-10T09:00:00Z', chargeCount: 3 },
      paymentInstrument: { value: 'fail-2-insufficient-funds' },
    });
    await chargeAll(service.world);
    assert.equal((await recurringOf(service, merchant, id)).reason, 'insufficient funds');
    await passDays(2);
    assert.equal((await recurringOf(service, merchant, id)).reason, undefined);
    await passDays(80);
    const iteration = (number: number) => [
      `${number}.1 failed insufficient funds`,
      `${number}.2 failed insufficient funds`,
      `${number}.3 correct`,
    ];
    assert.deepEqual(await storyOf(service, merchant, id), [...iteration(1), ...iteration(2), ...iteration(3)]);
    const notified = await notificationsOf(service, id);
    assert.deepEqual(
      notified.map(({ status, nextChargeDate }) => `${status} ${nextChargeDate}`),
      [
        'failed 2026-03-11T10:00:00+01:00',
        'failed 2026-03-12T10:00:00+01:00',
        'correct 2026-04-10T10:00:00+02:00',
        // The engine ran at 11:00 summer time, an hour after the due time; the retry counts from the attempt.
        'failed 2026-04-11T11:00:00+02:00',
        'failed 2026-04-12T11:00:00+02:00',
        'correct 2026-05-10T10:00:00+02:00',
        'failed 2026-05-11T11:00:00+02:00',
        'failed 2026-05-12T11:00:00+02:00',
        'correct null',
      ],
    );
    assert.equal((await recurringOf(service, merchant, id)).status, 'finished');
  });

  // Guarantee: every failure reason appears in R2, R3 and the notification with its exact spelling.
  test('every reason', async () => {
    const reasons = [
      'insufficient funds',
      'instrument invalid',
      'instrument rejected',
      'payer rejected',
      'internal error',
    ];
    for (const reason of reasons) {
      const value = `tok-${reason.replace(' ', '-')}`;
      const id = await aRecurring(service, merchant, { paymentInstrument: { value } });
      await chargeAll(service.world);
      assert.equal((await recurringOf(service, merchant, id)).reason, reason);
      assert.deepEqual(await storyOf(service, merchant, id), [`1.1 failed ${reason}`]);
      assert.equal((await notificationsOf(service, id))[0]?.reason, reason);
    }
  });

  // Guarantee: if retries extend beyond the next charge's date, that charge waits and is then made immediately: none is
  // skipped.
  test('iterations wait for the open one', async () => {
    const id = await aRecurring(service, merchant, {
      schedule: { firstChargeDate: '2026-03-10T09:00:00Z', interval: 2, intervalType: 'days', chargeCount: 4 },
      paymentInstrument: { value: 'fail-5-payer-rejected' },
    });
    await chargeAll(service.world);
    await passDays(21);
    const attempts = await attemptsOf(service, merchant, id);
    assert.equal(attempts.length, 24);
    assert.deepEqual(
      attempts.filter(({ status }) => status === 'correct').map(({ createdAt }) => createdAt.slice(0, 10)),
      ['2026-03-15', '2026-03-20', '2026-03-25', '2026-03-30'],
    );
    // Charge 2 was due on the 12th and was started on the 15th, right after charge 1 was made.
    const begun = attempts.filter(({ iterationAttemptCount }) => iterationAttemptCount === 1);
    assert.deepEqual(
      begun.map(({ createdAt }) => createdAt.slice(0, 10)),
      ['2026-03-10', '2026-03-15', '2026-03-20', '2026-03-25'],
    );
    assert.equal((await recurringOf(service, merchant, id)).status, 'finished');
  });

  suite('by hand', () => {
    // Guarantee: a manual retry is made immediately and does not move the scheduled ones.
    test('it fails, and the scheduled one still comes in its time', async () => {
      const id = await aRecurring(service, merchant, {
        schedule: { firstChargeDate: '2026-03-10T09:00:00Z' },
        paymentInstrument: { value: 'fail-3-insufficient-funds' },
      });
      await chargeAll(service.world);
      service.world.clock.advance({ hours: 5 });
      assert.equal((await askRecurring(service, merchant, id, 'retry')).status, 201);
      await chargeAll(service.world);
      const [, byHand] = await notificationsOf(service, id);
      assert.deepEqual([byHand?.iterationAttemptCount, byHand?.nextChargeDate], [2, '2026-03-11T10:00:00+01:00']);
      await goTo('2026-03-11T09:00:00Z');
      await goTo('2026-03-12T09:00:00Z');
      assert.deepEqual(
        (await attemptsOf(service, merchant, id)).map(({ createdAt, status }) => `${createdAt} ${status}`),
        [
          '2026-03-10T10:00:00+01:00 failed',
          '2026-03-10T15:00:00+01:00 failed',
          '2026-03-11T10:00:00+01:00 failed',
          '2026-03-12T10:00:00+01:00 correct',
        ],
      );
    });

    // Guarantee: a successful manual retry ends the scheduled ones.
    test('it succeeds, and nothing is retried any more', async () => {
      const id = await aRecurring(service, merchant, {
        schedule: { firstChargeDate: '2026-03-10T09:00:00Z' },
        paymentInstrument: { value: 'fail-1-payer-rejected' },
      });
      await chargeAll(service.world);
      service.world.clock.advance({ minutes: 1 });
      assert.equal((await askRecurring(service, merchant, id, 'retry')).status, 201);
      await chargeAll(service.world);
      await passDays(20);
      assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed payer rejected', '1.2 correct']);
      assert.equal((await notificationsOf(service, id)).at(-1)?.nextChargeDate, '2026-04-10T10:00:00+02:00');
    });

    // Guarantee: manual retries do not use up scheduled ones: all 14 still come.
    test('five by hand and fourteen scheduled', async () => {
      const id = await aRecurring(service, merchant, {
        schedule: { firstChargeDate: '2026-03-10T09:00:00Z' },
        paymentInstrument: { value: 'tok-insufficient-funds' },
      });
      await chargeAll(service.world);
      for (let tries = 0; tries < 5; tries += 1) {
        assert.equal((await askRecurring(service, merchant, id, 'retry')).status, 201);
        await chargeAll(service.world);
      }
      await passDays(20);
      assert.equal((await attemptsOf(service, merchant, id)).length, 1 + 5 + 14);
      assert.equal((await recurringOf(service, merchant, id)).status, 'failed');
    });

    // Guarantee: thirty manual retries change neither schedule nor status: each tells the same next date, and all
    // scheduled ones follow; only the last of these ends it.
    test('the limit', async () => {
      const id = await aRecurring(service, merchant, {
        schedule: { firstChargeDate: '2026-03-10T09:00:00Z' },
        paymentInstrument: { value: 'tok-insufficient-funds' },
      });
      await chargeAll(service.world);
      for (let tries = 0; tries < 30; tries += 1) {
        assert.equal((await askRecurring(service, merchant, id, 'retry')).status, 201);
        await chargeAll(service.world);
      }
      assert.equal((await recurringOf(service, merchant, id)).status, 'active');
      assert.deepEqual(
        new Set((await notificationsOf(service, id)).map(({ nextChargeDate }) => nextChargeDate)),
        new Set(['2026-03-11T10:00:00+01:00']),
      );
      assert.equal((await askRecurring(service, merchant, id, 'retry')).status, 406);
      await passDays(13);
      assert.equal((await recurringOf(service, merchant, id)).status, 'active');
      await passDays(3);
      assert.equal((await recurringOf(service, merchant, id)).status, 'failed');
      assert.equal((await attemptsOf(service, merchant, id)).length, 1 + 30 + 14);
      assert.equal((await notificationsOf(service, id)).at(-1)?.nextChargeDate, null);
    });

    // Guarantee: a new iteration has its own limit of manual retries.
    test('the limit counts each iteration', async () => {
      const id = await aRecurring(service, merchant, {
        schedule: { firstChargeDate: '2026-03-10T09:00:00Z', interval: 1, intervalType: 'days' },
        paymentInstrument: { value: 'fail-30-insufficient-funds' },
      });
      await chargeAll(service.world);
      for (let tries = 0; tries < 30; tries += 1) {
        assert.equal((await askRecurring(service, merchant, id, 'retry')).status, 201);
        await chargeAll(service.world);
      }
      await passDays(1);
      for (let tries = 0; tries < 30; tries += 1) {
        assert.equal((await askRecurring(service, merchant, id, 'retry')).status, 201);
        await chargeAll(service.world);
      }
      assert.equal((await recurringOf(service, merchant, id)).status, 'active');
      assert.equal((await attemptsOf(service, merchant, id)).length, 62);
    });
  });
});
