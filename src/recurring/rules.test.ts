// What happens to a recurring payment when an attempt ends, when it is canceled, when it is retried: one line a case.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { declineReasons } from '../acquirer/index.ts';
import {
  type AttemptEnd,
  afterAttempt,
  afterCancel,
  failureReason,
  type Progress,
  type RecurringStatus,
  retriesAtMost,
  retryRefusal,
} from './rules.ts';
import type { Plan, RetryInterval } from './schedule.ts';

const first = Temporal.Instant.from('2026-01-31T09:00:00Z');
const later = Temporal.Instant.from('2026-02-02T08:00:00Z');
const plan: Plan = {
  firstChargeAt: first,
  interval: 1,
  intervalType: 'months',
  chargeCount: null,
  retryIntervals: null,
  zone: 'Europe/Warsaw',
};
/** As it is when the first attempt of the first charge is on its way. */
const charging: Progress = {
  status: 'active',
  iteration: 1,
  attempts: 1,
  retriesUsed: 0,
  scheduledAt: first,
  lastState: null,
  lastReason: null,
};
const correct: AttemptEnd = { kind: 'correct' };
const failed: AttemptEnd = { kind: 'failed', reason: 'insufficient funds' };
const statuses: readonly RecurringStatus[] = ['active', 'finished', 'failed', 'canceled'];

const retries = (count: number): RetryInterval[] => Array.from({ length: count }, () => ({ value: 2, unit: 'days' }));

function shown(progress: Progress): string {
  const { status, iteration, attempts, retriesUsed, scheduledAt, lastState, lastReason } = progress;
  return [status, iteration, attempts, retriesUsed, scheduledAt?.toString() ?? 'never', lastState, lastReason].join(
    ' ',
  );
}

suite('afterAttempt', () => {
  // Guarantee: what follows an attempt is the next charge, the next retry, or a final status; never both, never neither.
  for (const [name, end, manual, at, planWish, wish, expected] of [
    [
      'a success: the next charge, clamped',
      correct,
      false,
      first,
      {},
      {},
      'active 2 0 0 2026-02-28T09:00:00Z correct ',
    ],
    [
      'a late success: the schedule stays',
      correct,
      false,
      later,
      {},
      { iteration: 2, attempts: 4, retriesUsed: 3 },
      'active 3 0 0 2026-03-31T08:00:00Z correct ',
    ],
    [
      'a manual success: the same',
      correct,
      true,
      later,
      {},
      { attempts: 2 },
      'active 2 0 0 2026-02-28T09:00:00Z correct ',
    ],
    [
      'a success clears the reason',
      correct,
      false,
      first,
      {},
      { attempts: 2, retriesUsed: 1, lastState: 'failed', lastReason: 'payer rejected' },
      'active 2 0 0 2026-02-28T09:00:00Z correct ',
    ],
    [
      'the last of 3 charges: finished',
      correct,
      false,
      first,
      { chargeCount: 3 },
      { iteration: 3 },
      'finished 3 1 0 never correct ',
    ],
    ['the only charge: finished', correct, false, first, { chargeCount: 1 }, {}, 'finished 1 1 0 never correct '],
    [
      'the second of 3 charges',
      correct,
      false,
      first,
      { chargeCount: 3 },
      { iteration: 2 },
      'active 3 0 0 2026-03-31T08:00:00Z correct ',
    ],
    // Failures, default policy: one a day, counted from the failed attempt.
    [
      'a failure: a day later',
      failed,
      false,
      first,
      {},
      {},
      'active 1 1 0 2026-02-01T09:00:00Z failed insufficient funds',
    ],
    [
      'a late failure: a day after the attempt',
      failed,
      false,
      later,
      {},
      { attempts: 2, retriesUsed: 1 },
      'active 1 2 1 2026-02-03T08:00:00Z failed insufficient funds',
    ],
    [
      'retry 13 fails: the 14th comes',
      failed,
      false,
      first,
      {},
      { attempts: 14, retriesUsed: 13 },
      'active 1 14 13 2026-02-01T09:00:00Z failed insufficient funds',
    ],
    [
      'retry 14 fails: failed',
      failed,
      false,
      first,
      {},
      { attempts: 15, retriesUsed: 14 },
      'failed 1 15 14 never failed insufficient funds',
    ],
    // Custom policies: 0, 1, 30.
    [
      'no retries: failed at once',
      failed,
      false,
      first,
      { retryIntervals: [] },
      {},
      'failed 1 1 0 never failed insufficient funds',
    ],
    [
      'one retry: it comes',
      failed,
      false,
      first,
      { retryIntervals: retries(1) },
      {},
      'active 1 1 0 2026-02-02T09:00:00Z failed insufficient funds',
    ],
    [
      'one retry: it fails',
      failed,
      false,
      first,
      { retryIntervals: retries(1) },
      { attempts: 2, retriesUsed: 1 },
      'failed 1 2 1 never failed insufficient funds',
    ],
    [
      'thirty retries: the 30th comes',
      failed,
      false,
      first,
      { retryIntervals: retries(30) },
      { attempts: 30, retriesUsed: 29 },
      'active 1 30 29 2026-02-02T09:00:00Z failed insufficient funds',
    ],
    [
      'thirty retries: the 30th fails',
      failed,
      false,
      first,
      { retryIntervals: retries(30) },
      { attempts: 31, retriesUsed: 30 },
      'failed 1 31 30 never failed insufficient funds',
    ],
    // A manual retry leaves the scheduled ones where they are.
    [
      'a manual failure',
      failed,
      true,
      later,
      {},
      { attempts: 2 },
      'active 1 2 0 2026-01-31T09:00:00Z failed insufficient funds',
    ],
    [
      'a manual failure with the scheduled time past',
      failed,
      true,
      later,
      {},
      { attempts: 9, retriesUsed: 4, scheduledAt: first },
      'active 1 9 4 2026-01-31T09:00:00Z failed insufficient funds',
    ],
    // Thirty retries of one iteration, scheduled and manual together: there is no 31st.
    [
      'the 30th retry is manual and fails',
      failed,
      true,
      later,
      {},
      { attempts: 31, retriesUsed: 3 },
      'failed 1 31 3 never failed insufficient funds',
    ],
    [
      'the 30th retry is scheduled and fails',
      failed,
      false,
      later,
      {},
      { attempts: 31, retriesUsed: 3 },
      'failed 1 31 3 never failed insufficient funds',
    ],
    [
      'the 29th retry is manual and fails',
      failed,
      true,
      later,
      {},
      { attempts: 30, retriesUsed: 3 },
      'active 1 30 3 2026-01-31T09:00:00Z failed insufficient funds',
    ],
    // Canceled while the attempt was on its way: it is reported, and nothing follows.
    [
      'canceled, then correct',
      correct,
      false,
      first,
      {},
      { status: 'canceled', scheduledAt: null },
      'canceled 1 1 0 never correct ',
    ],
    [
      'canceled, then correct, the last one',
      correct,
      false,
      first,
      { chargeCount: 1 },
      { status: 'canceled', scheduledAt: null },
      'canceled 1 1 0 never correct ',
    ],
    [
      'canceled, then failed',
      failed,
      false,
      first,
      {},
      { status: 'canceled', scheduledAt: null },
      'canceled 1 1 0 never failed insufficient funds',
    ],
    [
      'canceled, then failed by hand',
      failed,
      true,
      first,
      {},
      { status: 'canceled', scheduledAt: null },
      'canceled 1 1 0 never failed insufficient funds',
    ],
  ] as const) {
    test(name, () => {
      const progress: Progress = { ...charging, ...wish };
      assert.equal(shown(afterAttempt({ ...plan, ...planWish }, progress, end, at, manual)), expected);
    });
  }

  // Guarantee: no final status is ever left.
  for (const status of statuses.filter((candidate) => candidate !== 'active')) {
    for (const end of [correct, failed]) {
      test(`${status} stays ${status} after a ${end.kind} attempt`, () => {
        const next = afterAttempt(plan, { ...charging, status, scheduledAt: null }, end, first, false);
        assert.deepEqual([next.status, next.scheduledAt], [status, null]);
      });
    }
  }
});

suite('retryRefusal', () => {
  const retryable = {
    ...charging,
    lastState: 'failed',
    lastReason: 'payer rejected',
    live: false,
    manual: false,
  } as const;

  // Guarantee: R4 is performed only when active, the last attempt failed, nothing is on its way, and below the limit.
  for (const [name, wish, expected] of [
    ['a failed attempt', {}, undefined],
    ['finished', { status: 'finished' }, 'recurring_not_active'],
    ['failed', { status: 'failed' }, 'recurring_not_active'],
    ['canceled', { status: 'canceled' }, 'recurring_not_active'],
    ['nothing tried yet', { attempts: 0, lastState: null }, 'last_attempt_not_failed'],
    [
      'the last one was correct, the next is not tried yet',
      { attempts: 0, lastState: 'correct' },
      'last_attempt_not_failed',
    ],
    ['a retry is on its way', { live: true }, 'last_attempt_not_failed'],
    ['a retry by hand is due already', { manual: true }, 'last_attempt_not_failed'],
    ['29 retries made', { attempts: retriesAtMost }, undefined],
    ['30 retries made', { attempts: retriesAtMost + 1 }, 'retry_limit_reached'],
    // The status comes first: it is the reason that will not go away.
    ['canceled, and at the limit', { status: 'canceled', attempts: 31 }, 'recurring_not_active'],
    ['on its way, and at the limit', { live: true, attempts: 31 }, 'last_attempt_not_failed'],
  ] as const) {
    test(`${name}: ${expected ?? 'allowed'}`, () => assert.equal(retryRefusal({ ...retryable, ...wish }), expected));
  }
});

suite('afterCancel', () => {
  // Guarantee: canceling twice repeats the answer; other ends refuse.
  for (const [status, expected] of [
    ['active', 'changed'],
    ['canceled', 'unchanged'],
    ['finished', 'ended'],
    ['failed', 'ended'],
  ] as const) {
    test(`${status}: ${expected}`, () => assert.equal(afterCancel(status), expected));
  }
});

suite('failureReason', () => {
  // Guarantee: whatever the bank says, the merchant reads one of the five reasons of interface 2.4.
  test('every reason of the port', () => {
    assert.deepEqual(
      declineReasons.map((reason) => `${reason}: ${failureReason(reason)}`),
      [
        'insufficient funds: insufficient funds',
        'instrument invalid: instrument invalid',
        'instrument rejected: instrument rejected',
        'payer rejected: payer rejected',
        'internal error: internal error',
        'wrong code: instrument rejected',
        'timed out: payer rejected',
        'authentication failed: instrument rejected',
      ],
    );
  });
});
