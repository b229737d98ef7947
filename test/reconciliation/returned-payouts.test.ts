// Payouts that did not reach our bank account: the acquirer owes the money again.

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

/** What the acquirer owes us, what is on our bank account, and fees. */
async function balances(): Promise<bigint[]> {
  const accounts = ['acquirer:simulator:receivable', 'bank:client', 'expense:acquirer_fee'];
  return Promise.all(accounts.map((account) => here.balanceOf(account)));
}

const compare = () => here.compare(1, here.begun);

async function checkBooks(): Promise<void> {
  assert.deepEqual(inWords(await findingsOf(here.world)), []);
}

suite('payouts that came back', () => {
  // Guarantee: booked once, in the statement of the payout or in a later one; the fee stays with the acquirer.
  test('of a payout in the same statement, and read again', async () => {
    here.bank.say('payout', 'p', 1_900n, { feeMinor: 4n });
    here.bank.say('payoutReturned', 'p', 1_900n);
    assert.equal((await compare()).state, 'agreed');
    assert.deepEqual(await balances(), [1_996n, 0n, 4n]);
    assert.equal((await compare()).state, 'agreed');
    assert.equal((await here.compare(100)).state, 'agreed');
    assert.deepEqual(await balances(), [1_996n, 0n, 4n]);
    await checkBooks();
  });

  // Guarantee: what came back may be paid out again, in the same statement too.
  test('and was paid out again', async () => {
    here.bank.say('payout', 'p', 2_000n);
    here.bank.say('payoutReturned', 'p', 2_000n);
    here.bank.say('payout', 'q', 2_000n);
    assert.equal((await compare()).state, 'agreed');
    assert.deepEqual(await balances(), [0n, 2_000n, 0n]);
    await checkBooks();
  });

  // Guarantee: no more of a payout comes back than was paid out, unless an operator says so.
  test('of a payout that nobody knows, or of more than was paid', async () => {
    here.bank.say('payout', 'p', 500n);
    here.bank.say('payoutReturned', 'p', 600n);
    here.bank.say('payoutReturned', 'nobody', 300n);
    assert.equal((await compare()).found, 2);
    assert.deepEqual(await balances(), [1_500n, 500n, 0n]);
    assert.deepEqual(await here.parked('nobody'), [
      'The bank has 3.00 of a payout again; no payout of ours is that much.',
    ]);
    await checkBooks();
    assert.equal(await here.decide('nobody', { capturedMinor: 300n }), true);
    assert.deepEqual(await balances(), [1_800n, 200n, 0n]);
    here.bank.say('payoutReturned', 'p', 500n);
    assert.equal((await compare()).state, 'agreed');
    assert.deepEqual(await balances(), [2_300n, -300n, 0n]);
    await checkBooks();
  });

  // Guarantee: what the acquirer took after a payout does not make the payout wrong; what it took before does.
  test('before a fee that takes all of it', async () => {
    here.bank.say('payout', 'p', 1_900n);
    here.world.clock.advance({ hours: 1 });
    here.bank.say('fee', 'later', 150n);
    assert.equal((await compare()).state, 'agreed');
    assert.deepEqual(await balances(), [-50n, 1_900n, 150n]);
    here.world.clock.advance({ hours: 1 });
    here.bank.say('payout', 'q', 50n);
    assert.deepEqual(await here.parked('q'), []);
    assert.equal((await compare()).found, 1);
    await checkBooks();
  });

  // Guarantee: one that is amended or gone afterwards is named, and moves nothing by itself.
  test('amended, and gone', async () => {
    here.bank.say('payout', 'p', 2_000n);
    here.bank.say('payoutReturned', 'p', 2_000n);
    await compare();
    here.bank.say('payoutReturned', 'p', 1_500n);
    assert.equal((await compare()).found, 1);
    assert.deepEqual(await balances(), [2_000n, 0n, 0n]);
    await here.decide('p', { capturedMinor: 1_500n });
    assert.deepEqual(await balances(), [1_500n, 500n, 0n]);
    here.bank.say('payoutReturned', 'p', undefined);
    assert.equal((await compare()).found, 1);
    await here.decide('p', 'not-captured');
    assert.deepEqual(await balances(), [0n, 2_000n, 0n]);
    assert.equal((await compare()).state, 'agreed');
    await checkBooks();
  });
});
