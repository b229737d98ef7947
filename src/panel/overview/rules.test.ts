// The periods of the overview, and how they compare.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { changeOf, instantsOf, type OverviewPeriod, percentOf, periodsOf, pointsOf } from './rules.ts';

const day = (text: string) => Temporal.PlainDate.from(text);
const shown = ({ from, to }: { from: Temporal.PlainDate; to: Temporal.PlainDate }) => `${from} ${to}`;

suite('periods', () => {
  // Guarantee: a period ends today, and is compared with as many days just before it, or the same days a year before.
  for (const [period, current, before, step] of [
    ['7d', '2026-03-04 2026-03-10', '2026-02-25 2026-03-03', 'day'],
    ['30d', '2026-02-09 2026-03-10', '2026-01-10 2026-02-08', 'day'],
    ['90d', '2025-12-11 2026-03-10', '2025-09-12 2025-12-10', 'day'],
    ['12m', '2025-04-01 2026-03-10', '2024-04-01 2025-03-10', 'month'],
  ] as const satisfies readonly (readonly [OverviewPeriod, string, string, string])[]) {
    test(period, () => {
      const periods = periodsOf(period, day('2026-03-10'));
      assert.deepEqual([shown(periods.current), shown(periods.before), periods.step], [current, before, step]);
    });
  }

  test('the points cover them without a gap', () => {
    assert.deepEqual(pointsOf({ from: day('2026-02-27'), to: day('2026-03-01') }, 'day').map(shown), [
      '2026-02-27 2026-02-27',
      '2026-02-28 2026-02-28',
      '2026-03-01 2026-03-01',
    ]);
    assert.deepEqual(pointsOf({ from: day('2026-01-15'), to: day('2026-03-10') }, 'month').map(shown), [
      '2026-01-15 2026-01-31',
      '2026-02-01 2026-02-28',
      '2026-03-01 2026-03-10',
    ]);
    assert.deepEqual(pointsOf({ from: day('2026-02-01'), to: day('2026-02-28') }, 'month').map(shown), [
      '2026-02-01 2026-02-28',
    ]);
    assert.deepEqual(pointsOf({ from: day('2026-02-02'), to: day('2026-02-01') }, 'day'), []);
  });

  test('a day lasts from midnight to midnight, 23 hours when clocks go forward', () => {
    const { from, to } = instantsOf({ from: day('2026-03-29'), to: day('2026-03-29') }, 'Europe/Warsaw');
    assert.deepEqual([from.toString(), to.toString()], ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z']);
  });
});

suite('shares and changes', () => {
  for (const [part, whole, expected] of [
    [0n, 0n, null],
    [1n, 1n, 100],
    [1n, 3n, 33.3],
    [2n, 3n, 66.7],
    [1n, 2_000n, 0.1],
    [1n, 2_001n, 0],
    [3n, 2_000n, 0.2],
    [-1n, -3n, 33.3],
  ] as const) {
    test(`${part} of ${whole}: ${expected} %`, () => assert.equal(percentOf(part, whole), expected));
  }

  for (const [now, before, expected] of [
    [5n, 0n, null],
    [5n, -1n, null],
    [5n, 1n, 400],
    [3n, 4n, -25],
    [4n, 3n, 33.3],
    [4n, 4n, 0],
    [0n, 4n, -100],
  ] as const) {
    test(`from ${before} to ${now}: ${expected} %`, () => assert.equal(changeOf(now, before), expected));
  }
});
