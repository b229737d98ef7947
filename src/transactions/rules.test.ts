// What a result does, for every state of an attempt, every status of its transaction and every kind of result.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { methods } from '../../contract/methods.ts';
import { type ChargeFacts, type ChargeResult, type ChargeState, isOpen } from '../banking/index.ts';
import { Refusal } from '../kernel/index.ts';
import type { PaymentMethod, PayRequest, TransactionStatus } from './model.ts';
import {
  afterResult,
  chooseChannel,
  isDecline,
  methodFaults,
  methodPaid,
  nextChargeId,
  ownTime,
  patience,
  payPageUrl,
  sixHourBucketsOf,
  triedElsewhere,
  waitingLook,
} from './rules.ts';

const facts: ChargeFacts = {
  state: 'sent',
  amountMinor: 1_000n,
  surplusBooked: false,
  otherAmounts: 0,
  parked: false,
};

/** One result per column of the table, in its order. */
const results: readonly (readonly [string, ChargeResult])[] = [
  ['approved', { kind: 'approved', amountMinor: 1_000n, lookedUp: false }],
  ['approved with another amount', { kind: 'approved', amountMinor: 1_001n, lookedUp: false }],
  ['looked up with another amount', { kind: 'approved', amountMinor: 1_001n, lookedUp: true }],
  ['declined', { kind: 'declined', reason: 'wrong code' }],
  ['notReached', { kind: 'notReached' }],
  ['canceled', { kind: 'canceled' }],
  ['waiting', { kind: 'waiting', link: 'https://bank/1' }],
  ['unknown', { kind: 'unknown' }],
  ['again', { kind: 'again', notFound: false }],
  ['again, not found', { kind: 'again', notFound: true }],
  ['park', { kind: 'park', why: 'no_result' }],
];

type Row = readonly [ChargeState, TransactionStatus, ...string[]];

// Guarantee: only a certain result of the bank ends an open attempt; no final state is left; and captured money either
// counts as the payment or is returned, in every state.
const table: readonly Row[] = [
  // attempt, transaction, approved, another amount, another looked up, declined, notReached, canceled, waiting,
  // unknown, again, again not found, park
  [
    'sent',
    'pending',
    'correct',
    'look',
    'other',
    'failed',
    'failed',
    'canceled',
    'wait',
    'look',
    'look',
    'look nf',
    'park',
  ],
  [
    'sent',
    'paid',
    'surplus',
    'look',
    'other',
    'failed',
    'failed',
    'canceled',
    'wait',
    'look',
    'look',
    'look nf',
    'park',
  ],
  [
    'sent',
    'refund',
    'surplus',
    'look',
    'other',
    'failed',
    'failed',
    'canceled',
    'wait',
    'look',
    'look',
    'look nf',
    'park',
  ],
  [
    'sent',
    'canceled',
    'surplus',
    'look',
    'other',
    'failed',
    'failed',
    'canceled',
    'wait',
    'look',
    'look',
    'look nf',
    'park',
  ],
  [
    'waiting',
    'pending',
    'correct',
    'look',
    'other',
    'failed',
    'look',
    'canceled',
    'wait',
    'look',
    'look',
    'look nf',
    'park',
  ],
  [
    'waiting',
    'paid',
    'surplus',
    'look',
    'other',
    'failed',
    'look',
    'canceled',
    'wait',
    'look',
    'look',
    'look nf',
    'park',
  ],
  [
    'waiting',
    'refund',
    'surplus',
    'look',
    'other',
    'failed',
    'look',
    'canceled',
    'wait',
    'look',
    'look',
    'look nf',
    'park',
  ],
  [
    'waiting',
    'canceled',
    'surplus',
    'look',
    'other',
    'failed',
    'look',
    'canceled',
    'wait',
    'look',
    'look',
    'look nf',
    'park',
  ],
  [
    'unknown',
    'pending',
    'correct',
    'look',
    'other',
    'failed',
    'look',
    'canceled',
    'wait',
    'look',
    'look',
    'look nf',
    'park',
  ],
  [
    'unknown',
    'paid',
    'surplus',
    'look',
    'other',
    'failed',
    'look',
    'canceled',
    'wait',
    'look',
    'look',
    'look nf',
    'park',
  ],
  [
    'unknown',
    'refund',
    'surplus',
    'look',
    'other',
    'failed',
    'look',
    'canceled',
    'wait',
    'look',
    'look',
    'look nf',
    'park',
  ],
  [
    'unknown',
    'canceled',
    'surplus',
    'look',
    'other',
    'failed',
    'look',
    'canceled',
    'wait',
    'look',
    'look',
    'look nf',
    'park',
  ],
  ['correct', 'pending', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['correct', 'paid', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['correct', 'refund', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['correct', 'canceled', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['surplus', 'pending', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['surplus', 'paid', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['surplus', 'refund', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['surplus', 'canceled', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  ['failed', 'pending', 'give back', 'doubt', 'other', '-', '-', '-', '-', '-', 'look', 'look', 'park'],
  ['failed', 'paid', 'give back', 'doubt', 'other', '-', '-', '-', '-', '-', 'look', 'look', 'park'],
  ['failed', 'refund', 'give back', 'doubt', 'other', '-', '-', '-', '-', '-', 'look', 'look', 'park'],
  ['failed', 'canceled', 'give back', 'doubt', 'other', '-', '-', '-', '-', '-', 'look', 'look', 'park'],
  ['canceled', 'pending', 'give back', 'doubt', 'other', '-', '-', '-', '-', '-', 'look', 'look', 'park'],
  ['canceled', 'paid', 'give back', 'doubt', 'other', '-', '-', '-', '-', '-', 'look', 'look', 'park'],
  ['canceled', 'refund', 'give back', 'doubt', 'other', '-', '-', '-', '-', '-', 'look', 'look', 'park'],
  ['canceled', 'canceled', 'give back', 'doubt', 'other', '-', '-', '-', '-', '-', 'look', 'look', 'park'],
];

const shownLook = {
  unknown: 'look',
  notFound: 'look nf',
  otherAmount: 'other',
  doubt: 'doubt',
  neverSent: 'send',
};

/** Formats a step as in the table. */
function stepText(attempt: ChargeFacts, status: TransactionStatus, result: ChargeResult): string {
  const step = afterResult(attempt, status, result);
  if (step.kind === 'none') return '-';
  if (step.kind === 'giveBack') return step.final ?? 'give back';
  if (step.kind === 'look') return shownLook[step.because];
  return step.kind;
}

suite('the next acquirer', () => {
  // Guarantee: that a request was not reached says nothing about an earlier one of the same key: then the bank is asked, and
  // nobody else.
  test('one that was not reached ends only if nobody else has touched it', () => {
    const after = (state: ChargeState) =>
      afterResult({ ...facts, state }, 'pending', { kind: 'notReached', triesNext: true });
    assert.deepEqual(after('sent'), { kind: 'failed', reason: triedElsewhere });
    for (const state of ['waiting', 'unknown'] as const)
      assert.deepEqual(after(state), { kind: 'look', because: 'unknown' });
    for (const state of ['correct', 'surplus', 'failed', 'canceled'] as const)
      assert.deepEqual(after(state), { kind: 'none' });
  });

  test('nobody is told that it was declined', () => {
    assert.equal(isDecline({ kind: 'failed', reason: triedElsewhere }), false);
    assert.equal(isDecline({ kind: 'failed', reason: 'internal error' }), true);
    assert.equal(isDecline({ kind: 'canceled' }), false);
  });

  // Guarantee: each run of a request finds the same charges, and no two of them are one.
  test('its key follows from the one before', () => {
    const ids = ['01JZ8D3K7R4M5N6P7Q8R9S0T1X'];
    for (let count = 0; count < 20; count += 1) ids.push(nextChargeId(ids.at(-1) ?? ''));
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(nextChargeId(ids[0] ?? ''), ids[1]);
    for (const id of ids) assert.match(id, /^01JZ8D3K7R[0-9A-HJKMNP-TV-Z]{16}$/);
  });
});

suite('afterResult', () => {
  for (const [state, status, ...steps] of table) {
    test(`${state} attempt of a ${status} transaction`, () => {
      assert.equal(steps.length, results.length);
      for (const [index, [name, result]] of results.entries()) {
        assert.equal(stepText({ ...facts, state }, status, result), steps[index], name);
      }
    });
  }

  test('every state and status is in the table', () => {
    assert.equal(new Set(table.map(([state, status]) => `${state} ${status}`)).size, 7 * 4);
  });

  // Guarantee: captured money is returned once, however often the bank reports it.
  for (const state of ['failed', 'canceled'] as const) {
    for (const [name, result] of results) {
      test(`${state}, its money booked for the payer already, ${name}: nothing`, () =>
        assert.equal(stepText({ ...facts, state, surplusBooked: true }, 'canceled', result), '-'));
    }
  }

  // Guarantee: a wrong amount is never booked; it is looked up three times, then an operator decides.
  for (const [otherAmounts, step] of [
    [0, 'other'],
    [1, 'other'],
    [2, 'park'],
    [9, 'park'],
  ] as const) {
    for (const amountMinor of [0n, 1n, 999n, 1_001n, 100_000n]) {
      test(`looked up with ${amountMinor} after ${otherAmounts} others: ${step}`, () => {
        const approved = { kind: 'approved', amountMinor, lookedUp: true } as const;
        assert.equal(stepText({ ...facts, otherAmounts }, 'pending', approved), step);
        assert.equal(stepText({ ...facts, state: 'failed', otherAmounts }, 'canceled', approved), step);
      });
    }
  }

  // Guarantee: a parked attempt stays parked until the result is known, and any certain result ends it.
  for (const [name, result, step] of [
    ['park', { kind: 'park', why: 'not_confirmed' }, '-'],
    ['approved', { kind: 'approved', amountMinor: 1_000n, lookedUp: false }, 'correct'],
    ['declined', { kind: 'declined', reason: 'internal error' }, 'failed'],
    ['canceled', { kind: 'canceled' }, 'canceled'],
  ] as const) {
    test(`parked, ${name}: ${step}`, () =>
      assert.equal(stepText({ ...facts, state: 'unknown', parked: true }, 'pending', result), step));
  }

  test('the reason of a decline is kept', () => {
    const declined = afterResult(facts, 'pending', { kind: 'declined', reason: 'payer rejected' });
    assert.deepEqual(declined, { kind: 'failed', reason: 'payer rejected' });
    assert.deepEqual(afterResult(facts, 'pending', { kind: 'notReached' }), {
      kind: 'failed',
      reason: 'internal error',
    });
  });

  test('the link of a waiting payment is kept', () => {
    const waiting = afterResult(facts, 'pending', { kind: 'waiting', link: 'https://bank/1' });
    assert.deepEqual(waiting, { kind: 'wait', link: 'https://bank/1' });
  });
});

suite('the chosen channel', () => {
  const { blik, card } = methods;
  const enabled = [card.id];

  // Guarantee: only an enabled channel is chosen, by its id or by its group, never by both.
  for (const [name, request, expected] of [
    ['no choice', undefined, undefined],
    ['no channel', {}, undefined],
    ['its id', { channelId: card.id }, 'card'],
    ['its group', { groupId: card.groupId }, 'card'],
    ['one that is not enabled', { channelId: blik.id }, 'not_valid pay.channelId'],
    ['a group that is not enabled', { groupId: blik.groupId }, 'not_valid pay.groupId'],
    ['one that does not exist', { channelId: 0 }, 'not_valid pay.channelId'],
    ['both', { channelId: card.id, groupId: card.groupId }, 'channel_passed_with_group pay.channelId'],
  ] as const) {
    test(`${name}: ${expected ?? 'the payer chooses'}`, () => {
      const faults = methodFaults(request as PayRequest | undefined, enabled, 'pay.');
      const shown = faults.map(({ code, field }) => `${code} ${field}`).join();
      if (shown !== '') {
        assert.equal(shown, expected);
        assert.throws(
          () => chooseChannel(request as PayRequest | undefined, enabled),
          (error) => error instanceof Refusal && error.faults[0]?.field === faults[0]?.field,
        );
      } else assert.equal(chooseChannel(request as PayRequest | undefined, enabled)?.method, expected);
    });
  }
});

suite('how it was paid', () => {
  // Guarantee: what the request said counts, unless it only said that the payer follows a link: then what the method does.
  for (const [chosen, method, expected] of [
    [null, 'blik', 'sale'],
    ['pay_by_link', 'blik', 'sale'],
    [null, 'card', 'pay_by_link'],
    ['pay_by_link', 'card', 'pay_by_link'],
    ['sale', 'card', 'sale'],
    ['transfer', 'blik', 'transfer'],
  ] as const) {
    test(`${chosen} by ${method}: ${expected}`, () =>
      assert.equal(methodPaid(chosen as PaymentMethod | null, methods[method].id), expected));
  }

  test('by a channel that is gone: a link', () => assert.equal(methodPaid(null, 0), 'pay_by_link'));

  test('the address of the pay page', () => {
    assert.equal(payPageUrl('https://pay.example', { id: 'T', payKey: 'K' }), 'https://pay.example/pay/T.K');
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
  // Guarantee: "not found" is accepted only after the bank had time and was asked twice.
  test('the bank has 30 s and is asked twice; waiting payments are looked up every 5 min, for a day', () => {
    const { bankTime, timesNotFound, waitingAtMost } = patience;
    assert.deepEqual([bankTime.total('seconds'), timesNotFound], [30, 2]);
    assert.deepEqual([waitingLook.total('minutes'), waitingAtMost.total('hours')], [5, 24]);
    assert.equal(ownTime.total('seconds'), 15);
  });
});

const sixHours = 6 * 3_600_000;
const at = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(milliseconds);

/** Instants within two weeks, many of them at or near the start of a bucket. */
const moment = fc.oneof(
  fc.integer({ min: -sixHours * 8, max: sixHours * 50 }),
  fc
    .tuple(fc.integer({ min: -8, max: 50 }), fc.integer({ min: -1_000, max: 1_000 }))
    .map(([n, off]) => n * sixHours + off),
  fc.integer({ min: -8, max: 50 }).map((n) => n * sixHours),
);

suite('buckets of a period', () => {
  // Guarantee: every instant of a period is counted exactly once, in a whole bucket or at an edge, and no other instant
  // is.
  test('cover the period exactly', () => {
    fc.assert(
      fc.property(moment, moment, moment, (from, to, asked) => {
        const { first, end, edges } = sixHourBucketsOf({ from: at(from), to: at(to) });
        const bucketOfAsked = Math.floor(asked / sixHours) * sixHours;
        const whole =
          bucketOfAsked >= (first?.epochMilliseconds ?? 0) && bucketOfAsked < (end?.epochMilliseconds ?? 0) ? 1 : 0;
        const atEdges = edges.filter(
          (edge) => asked >= edge.from.epochMilliseconds && asked < edge.to.epochMilliseconds,
        );
        assert.equal(whole + atEdges.length, asked >= from && asked < to ? 1 : 0);
        for (const edge of atEdges) assert.equal(edge.sixHourBucket.epochMilliseconds, bucketOfAsked);
      }),
      { numRuns: 5_000 },
    );
  });

  test('no bounds, no edges', () => {
    assert.deepEqual(sixHourBucketsOf({ from: null, to: null }), { first: null, end: null, edges: [] });
  });

  test('one bound leaves the other side open', () => {
    const { first, end, edges } = sixHourBucketsOf({ from: at(sixHours + 1), to: null });
    assert.deepEqual([first?.epochMilliseconds, end, edges.length], [2 * sixHours, null, 1]);
    const [until, from] = [at(sixHours + 1), at(sixHours)];
    assert.deepEqual(sixHourBucketsOf({ from: null, to: until }), {
      first: null,
      end: from,
      edges: [{ sixHourBucket: from, from, to: until }],
    });
    // Whole buckets have no edges: those would be read for nothing.
    assert.deepEqual(sixHourBucketsOf({ from, to: at(3 * sixHours) }), {
      first: from,
      end: at(3 * sixHours),
      edges: [],
    });
    assert.deepEqual(sixHourBucketsOf({ from, to: null }), { first: from, end: null, edges: [] });
  });
});
