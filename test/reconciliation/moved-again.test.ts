// What the bank moves again under a key of ours, on another day: named like everything else that it repeats. What it only
// names late, amends, or names once more after it was gone is no such thing.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { inWords } from '../support/findings.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { findingsOf } from '../support/verify.ts';

let here: Reconciling;
let charge: string;
let refund: string;

beforeEach(async () => {
  here = await aReconciling();
  charge = await here.pay();
  const { world, service, merchant } = here;
  await fund(service, merchant, 5_000n);
  const paid = await world.db.sql.one((row) => readText(row, 'transaction_id'))`
    select transaction_id from charge where id = ${charge}`;
  refund = await aRefund(service, merchant, paid, { amount: 5 });
  world.clock.advance({ seconds: 6 });
  await here.moveRefunds();
});

const keyOf = (kind: string) => (kind === 'capture' ? charge : refund);

/** Runs of each day, as they are by default. */
async function days(count: number): Promise<string[]> {
  const states = new Set<string>();
  for (let day = 0; day < count; day += 1) states.add((await here.compare(24)).state);
  return [...states];
}

/** A run of what moved since it was called. */
function aDay(): () => Promise<string> {
  const from = here.world.clock.now().subtract({ seconds: 1 });
  return async () => (await here.compare(24, from)).state;
}

const said = (kind: string, once: string, all: string) => [
  `The statement names a ${kind} of ${once} more than once, ${all} in all; it was compared once.`,
];

async function checkBooks(): Promise<void> {
  assert.deepEqual(inWords(await findingsOf(here.world)), []);
}

suite('moved again under a key of ours', () => {
  // Guarantee: what moves again a week later is named, and stays named until somebody has asked the bank; with any amount.
  for (const [kind, word, again, once, all] of [
    ['refund', 'refund', undefined, '5.00', '10.00'],
    ['refund', 'refund', 300n, '5.00', '8.00'],
    ['capture', 'capture', undefined, '20.00', '40.00'],
    ['refundReturned', 'returned refund', undefined, '5.00', '10.00'],
  ] as const)
    test(`${kind}, a week later, ${all} in all`, async () => {
      if (kind === 'refundReturned') here.bank.say('refundReturned', refund, 500n);
      assert.deepEqual(await days(7), ['agreed']);
      const owed = await here.balanceOf('acquirer:simulator:receivable');
      here.bank.moveAgain(kind, keyOf(kind), again);
      assert.deepEqual(await days(7), ['differs']);
      assert.deepEqual(
        (await here.parked(keyOf(kind))).map((one) => one.replace(/names a .* of/, `names a ${word} of`)),
        said(word, once, all),
      );
      assert.equal(await here.balanceOf('acquirer:simulator:receivable'), owed);
      await here.decide(keyOf(kind), { capturedMinor: kind === 'capture' ? 2_000n : 500n });
      assert.deepEqual(await days(2), ['agreed']);
      await checkBooks();
    });

  // Guarantee: whatever the periods of the runs are.
  for (const kind of ['refund', 'capture'] as const)
    test(`${kind}, and each run compares one day`, async () => {
      assert.equal((await here.compare(24, here.begun)).state, 'agreed');
      for (let times = 0; times < 2; times += 1) {
        const next = aDay();
        here.bank.moveAgain(kind, keyOf(kind));
        assert.equal(await next(), 'differs');
        assert.equal((await here.parked(keyOf(kind))).length, 1);
        await here.decide(keyOf(kind), { capturedMinor: kind === 'capture' ? 2_000n : 500n });
      }
      await checkBooks();
    });

  // Guarantee: the line that is in the books is the one that is compared, wherever the statement has it.
  test('another amount, which the statement names first, on a page of its own', async () => {
    const { bank, begun } = here;
    const whole = bank.statement.bind(bank);
    bank.statement = async (asked) => {
      const all = await whole({ ...asked, after: null, limit: 5_000 });
      const place = Number(asked.after ?? 0);
      const lines = all.kind === 'page' ? all.lines.toReversed() : [];
      const next = place + 1 < lines.length ? String(place + 1) : null;
      return { kind: 'page', lines: lines.slice(place, place + 1), next };
    };
    assert.equal((await here.compare(24, begun)).state, 'agreed');
    bank.moveAgain('capture', charge, 700n);
    assert.equal((await here.compare(24, begun)).state, 'differs');
    assert.deepEqual(await here.parked(charge), said('capture', '20.00', '27.00'));
    await here.decide(charge, { capturedMinor: 2_000n });
    for (let day = 0; day < 5; day += 1) assert.equal((await here.compare(24, begun)).state, 'agreed');
    await checkBooks();
  });

  // Guarantee: a bank may be slow: the first line is the first, however late it comes.
  test('a line that comes late is none', async () => {
    const { bank } = here;
    const minor = bank.minorOf('refund', refund);
    bank.say('refund', refund, undefined);
    const next = aDay();
    bank.say('refund', refund, minor);
    assert.equal(await next(), 'agreed');
    assert.deepEqual(await days(5), ['agreed']);
    await checkBooks();
  });

  // Guarantee: a bank may correct the time of a line: where a run sees that the old one is gone, that is all.
  for (const kind of ['refund', 'capture', 'fee', 'payout'] as const)
    test(`a ${kind} whose time is amended is none`, async () => {
      here.bank.say('fee', 'fee', 100n);
      here.bank.say('payout', 'payout', 200n);
      const key = kind === 'fee' || kind === 'payout' ? kind : keyOf(kind);
      assert.deepEqual(await days(1), ['agreed']);
      const first = here.world.clock.now();
      here.bank.amendTime(kind, key, first.add({ hours: 1 }));
      assert.deepEqual(await days(1), ['agreed']);
      assert.equal((await here.compare(24, first)).state, 'agreed');
      assert.equal((await here.compare(1, here.begun, first)).state, 'agreed');
      assert.deepEqual(await here.parked(key), []);
      here.bank.moveAgain(kind, key);
      assert.equal((await here.compare(24, here.world.clock.now().subtract({ hours: 1 }))).state, 'differs');
    });

  // Guarantee: what the bank did not have, and has again as it was to, is what it was.
  test('a capture that was gone and is named again is none', async () => {
    const { bank } = here;
    assert.deepEqual(await days(1), ['agreed']);
    bank.say('capture', charge, undefined);
    assert.equal((await here.compare(24)).found, 1);
    await here.decide(charge, { capturedMinor: 2_000n });
    const next = aDay();
    bank.say('capture', charge, 2_000n);
    assert.equal(await next(), 'agreed');
    assert.deepEqual(await here.parked(charge), []);
    await checkBooks();
  });

  // Guarantee: what was gone once, and came back, is asked about like everything else when it moves again weeks later.
  for (const kind of ['refund', 'capture', 'fee', 'payout', 'dispute'] as const)
    for (const time of ['the same time', 'another time'] as const)
      test(`a ${kind} that was gone, came back with ${time}, and moves again`, async () => {
        const { bank, world } = here;
        const key = kind === 'capture' || kind === 'refund' ? keyOf(kind) : kind;
        bank.say('fee', 'fee', 100n);
        bank.say('payout', 'payout', 200n);
        bank.say('dispute', 'dispute', 300n, { chargeKey: charge });
        const at = world.clock.now();
        const minor = bank.minorOf(kind, key);
        assert.deepEqual(await days(1), ['agreed']);
        bank.say(kind, key, undefined);
        assert.deepEqual(await days(1), ['differs']);
        bank.say(kind, key, minor, { chargeKey: charge });
        if (time === 'the same time') bank.amendTime(kind, key, at);
        assert.equal((await here.compare(1, here.begun)).state, 'agreed');
        assert.deepEqual(await days(7), ['agreed']);
        bank.moveAgain(kind, key);
        assert.deepEqual(await days(3), ['differs']);
        assert.equal((await here.parked(key)).length, 1);
        await checkBooks();
      });

  // Guarantee: also if an operator decided meanwhile that it never moved.
  test('a capture that was decided not to have moved, came back, and moves again', async () => {
    const { bank, world } = here;
    const at = world.clock.now();
    const minor = bank.minorOf('capture', charge);
    assert.deepEqual(await days(1), ['agreed']);
    bank.say('capture', charge, undefined);
    assert.deepEqual(await days(1), ['differs']);
    await here.decide(charge, 'not-captured');
    bank.say('capture', charge, minor);
    bank.amendTime('capture', charge, at);
    await here.compare(1, here.begun);
    assert.deepEqual(await here.parked(charge), []);
    assert.deepEqual(await days(7), ['agreed']);
    bank.moveAgain('capture', charge);
    assert.deepEqual(await days(3), ['differs']);
    await checkBooks();
  });

  // Guarantee: also if no statement says that it is back, but the bank does when it is asked about the key.
  for (const kind of ['capture', 'refund'] as const)
    for (const decision of ['promised', 'not-captured'] as const)
      test(`a ${kind} that was gone, is back by a look-up after ${decision}, and moves again`, async () => {
        const { bank, world } = here;
        const at = world.clock.now();
        const key = keyOf(kind);
        const minor = bank.minorOf(kind, key) ?? 0n;
        assert.deepEqual(await days(1), ['agreed']);
        bank.say(kind, key, undefined);
        await days(10);
        await here.decide(key, decision === 'promised' ? { capturedMinor: minor } : decision);
        bank.say(kind, key, minor);
        bank.amendTime(kind, key, at.subtract({ seconds: 1 }));
        await days(12);
        assert.deepEqual(await here.parked(key), []);
        bank.moveAgain(kind, key);
        assert.deepEqual(await days(3), ['differs']);
        assert.equal((await here.parked(key)).length, 1);
        await checkBooks();
      });

  // Guarantee: nothing was booked for it, so it is not the second one.
  test('a capture that belongs to nobody and was reversed, captured later, is none', async () => {
    const { bank } = here;
    bank.say('capture', 'unknown', 700n);
    await here.compare(24);
    bank.say('capture', 'unknown', undefined);
    await here.decide('unknown', 'not-captured');
    assert.deepEqual(await days(5), ['agreed']);
    bank.say('capture', 'unknown', 700n);
    assert.equal((await here.compare(24)).state, 'differs');
    assert.deepEqual(await here.parked('unknown'), ['The bank captured 7.00; no payment of ours has it.']);
    await checkBooks();
  });
});
