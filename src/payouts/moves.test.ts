// What a movement of our bank means for a payout, with every state and amounts around each limit.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PayoutMove } from './model.ts';
import { meaningOf, type Said, undoingOf } from './moves.ts';

const at = Temporal.Instant.from('2026-11-19T10:00:00Z');
const states = ['created', 'approved', 'sent', 'paid', 'returned', 'failed', 'canceled'] as const;

const payout = (state: (typeof states)[number], amountMinor = 20_000n) => ({
  state,
  amountMinor,
  sentAt: state === 'created' || state === 'approved' ? null : at,
});
const said = (direction: Said['direction'], amountMinor: bigint, more: Partial<Said> = {}): Said => ({
  direction,
  amountMinor,
  isReturn: false,
  isDecided: false,
  ...more,
});
const byBank = { isReturn: true };
const byOperator = { isDecided: true };

function inWords(meant: ReturnType<typeof meaningOf>): string {
  if (!meant) return 'not it';
  const { kind, to, transitMinor, takenMinor, feeMinor, bankMinor } = meant;
  assert.equal(transitMinor + takenMinor + feeMinor + bankMinor, 0n);
  return `${kind}, ${to}: transit ${transitMinor}, taken ${takenMinor}, fee ${feeMinor}, bank ${bankMinor}`;
}

suite('what left', () => {
  // Guarantee: what the bank pays is booked in every state in which it can have had the payment, from where the money is.
  for (const [state, expected] of [
    ['created', 'not it'],
    ['approved', 'not it'],
    ['sent', 'paid, paid: transit 20000, taken 0, fee 0, bank -20000'],
    ['paid', 'not it'],
    ['returned', 'paid_after_all, paid: transit 0, taken 20000, fee 0, bank -20000'],
    ['failed', 'paid_after_all, paid: transit 0, taken 20000, fee 0, bank -20000'],
    ['canceled', 'paid_after_all, paid: transit 0, taken 20000, fee 0, bank -20000'],
  ] as const) {
    test(`of a payout that is ${state}`, () => {
      assert.equal(inWords(meaningOf(payout(state), said('left', 20_000n))), expected);
      for (const minor of [19_999n, 20_001n])
        assert.equal(inWords(meaningOf(payout(state), said('left', minor, byOperator))), 'not it');
    });
  }

  // Guarantee: what was in no file that a bank had is paid by nobody, whatever a line says.
  test('of one that was canceled before it was sent', () => {
    const never = { ...payout('canceled'), sentAt: null };
    assert.equal(inWords(meaningOf(never, said('left', 20_000n, byOperator))), 'not it');
  });
});

suite('what came back', () => {
  // Guarantee: only what was paid comes back, and never more than that.
  for (const state of states) {
    test(`of a payout that is ${state}`, () => {
      const expected = state === 'paid' ? 'sent_back, returned: transit 0, taken -20000, fee 0, bank 20000' : 'not it';
      assert.equal(inWords(meaningOf(payout(state), said('back', 20_000n))), expected);
      assert.equal(inWords(meaningOf(payout(state), said('back', 20_001n, { ...byBank, ...byOperator }))), 'not it');
    });
  }

  // Guarantee: the account gets all of it again, and we bear what the bank kept: by itself only a little, and only if the bank
  // says that it is a return, as anybody can send less with our reference; more only if an operator says so, up to a half.
  for (const [minor, more, expected] of [
    [19_999n, {}, 'not it'],
    [19_999n, byBank, 'sent_back, returned: transit 0, taken -20000, fee 1, bank 19999'],
    [15_000n, byBank, 'sent_back, returned: transit 0, taken -20000, fee 5000, bank 15000'],
    [14_999n, byBank, 'not it'],
    [14_999n, byOperator, 'sent_back, returned: transit 0, taken -20000, fee 5001, bank 14999'],
    [10_000n, byOperator, 'sent_back, returned: transit 0, taken -20000, fee 10000, bank 10000'],
    [9_999n, byOperator, 'not it'],
  ] as const) {
    test(`${minor} of 20000, ${JSON.stringify(more)}`, () => {
      assert.equal(inWords(meaningOf(payout('paid'), said('back', minor, more))), expected);
    });
  }

  // Guarantee: of a small payout a bank keeps no more than half without a word of an operator, or with one.
  test('4.99 of 10.00', () => {
    for (const more of [byBank, byOperator]) {
      assert.equal(inWords(meaningOf(payout('paid', 1_000n), said('back', 499n, more))), 'not it');
      assert.notEqual(inWords(meaningOf(payout('paid', 1_000n), said('back', 500n, more))), 'not it');
    }
  });
});

suite('what is taken back', () => {
  // Guarantee: it is the reverse, whichever part was in the balance, and the payout is what it was before.
  test('a movement', () => {
    const move: PayoutMove = {
      id: 'm',
      payoutId: 'p',
      number: 3,
      kind: 'sent_back',
      undoes: null,
      line: 'l',
      stateBefore: 'paid',
      stateAfter: 'returned',
      paidBefore: at,
      endedBefore: null,
      reasonBefore: null,
      transitMinor: 0n,
      availableMinor: -600n,
      owedMinor: -400n,
      feeMinor: 30n,
      bankMinor: 970n,
      at,
    };
    assert.equal(inWords(undoingOf(move)), 'undone, paid: transit 0, taken 1000, fee -30, bank -970');
  });
});
