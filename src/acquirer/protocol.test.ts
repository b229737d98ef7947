// The messages of docs/acquirer.md as JSON, there and back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCharge, pln } from '../../test/support/simulated-bank.ts';
import type { Callback, StatementLine } from './port.ts';
import {
  callbackFromWire,
  chargeFromWire,
  findAnswerFromWire,
  refundAnswerFromWire,
  statementAnswerFromWire,
  wireFromCallback,
  wireFromCharge,
  wireFromStatementAnswer,
} from './protocol.ts';

const at = Temporal.Instant.from('2026-03-10T09:00:00Z');
const [amount, chargeKey] = [pln(1_000), 'C-1'];
const overTheWire = (value: object): unknown => JSON.parse(JSON.stringify(value));

const lines: readonly StatementLine[] = [
  { kind: 'capture', key: 'C-1', amount, at },
  { kind: 'refund', key: 'R-1', chargeKey, amount, at },
  { kind: 'payout', key: 'P-1', amount, fee: pln(2), at },
  { kind: 'fee', key: 'F-1', chargeKey, amount, at },
  { kind: 'fee', key: 'F-2', chargeKey: null, amount, at },
  { kind: 'refundReturned', key: 'R-1', chargeKey, amount, at },
  { kind: 'dispute', key: 'D-1', chargeKey, amount, at },
  { kind: 'disputeWon', key: 'D-1', chargeKey, amount, at },
  { kind: 'payoutReturned', key: 'P-1', amount, at },
  { kind: 'other', key: 'O-1', what: 'reserve', taken: true, amount, at },
];

// Guarantee: nothing that an acquirer can say is lost or changed on its way.
test('lines of a statement', () => {
  const page = { kind: 'page', lines, next: null } as const;
  assert.deepEqual(statementAnswerFromWire(overTheWire(wireFromStatementAnswer(page))), page);
});

// Guarantee: a line that lacks what it needs is named by its place; the others are read.
test('lines that are not whole', () => {
  const [capture] = lines;
  const moved = { key: 'X-1', amount: { minor: 1_000, currency: 'PLN' }, at: at.toString() };
  const broken = [
    { kind: 'fee', ...moved },
    { kind: 'refundReturned', ...moved },
    { kind: 'dispute', ...moved, chargeKey: null },
    { kind: 'other', ...moved, what: 'reserve' },
    { kind: 'other', ...moved, what: '', taken: true },
    { kind: 'bonus', ...moved },
  ];
  const answer = statementAnswerFromWire({
    kind: 'page',
    lines: [{ ...moved, kind: 'capture', key: 'C-1' }, ...broken],
    next: null,
  });
  assert.deepEqual(answer, { kind: 'page', lines: [capture], next: null, unreadable: [2, 3, 4, 5, 6, 7] });
});

const callbacks: readonly Callback[] = [
  { kind: 'charge', key: 'C-1', result: { kind: 'approved', amount } },
  { kind: 'charge', key: 'C-1', lookedUp: true, result: { kind: 'approved', amount } },
  { kind: 'charge', key: 'C-1', lookedUp: true, result: { kind: 'canceled' } },
  { kind: 'refund', key: 'R-1', result: { kind: 'declined' } },
  { kind: 'refund', key: 'R-1', result: { kind: 'declined', why: 'no_funds' } },
  { kind: 'refund', key: 'R-1', result: { kind: 'returned' } },
  { kind: 'dispute', key: 'D-1', result: { kind: 'opened', chargeKey, amount, reason: 'fraud', respondUntil: at } },
  { kind: 'dispute', key: 'D-1', result: { kind: 'won', chargeKey, amount, reason: '', respondUntil: null } },
];

test('callbacks', () => {
  for (const callback of callbacks) {
    assert.deepEqual(callbackFromWire(overTheWire(wireFromCallback(callback))), callback);
  }
});

// Guarantee: a callback that says what nobody knows is not taken for one that somebody does.
test('callbacks that are not whole', () => {
  const dispute = { chargeKey, amount: { minor: 1, currency: 'PLN' }, reason: '', respondUntil: null };
  const wrong: object[] = [
    { kind: 'refund', key: 'R-1', result: { kind: 'declined', why: 'mood' } },
    { kind: 'charge', key: 'C-1', lookedUp: 'yes', result: { kind: 'canceled' } },
    { kind: 'dispute', key: 'D-1', result: { ...dispute, kind: 'settled' } },
    { kind: 'dispute', key: 'D-1', result: { ...dispute, kind: 'opened', respondUntil: '2026-02-30T00:00:00Z' } },
    { kind: 'dispute', result: { ...dispute, kind: 'opened' } },
  ];
  assert.deepEqual(wrong.map(callbackFromWire), Array(wrong.length).fill(undefined));
});

// Guarantee: a connector that was written before these words is understood as before, and understands us.
test('messages of connectors that know nothing of this', () => {
  assert.deepEqual(refundAnswerFromWire({ kind: 'declined' }), { kind: 'declined' });
  assert.deepEqual(refundAnswerFromWire({ kind: 'declined', why: 'no_funds' }), { kind: 'declined', why: 'no_funds' });
  assert.equal(refundAnswerFromWire({ kind: 'declined', why: 'mood' }), undefined);
  const found = { kind: 'declined', reason: 'internal error' } as const;
  assert.deepEqual(findAnswerFromWire(found), found);
  assert.deepEqual(findAnswerFromWire({ ...found, why: 'disputed' }), { ...found, why: 'disputed' });
  const wire = wireFromCharge(aCharge({ key: 'C-1' }));
  assert.equal('payer' in wire, false);
  assert.equal(chargeFromWire(overTheWire(wire))?.payer, undefined);
  const payer = { email: 'jan@example.com', name: 'Jan Nowak' };
  assert.deepEqual(chargeFromWire(overTheWire(wireFromCharge(aCharge({ payer }))))?.payer, payer);
});
