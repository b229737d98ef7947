// What was decided and then overtaken: the bank amends, forgets and names again, a promise is not kept, a payout changes.
// Each of these once ended in "agree" with the receivable wrong for ever.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import type { Decision } from '../../src/banking/index.ts';
import { readText } from '../../src/database/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { inWords, reasonInWords } from '../support/findings.ts';
import { aTransaction, payBlik } from '../support/payments.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { moveRefunds } from '../support/rooms.ts';
import { aMerchant, aWorld, type Service, serve, type TestMerchant, type TestWorld } from '../support/service.ts';
import { StatementBank } from '../support/statement-bank.ts';
import { findingsOf, listTotals } from '../support/verify.ts';

const receivable = 'acquirer:simulator:receivable';

let service: Service;
let bank: StatementBank;
let merchant: TestMerchant;
let begun: Temporal.Instant;

beforeEach(async () => {
  const world = await aWorld();
  bank = new StatementBank(() => world.clock.now());
  service = await serve({ ...world, acquirers: acquirersOf(world, bank) } as unknown as TestWorld);
  merchant = await aMerchant(service);
  await fund(service, merchant, 1_000_000n);
  begun = world.clock.now().subtract({ seconds: 1 });
});

/** A payment of 20.00. */
async function aPayment(): Promise<string> {
  const id = await aTransaction(service, merchant, { amount: 20 });
  await payBlik(service, merchant, id);
  return service.world.db.sql.one((row) => readText(row, 'id'))`
    select id from charge where transaction_id = ${id}`;
}

async function compare(hours = 1) {
  service.world.clock.advance({ hours });
  service.world.wall.advance({ minutes: 2 });
  const run = await service.rooms.reconciliation.reconcile({ from: begun });
  assert.ok(run);
  return run;
}

async function parked(): Promise<string[]> {
  return (await service.rooms.reconciliation.parked.list()).map(({ why }) => reasonInWords(why) ?? '');
}

async function decide(decision: Decision): Promise<void> {
  const [item] = await service.rooms.reconciliation.parked.list();
  assert.equal(await service.rooms.reconciliation.parked.decide(item?.id ?? '', decision), true);
}

async function owed(): Promise<bigint> {
  const totals = await listTotals(service.world.db.sql);
  return totals.find(({ account }) => account === receivable)?.minor ?? 0n;
}

async function balanceOf(account: string): Promise<bigint> {
  const totals = await listTotals(service.world.db.sql);
  return totals.find((one) => one.account === account)?.minor ?? 0n;
}

async function checkBooks(): Promise<void> {
  assert.deepEqual(inWords(await findingsOf(service.world)), []);
}

suite('the bank amends what was decided', () => {
  // Guarantee: a correction that the bank overtakes is taken back, and said.
  test('20.00 shown as 5.00, decided, corrected to 20.00', async () => {
    const key = await aPayment();
    bank.say('capture', key, 500n);
    assert.equal((await compare()).found, 1);
    await decide({ capturedMinor: 500n });
    assert.deepEqual([await owed(), await balanceOf('expense:loss')], [500n, 1_500n]);
    bank.say('capture', key, 2_000n);
    const run = await compare();
    assert.deepEqual([run.state, run.found], ['differs', 1]);
    assert.deepEqual([await owed(), await balanceOf('expense:loss')], [2_000n, 0n]);
    assert.equal((await compare()).state, 'agreed');
    await checkBooks();
  });

  test('a refund of 20.00 shown as 5.00, decided, corrected to 20.00', async () => {
    const id = await aTransaction(service, merchant, { amount: 50 });
    await payBlik(service, merchant, id);
    const refundId = await aRefund(service, merchant, id, { amount: 20 });
    service.world.clock.advance({ seconds: 6 });
    while ((await moveRefunds(service.world)) > 0);
    bank.say('refund', refundId, 500n);
    assert.equal((await compare()).found, 1);
    await decide({ capturedMinor: 500n });
    assert.deepEqual([await owed(), await balanceOf('payer:unallocated')], [4_500n, -1_500n]);
    bank.say('refund', refundId, 2_000n);
    assert.equal((await compare()).found, 1);
    assert.deepEqual([await owed(), await balanceOf('payer:unallocated')], [3_000n, 0n]);
    assert.equal((await compare()).state, 'agreed');
    await checkBooks();
  });

  // Guarantee: what nobody asked for is in the books as the bank has it.
  test('an unmatched capture that the bank amends from 11.11 to 99.99', async () => {
    bank.say('capture', 'stray', 1_111n);
    await compare();
    bank.say('capture', 'stray', 9_999n);
    const run = await compare();
    assert.deepEqual(
      [run.state, await owed(), await parked()],
      ['differs', 9_999n, ['The bank captured 99.99; no payment of ours has it.']],
    );
    await checkBooks();
  });

  test('one that was returned before', async () => {
    bank.say('capture', 'stray', 1_111n);
    await compare();
    await decide({ capturedMinor: 1_111n });
    while ((await moveRefunds(service.world)) > 0);
    assert.equal((await compare()).state, 'agreed');
    bank.say('capture', 'stray', 9_999n);
    assert.equal((await compare()).state, 'differs');
    assert.deepEqual(await parked(), ['The bank has a capture of 99.99; our books have 11.11.']);
    await decide({ capturedMinor: 9_999n });
    assert.deepEqual([await owed(), (await compare()).state], [8_888n, 'agreed']);
    await checkBooks();
  });

  test('a capture that goes, returns and goes', async () => {
    const key = await aPayment();
    bank.say('capture', key, undefined);
    await compare();
    await decide('not-captured');
    assert.equal(await owed(), 0n);
    bank.say('capture', key, 2_000n);
    await compare();
    assert.equal(await owed(), 2_000n);
    bank.say('capture', key, undefined);
    const run = await compare();
    assert.deepEqual(
      [run.state, run.found, await parked()],
      ['differs', 1, ['Our books have a capture of 20.00; the bank has not.']],
    );
    await decide('not-captured');
    assert.deepEqual([await owed(), (await compare()).state], [0n, 'agreed']);
    await checkBooks();
  });

  // Guarantee: a decision is relative to what is booked, and none ends in a stack trace.
  test('not captured, then named with another amount, then captured', async () => {
    const key = await aPayment();
    bank.say('capture', key, undefined);
    await compare();
    await decide('not-captured');
    bank.say('capture', key, 700n);
    await compare();
    assert.deepEqual(await parked(), ['The bank has a capture of 7.00; our books have 0.00.']);
    await decide({ capturedMinor: 700n });
    assert.deepEqual([await owed(), await balanceOf('expense:loss')], [700n, 1_300n]);
    assert.equal((await compare()).state, 'agreed');
    await checkBooks();
  });

  // Guarantee: an amount that changes while it waits for an operator is the one that is decided about.
  test('another amount while it is parked', async () => {
    const key = await aPayment();
    bank.say('capture', key, 500n);
    await compare();
    bank.say('capture', key, 700n);
    assert.equal((await compare()).found, 1);
    assert.deepEqual(await parked(), ['The bank has a capture of 7.00; our books have 20.00.']);
    await decide({ capturedMinor: 700n });
    assert.equal(await owed(), 700n);
  });
});

suite('promises', () => {
  // Guarantee: what the bank is to correct stays named, and is an operator's again if it does not.
  test('a promise that is not kept is named again, with its history', async () => {
    const key = await aPayment();
    bank.say('capture', key, 500n);
    await compare();
    await decide({ capturedMinor: 2_000n });
    const promised = await compare();
    assert.deepEqual([promised.state, promised.found, promised.open], ['differs', 0, 1]);
    const run = await compare(72);
    assert.equal(run.found, 1);
    const [item] = await service.rooms.reconciliation.parked.list();
    assert.match(
      reasonInWords(item?.why) ?? '',
      /^The bank was to correct it, .* has a capture of 5.00; our books have 20.00\.$/,
    );
    assert.deepEqual(
      item?.history?.map(({ step }) => step),
      ['found', 'promised', 'changed'],
    );
    await checkBooks();
  });

  test('one that is kept is closed, also after its period', async () => {
    const key = await aPayment();
    bank.say('capture', key, 500n);
    await compare();
    await decide({ capturedMinor: 2_000n });
    bank.say('capture', key, 2_000n);
    service.world.clock.advance({ hours: 24 * 10 });
    service.world.wall.advance({ minutes: 2 });
    const run = await service.rooms.reconciliation.reconcile({
      from: service.world.clock.now().subtract({ hours: 1 }),
    });
    assert.deepEqual([run?.state, await parked()], ['agreed', []]);
    await checkBooks();
  });

  test('a capture that the bank is to reverse, and does not', async () => {
    bank.say('capture', 'stray', 1_111n);
    await compare();
    await decide('not-captured');
    assert.deepEqual([await owed(), (await compare()).found], [0n, 0]);
    assert.equal((await compare(80)).found, 1);
    assert.equal(await owed(), 1_111n);
    await checkBooks();
  });
});

suite('payouts', () => {
  const say = (minor: bigint | undefined, feeMinor = 0n) => bank.say('payout', 'payout-1', minor, { feeMinor });

  beforeEach(async () => {
    await aPayment();
  });

  test('shown again with another amount', async () => {
    say(990n, 10n);
    assert.equal((await compare()).state, 'agreed');
    say(1_490n, 10n);
    assert.equal((await compare()).found, 1);
    assert.deepEqual(await parked(), ['The bank has a payout of 14.90; our books have 9.90.']);
    await decide({ capturedMinor: 1_490n });
    assert.deepEqual([await owed(), await balanceOf('bank:client')], [500n, 1_001_490n]);
    assert.equal((await compare()).state, 'agreed');
    say(1_480n, 20n);
    assert.equal((await compare()).found, 1, 'amended again');
    await decide({ capturedMinor: 1_480n });
    assert.deepEqual([await owed(), await balanceOf('expense:acquirer_fee')], [500n, 20n]);
    await checkBooks();
  });

  // Guarantee: a payout that the acquirer does not owe is not believed.
  test('of more than the acquirer owes', async () => {
    say(99_999_999n);
    const run = await compare();
    assert.deepEqual([run.state, await owed()], ['differs', 2_000n]);
    assert.deepEqual(await parked(), ['The bank has a payout of 999999.99; by our books it owes only 20.00.']);
    say(1_990n, 10n);
    await compare();
    assert.deepEqual([await owed(), await parked(), (await compare()).state], [0n, [], 'agreed']);
    await checkBooks();
  });

  // Guarantee: a payout of which nothing arrived has its fee in the books, and no other.
  test('of nothing, with a fee', async () => {
    const booked = async () => [await owed(), await balanceOf('expense:acquirer_fee'), await balanceOf('bank:client')];
    const [, , before] = await booked();
    say(0n, 10n);
    assert.equal((await compare()).state, 'agreed');
    assert.deepEqual(await booked(), [1_990n, 10n, before]);
    say(0n, 25n);
    assert.equal((await compare()).found, 1);
    await decide({ capturedMinor: 0n });
    assert.deepEqual(await booked(), [1_975n, 25n, before]);
    say(undefined);
    assert.equal((await compare()).found, 1);
    await decide('not-captured');
    assert.deepEqual(await booked(), [2_000n, 0n, before]);
    assert.equal((await compare()).state, 'agreed');
    await checkBooks();
  });

  test('of more than the acquirer owes, and decided', async () => {
    say(2_500n);
    await compare();
    await decide({ capturedMinor: 2_500n });
    assert.deepEqual([await owed(), (await compare()).state], [-500n, 'agreed']);
    await checkBooks();
  });

  // Guarantee: what earlier runs have summed up counts, and nothing twice.
  test('over weeks', async () => {
    say(1_990n, 10n);
    assert.equal((await compare()).state, 'agreed');
    for (const week of [2, 3]) {
      service.world.clock.advance({ hours: 24 * 7 });
      await aPayment();
      bank.say('payout', `payout-${week}`, 2_001n);
      const run = await compare();
      assert.deepEqual([run.found, run.carriedMinor], [1, 0n]);
      assert.deepEqual(await parked(), ['The bank has a payout of 20.01; by our books it owes only 20.00.']);
      bank.say('payout', `payout-${week}`, 2_000n);
      assert.equal((await compare()).state, 'agreed');
    }
    assert.equal(await owed(), 0n);
    await checkBooks();
  });

  // Guarantee: a payout that is booked and that the statement no longer has is named.
  test('that the statement no longer has', async () => {
    say(990n, 10n);
    await compare();
    say(undefined);
    assert.equal((await compare()).found, 1);
    assert.deepEqual(await parked(), ['Our books have a payout of 9.90; the bank has not.']);
    await decide('not-captured');
    assert.deepEqual([await owed(), await balanceOf('expense:acquirer_fee')], [2_000n, 0n]);
    assert.equal((await compare()).state, 'agreed');
    await checkBooks();
  });

  test('that the bank is to correct: its line is read until it did', async () => {
    say(990n, 10n);
    await compare();
    say(1_490n, 10n);
    await compare();
    await decide({ capturedMinor: 990n });
    service.world.clock.advance({ hours: 24 * 20 });
    service.world.wall.advance({ minutes: 2 });
    const run = await service.rooms.reconciliation.reconcile({});
    assert.equal(run?.found, 1, 'not kept');
    await decide({ capturedMinor: 990n });
    say(990n, 10n);
    service.world.clock.advance({ hours: 24 });
    service.world.wall.advance({ minutes: 2 });
    assert.equal((await service.rooms.reconciliation.reconcile({}))?.state, 'agreed');
    await checkBooks();
  });
});
