import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { currencyFrom } from '../../kernel/index.ts';
import type { Outgoing } from './model.ts';
import { afterComingBack, afterDoubt, hasEnded, movedBy, nextWaitingLook, patience, toldWhy } from './rules.ts';

// Guarantee: the bank is asked soon, then less often, and never less often than the limit.
test('how long until the next look at one that waits', () => {
  assert.deepEqual(
    [0, 1, 11, 1_000].map((checks) => nextWaitingLook(checks).total('minutes')),
    [5, 10, 60, 60],
  );
});

suite('movedBy', () => {
  const at = (seconds: number) => Temporal.Instant.from('2026-01-01T00:00:00Z').add({ seconds });
  const now = at(60);
  const sent: Outgoing = {
    id: 'key',
    acquirer: 'bank',
    merchantId: null,
    currency: currencyFrom('PLN'),
    amountMinor: 100n,
    chargeKey: 'charge',
    purpose: 'unallocated',
    subjectId: 'subject',
    state: 'sent',
    createdAt: at(0),
    sentAt: at(10),
    doneAt: null,
    cameBackAt: null,
    withdrawnAt: null,
    nextTryAt: at(70),
    checks: 1,
    otherAmounts: 1,
    parkedAt: null,
    parkedWhy: null,
    refusedWhy: null,
  };
  const parked: Outgoing = { ...sent, nextTryAt: null, parkedAt: at(20), parkedWhy: 'no_result' };
  const unsent: Outgoing = { ...sent, state: 'new', sentAt: null };

  // Guarantee: only what is to be sent, or was and has no end, is due; a parked one is not, until it is decided.
  for (const [step, from, expected] of [
    [{ kind: 'held' }, unsent, { state: 'held', nextTryAt: null }],
    [{ kind: 'released' }, parked, { state: 'new', sentAt: null, nextTryAt: now, parkedAt: null, parkedWhy: null }],
    [{ kind: 'wait' }, sent, { checks: 2, nextTryAt: at(60 + 600) }],
    [{ kind: 'look', because: 'unknown' }, sent, { checks: 2, nextTryAt: at(63) }],
    [{ kind: 'look', because: 'otherAmount' }, sent, { checks: 2, otherAmounts: 2, nextTryAt: at(63) }],
    [{ kind: 'park', why: 'no_result' }, sent, { nextTryAt: null, parkedAt: now, parkedWhy: 'no_result' }],
    [{ kind: 'done' }, sent, { state: 'done', doneAt: now, nextTryAt: null }],
    [{ kind: 'done' }, parked, { state: 'done', doneAt: now, parkedAt: null, parkedWhy: null }],
    // The books may be older than the bank's, after a restore.
    [{ kind: 'done' }, unsent, { state: 'done', sentAt: now, doneAt: now, nextTryAt: null }],
    [{ kind: 'returned', by: 'bank' }, sent, { state: 'refused', nextTryAt: null }],
    [{ kind: 'returned', by: 'merchant' }, unsent, { state: 'canceled', nextTryAt: null }],
    [
      { kind: 'withdrawn' },
      parked,
      { state: 'canceled', withdrawnAt: now, nextTryAt: null, parkedAt: null, parkedWhy: null },
    ],
    [
      { kind: 'paidLate', why: 'paid_after_decline' },
      { ...sent, state: 'refused', nextTryAt: null },
      { state: 'done', doneAt: now, parkedAt: now, parkedWhy: 'paid_after_decline' },
    ],
    [
      { kind: 'cameBack', first: null, why: 'came_back' },
      { ...sent, state: 'done', doneAt: at(30) },
      { cameBackAt: now, parkedAt: now, parkedWhy: 'came_back' },
    ],
    [
      { kind: 'cameBack', first: 'done', why: 'came_back' },
      sent,
      { state: 'done', doneAt: now, nextTryAt: null, cameBackAt: now, parkedAt: now, parkedWhy: 'came_back' },
    ],
  ] as const) {
    test(`${JSON.stringify(step)} of one that is ${from.state}`, () => {
      assert.deepEqual(movedBy(from, step, now), { ...from, ...expected });
    });
  }

  // Guarantee: why the bank declined it is known until it is sent again, or paid after all.
  test('what the bank said is kept, and ends with another try', () => {
    const declined = toldWhy(sent, { kind: 'declined', why: 'no_funds' });
    assert.equal(declined.refusedWhy, 'no_funds');
    assert.equal(toldWhy(declined, { kind: 'waiting' }).refusedWhy, 'no_funds');
    assert.equal(toldWhy(declined, { kind: 'declined' }).refusedWhy, null);
    const after = (step: Parameters<typeof movedBy>[1]) => movedBy(declined, step, now).refusedWhy;
    assert.deepEqual(
      [after({ kind: 'returned', by: 'bank' }), after({ kind: 'park', why: 'return_refused' })],
      ['no_funds', 'no_funds'],
    );
    assert.deepEqual(
      [after({ kind: 'released' }), after({ kind: 'done' }), after({ kind: 'paidLate', why: 'paid_after_decline' })],
      [null, null, null],
    );
  });

  test('the next look counts from the last one', () => {
    assert.deepEqual(movedBy(sent, { kind: 'look', because: 'unknown' }, now, at(50)).nextTryAt, at(53));
  });
});

// Guarantee: what came back was paid before, also if nobody heard so, and comes back once.
test('what came back', () => {
  const back = (state: Outgoing['state'], cameBackAt: Outgoing['cameBackAt']) => afterComingBack({ state, cameBackAt });
  assert.deepEqual(back('done', null), { kind: 'cameBack', first: null, why: 'came_back' });
  assert.deepEqual(back('sent', null), { kind: 'cameBack', first: 'done', why: 'came_back' });
  assert.deepEqual(back('done', Temporal.Instant.from('2026-01-01T00:00:00Z')), { kind: 'none' });
});

test('what has ended', () => {
  const states = ['new', 'held', 'sent', 'done', 'refused', 'canceled'] as const;
  assert.deepEqual(
    states.filter((state) => hasEnded({ state })),
    ['done', 'refused', 'canceled'],
  );
});

test('a result without an end: waits, is looked up, or is parked', () => {
  assert.deepEqual(afterDoubt({ kind: 'waiting' }), { kind: 'wait' });
  assert.deepEqual(afterDoubt({ kind: 'again', otherAmount: false }), { kind: 'look', because: 'unknown' });
  assert.deepEqual(afterDoubt({ kind: 'again', otherAmount: true }), { kind: 'look', because: 'otherAmount' });
  assert.deepEqual(afterDoubt({ kind: 'park', why: 'no_result' }), { kind: 'park', why: 'no_result' });
});

// Guarantee: money that goes back is not lost because the bank does not know it yet, nor looked up forever.
test('what the bank does not know is sent again at once; a month is the most it may take', () => {
  const { bankTime, timesNotFound, waitingAtMost } = patience;
  assert.deepEqual([bankTime.total('seconds'), timesNotFound, waitingAtMost.total('hours')], [0, 1, 720]);
});
