// What of a balance is due.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { dueOf, firstDayNotDue } from './due.ts';

const day = (text: string) => Temporal.PlainDate.from(text);
const credits = (given: Record<string, number>) =>
  Object.entries(given).map(([date, minor]) => ({ day: day(date), minor: BigInt(minor) }));

suite('what is due', () => {
  // Guarantee: no credit counts as due before its bank days are over, and none is forgotten afterwards.
  for (const [today, bankDays, first] of [
    ['2026-11-20', 0, '2026-11-21'],
    ['2026-11-20', 1, '2026-11-20'],
    ['2026-11-23', 1, '2026-11-23'],
    ['2026-11-21', 1, '2026-11-20'],
    ['2026-11-22', 1, '2026-11-20'],
    ['2026-11-23', 2, '2026-11-20'],
    ['2026-12-28', 1, '2026-12-28'],
    ['2026-12-27', 1, '2026-12-23'],
    ['2026-12-28', 3, '2026-12-22'],
  ] as const) {
    test(`on ${today}, ${bankDays} bank days later: credits before ${first}`, () =>
      assert.equal(firstDayNotDue(day(today), { bankDays, currency: 'PLN' }).toString(), first));
  }

  // Guarantee: due, not yet due and owed are the balance, to the grosz, and each day has its credits.
  for (const [name, available, owed, given, due, notYet] of [
    ['nothing', 0, 0, {}, 0, {}],
    ['all', 1_000, 0, {}, 1_000, {}],
    [
      'not the last days',
      1_000,
      0,
      { '2026-11-19': 300, '2026-11-20': 200 },
      500,
      { '2026-11-20': 300, '2026-11-23': 200 },
    ],
    ['a weekend is one day', 900, 0, { '2026-11-20': 1, '2026-11-21': 2, '2026-11-22': 3 }, 894, { '2026-11-23': 6 }],
    [
      'refunds took the oldest',
      400,
      0,
      { '2026-11-19': 300, '2026-11-20': 200 },
      0,
      { '2026-11-20': 200, '2026-11-23': 200 },
    ],
    ['and more', 150, 0, { '2026-11-19': 300, '2026-11-20': 200 }, 0, { '2026-11-23': 150 }],
    ['what is owed', 1_000, 400, { '2026-11-20': 200 }, 400, { '2026-11-23': 200 }],
    ['a grosz', 1, 0, { '2026-11-20': 1 }, 0, { '2026-11-23': 1 }],
    ['more is owed than there is, and nothing came lately', 100, 400, {}, 0, {}],
    ['more is owed than there is', 100, 400, { '2026-11-20': 100 }, 0, {}],
  ] as const) {
    test(name, () => {
      const holding = { availableMinor: BigInt(available), owedMinor: BigInt(owed), credited: credits(given) };
      const found = dueOf(holding, { bankDays: 1, currency: 'PLN' });
      assert.deepEqual(found, { dueMinor: BigInt(due), notYet: credits(notYet) });
      const sum = found.notYet.reduce((before, { minor }) => before + minor, found.dueMinor);
      assert.equal(sum, available > owed ? BigInt(available - owed) : 0n);
    });
  }
});
