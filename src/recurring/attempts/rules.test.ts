// What a result does, for every state of an attempt and every kind of result; and the id of a charge.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type AccountId, isUlid, knownId, type RecurringId, ulid } from '../../kernel/index.ts';
import type { Plan } from '../schedule.ts';
import { afterResult, chargeId, isOpen, patience, type Result } from './rules.ts';
import type { AttemptState } from './store.ts';

const amountMinor = 4_990n;
const facts = { otherAmounts: 0, parked: false, endedByCancel: false };

/** One result for each column of the table, in its order. */
const results: readonly Result[] = [
  { kind: 'approved', amountMinor, lookedUp: false },
  { kind: 'approved', amountMinor: 4_991n, lookedUp: false },
  { kind: 'approved', amountMinor: 4_991n, lookedUp: true },
  { kind: 'declined', reason: 'payer rejected' },
  { kind: 'canceled' },
  { kind: 'waiting' },
  { kind: 'notReached' },
  { kind: 'unknown' },
  { kind: 'again', notFound: false },
  { kind: 'again', notFound: true },
  { kind: 'park', why: 'nobody knows' },
];

const shownLook = { unknown: 'look', notFound: 'look nf', otherAmount: 'other', doubt: 'doubt', neverSent: 'send' };

function shown(state: AttemptState, result: Result, wish: Partial<typeof facts> = {}): string {
  const step = afterResult({ ...facts, ...wish, state }, amountMinor, result);
  if (step.kind === 'look') return shownLook[step.because];
  return step.kind === 'none' ? '-' : step.kind;
}

// Guarantee: an open attempt is ended by a certain word of the bank and by nothing else; no final state is left; money that
// was captured after all goes back.
const table: readonly (readonly [AttemptState, ...string[]])[] = [
  // state, approved, another amount, another looked up, declined, canceled, waiting, notReached, unknown, again, not found, park
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
        results.map((result) => shown(state, result)),
        expected,
      );
      assert.equal(isOpen(state), ['sent', 'waiting', 'unknown'].includes(state));
    });
  }

  // Guarantee: what never reached the bank is not called a failure of the payer when the payer canceled first.
  test('canceled at the bank after the recurring payment was canceled', () => {
    for (const state of ['sent', 'waiting', 'unknown'] as const) {
      assert.equal(shown(state, { kind: 'canceled' }, { endedByCancel: true }), 'canceled');
    }
  });

  // Guarantee: another amount is never booked, whether the attempt is open or had ended: it is looked up three times, then
  // an operator sees it.
  test('another amount', () => {
    const other: Result = { kind: 'approved', amountMinor: amountMinor - 1n, lookedUp: true };
    for (const state of ['unknown', 'failed', 'canceled'] as const) {
      assert.deepEqual(
        [0, 1, 2, 9].map((otherAmounts): string => shown(state, other, { otherAmounts })),
        ['other', 'other', 'park', 'park'],
      );
    }
  });

  // Guarantee: what is parked stays parked until somebody knows.
  test('parked already', () => {
    assert.equal(shown('unknown', { kind: 'park', why: 'again' }, { parked: true }), '-');
    assert.equal(shown('unknown', { kind: 'approved', amountMinor, lookedUp: false }, { parked: true }), 'correct');
    assert.equal(shown('unknown', { kind: 'declined', reason: 'internal error' }, { parked: true }), 'failed');
  });
});

suite('when the bank is asked', () => {
  // Guarantee: a killed worker's charges go on within 20 s: two looks, 12 s after the claim and once the bank has had time.
  test('the bank has 15 s, is asked twice, and may wait for a day', () => {
    const { bankTime, timesNotFound, waitingAtMost } = patience;
    assert.deepEqual([bankTime.total('seconds'), timesNotFound, waitingAtMost.total('hours')], [15, 2, 24]);
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

  // Guarantee: the same charge has the same key at the bank, in whatever zone its account is now.
  test('is drawn from what it is for', () => {
    assert.ok(isUlid(known));
    assert.equal(chargeId({ ...charge, plan: { ...plan, zone: 'Asia/Tokyo' } }, 2), known);
    const dueAt = Temporal.Instant.from('2026-05-10T09:00:00Z').epochMilliseconds;
    assert.equal(known.slice(0, 10), ulid(dueAt, new Uint8Array(16)).slice(0, 10));
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
