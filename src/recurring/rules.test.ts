// What happens to a recurring payment when an attempt ends, when it is canceled, and when it is retried: one line per
// case.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { declineReasons } from '../acquirer/index.ts';
import { type ChargeResult, isOpen } from '../banking/index.ts';
import { type AccountId, isUlid, knownId, type RecurringId, ulid } from '../kernel/index.ts';
import type { AttemptState, Plan, Progress, RecurringStatus, RetryInterval } from './model.ts';
import {
  type AttemptEnd,
  afterAttempt,
  afterCancel,
  afterRestore,
  afterResult,
  atFirst,
  chargeId,
  confirmedByPayer,
  failureReason,
  mailAfter,
  manualRetriesAtMost,
  nextOf,
  patience,
  retryRefusal,
  turnOf,
  waitingLook,
} from './rules.ts';
import { chargeAt } from './schedule.ts';

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
/** The progress while the first attempt of the first charge is in flight. */
const charging: Progress = {
  status: 'active',
  iteration: 1,
  attempts: 1,
  retriesUsed: 0,
  restoredAfter: 0,
  nextIteration: null,
  passed: 0,
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
  // Guarantee: an attempt is followed by the next charge, the next retry, or a final status; never both, never neither.
  for (const [name, end, manual, at, planChanges, overrides, expected] of [
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
    // Failures with the default policy: one a day, counted from the failed attempt.
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
    // A manual retry does not move the scheduled ones.
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
    // Manual retries count apart from the scheduled ones.
    [
      'the 30th manual retry fails',
      failed,
      true,
      later,
      {},
      { attempts: 34, retriesUsed: 3 },
      'active 1 34 3 2026-01-31T09:00:00Z failed insufficient funds',
    ],
    [
      'a scheduled retry fails after 30 manual ones',
      failed,
      false,
      later,
      {},
      { attempts: 34, retriesUsed: 3 },
      'active 1 34 3 2026-02-03T08:00:00Z failed insufficient funds',
    ],
    [
      'the last scheduled retry fails after 30 manual ones',
      failed,
      false,
      later,
      {},
      { attempts: 45, retriesUsed: 14 },
      'failed 1 45 14 never failed insufficient funds',
    ],
    // Restored, with dates that passed meanwhile.
    [
      'restored, correct',
      correct,
      false,
      later,
      {},
      { attempts: 20, restoredAfter: 15, nextIteration: 4, passed: 1 },
      'active 4 0 0 2026-04-30T08:00:00Z correct ',
    ],
    [
      'restored, correct, all other dates have passed',
      correct,
      false,
      later,
      { chargeCount: 3 },
      { attempts: 20, restoredAfter: 15, nextIteration: 4 },
      'finished 1 20 0 never correct ',
    ],
    // Canceled while the attempt was in flight: it is reported, and nothing follows.
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
      const progress: Progress = { ...charging, ...overrides };
      assert.equal(shown(afterAttempt({ ...plan, ...planChanges }, progress, end, at, manual)), expected);
    });
  }

  // Guarantee: dates that were not charged while it had failed are counted once, also when none is left.
  for (const [name, changes, count, passed] of [
    ['none passed', {}, null, 0],
    ['the next date passed', { nextIteration: 3 }, null, 1],
    ['three passed after two others', { iteration: 2, nextIteration: 6, passed: 2 }, null, 5],
    ['the last of 3', { iteration: 3 }, 3, 0],
    ['two of 3 passed', { nextIteration: 4 }, 3, 2],
    ['all of 7 passed after one other', { iteration: 4, nextIteration: 9, passed: 1 }, 7, 4],
  ] as const) {
    test(`passed: ${name}`, () => {
      const next = afterAttempt({ ...plan, chargeCount: count }, { ...charging, ...changes }, correct, first, false);
      assert.equal(next.passed, passed);
    });
  }

  // Guarantee: the next charge begins with no attempt, no retry, and nothing restored.
  test('what an iteration begins with', () => {
    const restored = { ...charging, attempts: 9, retriesUsed: 3, restoredAfter: 5, nextIteration: 4 };
    const { attempts, retriesUsed, restoredAfter, nextIteration } = afterAttempt(plan, restored, correct, first, false);
    assert.deepEqual({ attempts, retriesUsed, restoredAfter, nextIteration }, atFirst);
    assert.deepEqual(atFirst, { attempts: 0, retriesUsed: 0, restoredAfter: 0, nextIteration: null });
  });

  test('an attempt that never reached the bank changes nothing', () => {
    assert.equal(afterAttempt(plan, charging, { kind: 'canceled' }, first, false), charging);
  });

  // Guarantee: a final status never changes.
  for (const status of statuses.filter((candidate) => candidate !== 'active')) {
    for (const end of [correct, failed]) {
      test(`${status} stays ${status} after a ${end.kind} attempt`, () => {
        const next = afterAttempt(plan, { ...charging, status, scheduledAt: null }, end, first, false);
        assert.deepEqual([next.status, next.scheduledAt], [status, null]);
      });
    }
  }
});

suite('mailAfter', () => {
  // Guarantee: the payer reads about every payment, about the first failure of a charge, and about the last one.
  for (const [name, attempt, before, next, end, expected] of [
    ['a payment', 3, { status: 'active', restoredAfter: 0 }, 'active', correct, 'charged'],
    ['the last payment', 1, { status: 'active', restoredAfter: 0 }, 'finished', correct, 'charged'],
    ['never sent', 1, { status: 'active', restoredAfter: 0 }, 'failed', { kind: 'canceled' }, undefined],
    ['the first failure', 1, { status: 'active', restoredAfter: 0 }, 'active', failed, 'failed'],
    ['the second failure', 2, { status: 'active', restoredAfter: 0 }, 'active', failed, undefined],
    ['the last failure', 15, { status: 'active', restoredAfter: 0 }, 'failed', failed, 'failed'],
    ['the first since it was restored', 16, { status: 'active', restoredAfter: 15 }, 'active', failed, 'failed'],
    ['the one before that', 15, { status: 'active', restoredAfter: 15 }, 'active', failed, undefined],
    ['one more after it had failed', 16, { status: 'failed', restoredAfter: 0 }, 'failed', failed, undefined],
    ['after a cancel', 2, { status: 'canceled', restoredAfter: 0 }, 'canceled', failed, undefined],
  ] as const) {
    test(`${name}: ${expected ?? 'no mail'}`, () =>
      assert.equal(mailAfter({ attempt }, before, { status: next }, end), expected));
  }
});

suite('retryRefusal', () => {
  const retryable: Progress = { ...charging, lastState: 'failed', lastReason: 'payer rejected' };
  const idle = { live: false, manual: false, manualRetries: 0 };

  // Guarantee: R4 works only if it is active, the last attempt failed, nothing is in flight, and it is below the limit.
  for (const [name, progress, others, expected] of [
    ['a failed attempt', {}, {}, undefined],
    ['finished', { status: 'finished' }, {}, 'recurring_not_active'],
    ['failed', { status: 'failed' }, {}, 'recurring_not_active'],
    ['canceled', { status: 'canceled' }, {}, 'recurring_not_active'],
    ['nothing tried yet', { attempts: 0, lastState: null }, {}, 'last_attempt_not_failed'],
    [
      'the last one was correct, the next is not tried yet',
      { attempts: 0, lastState: 'correct' },
      {},
      'last_attempt_not_failed',
    ],
    ['nothing failed yet', { attempts: 2, lastState: 'correct' }, {}, 'last_attempt_not_failed'],
    ['a retry is on its way', {}, { live: true }, 'last_attempt_not_failed'],
    ['a retry by hand is due already', {}, { manual: true }, 'last_attempt_not_failed'],
    ['restored, and not tried yet', { attempts: 5, restoredAfter: 5 }, {}, 'last_attempt_not_failed'],
    ['restored, and failed again', { attempts: 6, restoredAfter: 5 }, {}, undefined],
    ['29 manual retries made', { attempts: 61 }, { manualRetries: manualRetriesAtMost - 1 }, undefined],
    ['30 manual retries made', {}, { manualRetries: manualRetriesAtMost }, 'retry_limit_reached'],
    // The status comes first: that reason is permanent.
    ['canceled, and at the limit', { status: 'canceled' }, { manualRetries: 30 }, 'recurring_not_active'],
    ['on its way, and at the limit', {}, { live: true, manualRetries: 30 }, 'last_attempt_not_failed'],
  ] as const) {
    test(`${name}: ${expected ?? 'allowed'}`, () =>
      assert.equal(retryRefusal({ ...idle, ...others, progress: { ...retryable, ...progress } })?.code, expected));
  }
});

suite('afterRestore', () => {
  const ended: Progress = {
    ...charging,
    status: 'failed',
    attempts: 15,
    retriesUsed: 14,
    scheduledAt: null,
    lastState: 'failed',
    lastReason: 'instrument invalid',
  };

  // Guarantee: the failed iteration is due at once with all its retries; the next is the first not due before now.
  for (const [name, now, changes, expected] of [
    ['before the next date', '2026-02-20T10:00:00Z', {}, null],
    ['before its own date', '2026-01-20T10:00:00Z', {}, null],
    ['at the next date', '2026-02-28T09:00:00Z', {}, null],
    ['just after the next date', '2026-02-28T09:00:00.001Z', {}, 3],
    ['years later', '2030-05-31T09:00:00Z', {}, 54],
    ['after all dates', '2026-06-01T09:00:00Z', { iteration: 3 }, 6],
    ['restored again', '2026-04-01T09:00:00Z', { nextIteration: 3 }, 4],
  ] as const) {
    test(name, () => {
      const at = Temporal.Instant.from(now);
      assert.deepEqual(afterRestore(plan, { ...ended, ...changes }, at), {
        ...ended,
        ...changes,
        status: 'active',
        retriesUsed: 0,
        restoredAfter: 15,
        nextIteration: expected,
        scheduledAt: at,
      });
    });
  }

  // Guarantee: a first date in the far past and the end of the calendar are found at once.
  test('many dates', () => {
    const daily: Plan = { ...plan, intervalType: 'days' };
    const last = Temporal.Instant.from('9998-12-31T10:00:00Z');
    assert.equal(
      chargeAt(daily, afterRestore(daily, ended, last).nextIteration ?? 0).toString(),
      '9999-01-01T09:00:00Z',
    );
  });
});

suite('afterCancel', () => {
  // Guarantee: canceling twice repeats the response; a failed one ends too; a finished one is refused.
  for (const [status, expected] of [
    ['active', 'changed'],
    ['canceled', 'unchanged'],
    ['finished', 'ended'],
    ['failed', 'changed'],
  ] as const) {
    test(`${status}: ${expected}`, () => assert.equal(afterCancel(status), expected));
  }
});

suite('failureReason', () => {
  // Guarantee: whatever the bank reports, the merchant sees one of the five failure reasons.
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

const amountMinor = 4_990n;
const facts = { amountMinor, surplusBooked: false, otherAmounts: 0, parked: false, endedByCancel: false };

/** One result per column of the table, in its order. */
const results: readonly ChargeResult[] = [
  { kind: 'approved', amountMinor, lookedUp: false },
  { kind: 'approved', amountMinor: 4_991n, lookedUp: false },
  { kind: 'approved', amountMinor: 4_991n, lookedUp: true },
  { kind: 'declined', reason: 'payer rejected' },
  { kind: 'canceled' },
  { kind: 'waiting', link: null },
  { kind: 'notReached' },
  { kind: 'unknown' },
  { kind: 'again', notFound: false },
  { kind: 'again', notFound: true },
  { kind: 'park', why: 'no_result' },
];

const shownLook = { unknown: 'look', notFound: 'look nf', otherAmount: 'other', doubt: 'doubt', neverSent: 'send' };

function shownStep(state: AttemptState, result: ChargeResult, overrides: Partial<typeof facts> = {}): string {
  const step = afterResult({ ...facts, ...overrides, state }, result);
  if (step.kind === 'look') return shownLook[step.because];
  return step.kind === 'none' ? '-' : step.kind;
}

// Guarantee: only a certain result of the bank ends an open attempt; no final state is left; money captured after all
// is returned.
const table: readonly (readonly [AttemptState, ...string[]])[] = [
  // state, approved, another amount, another looked up, declined, canceled, waiting, notReached, unknown, again, not
  // found, park
  ['sent', 'correct', 'look', 'other', 'failed', 'failed', 'wait', 'send', 'look', 'look', 'look nf', 'park'],
  ['waiting', 'correct', 'look', 'other', 'failed', 'failed', 'wait', 'send', 'look', 'look', 'look nf', 'park'],
  ['unknown', 'correct', 'look', 'other', 'failed', 'failed', 'wait', 'send', 'look', 'look', 'look nf', 'park'],
  ['correct', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['failed', 'giveBack', 'doubt', 'other', '-', '-', '-', '-', '-', 'look', 'look', 'park'],
  ['canceled', 'giveBack', 'doubt', 'other', '-', '-', '-', '-', '-', 'look', 'look', 'park'],
];

suite('afterResult', () => {
  for (const [state, ...expected] of table) {
    test(`${state}: ${expected.join(', ')}`, () => {
      assert.deepEqual(
        results.map((result) => shownStep(state, result)),
        expected,
      );
      assert.equal(isOpen(state), ['sent', 'waiting', 'unknown'].includes(state));
    });
  }

  test('what a result is reported as', () => {
    const open = { ...facts, state: 'sent' } as const;
    assert.deepEqual(afterResult(open, { kind: 'canceled' }), { kind: 'failed', reason: 'internal error' });
    // A payer confirms a charge in the bank's app: the merchant has no use for a link.
    assert.deepEqual(afterResult(open, { kind: 'waiting', link: 'https://bank/1' }), { kind: 'wait', link: null });
  });

  // Guarantee: a charge that never reached the bank is not reported as failed if the payer canceled first.
  test('canceled at the bank after the recurring payment was canceled', () => {
    for (const state of ['sent', 'waiting', 'unknown'] as const) {
      assert.equal(shownStep(state, { kind: 'canceled' }, { endedByCancel: true }), 'canceled');
    }
  });

  // Guarantee: a different amount is never booked, whether the attempt is open or ended: it is looked up three times,
  // then an operator sees it.
  test('another amount', () => {
    const other: ChargeResult = { kind: 'approved', amountMinor: amountMinor - 1n, lookedUp: true };
    for (const state of ['unknown', 'failed', 'canceled'] as const) {
      assert.deepEqual(
        [0, 1, 2, 9].map((otherAmounts): string => shownStep(state, other, { otherAmounts })),
        ['other', 'other', 'park', 'park'],
      );
    }
  });

  // Guarantee: a parked attempt stays parked until the result is known.
  test('parked already', () => {
    assert.equal(shownStep('unknown', { kind: 'park', why: 'not_confirmed' }, { parked: true }), '-');
    assert.equal(shownStep('unknown', { kind: 'approved', amountMinor, lookedUp: false }, { parked: true }), 'correct');
    assert.equal(shownStep('unknown', { kind: 'declined', reason: 'internal error' }, { parked: true }), 'failed');
  });
});

test('with BLIK model M the payer confirms each charge', () => {
  assert.deepEqual(
    ([null, 'A', 'M', 'O'] as const).map((blikModel) => confirmedByPayer({ blikModel })),
    [false, false, true, false],
  );
});

suite('when the bank is asked', () => {
  // Guarantee: charges of a killed worker continue within 20 s: two lookups, 12 s after the claim and once the bank has
  // had time.
  test('the bank has 15 s, is asked twice, and may wait for a day', () => {
    const { bankTime, timesNotFound, waitingAtMost } = patience;
    assert.deepEqual([bankTime.total('seconds'), timesNotFound, waitingAtMost.total('hours')], [15, 2, 24]);
    assert.deepEqual([waitingLook.total('minutes'), manualRetriesAtMost], [10, 30]);
  });
});

suite('the id of a charge', () => {
  const plan: Plan = {
    firstChargeAt: Temporal.Instant.from('2026-03-10T09:00:00Z'),
    interval: 1,
    intervalType: 'months',
    chargeCount: null,
    retryIntervals: null,
    zone: 'Europe/Warsaw',
  };
  const charge = {
    merchantId: knownId<AccountId>('01KKBFJYM0AAAAAAAAAAAAAAAM'),
    id: knownId<RecurringId>('01KKBFJYM0AAAAAAAAAAAAAAAR'),
    plan,
    progress: { iteration: 3 },
  };
  const known = chargeId(charge, 2);

  // Guarantee: the same charge has the same key at the bank, whatever the account's current time zone.
  test('is drawn from what it is for', () => {
    assert.ok(isUlid(known));
    assert.equal(chargeId({ ...charge, plan: { ...plan, zone: 'Asia/Tokyo' } }, 2), known);
    const dueAt = Temporal.Instant.from('2026-05-10T09:00:00Z').epochMilliseconds;
    assert.equal(known.slice(0, 10), ulid(dueAt, new Uint8Array(16)).slice(0, 10));
  });

  // Guarantee: keys of earlier versions are those of later ones, or the bank would charge again after a restore.
  test('never changes', () => {
    assert.equal(known, '01KR8HTSM06QVB55268REKZ1PE');
    const old = { ...plan, firstChargeAt: Temporal.Instant.from('1969-12-31T23:59:59Z') };
    assert.equal(chargeId({ ...charge, plan: old, progress: { iteration: 1 } }, 1).slice(0, 10), '0000000000');
  });

  // Guarantee: two charges never share a key.
  test('differs for every other charge', () => {
    const other = knownId<AccountId>('01KKBFJYM0AAAAAAAAAAAAAAAN');
    const others = [
      chargeId(charge, 3),
      chargeId({ ...charge, progress: { iteration: 2 } }, 2),
      chargeId({ ...charge, merchantId: other }, 2),
      chargeId({ ...charge, id: knownId<RecurringId>('01KKBFJYM0AAAAAAAAAAAAAAAS') }, 2),
    ];
    assert.equal(new Set([known, ...others]).size, 5);
  });
});

// Guarantee: the next date is that of the schedule or a retry after the last attempt, and there is none after the last retry.
test('the next attempt', () => {
  const retrying = { ...plan, retryIntervals: retries(1) };
  const begun = { ...charging, iteration: 2, attempts: 0 };
  const next = (progress: Progress, attemptedAt: Temporal.Instant | null) =>
    nextOf(retrying, progress, attemptedAt)?.toString();
  assert.equal(next(begun, later), chargeAt(retrying, 2)?.toString());
  assert.equal(next({ ...begun, attempts: 3, restoredAfter: 3 }, later), chargeAt(retrying, 2)?.toString());
  assert.equal(next(charging, later), '2026-02-04T08:00:00Z');
  assert.equal(next(charging, null), undefined);
  assert.equal(next({ ...charging, retriesUsed: 1 }, later), undefined);
});

// Guarantee: no acquirer is asked twice before each of them was asked once.
test('the attempts of an iteration take the acquirers in turn', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((attempts) => turnOf({ attempts }, 3)),
    [0, 1, 2, 0, 1],
  );
});
