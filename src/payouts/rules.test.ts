// Who is paid how much, and who is not and why.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { closedBy, decided, isScheduled, nextScheduled, payableOf } from './rules.ts';
import { usualSettings } from './terms.ts';

const day = (text: string) => Temporal.PlainDate.from(text);
const now = Temporal.Instant.from('2026-11-20T05:00:00Z');
const place = { verifiedAt: now, holdUntil: now };
const gate = { isAccountBlocked: false, altered: undefined, arePayoutsBlocked: false, place };
const holding = { availableMinor: 1_000n, owedMinor: 0n, credited: [] };

suite('the schedule', () => {
  // Guarantee: each chosen day brings one payout, on it or on the next bank day, and no other day does.
  for (const [schedule, days, date, expected] of [
    ['manual', [], '2026-11-20', false],
    ['daily', [], '2026-11-20', true],
    ['daily', [], '2026-11-21', false],
    ['weekdays', [5], '2026-11-20', true],
    ['weekdays', [4], '2026-11-20', false],
    ['weekdays', [5], '2026-12-28', true],
    ['weekdays', [5], '2026-12-25', false],
    ['weekdays', [2], '2026-12-28', false],
    ['month_days', [20], '2026-11-20', true],
    ['month_days', [21], '2026-11-20', false],
    ['month_days', [21], '2026-11-23', true],
    ['month_days', [31], '2026-11-30', true],
    ['month_days', [30], '2027-02-26', false],
    ['month_days', [30], '2027-03-01', true],
    ['month_days', [15], '2026-11-30', false],
  ] as const) {
    test(`${schedule} ${days} on ${date}: ${expected}`, () =>
      assert.equal(isScheduled({ schedule, days }, day(date)), expected));
  }

  for (const [schedule, days, from, next] of [
    ['manual', [], '2026-11-20', undefined],
    ['daily', [], '2026-11-21', '2026-11-23'],
    ['weekdays', [1], '2026-11-20', '2026-11-23'],
    ['month_days', [31], '2027-02-01', '2027-02-01'],
    ['month_days', [31], '2027-02-02', '2027-03-01'],
  ] as const) {
    test(`${schedule} ${days} from ${from}: ${next}`, () =>
      assert.equal(nextScheduled({ schedule, days }, day(from))?.toString(), next));
  }
});

suite('the gate', () => {
  // Guarantee: every rule that protects a merchant stops a payout, and is named.
  for (const [changed, expected] of [
    [{}, undefined],
    [{ isAccountBlocked: true }, 'account_blocked'],
    [{ altered: 'bank_account_altered' }, 'bank_account_altered'],
    [{ altered: 'terms_altered', arePayoutsBlocked: true }, 'terms_altered'],
    [{ arePayoutsBlocked: true }, 'payouts_blocked'],
    [{ place: undefined }, 'bank_account_missing'],
    [{ place: { ...place, verifiedAt: null } }, 'bank_account_not_verified'],
    [{ place: { ...place, verifiedAt: now.add({ nanoseconds: 1 }) } }, 'bank_account_not_verified'],
    [{ place: { ...place, holdUntil: now.add({ seconds: 1 }) } }, 'bank_account_on_hold'],
  ] as const) {
    test(expected ?? 'open', () => assert.equal(closedBy({ ...gate, ...changed }, now)?.code, expected));
  }
});

suite('what is paid', () => {
  // Guarantee: never more than is due, nor what is to stay or is owed.
  for (const [changed, settings, expected] of [
    [{}, {}, 1_000n],
    [{ owedMinor: 300n }, {}, 700n],
    [{}, { keepBackMinor: 400n }, 600n],
    [{}, { keepBackMinor: 1_000n }, 0n],
    [{}, { keepBackMinor: 2_000n }, 0n],
    [{ credited: [{ day: day('2026-11-20'), minor: 300n }] }, { keepBackMinor: 200n }, 700n],
    [{ credited: [{ day: day('2026-11-20'), minor: 300n }] }, { keepBackMinor: 500n }, 500n],
  ] as const) {
    test(String(expected), () =>
      assert.equal(payableOf({ ...holding, ...changed }, { ...usualSettings, ...settings }), expected),
    );
  }

  for (const [settings, expected] of [
    [{}, 1_000n],
    [{ minimumMinor: 1_000n }, 1_000n],
    [{ minimumMinor: 1_001n }, 'below_minimum'],
    [{ schedule: 'manual' }, 'not_scheduled'],
    [{ keepBackMinor: 1_000n }, 'nothing_due'],
  ] as const) {
    test(`decided: ${expected}`, () => {
      const found = decided(gate, { ...usualSettings, ...settings }, holding, { now, day: day('2026-11-20') });
      assert.equal(typeof found === 'bigint' ? found : found.code, expected);
    });
  }
});
