// What a verdict about a key changes: differences that are named, kept or closed, and what is booked for them.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { bookedAfter, type Context, changesOf, explainedBy, type Judged, newItem } from './changes.ts';
import type { Conclusion } from './judge.ts';
import type { Booked, Facts, Item, Run } from './model.ts';
import { bookedAtOnce, corrected, followed, promiseBroken, whyOf } from './rules.ts';

const now = Temporal.Instant.from('2026-03-10T09:00:00Z');
const before = now.subtract({ hours: 2 });
const run = { id: 'run-2', acquirer: 'simulator' } as Run;
const context: Context = { run, now, newId: () => 'new' };

const aFact: Facts = {
  kind: 'capture',
  key: 'key',
  chargeKey: 'charge',
  what: null,
  bankMinor: 1_000n,
  bankAt: now,
  askedMinor: null,
  row: null,
  ourChargeKey: null,
  isSameCharge: true,
  isWhole: true,
  isApplied: false,
};
const found = { id: 'one', kind: 'capture', key: 'key', difference: 'other_amount' } as const;
const anItem: Item = newItem({ id: 'run-1', acquirer: 'simulator' } as Run, {
  ...found,
  bankMinor: 1_000n,
  bankAt: before,
  ourMinor: 700n,
  foundAt: before,
});
const item = (some: Partial<Item>): Item => ({ ...anItem, ...some });
const booked = (ownMinor: bigint | null, correctedMinor: bigint | null = null): Booked => ({
  ownMinor,
  correctedMinor,
  lossMinor: 0n,
  unallocatedMinor: 0n,
});

interface Given {
  readonly facts?: Partial<Facts>;
  readonly booked?: Booked;
  readonly open?: readonly Item[];
}
const judged = (verdict: Conclusion, { facts = {}, booked: has = booked(700n), open = [] }: Given = {}): Judged => ({
  facts: { ...aFact, ...facts },
  booked: has,
  known: { open, closed: [] },
  verdict,
});
const steps = (verdict: Conclusion, given?: Given) => changesOf(context, judged(verdict, given));
const name = (difference: Extract<Conclusion, { kind: 'name' }>['difference']): Conclusion => ({
  kind: 'name',
  difference,
});

/** As a closed item is afterwards. */
const closed = (one: Item, outcome: Item['outcome'], seen: Partial<Item>): Item => ({
  ...one,
  seenRunId: 'run-2',
  bankMinor: 1_000n,
  bankAt: now,
  ...seen,
  state: 'closed',
  closedAt: now,
  outcome,
});
const fresh = (some: Partial<Item>): Item => ({
  ...anItem,
  id: 'new',
  runId: 'run-2',
  seenRunId: 'run-2',
  bankAt: now,
  foundAt: now,
  ...some,
});

suite('a new difference', () => {
  test('waits for an operator', () => {
    assert.deepEqual(anItem, {
      ...found,
      runId: 'run-1',
      seenRunId: 'run-1',
      acquirer: 'simulator',
      chargeKey: null,
      ourChargeKey: null,
      what: null,
      bankMinor: 1_000n,
      bankFeeMinor: 0n,
      bankAt: before,
      ourMinor: 700n,
      ourFeeMinor: 0n,
      currency: 'PLN',
      why: { code: 'amounts_differ', parameters: { kind: 'capture', bank: '10.00', ours: '7.00' } },
      state: 'parked',
      promisedAt: null,
      foundAt: before,
      closedAt: null,
      outcome: null,
    });
    const fees = newItem(run, { ...anItem, bankFeeMinor: 1n, ourFeeMinor: 2n, chargeKey: 'c', what: 'w' });
    assert.deepEqual([fees.bankFeeMinor, fees.ourFeeMinor, fees.chargeKey, fees.what], [1n, 2n, 'c', 'w']);
  });
});

suite('nothing to be named', () => {
  test('what a room settles', () => {
    assert.deepEqual(steps({ kind: 'apply' }, { open: [anItem] }), { changes: [], seen: [], isFound: false });
  });

  test('what is promised stays as it is', () => {
    const open = [anItem, item({ id: 'two' })];
    assert.deepEqual(steps({ kind: 'promised' }, { open }), { changes: [], seen: ['one', 'two'], isFound: false });
  });

  // Guarantee: what agrees needs no operator, and says how that came.
  for (const [difference, own, outcome] of [
    ['not_at_bank', 1_000n, 'named_later'],
    ['not_booked', 1_000n, 'settled_by_payment'],
    ['other_amount', 1_000n, 'corrected_by_bank'],
    ['other_amount', null, 'corrected_by_bank'],
    ['other_charge', 1_000n, 'corrected_by_bank'],
    ['row_missing', 1_000n, 'corrected_by_bank'],
  ] as const) {
    test(`${difference} is over: ${outcome}, ${own}`, () => {
      const one = item({ difference, bankMinor: 900n });
      assert.deepEqual(steps({ kind: 'agrees' }, { booked: booked(own, own === null ? 1_000n : null), open: [one] }), {
        changes: [{ item: closed(one, outcome, { ourMinor: 1_000n }), isNew: false, step: 'closed' }],
        seen: [],
        isFound: outcome === 'settled_by_payment',
      });
    });
  }

  test('what nobody asked for, and the bank has not any more', () => {
    const one = item({ difference: 'not_booked' });
    const given = { facts: { bankMinor: null, bankAt: null }, booked: booked(null, 0n), open: [one] };
    assert.deepEqual(steps({ kind: 'agrees' }, given).changes, [
      {
        item: closed(one, 'corrected_by_bank', { bankMinor: 1_000n, bankAt: before, ourMinor: 0n }),
        isNew: false,
        step: 'closed',
      },
    ]);
  });

  // Guarantee: what waits for a decision, a payer or a line that shows more does not end because amounts agree.
  for (const [what, one, facts] of [
    ['what nobody asked for', item({ difference: 'not_booked' }), {}],
    ['what goes back', item({ state: 'returning' }), {}],
    ['another charge, by a lookup', item({ difference: 'other_charge' }), { bankAt: null }],
    ['missing rows, by a lookup', item({ difference: 'row_missing' }), { bankAt: null }],
    [
      'what nobody asked for and the bank was to reverse',
      item({ difference: 'not_booked', state: 'promised', promisedAt: now.subtract({ hours: 72 }) }),
      {},
    ],
    ['what is in suspense', item({ difference: 'suspended', kind: 'other_taken' }), {}],
    [
      'what is in suspense and promised',
      item({ difference: 'suspended', kind: 'other_taken', state: 'promised', promisedAt: before }),
      {},
    ],
  ] as const) {
    test(`${what} stays`, () => {
      assert.deepEqual(steps({ kind: 'agrees' }, { facts, booked: booked(null, 1_000n), open: [one] }), {
        changes: [],
        seen: ['one'],
        isFound: false,
      });
    });
  }

  test('other differences than of charge and rows are over by a lookup too', () => {
    const { changes } = steps({ kind: 'agrees' }, { facts: { bankAt: null }, booked: booked(1_000n), open: [anItem] });
    assert.deepEqual(
      changes.map(({ item: { state, bankAt } }) => [state, bankAt]),
      [['closed', before]],
    );
  });

  test('a lookup that finds nothing ends them', () => {
    const one = item({ difference: 'row_missing' });
    const given = { facts: { bankAt: null, bankMinor: null }, booked: booked(null), open: [one] };
    assert.equal(steps({ kind: 'agrees' }, given).changes.length, 1);
  });

  test('a line in suspense that was to be taken back, and was not', () => {
    const promisedAt = now.subtract({ hours: 72 });
    const one = item({ difference: 'suspended', kind: 'other_taken', state: 'promised', promisedAt });
    assert.deepEqual(steps({ kind: 'agrees' }, { booked: booked(null, 1_000n), open: [one] }), {
      changes: [
        {
          item: { ...one, state: 'parked', why: promiseBroken(one), seenRunId: 'run-2' },
          isNew: false,
          step: 'changed',
        },
      ],
      seen: [],
      isFound: true,
    });
    const kept = item({ ...one, state: 'parked' });
    assert.deepEqual(steps({ kind: 'agrees' }, { booked: booked(null, 1_000n), open: [kept] }).seen, ['one']);
  });
});

suite('what reconciliation booked is taken back', () => {
  // Guarantee: the bank has what our rooms have, so nothing else stays booked.
  test('with its difference', () => {
    const has = booked(1_000n, -300n);
    const two = item({ id: 'two', difference: 'not_at_bank' });
    const moves = corrected('capture', 300n, has);
    assert.deepEqual(steps({ kind: 'revert' }, { booked: has, open: [anItem, two] }), {
      changes: [
        { item: closed(anItem, 'named_later', { ourMinor: 1_000n }), isNew: false, step: 'reverted', moves },
        { item: closed(two, 'named_later', { ourMinor: 1_000n }), isNew: false, step: 'closed' },
      ],
      seen: [],
      isFound: true,
    });
  });

  test('without one', () => {
    const has = booked(1_000n, -300n);
    const { changes, isFound } = steps({ kind: 'revert' }, { booked: has });
    const one = fresh({ ourMinor: 700n });
    const moves = corrected('capture', 300n, has);
    assert.deepEqual(changes, [
      { item: closed(one, 'named_later', { ourMinor: 1_000n }), isNew: true, step: 'reverted', moves },
    ]);
    assert.equal(isFound, true);
  });

  test('and the bank has nothing', () => {
    const has = booked(0n, 300n);
    const given = { facts: { bankMinor: null, bankAt: null }, booked: has, open: [anItem] };
    const [change] = steps({ kind: 'revert' }, given).changes;
    assert.deepEqual(change?.moves, corrected('capture', -300n, has));
    assert.deepEqual(change?.item.ourMinor, 0n);
  });

  // Guarantee: a capture that nobody knew, and that a payment has now, is said once: whose rows came later may be made up.
  for (const state of ['parked', 'promised'] as const) {
    test(`of a capture that its payment took, ${state}`, () => {
      const one = item({ difference: 'not_booked', state });
      const given = steps({ kind: 'revert' }, { booked: booked(1_000n, 1_000n), open: [one] });
      assert.deepEqual([given.isFound, given.changes[0]?.item.outcome], [true, 'settled_by_payment']);
    });
  }
});

suite('what the acquirer takes by itself', () => {
  test('is booked, and what was open is over', () => {
    const one = item({ kind: 'fee' });
    const facts = { kind: 'fee' } as const;
    assert.deepEqual(steps({ kind: 'book' }, { facts, booked: booked(null), open: [one] }), {
      changes: [{ item: closed(one, 'booked', { ourMinor: 1_000n }), isNew: false, step: 'closed' }],
      seen: [],
      isFound: false,
      booking: bookedAtOnce('fee', 1_000n),
    });
  });

  // Guarantee: what nobody knows is booked, and an operator says what it was.
  test('and nobody knows, waits in suspense', () => {
    const facts = { kind: 'other_taken', what: 'reserve' } as const;
    const about = { kind: 'other_taken', difference: 'suspended', what: 'reserve', ourMinor: 1_000n } as const;
    const one = fresh(about);
    assert.deepEqual(steps({ kind: 'book' }, { facts, booked: booked(null) }), {
      changes: [{ item: { ...one, why: whyOf(one) }, isNew: true, step: 'found' }],
      seen: [],
      isFound: true,
      booking: bookedAtOnce('other_taken', 1_000n),
    });
    const [wordless] = steps({ kind: 'book' }, { facts: { kind: 'other_given' }, booked: booked(null) }).changes;
    assert.equal(wordless?.item.what, '');
  });

  // Guarantee: what a dispute moved is booked, and an operator is asked whose charge it was of, by the run that books it.
  test('and is about another charge, is asked about at once', () => {
    const facts = { kind: 'dispute', isSameCharge: false } as const;
    const one = fresh({ kind: 'dispute', difference: 'other_charge', chargeKey: 'charge', ourMinor: 1_000n });
    assert.deepEqual(steps({ kind: 'book' }, { facts, booked: booked(null) }), {
      changes: [{ item: { ...one, why: whyOf(one) }, isNew: true, step: 'found' }],
      seen: [],
      isFound: true,
      booking: bookedAtOnce('dispute', 1_000n),
    });
  });

  test('nothing of a capture', () => {
    assert.equal(steps({ kind: 'book' }, { facts: { bankMinor: null } }).booking, undefined);
  });
});

suite('what nobody here asked for', () => {
  const facts = { chargeKey: 'charge' };

  test('follows the bank, and waits for an operator', () => {
    const one = fresh({ difference: 'not_booked', ourMinor: 1_000n });
    assert.deepEqual(steps({ kind: 'follow' }, { facts, booked: booked(null) }), {
      changes: [
        { item: { ...one, why: whyOf(one) }, isNew: true, step: 'followed', moves: followed('capture', 1_000n) },
      ],
      seen: [],
      isFound: true,
    });
  });

  // Guarantee: what is booked is what the bank says now, however often it says so.
  test('and is amended', () => {
    const one = item({ difference: 'not_booked', bankMinor: 700n, state: 'promised', promisedAt: before });
    const next = item({
      ...one,
      seenRunId: 'run-2',
      bankMinor: 1_000n,
      bankAt: now,
      ourMinor: 1_000n,
      state: 'parked',
    });
    assert.deepEqual(steps({ kind: 'follow' }, { booked: booked(null, 700n), open: [one] }), {
      changes: [
        {
          item: { ...next, why: whyOf(next), promisedAt: null },
          isNew: false,
          step: 'followed',
          moves: followed('capture', 300n),
        },
      ],
      seen: [],
      isFound: true,
    });
  });

  test('and is as it was', () => {
    const one = item({ difference: 'not_booked', ourMinor: 1_000n });
    assert.deepEqual(steps({ kind: 'follow' }, { booked: booked(null, 1_000n), open: [one] }), {
      changes: [],
      seen: ['one'],
      isFound: false,
    });
  });

  // Guarantee: the books follow also if the difference is as it was.
  test('and of which the books lost something', () => {
    const one = item({ difference: 'not_booked', ourMinor: 1_000n });
    const [change] = steps({ kind: 'follow' }, { booked: booked(null, 700n), open: [one] }).changes;
    assert.deepEqual([change?.step, change?.moves], ['followed', followed('capture', 300n)]);
  });

  test('and of which the bank says nothing', () => {
    const [change] = steps({ kind: 'follow' }, { facts: { bankMinor: null }, booked: booked(null, 700n) }).changes;
    assert.deepEqual([change?.item.ourMinor, change?.moves], [0n, followed('capture', -700n)]);
  });

  test('moves nothing of a line of the acquirer’s own', () => {
    const [change] = steps({ kind: 'follow' }, { facts: { kind: 'fee' }, booked: booked(null) }).changes;
    assert.deepEqual([change?.step, change?.moves], ['found', undefined]);
  });
});

suite('a difference', () => {
  // Guarantee: each difference has one row: what replaces it closes it, and what goes back to a payer stays.
  test('that is new, among others', () => {
    const going = item({ id: 'going', difference: 'not_booked', state: 'returning' });
    const held = item({ id: 'held', difference: 'suspended' });
    const { changes, seen, isFound } = steps(name('not_at_bank'), { open: [anItem, going, held] });
    const one = fresh({ difference: 'not_at_bank' });
    assert.deepEqual(changes, [
      { item: closed(anItem, 'changed', { ourMinor: 700n }), isNew: false, step: 'closed' },
      { item: { ...one, why: whyOf(one) }, isNew: true, step: 'found' },
    ]);
    assert.deepEqual([seen, isFound], [['held'], true]);
  });

  test('that goes back and is amended keeps going', () => {
    const going = item({ id: 'going', difference: 'not_booked', state: 'returning', bankMinor: 900n });
    const { changes } = steps(name('other_amount'), { open: [going] });
    assert.deepEqual(changes[0], {
      item: { ...going, bankMinor: 1_000n, ourMinor: 700n, seenRunId: 'run-2' },
      isNew: false,
      step: 'changed',
    });
    const gone = steps(name('not_at_bank'), { facts: { bankMinor: null }, booked: booked(600n), open: [going] });
    assert.deepEqual([gone.changes[0]?.item.bankMinor, gone.changes[0]?.item.ourMinor], [900n, 600n]);
    const same = item({ ...going, bankMinor: 1_000n });
    assert.deepEqual(
      steps(name('other_amount'), { facts: { bankMinor: null }, open: [same] }).changes.map(({ isNew }) => isNew),
      [true],
    );
  });

  test('that is as it was', () => {
    const held = item({ id: 'held', difference: 'suspended' });
    assert.deepEqual(steps(name('other_amount'), { open: [anItem, held] }), {
      changes: [],
      seen: ['one', 'held'],
      isFound: false,
    });
  });

  test('that has other amounts', () => {
    const one = item({ state: 'promised', promisedAt: before });
    const held = item({ id: 'held', difference: 'suspended' });
    const next = { ...one, seenRunId: 'run-2', bankMinor: 1_100n, bankAt: now, state: 'parked' as const };
    assert.deepEqual(steps(name('other_amount'), { facts: { bankMinor: 1_100n }, open: [one, held] }), {
      changes: [{ item: { ...next, why: whyOf(next), promisedAt: null }, isNew: false, step: 'changed' }],
      seen: ['held'],
      isFound: true,
    });
    const ours = steps(name('other_amount'), { booked: booked(600n), open: [one] });
    assert.deepEqual(ours.changes[0]?.item.ourMinor, 600n);
  });

  test('that a lookup amends keeps the time of its line', () => {
    const { changes } = steps(name('other_amount'), { facts: { bankMinor: 1_100n, bankAt: null }, open: [anItem] });
    assert.deepEqual(changes[0]?.item.bankAt, before);
  });

  test('that is about another charge', () => {
    const one = item({ difference: 'other_charge', chargeKey: 'first' });
    const [change] = steps(name('other_charge'), { open: [one] }).changes;
    assert.deepEqual([change?.step, change?.item.chargeKey], ['changed', 'charge']);
    const same = item({ ...one, chargeKey: 'charge' });
    assert.deepEqual(steps(name('other_charge'), { open: [same] }).changes, []);
    const [added] = steps(name('other_charge')).changes;
    assert.equal(added?.item.chargeKey, 'charge');
  });

  // Guarantee: a promise that is not kept is named again, since when it was given.
  test('that the bank was to correct', () => {
    const promisedAt = now.subtract({ hours: 72 });
    const one = item({ state: 'promised', promisedAt });
    const { changes, seen, isFound } = steps(name('other_amount'), { open: [one] });
    assert.deepEqual(changes, [
      {
        item: { ...one, seenRunId: 'run-2', bankAt: now, state: 'parked', why: promiseBroken(one), promisedAt },
        isNew: false,
        step: 'changed',
      },
    ]);
    assert.deepEqual([seen, isFound], [[], true]);
    const early = item({ state: 'promised', promisedAt: before });
    assert.deepEqual(steps(name('other_amount'), { open: [early] }).seen, ['one']);
    const parked = item({ promisedAt });
    assert.deepEqual(steps(name('other_amount'), { open: [parked] }).seen, ['one']);
  });

  test('that goes back, with other amounts, is on its way', () => {
    const one = item({ state: 'returning' });
    const { changes } = steps(name('other_amount'), { facts: { bankMinor: 1_100n }, open: [one] });
    assert.deepEqual(
      changes.map(({ item: { state } }) => state),
      ['returning'],
    );
  });

  test('that a lookup cannot see stays beside another', () => {
    const rows = item({ id: 'rows', difference: 'row_missing' });
    const lookup = steps(name('other_amount'), { facts: { bankAt: null }, open: [rows] });
    assert.deepEqual(
      lookup.changes.map(({ isNew }) => isNew),
      [true],
    );
    const line = steps(name('other_amount'), { open: [rows] });
    assert.deepEqual(
      line.changes.map(({ isNew }) => isNew),
      [false, true],
    );
  });
});

suite('what a run adds up', () => {
  const one = (verdict: Conclusion, given?: Given) => {
    const about = judged(verdict, given);
    return { ...about, ...changesOf(context, about) };
  };

  // Guarantee: sums of a run have what is booked afterwards, and explain only what is open.
  test('what is booked afterwards', () => {
    assert.equal(bookedAfter(one({ kind: 'apply' })), 700n);
    assert.equal(bookedAfter(one({ kind: 'revert' }, { booked: booked(1_000n, -300n) })), 1_000n);
    assert.equal(bookedAfter(one({ kind: 'book' }, { facts: { kind: 'fee' }, booked: booked(null) })), 1_000n);
    const refund = { facts: { kind: 'refund' }, booked: booked(null, 700n) } as const;
    assert.equal(bookedAfter(one({ kind: 'follow' }, refund)), 1_000n);
  });

  test('what is explained', () => {
    assert.equal(explainedBy(one(name('other_amount'))), 300n);
    assert.equal(explainedBy(one(name('other_amount'), { open: [anItem] })), 300n);
    assert.equal(explainedBy(one(name('not_at_bank'), { facts: { bankMinor: null } })), -700n);
    assert.equal(explainedBy(one({ kind: 'agrees' })), 0n);
    assert.equal(explainedBy(one({ kind: 'agrees' }, { booked: booked(1_000n), open: [anItem] })), 0n);
    assert.equal(explainedBy(one({ kind: 'agrees' }, { booked: booked(400n), open: [anItem] })), 0n);
  });
});
