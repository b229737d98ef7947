// When charges are due: one line per case.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { scheduleSentences } from '../../contract/codes/english/schedule.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import type { ScheduleRule, scheduleRules } from '../../contract/codes/schedule.ts';
import type { IntervalType, Plan, RetryUnit } from './model.ts';
import { chargeAt, chargeRule, endOfCalendar, iterationFrom, retriesOf, retryAt, retryRule } from './schedule.ts';

const warsaw = 'Europe/Warsaw';

function aPlan(first: string, interval: number, intervalType: IntervalType, overrides: Partial<Plan> = {}): Plan {
  return {
    firstChargeAt: Temporal.Instant.from(first),
    interval,
    intervalType,
    chargeCount: null,
    retryIntervals: null,
    zone: warsaw,
    ...overrides,
  };
}

function local(at: Temporal.Instant, zone = warsaw): string {
  return at.toZonedDateTimeISO(zone).toString({ timeZoneName: 'never', smallestUnit: 'minute' });
}

const days = (at: Temporal.Instant, zone = warsaw) => local(at, zone).slice(0, 10);

suite('chargeAt', () => {
  // Guarantee: 31 January, 28 February, 31 March: a short month affects no other month.
  for (const [first, expected] of [
    // Common years.
    ['2026-01-31', ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30', '2026-07-31', '2026-08-31']],
    ['2026-01-30', ['2026-02-28', '2026-03-30', '2026-04-30', '2026-05-30', '2026-06-30', '2026-07-30', '2026-08-30']],
    ['2026-01-29', ['2026-02-28', '2026-03-29', '2026-04-29', '2026-05-29', '2026-06-29', '2026-07-29', '2026-08-29']],
    ['2026-01-28', ['2026-02-28', '2026-03-28', '2026-04-28', '2026-05-28', '2026-06-28', '2026-07-28', '2026-08-28']],
    // Leap years.
    ['2028-01-31', ['2028-02-29', '2028-03-31', '2028-04-30', '2028-05-31', '2028-06-30', '2028-07-31', '2028-08-31']],
    ['2028-01-30', ['2028-02-29', '2028-03-30', '2028-04-30', '2028-05-30', '2028-06-30', '2028-07-30', '2028-08-30']],
    // Over the end of a year, and through a century year that is not a leap year.
    ['2027-10-31', ['2027-11-30', '2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30', '2028-05-31']],
    ['2099-12-31', ['2100-01-31', '2100-02-28', '2100-03-31', '2100-04-30', '2100-05-31', '2100-06-30', '2100-07-31']],
  ] as const) {
    test(`every month from ${first}`, () => {
      const plan = aPlan(`${first}T09:00:00Z`, 1, 'months');
      assert.deepEqual(
        expected.map((_, index) => days(chargeAt(plan, index + 2))),
        expected,
      );
    });
  }

  // Guarantee: from one leap year to the next, charges return to their original day.
  test('every month from 31 January 2027 to February 2029', () => {
    const plan = aPlan('2027-01-31T09:00:00Z', 1, 'months');
    assert.deepEqual(
      [2, 3, 14, 15, 26, 27].map((iteration) => days(chargeAt(plan, iteration))),
      ['2027-02-28', '2027-03-31', '2028-02-29', '2028-03-31', '2029-02-28', '2029-03-31'],
    );
  });

  // Guarantee: a yearly charge of 29 February is on the 28th in common years and on the 29th in leap years.
  test('every 12 months from 29 February', () => {
    const plan = aPlan('2028-02-29T09:00:00Z', 12, 'months');
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 9].map((iteration) => days(chargeAt(plan, iteration))),
      ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29', '2033-02-28', '2036-02-29'],
    );
  });

  test('every 3 months from 30 November, every 6 from 31 August', () => {
    const quarter = aPlan('2026-11-30T09:00:00Z', 3, 'months');
    assert.deepEqual(
      [2, 3, 4, 5, 6].map((iteration) => days(chargeAt(quarter, iteration))),
      ['2027-02-28', '2027-05-30', '2027-08-30', '2027-11-30', '2028-02-29'],
    );
    const half = aPlan('2026-08-31T09:00:00Z', 6, 'months');
    assert.deepEqual(
      [2, 3, 4].map((iteration) => days(chargeAt(half, iteration))),
      ['2027-02-28', '2027-08-31', '2028-02-29'],
    );
  });

  // Guarantee: local time counts: 10:00 stays 10:00 in summer and winter; a time skipped by DST moves forward, a
  // repeated one is the first.
  for (const [zone, first, interval, unit, iteration, expected] of [
    [warsaw, '2026-03-28T10:00:00+01:00', 1, 'days', 2, '2026-03-29T10:00+02:00'],
    [warsaw, '2026-10-24T10:00:00+02:00', 1, 'days', 2, '2026-10-25T10:00+01:00'],
    [warsaw, '2026-01-10T10:00:00+01:00', 1, 'months', 7, '2026-07-10T10:00+02:00'],
    // The gap: 02:00 to 03:00 on 29 March 2026.
    [warsaw, '2026-03-28T02:30:00+01:00', 1, 'days', 2, '2026-03-29T03:30+02:00'],
    [warsaw, '2026-03-28T02:30:00+01:00', 1, 'days', 3, '2026-03-30T02:30+02:00'],
    [warsaw, '2026-02-28T02:00:00+01:00', 1, 'months', 2, '2026-03-28T02:00+01:00'],
    [warsaw, '2026-01-29T02:59:00+01:00', 2, 'months', 2, '2026-03-29T03:59+02:00'],
    // The overlap: 02:00 to 03:00 twice on 25 October 2026.
    [warsaw, '2026-10-24T02:30:00+02:00', 1, 'days', 2, '2026-10-25T02:30+02:00'],
    [warsaw, '2026-10-24T02:30:00+02:00', 1, 'days', 3, '2026-10-26T02:30+01:00'],
    [warsaw, '2026-09-25T02:30:00+02:00', 1, 'months', 2, '2026-10-25T02:30+02:00'],
    // A first charge in the second of the two hours stays there.
    [warsaw, '2026-10-25T02:30:00+01:00', 1, 'days', 1, '2026-10-25T02:30+01:00'],
    [warsaw, '2026-10-25T02:30:00+01:00', 1, 'days', 2, '2026-10-26T02:30+01:00'],
    // An offset other than the zone's denotes the same instant.
    [warsaw, '2026-01-31T23:30:00-05:00', 1, 'months', 2, '2026-03-01T05:30+01:00'],
    ['America/New_York', '2026-03-07T02:30:00-05:00', 1, 'days', 2, '2026-03-08T03:30-04:00'],
    ['America/New_York', '2026-10-31T01:30:00-04:00', 1, 'days', 2, '2026-11-01T01:30-04:00'],
    ['Australia/Lord_Howe', '2026-10-03T02:15:00+10:30', 1, 'days', 2, '2026-10-04T02:45+11:00'],
    // A zone without DST, one with a half-hour offset, and one that skips midnight.
    ['UTC', '2026-03-28T02:30:00Z', 1, 'days', 2, '2026-03-29T02:30+00:00'],
    ['Asia/Kolkata', '2026-01-31T00:00:00+05:30', 1, 'months', 2, '2026-02-28T00:00+05:30'],
    ['Asia/Beirut', '2026-03-28T00:30:00+02:00', 1, 'days', 2, '2026-03-29T01:30+03:00'],
    // A day that the zone never had (Samoa skipped 30 December 2011).
    ['Pacific/Apia', '2011-12-29T10:00:00-10:00', 1, 'days', 2, '2011-12-31T10:00+14:00'],
  ] as const) {
    test(`${zone}: charge ${iteration} of ${interval} ${unit} from ${first} is ${expected}`, () => {
      assert.equal(local(chargeAt(aPlan(first, interval, unit, { zone }), iteration), zone), expected);
    });
  }

  // Guarantee: every interval from 1 to 400 days counts calendar days of the zone.
  test('1 to 400 days', () => {
    for (let interval = 1; interval <= 400; interval += 1) {
      const plan = aPlan('2027-12-05T10:00:00+01:00', interval, 'days');
      for (const iteration of [1, 2, 3, 10, 37]) {
        const date = Temporal.PlainDate.from('2027-12-05').add({ days: interval * (iteration - 1) });
        const at = chargeAt(plan, iteration).toZonedDateTimeISO(warsaw);
        assert.equal(`${at.toPlainDate()} ${at.hour}:${at.minute}`, `${date} 10:0`, `${interval} days`);
      }
    }
  });

  // Guarantee: nothing is due after the last date that the database and the wire can represent, and nothing throws.
  test('the end of the calendar', () => {
    for (const [interval, unit, iteration] of [
      [10_000, 'months', 11],
      [4_000_000, 'months', 2],
      [10_000, 'months', 1_000_000],
      [10_000, 'days', 1_000_000],
      [1, 'days', 3_000_000],
    ] as const) {
      const at = chargeAt(aPlan('2026-03-10T09:00:00Z', interval, unit), iteration);
      assert.equal(at.toString(), endOfCalendar.toString());
    }
    assert.equal(chargeAt(aPlan('9999-12-30T23:00:00Z', 1, 'days'), 2).toString(), endOfCalendar.toString());
    // The last dates before it are those of the calendar, also where a month has 28 days and a day 23 hours.
    for (const [first, interval, unit, expected] of [
      ['9999-12-29T12:00:00Z', 1, 'days', '9999-12-30T12:00:00Z'],
      ['9999-12-30T00:00:00Z', 1, 'days', '9999-12-31T00:00:00Z'],
      ['9999-12-29T00:00:00Z', 2, 'days', '9999-12-31T00:00:00Z'],
      ['9999-12-28T12:00:00Z', 3, 'days', '9999-12-31T00:00:00Z'],
      ['9999-02-28T00:00:00Z', 10, 'months', '9999-12-28T00:00:00Z'],
      ['9999-11-30T00:00:00Z', 1, 'months', '9999-12-30T00:00:00Z'],
      ['9997-12-31T00:00:00Z', 24, 'months', '9999-12-31T00:00:00Z'],
    ] as const) {
      const plan = aPlan(first, interval, unit, { zone: 'UTC' });
      assert.equal(chargeAt(plan, 2).toString(), expected, `${interval} ${unit} from ${first}`);
    }
    assert.equal(chargeAt(aPlan('9998-12-30T23:00:00Z', 12, 'months'), 2).toString(), '9999-12-30T23:00:00Z');
    const late = retryAt(Temporal.Instant.from('2026-03-10T09:00:00Z'), { value: 100_000, unit: 'months' }, warsaw);
    assert.equal(late.toString(), endOfCalendar.toString());
  });
});

const zones = [warsaw, 'UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Pacific/Auckland'];
const anyPlan = fc
  .record({
    first: fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2060, 0) }),
    interval: fc.integer({ min: 1, max: 400 }),
    intervalType: fc.constantFrom<IntervalType>('days', 'months'),
    zone: fc.constantFrom(...zones),
  })
  .map(({ first, ...rest }): Plan => {
    const firstChargeAt = Temporal.Instant.fromEpochMilliseconds(first);
    return { ...rest, firstChargeAt, chargeCount: null, retryIntervals: null };
  });

suite('properties of the schedule', () => {
  // Guarantee: charges are in order, never two at the same time.
  test('later charges are later', () => {
    fc.assert(
      fc.property(anyPlan, fc.integer({ min: 1, max: 60 }), (plan, iteration) => {
        assert.ok(Temporal.Instant.compare(chargeAt(plan, iteration), chargeAt(plan, iteration + 1)) < 0);
      }),
      { seed: 6, numRuns: 2_000 },
    );
  });

  // Guarantee: the n-th charge depends only on the first, not on the steps in between or on retries.
  test('n charges in one step are n charges', () => {
    fc.assert(
      fc.property(anyPlan, fc.integer({ min: 2, max: 40 }), (plan, iteration) => {
        const whole: Plan = { ...plan, interval: plan.interval * (iteration - 1), retryIntervals: [], chargeCount: 2 };
        assert.equal(chargeAt(plan, iteration).toString(), chargeAt(whole, 2).toString());
      }),
      { seed: 6, numRuns: 2_000 },
    );
  });

  // Guarantee: with months, the day is that of the first charge or the last of its month; with days, exactly that many
  // days.
  test('the calendar date is right', () => {
    fc.assert(
      fc.property(anyPlan, fc.integer({ min: 2, max: 60 }), (plan, iteration) => {
        const first = plan.firstChargeAt.toZonedDateTimeISO(plan.zone).toPlainDate();
        const at = chargeAt(plan, iteration).toZonedDateTimeISO(plan.zone).toPlainDate();
        const steps = plan.interval * (iteration - 1);
        if (plan.intervalType === 'days') assert.equal(first.until(at).days, steps);
        else {
          assert.equal(at.year * 12 + at.month, first.year * 12 + first.month + steps);
          assert.equal(at.day, Math.min(first.day, at.daysInMonth));
        }
      }),
      { seed: 6, numRuns: 2_000 },
    );
  });

  // Guarantee: a retry is after the attempt that failed, whatever the delay.
  test('retries come after the failed attempt', () => {
    const unit = fc.constantFrom<RetryUnit>('minutes', 'days', 'months');
    fc.assert(
      fc.property(anyPlan, fc.integer({ min: 1, max: 400 }), unit, ({ firstChargeAt, zone }, value, ofUnit) => {
        assert.ok(Temporal.Instant.compare(firstChargeAt, retryAt(firstChargeAt, { value, unit: ofUnit }, zone)) < 0);
      }),
      { seed: 6, numRuns: 2_000 },
    );
  });
});

suite('iterationFrom', () => {
  const daily = aPlan('2026-03-10T09:00:00Z', 1, 'days', { zone: 'UTC' });
  const dayOf = (number: number) => Temporal.Instant.from('2026-03-09T09:00:00Z').add({ hours: 24 * number });

  // Guarantee: the first charge that is not due before the instant, never an earlier one than asked for.
  test('every place around every instant', () => {
    for (let from = 1; from <= 12; from += 1) {
      for (let day = 0; day <= 40; day += 1) {
        const [before, after] = [dayOf(day).subtract({ seconds: 1 }), dayOf(day).add({ seconds: 1 })];
        assert.equal(iterationFrom(daily, from, before), Math.max(from, day), `from ${from}, before ${day}`);
        assert.equal(iterationFrom(daily, from, dayOf(day)), Math.max(from, day), `from ${from}, at ${day}`);
        assert.equal(iterationFrom(daily, from, after), Math.max(from, day + 1), `from ${from}, after ${day}`);
      }
    }
  });
});

suite('retryAt', () => {
  // Guarantee: minutes are exact; days and months follow the payer's calendar.
  for (const [failedAt, value, unit, expected] of [
    ['2026-03-10T10:00:00+01:00', 1, 'minutes', '2026-03-10T10:01+01:00'],
    ['2026-03-10T10:00:00+01:00', 90, 'minutes', '2026-03-10T11:30+01:00'],
    ['2026-03-29T01:30:00+01:00', 60, 'minutes', '2026-03-29T03:30+02:00'],
    ['2026-10-25T02:30:00+02:00', 60, 'minutes', '2026-10-25T02:30+01:00'],
    ['2026-03-10T10:00:00+01:00', 1, 'days', '2026-03-11T10:00+01:00'],
    ['2026-03-28T10:00:00+01:00', 1, 'days', '2026-03-29T10:00+02:00'],
    ['2026-03-28T02:30:00+01:00', 1, 'days', '2026-03-29T03:30+02:00'],
    ['2026-10-24T02:30:00+02:00', 1, 'days', '2026-10-25T02:30+02:00'],
    ['2026-12-31T10:00:00+01:00', 14, 'days', '2027-01-14T10:00+01:00'],
    ['2026-01-31T10:00:00+01:00', 1, 'months', '2026-02-28T10:00+01:00'],
    ['2028-01-31T10:00:00+01:00', 1, 'months', '2028-02-29T10:00+01:00'],
    ['2026-08-31T10:00:00+02:00', 6, 'months', '2027-02-28T10:00+01:00'],
  ] as const) {
    test(`${value} ${unit} after ${failedAt} is ${expected}`, () => {
      assert.equal(local(retryAt(Temporal.Instant.from(failedAt), { value, unit }, warsaw)), expected);
    });
  }
});

suite('retriesOf', () => {
  // Guarantee: one a day, 14 times, by default; otherwise exactly what the merchant gave, including none.
  test('default, none, one, thirty', () => {
    assert.deepEqual(retriesOf({ retryIntervals: null }), Array(14).fill({ value: 1, unit: 'days' }));
    assert.deepEqual(retriesOf({ retryIntervals: [] }), []);
    const one = [{ value: 5, unit: 'minutes' as const }];
    assert.deepEqual(retriesOf({ retryIntervals: one }), one);
    const thirty = Array.from({ length: 30 }, (_, index) => ({ value: index + 1, unit: 'months' as const }));
    assert.deepEqual(retriesOf({ retryIntervals: thirty }), thirty);
  });
});

suite('the rules in words', () => {
  const inWords = (rule: ScheduleRule) => sentenceOf<typeof scheduleRules>(scheduleSentences, rule);

  // Guarantee: the explanation of a date states the rule, not only the date.
  for (const [plan, iteration, expected] of [
    [aPlan('2026-01-31T10:00:00+01:00', 1, 'months'), 1, 'Charge 1: the first charge date.'],
    [
      aPlan('2026-01-31T10:00:00+01:00', 1, 'months'),
      2,
      'Charge 2: every month from 31 January 2026; the 31st clamped to 28 February.',
    ],
    [aPlan('2026-01-31T10:00:00+01:00', 1, 'months'), 3, 'Charge 3: every month from 31 January 2026.'],
    [
      aPlan('2026-01-30T10:00:00+01:00', 1, 'months', { chargeCount: 12 }),
      2,
      'Charge 2 of 12: every month from 30 January 2026; the 30th clamped to 28 February.',
    ],
    [aPlan('2026-01-22T10:00:00+01:00', 7, 'days'), 2, 'Charge 2: every 7 days from 22 January 2026.'],
    [
      aPlan('2026-03-28T02:30:00+01:00', 1, 'days'),
      2,
      'Charge 2: every day from 28 March 2026; 02:30 does not exist that day, moved to 03:30.',
    ],
    [
      aPlan('2026-10-03T02:05:00+10:30', 1, 'days', { zone: 'Australia/Lord_Howe' }),
      2,
      'Charge 2: every day from 3 October 2026; 02:05 does not exist that day, moved to 02:35.',
    ],
    [
      aPlan('2028-02-29T10:00:00+01:00', 12, 'months'),
      2,
      'Charge 2: every 12 months from 29 February 2028; the 29th clamped to 28 February.',
    ],
  ] as const) {
    test(expected, () => assert.equal(inWords(chargeRule(plan, iteration)), expected));
  }

  for (const [retryIntervals, number, expected] of [
    [null, 1, 'Retry 1 of 14: 1 day after the failed attempt (default policy).'],
    [null, 14, 'Retry 14 of 14: 1 day after the failed attempt (default policy).'],
    [[{ value: 1, unit: 'minutes' }], 1, 'Retry 1 of 1: 1 minute after the failed attempt (own schedule).'],
    [
      [
        { value: 90, unit: 'minutes' },
        { value: 2, unit: 'months' },
      ],
      2,
      'Retry 2 of 2: 2 months after the failed attempt (own schedule).',
    ],
  ] as const) {
    test(expected, () => {
      const plan = aPlan('2026-01-31T10:00:00+01:00', 1, 'months', { retryIntervals });
      assert.equal(inWords(retryRule(plan, number)), expected);
    });
  }

  test('whose policy it is', () => {
    const own = [{ value: 1, unit: 'minutes' }] as const;
    for (const [retryIntervals, policy] of [
      [null, 'default'],
      [own, 'own'],
    ] as const) {
      const { parameters } = retryRule(aPlan('2026-01-31T10:00:00+01:00', 1, 'months', { retryIntervals }), 1);
      assert.equal((parameters as { policy: string }).policy, policy);
    }
  });
});
