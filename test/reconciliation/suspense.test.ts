// Lines that nobody here knows: booked to the suspense account of their acquirer, until an operator says what they are.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { inWords } from '../support/findings.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { findingsOf } from '../support/verify.ts';

let here: Reconciling;

beforeEach(async () => {
  here = await aReconciling();
  await here.pay();
});

/** What the acquirer owes us, what is in suspense, and fees. */
async function balances(): Promise<bigint[]> {
  const accounts = ['acquirer:simulator:receivable', 'acquirer:simulator:suspense', 'expense:acquirer_fee'];
  return Promise.all(accounts.map((account) => here.balanceOf(account)));
}

const compare = () => here.compare(1, here.begun);

async function checkBooks(): Promise<void> {
  assert.deepEqual(inWords(await findingsOf(here.world)), []);
}

suite('lines that nobody knows', () => {
  // Guarantee: each is booked once and waits for an operator, however often its line is read; the run is complete.
  test('taken and added', async () => {
    here.bank.say('other', 'o1', -300n, { what: 'reserve' });
    here.bank.say('other', 'o2', 50n, { what: 'adjustment' });
    assert.deepEqual([(await compare()).state, await balances()], ['differs', [1_750n, 250n, 0n]]);
    const { found, open, state } = await compare();
    assert.deepEqual([found, open, state, await balances()], [0, 2, 'differs', [1_750n, 250n, 0n]]);
    // Both were found at the same time.
    assert.deepEqual((await here.parked()).toSorted(), [
      'The acquirer added 0.50 and calls it "adjustment". It is in the suspense account until you say what it is.',
      'The acquirer took 3.00 and calls it "reserve". It is in the suspense account until you say what it is.',
    ]);
    await checkBooks();
    await assert.rejects(here.decide('o1', { capturedMinor: 299n }));
    assert.equal(await here.decide('o1', { capturedMinor: 300n }), true);
    assert.deepEqual(await balances(), [1_750n, -50n, 300n]);
    assert.equal(await here.decide('o2', { capturedMinor: 50n }), true);
    assert.deepEqual([(await compare()).state, await balances()], ['agreed', [1_750n, 0n, 250n]]);
    await checkBooks();
  });

  // Guarantee: what is in suspense follows what is booked for the line; amended or gone, it moves nothing by itself.
  test('amended and gone while it waits', async () => {
    here.bank.say('other', 'o', -300n);
    await compare();
    here.bank.say('other', 'o', -200n);
    assert.deepEqual([(await compare()).found, await balances()], [1, [1_700n, 300n, 0n]]);
    assert.equal((await here.parked('o')).length, 2);
    await here.decide('o', { capturedMinor: 200n });
    assert.deepEqual(await balances(), [1_800n, 200n, 0n]);
    await checkBooks();
    assert.deepEqual(await here.parked('o'), [
      'The acquirer took 2.00 and calls it "reserve". It is in the suspense account until you say what it is.',
    ]);
    here.bank.say('other', 'o', undefined);
    assert.equal((await compare()).found, 1);
    await here.decide('o', 'not-captured');
    assert.deepEqual([await balances(), await here.parked('o')], [[2_000n, 0n, 0n], []]);
    assert.equal((await compare()).state, 'agreed');
    await checkBooks();
  });

  // Guarantee: after the decision what is corrected is the acquirer's fee too, and nothing waits unseen.
  test('gone after it was decided', async () => {
    here.bank.say('other', 'o', -300n);
    await compare();
    await here.decide('o', { capturedMinor: 300n });
    here.bank.say('other', 'o', undefined);
    assert.equal((await compare()).found, 1);
    await here.decide('o', 'not-captured');
    assert.deepEqual(await balances(), [2_000n, 0n, 0n]);
    assert.equal((await compare()).state, 'agreed');
    await checkBooks();
  });

  // Guarantee: what the acquirer was to take back, and did not within three days, is the operator's again.
  test('promised, and not taken back', async () => {
    here.bank.say('other', 'o', -300n);
    await compare();
    assert.equal(await here.decide('o', 'not-captured'), true);
    const { found, open } = await compare();
    assert.deepEqual([found, open, await balances()], [0, 1, [1_700n, 300n, 0n]]);
    assert.equal((await here.compare(80, here.begun)).found, 1);
    assert.match((await here.parked('o')).join(), /^The bank was to correct it/);
    await here.decide('o', { capturedMinor: 300n });
    assert.deepEqual([(await compare()).state, await balances()], ['agreed', [1_700n, 0n, 300n]]);
    await checkBooks();
  });
});
