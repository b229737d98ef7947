// The messages of docs/acquirer.md as JSON, there and back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCharge, pln } from '../../test/support/simulated-bank.ts';
import type { Callback, StatementLine } from './port.ts';
import {
  callbackFault,
  callbackFromWire,
  chargeAnswerFromWire,
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

const unstorable = { NUL: 'a\u0000b', 'half a character': '\ud83d', 'half of two': '\ude00\ud83d' };
const outside = {
  'the year 0000': '0000-01-01T00:00:00Z',
  'the year 1969': '1969-12-31T23:59:59.999999999Z',
  'the year 9999': '9999-01-01T00:00:00Z',
  'an instant that rounds up': '9999-12-31T23:59:59.999999999Z',
  'a day that does not exist': '2026-02-30T00:00:00Z',
  'an hour that does not exist': '2026-02-03T25:00:00Z',
};

// Guarantee: what cannot be stored is one unreadable line, not an error each time that the statement is compared.
test('lines that cannot be stored', () => {
  const [capture] = lines;
  const moved = { key: 'X-1', amount: { minor: 1_000, currency: 'PLN' } };
  const broken = [
    ...Object.values(unstorable).map((what) => ({ ...moved, kind: 'other', at: at.toString(), what, taken: true })),
    ...Object.values(outside).map((when) => ({ ...moved, kind: 'capture', at: when })),
  ];
  const answer = statementAnswerFromWire({
    kind: 'page',
    lines: [...broken, { ...moved, kind: 'capture', key: 'C-1', at: at.toString() }],
    next: null,
  });
  assert.deepEqual(answer, {
    kind: 'page',
    lines: [capture],
    next: null,
    unreadable: broken.map((_, index) => index + 1),
  });
});

// Guarantee: what cannot be stored is refused as a whole, and the response says where it is and quotes nothing.
test('callbacks that cannot be stored', () => {
  const result = {
    kind: 'opened',
    chargeKey,
    amount: { minor: 1, currency: 'PLN' },
    reason: 'fraud',
    respondUntil: null,
  };
  const dispute = { kind: 'dispute', key: 'D-1', result };
  assert.ok(callbackFromWire(dispute));
  const wrong = [
    ...Object.values(unstorable).map((reason) => ['result.reason', { reason }] as const),
    ...Object.values(outside).map((respondUntil) => ['result.respondUntil', { respondUntil }] as const),
    ...Object.values(outside).map((when) => ['result.at', { at: when }] as const),
  ];
  for (const [field, more] of wrong) {
    const sent = { ...dispute, result: { ...result, ...more } };
    const said = JSON.stringify(more);
    assert.equal(callbackFromWire(sent), undefined, said);
    const fault = callbackFault(sent);
    assert.equal(fault.field, field, `${said}: ${fault.message}`);
    for (const value of Object.values(more)) assert.ok(!fault.message.includes(value), fault.message);
  }
  assert.deepEqual(callbackFault({ kind: 'bonus' }).field, 'kind');
  assert.deepEqual(callbackFault(null).field, 'kind');
  assert.deepEqual(callbackFault({ kind: 'refund', key: '', result: { kind: 'approved' } }).field, 'key');
});

// Guarantee: times at the edges of what can be stored are taken.
test('the first and the last instant', () => {
  for (const when of ['1970-01-01T00:00:00Z', '9998-12-31T23:59:59.999999999Z']) {
    const result = {
      kind: 'opened',
      chargeKey,
      amount: { minor: 1, currency: 'PLN' },
      reason: '',
      respondUntil: when,
      at: when,
    };
    assert.ok(callbackFromWire({ kind: 'dispute', key: 'D-1', result }), when);
  }
});

// Guarantee: a link that cannot be stored does not end in an error, but is looked up later like any unreadable answer.
test('links that cannot be stored', () => {
  assert.ok(findAnswerFromWire({ kind: 'waiting', link: 'https://bank.example/😀' }));
  for (const link of Object.values(unstorable)) {
    assert.deepEqual(
      [findAnswerFromWire, chargeAnswerFromWire].map((read) => read({ kind: 'waiting', link })),
      [undefined, undefined],
    );
  }
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
