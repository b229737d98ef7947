// What differences and decisions move in the books, and what operators are told.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Decision, DecisionFault, type Outgoing } from '../banking/index.ts';
import type { Booked, Item, Keyed, Moves, OwnKind } from './model.ts';
import {
  afterDecision,
  afterReturn,
  bookedAtOnce,
  corrected,
  followed,
  journalOf,
  payoutMoves,
  promiseBroken,
  type Step,
  whyOf,
} from './rules.ts';

const none: Omit<Moves, 'kind'> = {
  receivableMinor: 0n,
  lossMinor: 0n,
  unallocatedMinor: 0n,
  bankMinor: 0n,
  feeMinor: 0n,
  disputeMinor: 0n,
  suspenseMinor: 0n,
};
const moves = (kind: string, some: Partial<Moves>): Moves => ({ ...none, ...some, kind });

const unbooked: Booked = { ownMinor: null, correctedMinor: null, lossMinor: 0n, unallocatedMinor: 0n };
const at = Temporal.Instant.from('2026-03-10T09:00:00Z');
const anItem: Item = {
  id: 'item',
  acquirer: 'simulator',
  runId: 'run',
  seenRunId: 'run',
  kind: 'capture',
  key: 'key',
  difference: 'not_booked',
  chargeKey: null,
  ourChargeKey: null,
  what: null,
  bankMinor: 1_000n,
  bankFeeMinor: 0n,
  bankAt: at,
  ourMinor: 0n,
  ourFeeMinor: 0n,
  currency: 'PLN',
  why: { code: 'capture_not_booked', parameters: { bank: '10.00' } },
  state: 'parked',
  promisedAt: null,
  foundAt: at,
  closedAt: null,
  outcome: null,
};
const item = (some: Partial<Item>): Item => ({ ...anItem, ...some });
const onAnother = { difference: 'other_charge' } as const;

suite('what is booked without a room of ours', () => {
  // Guarantee: money that nobody asked for belongs to payers, whichever way it moved.
  test('of what is followed', () => {
    assert.equal(followed('capture', 0n), undefined);
    assert.deepEqual(
      followed('capture', 7n),
      moves('unmatched capture', { receivableMinor: 7n, unallocatedMinor: 7n }),
    );
    assert.deepEqual(
      followed('refund', 7n),
      moves('unmatched refund', { receivableMinor: -7n, unallocatedMinor: -7n }),
    );
    assert.deepEqual(
      followed('refund_returned', -7n),
      moves('unmatched refund_returned', { receivableMinor: -7n, unallocatedMinor: -7n }),
    );
  });

  const own: readonly (readonly [OwnKind, string, Partial<Moves>])[] = [
    ['fee', 'acquirer fee', { receivableMinor: -7n, feeMinor: 7n }],
    ['payout_returned', 'payout came back', { receivableMinor: 7n, bankMinor: -7n }],
    ['dispute', 'dispute taken', { receivableMinor: -7n, disputeMinor: -7n }],
    ['dispute_won', 'dispute given back', { receivableMinor: 7n, disputeMinor: 7n }],
    ['other_taken', 'line suspended', { receivableMinor: -7n, suspenseMinor: -7n }],
    ['other_given', 'line suspended', { receivableMinor: 7n, suspenseMinor: 7n }],
  ];
  for (const [kind, journal, expected] of own) {
    // Guarantee: each line of the acquirer's own has its account on the other side.
    test(`of a line of ${kind}`, () => {
      assert.deepEqual(bookedAtOnce(kind, 7n), moves(journal, expected));
      const held = { ...unbooked, unallocatedMinor: 5n };
      assert.deepEqual(corrected(kind, 7n, held), moves(`${kind} corrected`, expected));
    });
  }

  test('of a line that nobody knew, corrected after the decision', () => {
    assert.deepEqual(
      corrected('other_taken', 7n, unbooked),
      moves('other_taken corrected', { receivableMinor: -7n, feeMinor: 7n }),
    );
    assert.deepEqual(
      corrected('other_given', 7n, unbooked),
      moves('other_given corrected', { receivableMinor: 7n, feeMinor: -7n }),
    );
  });

  // Guarantee: what a decision explains is only what nobody knew.
  test('of a line that everybody knows, corrected', () => {
    for (const [kind, , expected] of own.filter(([one]) => !one.startsWith('other')))
      assert.deepEqual(corrected(kind, 7n, unbooked), moves(`${kind} corrected`, expected));
  });

  // Guarantee: less owed to us takes what payers have of this key before it is a loss; more owed first makes up for what the
  // key took or cost; nothing else is anybody's gain.
  for (const [kind, minor, unallocatedMinor, lossMinor, loss, unallocated] of [
    ['capture', -10n, 0n, 0n, 10n, 0n],
    ['capture', -10n, 4n, 0n, 6n, -4n],
    ['capture', -10n, 10n, 0n, 0n, -10n],
    ['capture', -10n, 25n, 0n, 0n, -10n],
    ['capture', -10n, -4n, 0n, 10n, 0n],
    ['capture', 10n, 0n, 0n, 0n, 10n],
    ['capture', 10n, 0n, 4n, -4n, 6n],
    ['capture', 10n, 0n, 10n, -10n, 0n],
    ['capture', 10n, 0n, 25n, -10n, 0n],
    ['capture', 10n, -3n, 4n, -4n, 6n],
    ['capture', 10n, -8n, 4n, -2n, 8n],
    ['capture', 10n, -30n, 4n, 0n, 10n],
    ['capture', 10n, 5n, -4n, 0n, 10n],
    ['capture', 10n, 0n, 1n, -1n, 9n],
    ['capture', 1n, 0n, 4n, -1n, 0n],
    ['refund', 10n, 0n, 0n, 10n, 0n],
    ['refund', 10n, 4n, 0n, 6n, -4n],
    ['refund', -10n, 0n, 4n, -4n, 6n],
    ['refund', -10n, -7n, 0n, 0n, 10n],
    ['refund_returned', -10n, 0n, 0n, 10n, 0n],
  ] as const) {
    const receivableMinor = kind === 'refund' ? -minor : minor;
    test(`of ${minor} of a ${kind} with ${unallocatedMinor} of payers and ${lossMinor} lost`, () => {
      assert.deepEqual(
        corrected(kind, minor, { ...unbooked, unallocatedMinor, lossMinor }),
        moves(`${kind} corrected`, { receivableMinor, lossMinor: loss, unallocatedMinor: unallocated }),
      );
    });
  }

  test('nothing, if nothing is to be corrected', () => {
    for (const kind of ['capture', 'fee', 'refund'] as const) assert.equal(corrected(kind, 0n, unbooked), undefined);
  });

  // Guarantee: a payout of nothing has its fee.
  test('of a payout', () => {
    assert.equal(payoutMoves('payout', 0n, 0n), undefined);
    assert.deepEqual(
      payoutMoves('payout', 90n, 10n),
      moves('payout', { receivableMinor: -100n, bankMinor: 90n, feeMinor: 10n }),
    );
    assert.deepEqual(
      payoutMoves('payout corrected', 0n, -10n),
      moves('payout corrected', { receivableMinor: 10n, feeMinor: -10n }),
    );
    assert.deepEqual(payoutMoves('payout', 5n, 0n), moves('payout', { receivableMinor: -5n, bankMinor: 5n }));
  });

  // Guarantee: a journal has the record of the step as its source, and sums to nothing.
  test('in a journal', () => {
    const journal = journalOf('record', anItem, moves('capture corrected', { receivableMinor: 7n, lossMinor: -7n }));
    assert.deepEqual([journal.source, journal.kind, journal.currency], ['record', 'capture corrected', 'PLN']);
    assert.deepEqual(
      journal.entries.map(({ account, amountMinor }) => [account, amountMinor]),
      [
        ['acquirer:simulator:receivable', 7n],
        ['expense:loss', -7n],
      ],
    );
  });
});

suite('why an operator decides', () => {
  // Guarantee: the operator reads both amounts, and what it is about.
  for (const [some, expected] of [
    [{}, { code: 'capture_not_booked', parameters: { bank: '10.00' } }],
    [{ bankMinor: null }, { code: 'capture_not_booked', parameters: { bank: '0.00' } }],
    [{ kind: 'refund' }, { code: 'refund_not_booked', parameters: { bank: '10.00' } }],
    [{ kind: 'refund_returned' }, { code: 'return_not_booked', parameters: { bank: '10.00' } }],
    [{ kind: 'payout_returned' }, { code: 'payout_return_not_booked', parameters: { bank: '10.00' } }],
    [
      { kind: 'payout', ourMinor: 300n },
      { code: 'payout_exceeds', parameters: { bank: '10.00', owed: '3.00' } },
    ],
    [
      { difference: 'not_at_bank', ourMinor: 300n },
      { code: 'not_at_bank', parameters: { kind: 'capture', ours: '3.00' } },
    ],
    [
      { difference: 'not_at_bank', kind: 'payout', ourMinor: null },
      { code: 'not_at_bank', parameters: { kind: 'payout', ours: '0.00' } },
    ],
    [
      { difference: 'not_at_bank', kind: 'other', ourMinor: 300n },
      { code: 'not_at_bank', parameters: { kind: 'payout', ours: '3.00' } },
    ],
    [
      { difference: 'other_amount', kind: 'fee', ourMinor: 300n },
      { code: 'amounts_differ', parameters: { kind: 'fee', bank: '10.00', ours: '3.00' } },
    ],
    [
      { difference: 'other_charge', chargeKey: 'charge' },
      { code: 'other_charge', parameters: { bank: '10.00', charge: 'charge' } },
    ],
    [{ difference: 'other_charge' }, { code: 'other_charge', parameters: { bank: '10.00', charge: '' } }],
    [
      { difference: 'other_charge', kind: 'dispute_won', chargeKey: 'one', ourChargeKey: 'other' },
      {
        code: 'dispute_other_charge',
        parameters: { kind: 'dispute_won', bank: '10.00', charge: 'one', ours: 'other' },
      },
    ],
    [
      { difference: 'other_charge', kind: 'dispute' },
      { code: 'dispute_other_charge', parameters: { kind: 'dispute', bank: '10.00', charge: '', ours: '' } },
    ],
    [
      { difference: 'row_missing', kind: 'refund', ourMinor: 300n },
      { code: 'rows_missing', parameters: { kind: 'refund', ours: '3.00' } },
    ],
    [
      { difference: 'repeated', ourMinor: 500n },
      { code: 'line_repeated', parameters: { kind: 'capture', bank: '10.00', once: '5.00' } },
    ],
    [
      { difference: 'total', kind: 'refund_returned', bankMinor: null, ourMinor: -700n },
      { code: 'totals_differ', parameters: { kind: 'refund', off: '-7.00' } },
    ],
    [
      { difference: 'suspended', kind: 'other_given', what: 'reserve' },
      { code: 'line_suspended', parameters: { kind: 'other_given', bank: '10.00', what: 'reserve' } },
    ],
    [
      { difference: 'suspended', kind: 'fee' },
      { code: 'line_suspended', parameters: { kind: 'other_taken', bank: '10.00', what: '' } },
    ],
  ] as const satisfies readonly (readonly [Partial<Item>, object])[]) {
    test(`${expected.code} ${JSON.stringify(expected.parameters)}`, () => {
      assert.deepEqual(whyOf(item(some)), expected);
    });
  }

  test('a promise that was not kept', () => {
    assert.deepEqual(promiseBroken(item({ ourMinor: 300n, promisedAt: at })), {
      code: 'promise_not_kept',
      parameters: { kind: 'capture', bank: '10.00', ours: '3.00', since: '2026-03-10T09:00:00Z' },
    });
    assert.deepEqual(promiseBroken(item({ kind: 'payout', bankMinor: null, ourMinor: null })), {
      code: 'promise_not_kept',
      parameters: { kind: 'payout', bank: '0.00', ours: '0.00', since: '' },
    });
  });

  // Guarantee: of another charge the amounts were never what differs, so they are not what is said.
  test('a promise about a charge that was not kept', () => {
    const one = item({
      difference: 'other_charge',
      kind: 'dispute',
      chargeKey: 'one',
      ourChargeKey: 'other',
      promisedAt: at,
    });
    assert.deepEqual(promiseBroken(one), {
      code: 'dispute_other_charge',
      parameters: { kind: 'dispute', bank: '10.00', charge: 'one', ours: 'other' },
    });
  });
});

suite('decisions', () => {
  const captured = (capturedMinor: bigint): Decision => ({ capturedMinor });
  const gone = 'not-captured' as const;
  const booked = (own: bigint | null, fixed: bigint | null, some: Partial<Booked> = {}): Booked => ({
    ...unbooked,
    ownMinor: own,
    correctedMinor: fixed,
    ...some,
  });
  const confirmed = { kind: 'close', outcome: 'confirmed' } as const;

  // Guarantee: a decision moves what bank and books differ by, and nothing else.
  for (const [name, some, decision, now, expected] of [
    [
      'an unknown capture is given back',
      {},
      captured(1_000n),
      booked(null, 1_000n),
      { kind: 'giveBack', moves: undefined },
    ],
    [
      'of a capture that was followed with less',
      {},
      captured(1_000n),
      booked(null, 900n),
      { kind: 'giveBack', moves: followed('capture', 100n) },
    ],
    [
      'an unknown refund is confirmed',
      { kind: 'refund' },
      captured(1_000n),
      booked(null, 900n),
      { ...confirmed, moves: followed('refund', 100n) },
    ],
    [
      'an unknown capture that the bank reversed',
      {},
      gone,
      booked(null, 1_000n),
      { kind: 'promise', moves: followed('capture', -1_000n) },
    ],
    [
      'what came back of a refund, reversed',
      { kind: 'refund_returned' },
      gone,
      booked(null, 1_000n),
      { kind: 'promise', moves: followed('refund_returned', -1_000n) },
    ],
    [
      'a payout that came back',
      { kind: 'payout_returned' },
      captured(1_000n),
      unbooked,
      { kind: 'close', outcome: 'booked', moves: bookedAtOnce('payout_returned', 1_000n) },
    ],
    ['a payout that did not come back', { kind: 'payout_returned' }, gone, unbooked, { kind: 'promise' }],
    [
      'a capture that did not move',
      { difference: 'not_at_bank', bankMinor: null },
      gone,
      booked(1_000n, -100n),
      { kind: 'close', outcome: 'not_moved', moves: corrected('capture', -900n, unbooked) },
    ],
    [
      'a capture that the bank is to name',
      { difference: 'not_at_bank', bankMinor: null },
      captured(900n),
      booked(1_000n, -100n),
      { kind: 'promise' },
    ],
    [
      'the amount of the bank',
      { difference: 'other_amount', kind: 'refund' },
      captured(1_000n),
      booked(400n, null),
      { kind: 'close', outcome: 'booked', moves: corrected('refund', 600n, unbooked) },
    ],
    [
      'the amount of the books',
      { difference: 'other_amount' },
      captured(400n),
      booked(400n, null),
      { kind: 'promise' },
    ],
    [
      'nothing, as the bank says',
      { difference: 'other_amount', bankMinor: 0n },
      gone,
      booked(400n, null),
      { kind: 'close', outcome: 'booked', moves: corrected('capture', -400n, unbooked) },
    ],
    ['another charge', { difference: 'other_charge' }, captured(1_000n), unbooked, confirmed],
    ['a dispute on another charge', { ...onAnother, kind: 'dispute' }, captured(1_000n), unbooked, confirmed],
    ['one that the bank is to correct', { ...onAnother, kind: 'dispute_won' }, gone, unbooked, { kind: 'promise' }],
    ['missing rows', { difference: 'row_missing', ourMinor: 300n }, captured(300n), unbooked, confirmed],
    ['a repeated line, once', { difference: 'repeated', ourMinor: 500n }, captured(500n), unbooked, confirmed],
    [
      'a repeated line, each time',
      { difference: 'repeated', ourMinor: 500n },
      captured(1_000n),
      unbooked,
      { kind: 'promise' },
    ],
    ['a sum', { difference: 'total', ourMinor: -700n }, captured(700n), unbooked, confirmed],
    ['a sum above', { difference: 'total', ourMinor: 700n }, captured(700n), unbooked, confirmed],
    [
      'a line that nobody knew, taken',
      { difference: 'suspended', kind: 'other_taken' },
      captured(70n),
      booked(null, -70n, { unallocatedMinor: -70n }),
      { ...confirmed, moves: moves('suspense explained', { suspenseMinor: 70n, feeMinor: 70n }) },
    ],
    [
      'a line that nobody knew, given',
      { difference: 'suspended', kind: 'other_given' },
      captured(70n),
      booked(null, 70n, { unallocatedMinor: 70n }),
      { ...confirmed, moves: moves('suspense explained', { suspenseMinor: -70n, feeMinor: -70n }) },
    ],
    [
      'a line that is to be taken back',
      { difference: 'suspended', kind: 'other_taken' },
      gone,
      unbooked,
      { kind: 'promise' },
    ],
    [
      'a payout that arrived',
      { kind: 'payout', bankFeeMinor: 20n, ourMinor: 5n, ourFeeMinor: 5n },
      captured(1_000n),
      unbooked,
      { kind: 'close', outcome: 'booked', moves: payoutMoves('payout', 1_000n, 20n) },
    ],
    ['a payout that did not', { kind: 'payout', ourMinor: 5n }, gone, unbooked, { kind: 'promise' }],
    [
      'a payout of another amount',
      { kind: 'payout', difference: 'other_amount', bankFeeMinor: 20n, ourMinor: 400n, ourFeeMinor: 5n },
      captured(1_000n),
      unbooked,
      { kind: 'close', outcome: 'booked', moves: payoutMoves('payout corrected', 600n, 15n) },
    ],
    [
      'a payout that is as it was booked',
      { kind: 'payout', difference: 'other_amount', ourMinor: 400n },
      captured(400n),
      unbooked,
      { kind: 'promise' },
    ],
    [
      'a payout that never was',
      { kind: 'payout', difference: 'not_at_bank', bankMinor: null, ourMinor: 400n, ourFeeMinor: 5n },
      gone,
      unbooked,
      { kind: 'close', outcome: 'not_moved', moves: payoutMoves('payout corrected', -400n, -5n) },
    ],
    [
      'a payout that the bank is to name',
      { kind: 'payout', difference: 'not_at_bank', bankMinor: null, ourMinor: 400n },
      captured(400n),
      unbooked,
      { kind: 'promise' },
    ],
  ] as const satisfies readonly (readonly [string, Partial<Item>, Decision, Booked, Step])[]) {
    test(name, () => {
      assert.deepEqual(afterDecision(item(some), decision, now), expected);
    });
  }

  // Guarantee: what has no amount has nothing.
  for (const [name, some, now, expected] of [
    ['another charge', { difference: 'other_charge' }, unbooked, confirmed],
    ['missing rows', { difference: 'row_missing' }, unbooked, confirmed],
    ['a sum', { difference: 'total' }, unbooked, confirmed],
    ['a capture that nobody knows', {}, unbooked, { kind: 'giveBack', moves: undefined }],
    [
      'a payout that came back',
      { kind: 'payout_returned' },
      unbooked,
      { kind: 'close', outcome: 'booked', moves: bookedAtOnce('payout_returned', 0n) },
    ],
    [
      'another amount',
      { difference: 'other_amount' },
      booked(400n, null),
      { kind: 'close', outcome: 'booked', moves: corrected('capture', -400n, unbooked) },
    ],
    [
      'another amount of what has no key',
      { difference: 'other_amount', kind: 'other' },
      booked(400n, null),
      { kind: 'close', outcome: 'booked', moves: corrected('capture', -400n, unbooked) },
    ],
    [
      'what has no key, and nobody knows',
      { kind: 'other' },
      booked(null, 400n),
      { kind: 'giveBack', moves: followed('capture', -400n) },
    ],
    [
      'a payout without an amount of ours',
      { kind: 'payout', difference: 'other_amount', bankMinor: 1_000n },
      unbooked,
      { kind: 'promise' },
    ],
  ] as const satisfies readonly (readonly [string, Partial<Item>, Booked, Step])[]) {
    test(`of nothing: ${name}`, () => {
      assert.deepEqual(afterDecision(item({ bankMinor: null, ourMinor: null, ...some }), captured(0n), now), expected);
    });
  }

  // Guarantee: a decision that contradicts bank or books is refused, and says why.
  for (const [name, some, decision, now, why] of [
    [
      'a capture that a payment took',
      {},
      captured(1_000n),
      booked(1_000n, null),
      { code: 'settled_by_payment', parameters: {} },
    ],
    [
      'a refund on another charge that did not move',
      { difference: 'other_charge' },
      gone,
      unbooked,
      { code: 'moved_elsewhere', parameters: { bank: '10.00' } },
    ],
    [
      'what both have did not move',
      { difference: 'row_missing', ourMinor: 300n },
      gone,
      unbooked,
      { code: 'agreed_on', parameters: { amount: '3.00' } },
    ],
    [
      'a sum that did not move',
      { difference: 'total', ourMinor: -700n },
      gone,
      unbooked,
      { code: 'totals_differ', parameters: { off: '7.00' } },
    ],
    [
      'a repeated line that did not move',
      { difference: 'repeated', ourMinor: 500n },
      gone,
      unbooked,
      { code: 'line_repeated', parameters: { bank: '10.00', once: '5.00' } },
    ],
    [
      'a repeated line of yet another amount',
      { difference: 'repeated', ourMinor: 500n },
      captured(700n),
      unbooked,
      { code: 'line_repeated', parameters: { bank: '10.00', once: '5.00' } },
    ],
    [
      'yet another amount',
      { difference: 'other_amount' },
      captured(700n),
      booked(400n, null),
      { code: 'amounts_differ', parameters: { bank: '10.00', ours: '4.00' } },
    ],
    [
      'not captured, of which both have something',
      { difference: 'other_amount' },
      gone,
      booked(400n, null),
      { code: 'amounts_differ', parameters: { bank: '10.00', ours: '4.00' } },
    ],
    [
      'not captured, of which the books have nothing',
      { difference: 'other_amount' },
      gone,
      booked(400n, -400n),
      { code: 'amounts_differ', parameters: { bank: '10.00', ours: '0.00' } },
    ],
    [
      'a payout of yet another amount',
      { kind: 'payout', difference: 'other_amount', ourMinor: 400n },
      captured(700n),
      unbooked,
      { code: 'amounts_differ', parameters: { bank: '10.00', ours: '4.00' } },
    ],
    [
      'a payout that is gone, of another amount',
      { kind: 'payout', difference: 'not_at_bank', bankMinor: null, ourMinor: 400n },
      captured(700n),
      unbooked,
      { code: 'payout_differs', parameters: { bank: '0.00', ours: '4.00' } },
    ],
    [
      'another charge, of nothing',
      { difference: 'other_charge', bankMinor: null },
      gone,
      unbooked,
      { code: 'moved_elsewhere', parameters: { bank: '0.00' } },
    ],
    [
      'missing rows, of nothing',
      { difference: 'row_missing', ourMinor: null },
      gone,
      unbooked,
      { code: 'agreed_on', parameters: { amount: '0.00' } },
    ],
    [
      'a sum of nothing',
      { difference: 'total', ourMinor: null },
      gone,
      unbooked,
      { code: 'totals_differ', parameters: { off: '0.00' } },
    ],
    [
      'a repeated line of nothing',
      { difference: 'repeated', bankMinor: null, ourMinor: null },
      gone,
      unbooked,
      { code: 'line_repeated', parameters: { bank: '0.00', once: '0.00' } },
    ],
    [
      'a payout of nothing that is said to be none',
      { kind: 'payout', difference: 'other_amount', bankMinor: 0n, ourMinor: 400n },
      gone,
      unbooked,
      { code: 'amounts_differ', parameters: { bank: '0.00', ours: '4.00' } },
    ],
    [
      'a payout that is gone, of nothing',
      { kind: 'payout', difference: 'not_at_bank', bankMinor: null, ourMinor: 400n },
      captured(0n),
      unbooked,
      { code: 'payout_differs', parameters: { bank: '0.00', ours: '4.00' } },
    ],
    [
      'an amount that it is not about',
      { difference: 'other_charge' },
      captured(999n),
      unbooked,
      { code: 'not_about', parameters: { amount: '10.00', named: '9.99' } },
    ],
  ] as const satisfies readonly (readonly [string, Partial<Item>, Decision, Booked, object])[]) {
    test(`refused: ${name}`, () => {
      assert.throws(
        () => afterDecision(item(some), decision, now),
        (fault) => {
          assert.ok(fault instanceof DecisionFault);
          assert.deepEqual(fault.why, why);
          return true;
        },
      );
    });
  }

  // Guarantee: an amount that is named must be the one that moved.
  for (const some of [
    {},
    { kind: 'refund' },
    { kind: 'payout_returned' },
    { difference: 'not_at_bank', bankMinor: null },
    { difference: 'other_charge' },
    { difference: 'row_missing', ourMinor: 300n },
    { difference: 'total', ourMinor: -700n },
    { difference: 'suspended', kind: 'other_taken' },
  ] as const satisfies readonly Partial<Item>[]) {
    const kind: Keyed | Item['kind'] = item(some).kind;
    test(`refused: 9.99 of a ${kind}, ${item(some).difference}`, () => {
      assert.throws(() => afterDecision(item(some), captured(999n), booked(null, 500n)), DecisionFault);
    });
  }
});

suite('what goes back of a capture that belongs to nobody', () => {
  const outgoing = { state: 'sent', cameBackAt: null, checks: 0, otherAmounts: 0 } as Outgoing;
  const after = (state: Outgoing['state'], result: Parameters<typeof afterReturn>[1]) =>
    afterReturn({ ...outgoing, state }, result);

  // Guarantee: what the bank refused, or an operator withdrew, stays so, because another return may have taken its place; the
  // statement says what moved.
  test('money that came back', () => {
    assert.deepEqual(after('sent', { kind: 'cameBack' }), { kind: 'cameBack', first: 'done', why: 'came_back' });
    assert.deepEqual(after('done', { kind: 'cameBack' }), { kind: 'cameBack', first: null, why: 'came_back' });
    for (const state of ['refused', 'canceled'] as const)
      assert.deepEqual(after(state, { kind: 'cameBack' }), { kind: 'none' });
  });

  // Guarantee: a result counts while it may have been sent, and an approval also of one that is held.
  test('results', () => {
    for (const state of ['done', 'refused', 'canceled'] as const)
      assert.deepEqual(after(state, { kind: 'approved' }), { kind: 'none' });
    for (const state of ['held', 'new', 'sent'] as const)
      assert.deepEqual(after(state, { kind: 'approved' }), { kind: 'done' });
    for (const state of ['held', 'new'] as const)
      assert.deepEqual(after(state, { kind: 'declined' }), { kind: 'none' });
    assert.deepEqual(after('sent', { kind: 'declined' }), { kind: 'returned', by: 'bank', why: 'return_refused' });
    assert.deepEqual(after('sent', { kind: 'park', why: 'not_confirmed' }), { kind: 'held', why: 'not_confirmed' });
    assert.deepEqual(after('sent', { kind: 'waiting' }), { kind: 'wait' });
    assert.deepEqual(after('sent', { kind: 'again' }), { kind: 'look', because: 'unknown' });
    assert.deepEqual(after('sent', { kind: 'hold' }), { kind: 'refused' });
  });
});
