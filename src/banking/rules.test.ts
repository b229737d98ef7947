// What the bank's responses mean, as tables: amounts, lookups of open and of ended items, delays and limits.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { FindAnswer } from '../acquirer/index.ts';
import {
  afterLook,
  judgeAmount,
  type LookReason,
  learnedOf,
  lookDelay,
  parkIfOld,
  readEndedFinding,
  readFinding,
} from './rules.ts';

const asked = Temporal.Instant.from('2026-03-10T09:00:00Z');
const after = (duration: Temporal.DurationLike) => asked.add(duration);
const amount = { minor: 4_990n, currency: 'PLN' } as const;

suite('judgeAmount', () => {
  // Guarantee: an approval with a different amount than requested is never accepted; it is looked up three times, then
  // an operator decides. Responses and callbacks alone never park.
  for (const [minor, lookedUp, otherAmounts, verdict] of [
    [4_990n, false, 0, 'believe'],
    [4_990n, true, 9, 'believe'],
    [100n, false, 0, 'askAgain'],
    [100n, false, 9, 'askAgain'],
    [100n, true, 0, 'askAgain'],
    [4_991n, true, 1, 'askAgain'],
    [4_989n, true, 2, 'park'],
    [0n, true, 3, 'park'],
  ] as const) {
    test(`${minor}, ${lookedUp ? `looked up after ${otherAmounts} such` : 'answered'}: ${verdict}`, () => {
      assert.equal(judgeAmount(4_990n, { kind: 'approved', amountMinor: minor, lookedUp }, otherAmounts), verdict);
    });
  }
});

test('a response or callback is not looked up', () => {
  assert.deepEqual(learnedOf({ kind: 'approved', amount }), { kind: 'approved', amountMinor: 4_990n, lookedUp: false });
  assert.deepEqual(learnedOf({ kind: 'approved', amount }, true), {
    kind: 'approved',
    amountMinor: 4_990n,
    lookedUp: true,
  });
  assert.deepEqual(learnedOf({ kind: 'unknown' }), { kind: 'unknown' });
});

suite('readFinding', () => {
  const patience = {
    bankTime: Temporal.Duration.from({ seconds: 15 }),
    timesNotFound: 2,
    waitingAtMost: Temporal.Duration.from({ hours: 24 }),
  };
  const read = (found: FindAnswer, age: Temporal.DurationLike, timesNotFound = 0, neverSent = false) =>
    readFinding(found, { askedAt: asked, timesNotFound, neverSent }, patience, after(age));

  test('final words are passed on, and an approval is known to be looked up', () => {
    const approved = { kind: 'approved', amountMinor: 4_990n, lookedUp: true };
    assert.deepEqual(read({ kind: 'approved', amount }, { hours: 99 }), approved);
    assert.deepEqual(read({ kind: 'canceled' }, { hours: 99 }), { kind: 'canceled' });
    const declined = { kind: 'declined', reason: 'payer rejected' } as const;
    assert.deepEqual(read(declined, { hours: 99 }), declined);
  });

  // Guarantee: nothing waits forever.
  test('waiting is overdue after its time', () => {
    const waiting = { kind: 'waiting', link: null } as const;
    assert.deepEqual(read(waiting, { hours: 23, minutes: 59 }), waiting);
    assert.deepEqual(read(waiting, { hours: 24 }), { kind: 'overdue' });
  });

  // Guarantee: "not found" is accepted only after the bank had time and was asked twice, or if nothing was ever sent.
  test('not found', () => {
    const again = { kind: 'again', notFound: true };
    assert.deepEqual(read({ kind: 'notFound' }, { seconds: 60 }, 0), again);
    const unsaid = { askedAt: asked, timesNotFound: 0 };
    assert.deepEqual(readFinding({ kind: 'notFound' }, unsaid, patience, after({ seconds: 60 })), again);
    assert.deepEqual(read({ kind: 'notFound' }, { seconds: 14 }, 5), again);
    assert.deepEqual(read({ kind: 'notFound' }, { seconds: 15 }, 1), { kind: 'absent' });
    assert.deepEqual(read({ kind: 'notFound' }, { seconds: 0 }, 0, true), { kind: 'absent' });
  });

  test('no response says nothing', () => {
    for (const kind of ['notReached', 'unknown'] as const) {
      assert.deepEqual(read({ kind }, { hours: 99 }), { kind: 'again', notFound: false });
    }
  });
});

// Guarantee: money of an ended item is never returned on a claim that the bank does not confirm, and lookups end.
test('readEndedFinding', () => {
  const park = { kind: 'park', why: 'ended_contradicted' };
  assert.deepEqual(readEndedFinding({ kind: 'approved', amount }, 0), {
    kind: 'approved',
    amountMinor: 4_990n,
    lookedUp: true,
  });
  for (const kind of ['canceled', 'notFound'] as const) assert.deepEqual(readEndedFinding({ kind }, 0), park);
  assert.deepEqual(readEndedFinding({ kind: 'declined', reason: 'internal error' }, 0), park);
  assert.deepEqual(readEndedFinding({ kind: 'waiting', link: null }, 0), park);
  for (const kind of ['notReached', 'unknown'] as const) {
    assert.deepEqual(readEndedFinding({ kind }, 299), { kind: 'again', notFound: false });
    assert.deepEqual(readEndedFinding({ kind }, 300), park);
  }
});

// Guarantee: after three days every open item is visible to an operator, whichever request had no response.
test('parkIfOld', () => {
  const why = 'no_result';
  for (const kind of ['again', 'notReached', 'unknown']) {
    assert.deepEqual(parkIfOld({ kind }, asked, after({ hours: 71 })), { kind });
    assert.deepEqual(parkIfOld({ kind }, asked, after({ hours: 72 })), { kind: 'park', why });
  }
  for (const kind of ['approved', 'declined', 'canceled', 'waiting', 'park']) {
    assert.deepEqual(parkIfOld({ kind }, asked, after({ hours: 999 })), { kind });
  }
});

suite('looks', () => {
  const looks = { checks: 2, timesNotFound: 1, otherAmounts: 1 };
  for (const [because, expected] of [
    ['unknown', { checks: 3, timesNotFound: 1, otherAmounts: 1 }],
    ['notFound', { checks: 3, timesNotFound: 2, otherAmounts: 1 }],
    ['neverSent', { checks: 3, timesNotFound: 1, otherAmounts: 1 }],
    ['otherAmount', { checks: 3, timesNotFound: 1, otherAmounts: 2 }],
    // A doubt about an ended item resets the counters.
    ['doubt', { checks: 0, timesNotFound: 0, otherAmounts: 0 }],
  ] as const satisfies readonly (readonly [LookReason, object])[]) {
    test(because, () => assert.deepEqual(afterLook(looks, because), expected));
  }

  // Guarantee: money is found soon, and an unavailable bank is not flooded with requests.
  test('soon at first, then rarely; a doubt immediately', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5, 6, 7, 1_000].map((checks) => lookDelay({ checks }, 'unknown').total('seconds')),
      [3, 3, 5, 5, 10, 30, 60, 300, 300],
    );
    assert.equal(lookDelay({ checks: 7 }, 'doubt').total('seconds'), 0);
  });
});
