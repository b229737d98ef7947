// Fees that are lines of the statement: of a charge, or alone. The books follow the first time; afterwards an operator decides.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { inWords } from '../support/findings.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { findingsOf } from '../support/verify.ts';

const receivable = 'acquirer:simulator:receivable';
const fees = 'expense:acquirer_fee';

let here: Reconciling;

beforeEach(async () => {
  here = await aReconciling();
});

async function balances(): Promise<[bigint, bigint]> {
  return [await here.balanceOf(receivable), await here.balanceOf(fees)];
}

const compare = () => here.compare(1, here.begun);

async function checkBooks(): Promise<void> {
  assert.deepEqual(inWords(await findingsOf(here.world)), []);
}

async function feeTotal() {
  const [run] = await here.service.rooms.reconciliation.runs();
  assert.ok(run);
  const totals = await here.service.rooms.reconciliation.totals([run.id]);
  const { bankMinor, ourMinor, elsewhereMinor, namedMinor, unexplainedMinor } =
    totals.find(({ kind }) => kind === 'fee') ?? assert.fail('fees are summed up');
  return { fees: run.feesMinor, bankMinor, ourMinor, elsewhereMinor, namedMinor, unexplainedMinor };
}

suite('fees in the statement', () => {
  // Guarantee: each fee is in the books once, however often its line is read; what the acquirer owes us is less by it.
  test('of a charge and alone, each booked once', async () => {
    const key = await here.pay();
    here.bank.say('fee', `${key}-fee`, 31n, { chargeKey: key });
    here.bank.say('fee', 'monthly', 500n);
    assert.equal((await compare()).state, 'agreed');
    assert.deepEqual(await balances(), [1_469n, 531n]);
    assert.equal((await compare()).state, 'agreed');
    assert.equal((await here.compare(100)).state, 'agreed');
    assert.deepEqual(await balances(), [1_469n, 531n]);
    await checkBooks();
  });

  // Guarantee: a fee line that is repeated is booked once, and named.
  test('a line that the statement has twice', async () => {
    here.bank.say('fee', 'twice', 31n);
    here.bank.repeat('fee', 'twice');
    assert.equal((await compare()).state, 'differs');
    assert.deepEqual(await balances(), [-31n, 31n]);
    assert.deepEqual(await here.parked('twice'), [
      'The statement names a fee of 0.31 more than once, 0.62 in all; it was compared once.',
    ]);
    await checkBooks();
  });

  // Guarantee: sums by kind know fees with a line and fees of payouts together.
  test('are in the total of fees, with those of payouts', async () => {
    const key = await here.pay();
    here.bank.say('fee', 'f', 31n, { chargeKey: key });
    here.bank.say('payout', 'p', 1_900n, { feeMinor: 4n });
    assert.equal((await compare()).state, 'agreed');
    assert.deepEqual(await feeTotal(), {
      fees: 35n,
      bankMinor: 35n,
      ourMinor: 35n,
      elsewhereMinor: 0n,
      namedMinor: 0n,
      unexplainedMinor: 0n,
    });
  });

  // Guarantee: a fee that the acquirer changes afterwards moves nothing by itself; decided, the books have its amount.
  test('amended, named, and booked as decided', async () => {
    here.bank.say('fee', 'f', 31n);
    await compare();
    here.bank.say('fee', 'f', 40n);
    const amended = await compare();
    assert.deepEqual([amended.state, amended.found, await balances()], ['differs', 1, [-31n, 31n]]);
    assert.deepEqual(await here.parked('f'), ['The bank has a fee of 0.40; our books have 0.31.']);
    assert.deepEqual((await feeTotal()).unexplainedMinor, 0n);
    await checkBooks();
    assert.equal(await here.decide('f', { capturedMinor: 40n }), true);
    assert.deepEqual(await balances(), [-40n, 40n]);
    assert.equal((await compare()).state, 'agreed');
    await checkBooks();
  });

  // Guarantee: the bank may be told to correct it; if it does, nothing was booked.
  test('amended, promised, and corrected by the bank', async () => {
    here.bank.say('fee', 'f', 31n);
    await compare();
    here.bank.say('fee', 'f', 40n);
    await compare();
    await here.decide('f', { capturedMinor: 31n });
    assert.equal((await compare()).open, 1);
    here.bank.say('fee', 'f', 31n);
    assert.equal((await compare()).state, 'agreed');
    assert.deepEqual(await balances(), [-31n, 31n]);
    await checkBooks();
  });

  // Guarantee: what the books have and the statement has no more is named, and found again if it returns.
  test('gone, and there again', async () => {
    here.bank.say('fee', 'f', 31n);
    await compare();
    here.bank.say('fee', 'f', undefined);
    assert.equal((await compare()).found, 1);
    assert.deepEqual(await here.parked('f'), ['Our books have a fee of 0.31; the bank has not.']);
    assert.equal((await feeTotal()).unexplainedMinor, 0n);
    here.bank.say('fee', 'f', 31n);
    const again = await compare();
    // Its line is of another time now, as banks do.
    assert.deepEqual([again.open, await balances()], [0, [-31n, 31n]]);
    await checkBooks();
  });

  // Guarantee: a fee that was taken back is out of the books once an operator says so, and is not booked again unseen.
  test('gone for good, and named when it comes back', async () => {
    here.bank.say('fee', 'f', 31n);
    await compare();
    here.bank.say('fee', 'f', undefined);
    await compare();
    await here.decide('f', 'not-captured');
    assert.deepEqual(await balances(), [0n, 0n]);
    assert.equal((await compare()).state, 'agreed');
    here.bank.say('fee', 'f', 31n);
    assert.equal((await compare()).found, 1);
    assert.deepEqual(await balances(), [0n, 0n]);
    await checkBooks();
  });

  // Guarantee: a fee outside the default period whose difference is open is read again.
  test('an open difference keeps its period in the run', async () => {
    here.bank.say('fee', 'f', 31n);
    await compare();
    here.bank.say('fee', 'f', 40n);
    assert.equal((await here.compare(1)).open, 1);
    assert.equal((await here.compare(24 * 10)).open, 1);
    here.bank.say('fee', 'f', 31n);
    assert.equal((await here.compare(24 * 10)).state, 'agreed');
    await checkBooks();
  });
});
