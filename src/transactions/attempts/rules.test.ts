// What a result does, for every state of an attempt, every status of its transaction and every kind of result.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TransactionStatus } from '../store.ts';
import {
  type AttemptFacts,
  type AttemptState,
  afterResult,
  bankTime,
  isOpen,
  nextLook,
  notFoundTwice,
  type Result,
  unresolvedAtMost,
  waitingAtMost,
  waitingLook,
} from './rules.ts';

const facts: AttemptFacts = { state: 'sent', amountMinor: 1_000n, surplusBooked: false, checks: 0, parked: false };

/** One result for each column of the table, in its order. */
const results: readonly (readonly [string, Result])[] = [
  ['approved', { kind: 'approved', amountMinor: 1_000n }],
  ['approved with another amount', { kind: 'approved', amountMinor: 1_001n }],
  ['declined', { kind: 'declined', reason: 'wrong code' }],
  ['notReached', { kind: 'notReached' }],
  ['canceled', { kind: 'canceled' }],
  ['waiting', { kind: 'waiting', link: 'https://bank/1' }],
  ['unknown', { kind: 'unknown' }],
  ['again', { kind: 'again', notFound: false }],
  ['again, not found', { kind: 'again', notFound: true }],
  ['park', { kind: 'park', why: 'nobody knows' }],
];

type Row = readonly [AttemptState, TransactionStatus, ...string[]];

// Guarantee: no open attempt is ended by anything but a certain word of the bank; no final state is left; and captured
// money either stands or goes back, whatever state it meets.
const table: readonly Row[] = [
  // attempt     transaction  approved  other     declined  notReach. canceled  waiting  unknown  again   notFound  park
  ['sent', /*  */ 'pending', 'stand', 'look', 'fail', 'fail', 'cancel', 'wait', 'look', 'look', 'look nf', 'park'],
  ['sent', /*     */ 'paid', 'surplus', 'look', 'fail', 'fail', 'cancel', 'wait', 'look', 'look', 'look nf', 'park'],
  ['sent', /*   */ 'refund', 'surplus', 'look', 'fail', 'fail', 'cancel', 'wait', 'look', 'look', 'look nf', 'park'],
  ['sent', /* */ 'canceled', 'surplus', 'look', 'fail', 'fail', 'cancel', 'wait', 'look', 'look', 'look nf', 'park'],
  ['waiting', /*  */ 'pending', 'stand', 'look', 'fail', 'fail', 'cancel', 'wait', 'look', 'look', 'look nf', 'park'],
  ['waiting', /*     */ 'paid', 'surplus', 'look', 'fail', 'fail', 'cancel', 'wait', 'look', 'look', 'look nf', 'park'],
  ['waiting', /*   */ 'refund', 'surplus', 'look', 'fail', 'fail', 'cancel', 'wait', 'look', 'look', 'look nf', 'park'],
  ['waiting', /* */ 'canceled', 'surplus', 'look', 'fail', 'fail', 'cancel', 'wait', 'look', 'look', 'look nf', 'park'],
  ['unknown', /*  */ 'pending', 'stand', 'look', 'fail', 'fail', 'cancel', 'wait', 'look', 'look', 'look nf', 'park'],
  ['unknown', /*     */ 'paid', 'surplus', 'look', 'fail', 'fail', 'cancel', 'wait', 'look', 'look', 'look nf', 'park'],
  ['unknown', /*   */ 'refund', 'surplus', 'look', 'fail', 'fail', 'cancel', 'wait', 'look', 'look', 'look nf', 'park'],
  ['unknown', /* */ 'canceled', 'surplus', 'look', 'fail', 'fail', 'cancel', 'wait', 'look', 'look', 'look nf', 'park'],
  ['correct', /*  */ 'pending', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['correct', /*     */ 'paid', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['correct', /*   */ 'refund', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['correct', /* */ 'canceled', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['surplus', /*  */ 'pending', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['surplus', /*     */ 'paid', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['surplus', /*   */ 'refund', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['surplus', /* */ 'canceled', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['failed', /*  */ 'pending', 'give back', '-', '-', '-', '-', '-', '-', '-', '-', 'park'],
  ['failed', /*     */ 'paid', 'give back', '-', '-', '-', '-', '-', '-', '-', '-', 'park'],
  ['failed', /*   */ 'refund', 'give back', '-', '-', '-', '-', '-', '-', '-', '-', 'park'],
  ['failed', /* */ 'canceled', 'give back', '-', '-', '-', '-', '-', '-', '-', '-', 'park'],
  ['canceled', /*  */ 'pending', 'give back', '-', '-', '-', '-', '-', '-', '-', '-', 'park'],
  ['canceled', /*     */ 'paid', 'give back', '-', '-', '-', '-', '-', '-', '-', '-', 'park'],
  ['canceled', /*   */ 'refund', 'give back', '-', '-', '-', '-', '-', '-', '-', '-', 'park'],
  ['canceled', /* */ 'canceled', 'give back', '-', '-', '-', '-', '-', '-', '-', '-', 'park'],
];

/** A step as the table writes it. */
function told(attempt: AttemptFacts, status: TransactionStatus, result: Result): string {
  const step = afterResult(attempt, status, result);
  if (step.kind === 'none') return '-';
  if (step.kind === 'giveBack') return step.final ?? 'give back';
  if (step.kind === 'look') return step.notFound ? 'look nf' : 'look';
  return step.kind;
}

suite('afterResult', () => {
  for (const [state, status, ...steps] of table) {
    test(`${state} attempt of a ${status} transaction`, () => {
      assert.equal(steps.length, results.length);
      for (const [index, [name, result]] of results.entries()) {
        assert.equal(told({ ...facts, state }, status, result), steps[index], name);
      }
    });
  }

  test('every state and status stands in the table', () => {
    assert.equal(new Set(table.map(([state, status]) => `${state} ${status}`)).size, 7 * 4);
  });

  // Guarantee: what was captured goes back once, however often the bank says so.
  for (const state of ['failed', 'canceled'] as const) {
    for (const [name, result] of results) {
      test(`${state}, its money booked for the payer already, ${name}: nothing`, () =>
        assert.equal(told({ ...facts, state, surplusBooked: true }, 'canceled', result), '-'));
    }
  }

  // Guarantee: a wrong amount is never booked; it is asked for again, and then an operator decides.
  for (const [checks, step] of [
    [0, 'look'],
    [1, 'look'],
    [2, 'look'],
    [3, 'park'],
    [9, 'park'],
  ] as const) {
    for (const amountMinor of [0n, 1n, 999n, 1_001n, 100_000n]) {
      test(`approved with ${amountMinor} after ${checks} checks: ${step}`, () =>
        assert.equal(told({ ...facts, checks }, 'pending', { kind: 'approved', amountMinor }), step));
    }
  }

  // Guarantee: what is parked stays until somebody knows, and any certain word ends it.
  for (const [name, result, step] of [
    ['park', { kind: 'park', why: 'still' }, '-'],
    ['approved', { kind: 'approved', amountMinor: 1_000n }, 'stand'],
    ['declined', { kind: 'declined', reason: 'internal error' }, 'fail'],
    ['canceled', { kind: 'canceled' }, 'cancel'],
  ] as const) {
    test(`parked, ${name}: ${step}`, () =>
      assert.equal(told({ ...facts, state: 'unknown', parked: true }, 'pending', result), step));
  }

  test('the reason of a decline is kept', () => {
    const declined = afterResult(facts, 'pending', { kind: 'declined', reason: 'payer rejected' });
    assert.deepEqual(declined, { kind: 'fail', reason: 'payer rejected' });
    assert.deepEqual(afterResult(facts, 'pending', { kind: 'notReached' }), { kind: 'fail', reason: 'internal error' });
  });

  test('the link of a waiting payment is kept', () => {
    const waiting = afterResult(facts, 'pending', { kind: 'waiting', link: 'https://bank/1' });
    assert.deepEqual(waiting, { kind: 'wait', link: 'https://bank/1' });
  });
});

suite('isOpen', () => {
  for (const [state, open] of [
    ['sent', true],
    ['waiting', true],
    ['unknown', true],
    ['correct', false],
    ['surplus', false],
    ['failed', false],
    ['canceled', false],
  ] as const) {
    test(`${state}: ${open}`, () => assert.equal(isOpen(state), open));
  }
});

suite('times', () => {
  // Guarantee: a payer's money is looked for soon, and a bank that is away is not run down.
  for (const [checks, seconds] of [
    [0, 5],
    [1, 10],
    [2, 20],
    [3, 40],
    [4, 80],
    [5, 160],
    [6, 300],
    [7, 300],
    [1_000, 300],
  ] as const) {
    test(`look ${checks + 1} comes after ${seconds} s`, () => assert.equal(nextLook(checks).total('seconds'), seconds));
  }

  // Guarantee: "not found" is believed only after the bank had time and was asked twice (money-paths 2).
  test('the bank has 30 s and is asked twice', () => {
    assert.equal(bankTime.total('seconds'), 30);
    assert.equal(notFoundTwice, 2);
  });

  test('waiting payments are looked up every 5 min, for a day; the unknown for three', () => {
    assert.deepEqual(
      [waitingLook.total('minutes'), waitingAtMost.total('hours'), unresolvedAtMost.total('hours')],
      [5, 24, 72],
    );
  });
});
