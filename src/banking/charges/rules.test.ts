// What a result says about a charge, and what a step makes of it: one line per case.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type AccountId, currencyFrom, knownId } from '../../kernel/index.ts';
import type { SettlingCharge } from './model.ts';
import { afterChargeResult, type ChargeFacts, type ChargeResult, type ChargeStep, isOpen } from './rules.ts';
import { afterStep } from './step.ts';

const facts: ChargeFacts = { state: 'sent', amountMinor: 100n, surplusBooked: false, otherAmounts: 0, parked: false };
const approved = (amountMinor: bigint, lookedUp: boolean): ChargeResult => ({
  kind: 'approved',
  amountMinor,
  lookedUp,
});
const open = ['sent', 'waiting', 'unknown'] as const;
const ended = ['failed', 'canceled'] as const;
const booked = ['correct', 'surplus'] as const;

suite('afterChargeResult', () => {
  // Guarantee: an open charge hears every result; one that ended only what could mean captured money; a booked one none.
  for (const [result, whileOpen, afterwards] of [
    [approved(100n, false), { kind: 'captured' }, { kind: 'captured' }],
    [approved(101n, false), { kind: 'look', because: 'unknown' }, { kind: 'look', because: 'doubt' }],
    [approved(101n, true), { kind: 'look', because: 'otherAmount' }, { kind: 'look', because: 'otherAmount' }],
    [{ kind: 'declined', reason: 'wrong code' }, { kind: 'declined', reason: 'wrong code' }, { kind: 'none' }],
    [{ kind: 'canceled' }, { kind: 'canceled' }, { kind: 'none' }],
    [{ kind: 'notReached' }, { kind: 'notSent', triesNext: false }, { kind: 'none' }],
    [{ kind: 'notReached', triesNext: true }, { kind: 'notSent', triesNext: true }, { kind: 'none' }],
    [{ kind: 'waiting', link: 'L' }, { kind: 'wait', link: 'L' }, { kind: 'none' }],
    [{ kind: 'unknown' }, { kind: 'look', because: 'unknown' }, { kind: 'none' }],
    [
      { kind: 'again', notFound: false },
      { kind: 'look', because: 'unknown' },
      { kind: 'look', because: 'unknown' },
    ],
    [
      { kind: 'again', notFound: true },
      { kind: 'look', because: 'notFound' },
      { kind: 'look', because: 'unknown' },
    ],
    [
      { kind: 'park', why: 'no_result' },
      { kind: 'park', why: 'no_result' },
      { kind: 'park', why: 'no_result' },
    ],
  ] as const satisfies readonly (readonly [ChargeResult, object, object])[]) {
    test(
      JSON.stringify(result, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
      () => {
        for (const state of open) assert.deepEqual(afterChargeResult({ ...facts, state }, result), whileOpen);
        for (const state of ended) assert.deepEqual(afterChargeResult({ ...facts, state }, result), afterwards);
        for (const state of booked) assert.deepEqual(afterChargeResult({ ...facts, state }, result), { kind: 'none' });
        const givenBack = { ...facts, state: 'failed', surplusBooked: true } as const;
        assert.deepEqual(afterChargeResult(givenBack, result), { kind: 'none' });
      },
    );
  }

  test('a third lookup with another amount is for an operator, once', () => {
    const other = approved(101n, true);
    const why = { kind: 'park', why: 'other_amount' };
    assert.deepEqual(afterChargeResult({ ...facts, otherAmounts: 2 }, other), why);
    assert.deepEqual(afterChargeResult({ ...facts, otherAmounts: 2, parked: true }, other), { kind: 'none' });
    const again: ChargeResult = { kind: 'park', why: 'no_result' };
    assert.deepEqual(afterChargeResult({ ...facts, parked: true }, again), { kind: 'none' });
  });

  test('which states are open', () => {
    assert.deepEqual([...open, ...ended, ...booked].filter(isOpen), open);
  });
});

suite('afterStep', () => {
  const at = (seconds: number) => Temporal.Instant.from('2026-03-10T09:00:00Z').add({ seconds });
  const [now, endedAt, lookedAt] = [at(100), at(90), at(80)];
  const waitingLook = Temporal.Duration.from({ minutes: 5 });
  const charge: SettlingCharge = {
    id: 'C',
    merchantId: knownId<AccountId>('M'),
    acquirer: 'bank',
    amountMinor: 100n,
    currency: currencyFrom('PLN'),
    state: 'unknown',
    reason: null,
    link: 'first',
    createdAt: at(0),
    settledAt: null,
    nextCheckAt: at(85),
    checks: 1,
    timesNotFound: 1,
    otherAmounts: 1,
    neverSent: true,
    parkedAt: at(70),
    parkedWhy: 'no_result',
  };
  const cleared = { ...charge, nextCheckAt: null, neverSent: false, parkedAt: null, parkedWhy: null };
  const ended = { ...cleared, link: null };
  const seenAgain = { ...cleared, checks: 2, nextCheckAt: lookedAt.add({ seconds: 3 }), neverSent: true };

  // Guarantee: parking and lookups end with an end, and the payer's link goes; only an open charge becomes unknown, and a waiting one stays so.
  for (const [step, changes, expected] of [
    [{ kind: 'none' }, {}, charge],
    [{ kind: 'correct' }, {}, { ...ended, state: 'correct', settledAt: endedAt }],
    [{ kind: 'canceled' }, {}, { ...ended, state: 'canceled', settledAt: endedAt }],
    [
      { kind: 'failed', reason: 'wrong code' },
      {},
      { ...ended, state: 'failed', reason: 'wrong code', settledAt: endedAt },
    ],
    [{ kind: 'giveBack', final: 'surplus' }, {}, { ...ended, state: 'surplus', settledAt: endedAt }],
    [{ kind: 'giveBack', final: undefined }, { state: 'failed' }, { ...ended, state: 'failed' }],
    [
      { kind: 'wait', link: 'second' },
      {},
      { ...cleared, state: 'waiting', link: 'second', nextCheckAt: lookedAt.add(waitingLook) },
    ],
    [
      { kind: 'wait', link: null },
      {},
      { ...cleared, state: 'waiting', link: 'first', nextCheckAt: lookedAt.add(waitingLook) },
    ],
    [{ kind: 'look', because: 'unknown' }, { state: 'sent' }, { ...seenAgain, state: 'unknown' }],
    [{ kind: 'look', because: 'unknown' }, { state: 'waiting' }, { ...seenAgain, state: 'waiting' }],
    [{ kind: 'look', because: 'unknown' }, { state: 'failed' }, { ...seenAgain, state: 'failed' }],
    [{ kind: 'look', because: 'unknown' }, { neverSent: false }, { ...seenAgain, neverSent: false }],
    [{ kind: 'look', because: 'neverSent' }, { neverSent: false }, seenAgain],
    [{ kind: 'look', because: 'notFound' }, {}, { ...seenAgain, timesNotFound: 2 }],
    [{ kind: 'look', because: 'otherAmount' }, {}, { ...seenAgain, otherAmounts: 2 }],
    [
      { kind: 'look', because: 'doubt' },
      { state: 'failed' },
      { ...cleared, state: 'failed', checks: 0, timesNotFound: 0, otherAmounts: 0, nextCheckAt: lookedAt },
    ],
    [{ kind: 'park', why: 'other_amount' }, {}, { ...cleared, parkedAt: now, parkedWhy: 'other_amount' }],
  ] as const satisfies readonly (readonly [ChargeStep, Partial<SettlingCharge>, SettlingCharge])[]) {
    test(`${JSON.stringify(step)} of one that is ${JSON.stringify({ state: charge.state, ...changes })}`, () => {
      const times = { now, endedAt, lookedAt, waitingLook };
      assert.deepEqual(afterStep({ ...charge, ...changes }, step, times), expected);
    });
  }
});
