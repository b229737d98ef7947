// What the bank says about a key, against everything that is booked for it.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isPromiseOver, isSame, judge, totalOf, type Verdict } from './judge.ts';
import type { Booked, Facts, Item, KnownItems } from './model.ts';

const now = Temporal.Instant.from('2026-03-10T09:00:00Z');
const hoursAgo = (hours: number) => now.subtract({ hours });

const aFact: Facts = {
  kind: 'capture',
  key: 'key',
  chargeKey: null,
  what: null,
  bankMinor: 1_000n,
  bankAt: now,
  askedMinor: 1_000n,
  row: 'moved',
  ourChargeKey: null,
  isSameCharge: true,
  isWhole: true,
  isApplied: false,
};
const facts = (some: Partial<Facts>): Facts => ({ ...aFact, ...some });
const booked = (ownMinor: bigint | null, correctedMinor: bigint | null = null): Booked => ({
  ownMinor,
  correctedMinor,
  lossMinor: 0n,
  unallocatedMinor: 0n,
});
const item = (some: Partial<Item>) =>
  ({ state: 'parked', difference: 'other_amount', ourChargeKey: null, ...some }) as Item;
const known = (open: Partial<Item>[] = [], closed: Partial<Item>[] = []): KnownItems => ({
  open: open.map(item),
  closed: closed.map((one) => item({ state: 'closed', ...one })),
});
const nobody = { row: null, askedMinor: null } as const;
const name = (difference: Extract<Verdict, { kind: 'name' }>['difference']): Verdict => ({ kind: 'name', difference });
const promised = (bankMinor: bigint | null, ourMinor: bigint, hours = 1) =>
  ({ state: 'promised', bankMinor, ourMinor, promisedAt: hoursAgo(hours) }) as const;
const confirmed = { outcome: 'confirmed' } as const;
const disputed = { kind: 'dispute', chargeKey: 'a', ourChargeKey: 'b', isSameCharge: false } as const;
const asConfirmed = {
  ...confirmed,
  difference: 'other_charge',
  bankMinor: 1_000n,
  chargeKey: 'a',
  ourChargeKey: 'b',
} as const;

suite('what is booked for a key', () => {
  test('is what rooms and reconciliation booked', () => {
    assert.equal(totalOf(booked(null)), 0n);
    assert.equal(totalOf(booked(1_000n, -300n)), 700n);
    assert.equal(totalOf(booked(null, -300n)), -300n);
  });

  test('a difference is the same while both amounts are', () => {
    const one = { bankMinor: 5n, ourMinor: 7n };
    assert.equal(isSame(one, 5n, 7n), true);
    assert.equal(isSame(one, 6n, 7n), false);
    assert.equal(isSame(one, 5n, 8n), false);
    assert.equal(isSame({ bankMinor: null, ourMinor: null }, 0n, 0n), true);
    assert.equal(isSame({ bankMinor: 0n, ourMinor: 0n }, null, 0n), true);
    assert.equal(isSame(one, null, 7n), false);
  });

  // Guarantee: the bank has three days.
  test('a promise is over after three days', () => {
    assert.equal(isPromiseOver({ promisedAt: null }, now), false);
    assert.equal(isPromiseOver({ promisedAt: hoursAgo(72).add({ nanoseconds: 1 }) }, now), false);
    assert.equal(isPromiseOver({ promisedAt: hoursAgo(72) }, now), true);
  });
});

const verdicts: readonly (readonly [what: string, Partial<Facts>, Booked, KnownItems, Verdict])[] = [
  ['both have it', {}, booked(1_000n), known(), { kind: 'agrees' }],
  ['both have it, corrected', {}, booked(700n, 300n), known(), { kind: 'agrees' }],
  ['neither has it', { bankMinor: null, row: 'ended' }, booked(null), known(), { kind: 'agrees' }],

  // On another charge.
  ['a refund on another charge', { isSameCharge: false }, booked(1_000n), known(), name('other_charge')],
  ['one that is not booked', { isSameCharge: false, row: 'open' }, booked(null), known(), name('other_charge')],
  ['one of another amount too', { isSameCharge: false }, booked(700n), known(), name('other_amount')],
  ['one whose row is gone too', { isSameCharge: false, row: null }, booked(1_000n), known(), name('other_charge')],
  [
    'one that an operator knows',
    { isSameCharge: false, chargeKey: 'a' },
    booked(1_000n),
    known([], [{ ...confirmed, difference: 'other_charge', bankMinor: 1_000n, chargeKey: 'a' }]),
    { kind: 'agrees' },
  ],
  [
    'yet another charge',
    { isSameCharge: false, chargeKey: 'b' },
    booked(1_000n),
    known([], [{ ...confirmed, difference: 'other_charge', bankMinor: 1_000n, chargeKey: 'a' }]),
    name('other_charge'),
  ],
  [
    'with another amount than the operator knows',
    { isSameCharge: false, chargeKey: 'a' },
    booked(1_000n),
    known([], [{ ...confirmed, difference: 'other_charge', bankMinor: 999n, chargeKey: 'a' }]),
    name('other_charge'),
  ],
  [
    'one that closed by itself',
    { isSameCharge: false, chargeKey: 'a' },
    booked(1_000n),
    known([], [{ outcome: 'changed', difference: 'other_charge', bankMinor: 1_000n, chargeKey: 'a' }]),
    name('other_charge'),
  ],

  // A dispute on another charge: what moved is booked first.
  ['a dispute that is not booked', { ...disputed, row: null }, booked(null), known(), { kind: 'book' }],
  ['a dispute on another charge', disputed, booked(null, 1_000n), known(), name('other_charge')],
  ['a dispute of another amount too', disputed, booked(null, 700n), known(), name('other_amount')],
  ['a dispute whose row is gone', { ...disputed, row: null }, booked(null, 1_000n), known(), name('row_missing')],
  ['a dispute that an operator knows', disputed, booked(null, 1_000n), known([], [asConfirmed]), { kind: 'agrees' }],
  [
    'a dispute that is about another charge by now',
    { ...disputed, ourChargeKey: 'c' },
    booked(null, 1_000n),
    known([], [asConfirmed]),
    name('other_charge'),
  ],
  [
    'a dispute that the bank is to correct',
    disputed,
    booked(null, 1_000n),
    known([{ ...asConfirmed, ...promised(1_000n, 1_000n) }]),
    { kind: 'promised' },
  ],
  [
    'a dispute that the bank was to correct',
    disputed,
    booked(null, 1_000n),
    known([{ ...asConfirmed, ...promised(1_000n, 1_000n, 72) }]),
    name('other_charge'),
  ],
  [
    'a dispute that the bank is to correct, and has no more',
    { ...disputed, bankMinor: null },
    booked(null, 0n),
    known([{ ...asConfirmed, ...promised(0n, 0n) }]),
    { kind: 'promised' },
  ],
  [
    'a dispute that the bank was to correct, and is of yet another charge',
    { ...disputed, chargeKey: 'c' },
    booked(null, 1_000n),
    known([{ ...asConfirmed, ...promised(1_000n, 1_000n) }]),
    name('other_charge'),
  ],

  // For the room.
  ['a result for its room', { row: 'open' }, booked(null), known(), { kind: 'apply' }],
  ['a result after the end', { row: 'ended' }, booked(null), known(), { kind: 'apply' }],
  [
    'a result that its room did not take',
    { row: 'open', isApplied: true },
    booked(null),
    known(),
    name('other_amount'),
  ],
  ['a result that the room has', { row: 'open' }, booked(700n), known(), name('other_amount')],
  ['a result of another amount', { row: 'open', askedMinor: 700n }, booked(null), known(), name('other_amount')],
  ['a result of what moved', { row: 'moved' }, booked(null), known(), { kind: 'follow' }],

  // Rows.
  ['rows are missing', { row: null }, booked(1_000n), known(), name('row_missing')],
  ['rows are not whole', { isWhole: false }, booked(1_000n), known(), name('row_missing')],
  ['the row has not moved', { row: 'open', isReadAgain: true }, booked(1_000n), known(), name('row_missing')],
  ['the row had ended', { row: 'ended', isReadAgain: true }, booked(1_000n), known(), name('row_missing')],
  ['the row was perhaps read too early', { row: 'open' }, booked(1_000n), known(), { kind: 'outdated' }],
  ['the end was perhaps read too early', { row: 'ended' }, booked(1_000n), known(), { kind: 'outdated' }],
  [
    'the row of what was followed has not moved',
    { row: 'open', isApplied: true },
    booked(null, 1_000n),
    known(),
    name('row_missing'),
  ],
  [
    'rows whose lack an operator knows',
    { row: null, chargeKey: 'b' },
    booked(1_000n),
    known([], [{ ...confirmed, difference: 'row_missing', bankMinor: 1_000n, chargeKey: 'a' }]),
    { kind: 'agrees' },
  ],
  [
    'another difference that an operator knows',
    { row: null },
    booked(1_000n),
    known([], [{ ...confirmed, difference: 'other_amount', bankMinor: 1_000n }]),
    name('row_missing'),
  ],
  ['what was followed has its difference', nobody, booked(null, 1_000n), known([{}]), { kind: 'agrees' }],
  ['what was followed had its difference', nobody, booked(null, 1_000n), known([], [{}]), { kind: 'agrees' }],
  ['what was followed lost its difference', nobody, booked(null, 1_000n), known(), name('row_missing')],
  ['a fee with its row', { kind: 'fee' }, booked(null, 1_000n), known(), { kind: 'agrees' }],
  ['a fee without its row', { kind: 'fee', row: null }, booked(null, 1_000n), known([{}]), name('row_missing')],
  ['a fee whose row differs', { kind: 'fee', isWhole: false }, booked(null, 1_000n), known([{}]), name('row_missing')],

  // Promises.
  ['a promise', {}, booked(700n), known([promised(1_000n, 700n)]), { kind: 'promised' }],
  ['a promise with another amount', {}, booked(700n), known([promised(900n, 700n)]), name('other_amount')],
  ['a promise that is over', {}, booked(700n), known([promised(1_000n, 700n, 72)]), name('other_amount')],
  ['a promise among others', {}, booked(700n), known([{}, promised(1_000n, 700n)]), { kind: 'promised' }],

  // What rooms have themselves.
  ['what was corrected is right again', {}, booked(1_000n, -300n), known(), { kind: 'revert' }],
  ['the same while it goes back', {}, booked(1_000n, 1_000n), known([{ state: 'returning' }]), name('other_amount')],

  // Gone at the bank.
  ['the bank has it not', { bankMinor: null }, booked(1_000n), known(), name('not_at_bank')],
  [
    'what was corrected to nothing, and the bank has nothing',
    { bankMinor: null },
    booked(1_000n, -1_000n),
    known(),
    { kind: 'agrees' },
  ],
  ['what only a correction has', { bankMinor: null, ...nobody }, booked(null, 300n), known(), name('not_at_bank')],

  // Lines of the acquirer's own.
  ['a fee, the first time', { kind: 'fee', ...nobody }, booked(null), known(), { kind: 'book' }],
  ['a fee that is amended', { kind: 'fee' }, booked(null, 700n), known(), name('other_amount')],
  ['a fee whose row alone is there', { kind: 'fee' }, booked(null), known(), name('other_amount')],
  ['a fee whose journal alone is there', { kind: 'fee', row: null }, booked(null, 700n), known(), name('other_amount')],
  ['a payout that came back', { kind: 'payout_returned', row: null }, booked(null), known(), { kind: 'book' }],
  [
    'more than was paid out',
    { kind: 'payout_returned', row: null, askedMinor: 999n },
    booked(null),
    known(),
    name('not_booked'),
  ],
  ['of a payout that nobody knows', { kind: 'payout_returned', ...nobody }, booked(null), known(), name('not_booked')],

  // What nobody here asked for.
  ['a capture that nobody knows', nobody, booked(null), known(), { kind: 'follow' }],
  ['one that is amended', nobody, booked(null, 700n), known([{ difference: 'not_booked' }]), { kind: 'follow' }],
  [
    'one that goes back to its payer',
    nobody,
    booked(null, 700n),
    known([{ state: 'returning' }]),
    name('other_amount'),
  ],
  [
    'one that went back to its payer',
    nobody,
    booked(null, 700n),
    known([], [{ outcome: 'returned' }]),
    name('other_amount'),
  ],
  [
    'one that its payer got by a dispute',
    nobody,
    booked(null, 700n),
    known([], [{ outcome: 'disputed' }]),
    name('other_amount'),
  ],
  ['one that closed otherwise', nobody, booked(null, 700n), known([], [{ outcome: 'confirmed' }]), { kind: 'follow' }],
  ['one of ours that is open', { row: 'open', askedMinor: 5n }, booked(null, 5n), known(), name('other_amount')],
  ['one of ours that is booked', {}, booked(700n), known(), name('other_amount')],
];

suite('what bank and books say', () => {
  for (const [what, some, has, items, expected] of verdicts) {
    test(what, () => {
      assert.deepEqual(judge(facts(some), has, items, now), expected);
    });
  }
});
