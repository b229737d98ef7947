// The test values of docs/api.md#test-values, row by row. If one fails, the sandbox differs from its documentation.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { aBank, aCharge, blik, byKey, card, linkIdOf, pln, recurring } from '../../../test/support/simulated-bank.ts';
import type { ChargeRequest, Instrument } from '../../acquirer/port.ts';
import { Secret } from '../../kernel/index.ts';

const { bank, clock, waits, callbacks, onCallback } = aBank();

/** `approved`, `waiting`, or `declined: reason`. */
async function outcome(overrides: Partial<ChargeRequest>): Promise<string> {
  const answer = await bank.charge(aCharge(overrides));
  return answer.kind === 'declined' ? `declined: ${answer.reason}` : answer.kind;
}

describe('BLIK decides by the first three digits', () => {
  const rows: [string, string][] = [
    ['777000', 'approved'],
    ['777999', 'approved'],
    ['111234', 'declined: wrong code'],
    ['222234', 'declined: insufficient funds'],
    ['333234', 'declined: payer rejected'],
    ['500234', 'waiting'],
    ['770234', 'waiting'],
    ['123456', 'declined: wrong code'],
    ['000000', 'declined: wrong code'],
    ['77700', 'declined: wrong code'],
    ['7770000', 'declined: wrong code'],
  ];
  for (const [code, expected] of rows) {
    test(`${code}: ${expected}`, async () => assert.equal(await outcome({ instrument: blik(code) }), expected));
  }
});

describe('a card decides by the last digit of the amount', () => {
  const rows: [number, string][] = [
    [10_00, 'waiting'],
    [10_01, 'approved'],
    [10_02, 'waiting'],
    [10_03, 'approved'],
    [10_04, 'waiting'],
    [10_05, 'declined: authentication failed'],
    [10_06, 'declined: instrument rejected'],
    [10_07, 'waiting'],
    [10_08, 'waiting'],
    [10_09, 'waiting'],
    [1, 'approved'],
  ];
  for (const [minor, expected] of rows) {
    test(`${minor} gr: ${expected}`, async () =>
      assert.equal(await outcome({ instrument: card(), amount: pln(minor) }), expected));
  }
});

describe('a card that cannot be is declined before anything else', () => {
  const rows: [string, string, string][] = [
    ['4111111111111112', '12/30', 'declined: instrument invalid'],
    ['411111111111111a', '12/30', 'declined: instrument invalid'],
    ['', '12/30', 'declined: instrument invalid'],
    ['4111111111111111', '02/26', 'declined: instrument invalid'],
    ['4111111111111111', '03/26', 'approved'],
    ['4111111111111111', '13/30', 'declined: instrument invalid'],
    ['4111111111111111', '', 'declined: instrument invalid'],
    ['378282246310005', '12/30', 'approved'],
  ];
  for (const [number, expiry, expected] of rows) {
    test(`${number || 'no number'} ${expiry || 'no expiry'}: ${expected}`, async () =>
      assert.equal(await outcome({ instrument: card(number, expiry), amount: pln(10_01) }), expected));
  }
});

describe('a recurring instrument decides by its value', () => {
  const rows: [string, number, string][] = [
    ['tok_1', 1, 'approved'],
    ['tok-insufficient-funds-1', 9, 'declined: insufficient funds'],
    ['instrument-invalid', 1, 'declined: instrument invalid'],
    ['instrument-rejected', 1, 'declined: instrument rejected'],
    ['payer-rejected', 1, 'declined: payer rejected'],
    ['internal-error', 1, 'declined: internal error'],
    ['fail-2-insufficient-funds', 1, 'declined: insufficient funds'],
    ['fail-2-insufficient-funds', 2, 'declined: insufficient funds'],
    ['fail-2-insufficient-funds', 3, 'approved'],
    ['fail-10-payer-rejected', 10, 'declined: payer rejected'],
    ['fail-10-payer-rejected', 11, 'approved'],
    ['fail-2-whatever', 1, 'approved'],
    ['not-fail-2-internal-error', 3, 'declined: internal error'],
  ];
  for (const [value, attempt, expected] of rows) {
    test(`${value}, attempt ${attempt}: ${expected}`, async () =>
      assert.equal(await outcome({ instrument: recurring(value, attempt) }), expected));
  }

  // Guarantee: the count restarts with each iteration, because callers number attempts within an iteration.
  test('fail-1 fails the first attempt of the second iteration too', async () => {
    const value = 'fail-1-internal-error';
    assert.equal(await outcome({ instrument: recurring(value, 1, 2) }), 'declined: internal error');
    assert.equal(await outcome({ instrument: recurring(value, 2, 2) }), 'approved');
  });
});

// Guarantee: a BLIK payment that takes its time is approved after five seconds, and reported by callback.
test('BLIK 770 waits without a link and is approved five seconds later', async () => {
  const request = aCharge({ instrument: blik('770000') });
  assert.deepEqual(await bank.charge(request), { kind: 'waiting', link: null });
  clock.advance({ milliseconds: 4_999 });
  assert.deepEqual(await bank.findCharge(byKey(request.key)), { kind: 'waiting', link: null });
  clock.advance({ milliseconds: 1 });
  assert.equal((await bank.findCharge(byKey(request.key))).kind, 'approved');
  await bank.deliverDue(onCallback);
  assert.deepEqual(
    callbacks.filter(({ key }) => key === request.key).map(({ result }) => result.kind),
    ['approved'],
  );
});

// Guarantee: a BLIK payment that nobody confirms is declined after two minutes, not before, and reported by callback.
test('BLIK 500 waits without a link and is declined two minutes later', async () => {
  const request = aCharge({ instrument: blik('500000') });
  assert.deepEqual(await bank.charge(request), { kind: 'waiting', link: null });
  clock.advance({ seconds: 119 });
  assert.equal(await bank.deliverDueOf(request.key, onCallback), 0);
  assert.deepEqual(await bank.findCharge(byKey(request.key)), { kind: 'waiting', link: null });
  clock.advance({ seconds: 1 });
  assert.deepEqual(await bank.findCharge(byKey(request.key)), { kind: 'declined', reason: 'timed out' });
  await bank.deliverDue(onCallback);
  const result = { kind: 'declined', reason: 'timed out' };
  const ofKey = callbacks.filter(({ key }) => key === request.key);
  assert.deepEqual(ofKey, [{ kind: 'charge', key: request.key, result }]);
});

// Guarantee: wherever the payer has to confirm, there is a link that cannot be guessed.
for (const instrument of [card(), { kind: 'transfer' }, { kind: 'onlineWallet' }] as const) {
  test(`${instrument.kind} waits with a link of 256 random bits`, async () => {
    const answer = await bank.charge(aCharge({ instrument }));
    assert.equal(answer.kind, 'waiting');
    assert.match(linkIdOf(answer), /^[\w-]{43}$/);
  });
}

// Guarantee: the money moved although nobody was told, the case in which a second charge would take it twice.
test('lost-answer captures, is unknown at the deadline, and is found', async () => {
  const request = aCharge({ instrument: recurring('lost-answer'), deadlineMilliseconds: 700 });
  assert.deepEqual(await bank.charge(request), { kind: 'unknown' });
  assert.equal(waits.at(-1), 700);
  assert.deepEqual(await bank.findCharge(byKey(request.key)), { kind: 'approved', amount: pln(1_000) });
  assert.deepEqual(await bank.charge(request), { kind: 'approved', amount: pln(1_000) });
  assert.equal(bank.record().captures.filter(({ key }) => key === request.key).length, 1);
});

test('slow responds after three seconds, or is unknown at a shorter deadline', async () => {
  assert.equal(await outcome({ instrument: recurring('slow') }), 'approved');
  assert.equal(waits.at(-1), 3_000);
  const request = aCharge({ instrument: recurring('slow'), deadlineMilliseconds: 500 });
  assert.deepEqual(await bank.charge(request), { kind: 'unknown' });
  assert.equal(waits.at(-1), 500);
  assert.equal((await bank.findCharge(byKey(request.key))).kind, 'approved');
});

test('unreachable is not reached on the first try of a key, then works', async () => {
  const request = aCharge({ instrument: recurring('unreachable') });
  assert.deepEqual(await bank.charge(request), { kind: 'notReached' });
  assert.deepEqual(await bank.findCharge(byKey(request.key)), { kind: 'notFound' });
  assert.equal((await bank.charge(request)).kind, 'approved');
});

describe('BLIK models', () => {
  const alias = (value: string, model: 'A' | 'M' | 'O', noDelay: boolean): Instrument => ({
    kind: 'recurring',
    value: new Secret(value),
    iteration: 1,
    attempt: 1,
    blik: { model, noDelay },
  });

  // Guarantee: only A and O without delay are decided immediately; the rest is decided later, by callback, as the value
  // says.
  for (const [model, noDelay, value, expected] of [
    ['A', true, 'alias', 'approved'],
    ['O', true, 'alias', 'approved'],
    ['A', true, 'insufficient-funds', 'declined: insufficient funds'],
    ['A', false, 'alias', 'waiting'],
    ['O', false, 'alias', 'waiting'],
    ['M', false, 'alias', 'waiting'],
    ['M', false, 'payer-rejected', 'waiting'],
  ] as const) {
    test(`${model}, ${noDelay ? 'no delay' : 'when the bank sees fit'}, ${value}: ${expected}`, async () =>
      assert.equal(await outcome({ instrument: alias(value, model, noDelay) }), expected));
  }
});

describe('a saved card that the merchant charges', () => {
  // Guarantee: a charge without a payer present never ends at a 3-D Secure page.
  for (const [minor, expected] of [
    [1_001, 'approved'],
    [1_003, 'approved'],
    [1_005, 'declined: authentication failed'],
    [1_006, 'declined: instrument rejected'],
    ...[0, 2, 4, 7, 8, 9].map((digit) => [1_000 + digit, 'approved'] as const),
  ] as const) {
    test(`${minor}: ${expected}`, async () =>
      assert.equal(await outcome({ instrument: card(), amount: pln(minor), initiator: 'merchant' }), expected));
  }
});

// Guarantee: an alias registered for one merchant cannot be charged by another; unregistered values belong to nobody.
test('an alias belongs to the merchant it was registered for', async () => {
  const value = new Secret('alias-of-one');
  const aliases = [{ value, type: 'PAYID', label: '' }] as const;
  await bank.charge(aCharge({ instrument: { kind: 'blik', code: new Secret('777123'), aliases } }));
  const charge = (merchant: string, alias: Secret) =>
    outcome({
      merchant,
      instrument: {
        kind: 'recurring',
        value: alias,
        iteration: 1,
        attempt: 1,
        blik: { model: 'A', noDelay: true },
      },
    });
  assert.equal(await charge('MERCHANT-1', value), 'approved');
  assert.equal(await charge('MERCHANT-2', value), 'declined: instrument invalid');
  assert.equal(await charge('MERCHANT-2', new Secret('anything')), 'approved');
  await bank.charge(
    aCharge({ merchant: 'MERCHANT-2', instrument: { kind: 'blik', code: new Secret('777124'), aliases } }),
  );
  assert.equal(await charge('MERCHANT-2', value), 'approved');
  assert.equal(await charge('MERCHANT-1', value), 'approved');
});
