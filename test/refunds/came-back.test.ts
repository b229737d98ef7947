// Refunds that were paid and came back: the money is the merchant's again, once, whoever says so first.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { runHere, settingsIn } from '../support/command.ts';
import { inWords } from '../support/findings.ts';
import { mailsTo } from '../support/mail.ts';
import { aChild, aPaidSplit, aPartner, refundSplit } from '../support/marketplace.ts';
import { aPaidTransaction, show } from '../support/payments.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { aRefund, fund, refund } from '../support/refunds.ts';
import { decideParked, handleCallback, listParked, tickAll } from '../support/rooms.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';
import { findingsOf } from '../support/verify.ts';

let here: Reconciling;
let merchant: TestMerchant;
let logLines: string[];

beforeEach(async () => {
  logLines = [];
  here = await aReconciling({ logLines });
  merchant = await aMerchant(here.service, { refundFeeMinor: 100n });
  await fund(here.service, merchant, 100_000n);
});

/** What we owe the merchant: credits are negative. */
const balance = async () => -(await here.balanceOf(`merchant:${merchant.id}:available`));
const receivable = () => here.balanceOf('acquirer:simulator:receivable');
const returned = (key: string) => handleCallback(here.world, { kind: 'refund', key, result: { kind: 'returned' } });
const compare = () => here.compare(1, here.begun);

/** A refund that the bank has paid; `answer` is what it said. */
async function aPaidRefund(answer: 'approved' | 'unknown' = 'approved'): Promise<{ transaction: string; id: string }> {
  const transaction = await aPaidTransaction(here.service, merchant, { amount: 10 });
  const id = await aRefund(here.service, merchant, transaction);
  here.bank.answers = answer;
  here.world.clock.advance({ seconds: 6 });
  await here.moveRefunds();
  here.bank.answers = 'approved';
  return { transaction, id };
}

async function statusOf(id: string): Promise<string> {
  return (await here.service.ask('GET', `/refunds/${id}`, { token: merchant.token })).body.status;
}

async function toldOf(id: string): Promise<string> {
  const told = await here.world.db.sql.many((row) => JSON.parse(readText(row, 'body')).data.refundStatus)`
    select body from event where subject_id = ${id} order by created_at, id`;
  return told.join(' ');
}

async function journalsOf(source: string): Promise<string> {
  const kinds = await here.world.db.sql.many((row) => readText(row, 'kind'))`
    select kind from journal where source = ${source} order by kind`;
  return kinds.join(', ');
}

async function checkBooks(): Promise<void> {
  assert.deepEqual(inWords(await findingsOf(here.world)), []);
}

suite('a refund that came back', () => {
  // Guarantee: amount and fee are the merchant's again, and the payment can be refunded again.
  test('by callback: the merchant has it, is told, and can refund again', async () => {
    const { transaction, id } = await aPaidRefund();
    const [before, owed] = [await balance(), await receivable()];
    assert.equal((await show(here.service, merchant, transaction)).body.status, 'refund');
    await returned(id);
    assert.deepEqual([await balance(), await receivable()], [before + 1_100n, owed + 1_000n]);
    assert.equal(await statusOf(id), 'BLIK_incorrect');
    assert.equal(await toldOf(id), 'BLIK_pending BLIK_processed BLIK_incorrect');
    assert.equal((await show(here.service, merchant, transaction)).body.status, 'paid');
    assert.equal(await journalsOf(id), 'refund, refund came back, refund executed');
    const [parked] = await listParked(here.world);
    assert.deepEqual([parked?.id, parked?.why.code], [id, 'came_back']);
    // Found in the log by its fixed text; why is a field.
    const logged = logLines.map((line) => JSON.parse(line)).filter(({ refund: of }) => of === id);
    assert.deepEqual(
      logged.map(({ msg, why }) => [msg, why]),
      [['the bank moved money of a refund after its end', 'came_back']],
    );
    await checkBooks();
    assert.equal(await decideParked(here.world, id, 'not-captured'), true);
    assert.deepEqual([(await listParked(here.world)).length, await balance()], [0, before + 1_100n]);
    assert.equal((await refund(here.service, merchant, transaction, {})).status, 200);
    assert.equal(await balance(), before);
    await checkBooks();
  });

  // Guarantee: however often and whichever way it is said, it is booked once; and late approvals change nothing.
  test('by callback and by statement, in any order, and repeated', async () => {
    const [one, other] = [(await aPaidRefund()).id, (await aPaidRefund()).id];
    const before = await balance();
    await returned(one);
    await returned(one);
    for (const key of [one, other]) here.bank.say('refundReturned', key, 1_000n);
    assert.equal((await compare()).state, 'agreed');
    await returned(other);
    for (const key of [one, other]) {
      await handleCallback(here.world, { kind: 'refund', key, result: { kind: 'approved' } });
    }
    assert.equal((await compare()).state, 'agreed');
    assert.equal(await balance(), before + 2_200n);
    await checkBooks();
  });

  // Guarantee: at the command line as in the panel, what is only to be seen needs no decision about money.
  test('an operator takes it off the list as seen', async () => {
    const { id } = await aPaidRefund();
    await returned(id);
    const before = await balance();
    const environment = await settingsIn(here.world);
    const decide = (...words: readonly string[]) => runHere(['parked', 'decide', id, ...words], environment);
    // Another amount is none that the bank has to move.
    for (const [words, sentence] of [
      ['seen 9.00', `${id} is about 10.00: decide seen 10.00.`],
      ['captured 9.00', `${id} is only to be seen: decide seen 10.00.`],
      ['captured 10.00', `${id} is only to be seen: decide seen 10.00.`],
      ['not-captured', `${id} is only to be seen: decide seen 10.00.`],
      ['seen 9', 'The amount of seen has a point and two decimal places: seen 5.00, seen 49.90.'],
    ] as const) {
      const refused = await decide(...words.split(' '));
      assert.deepEqual([refused.code, refused.stderr], [1, `${sentence}\n`]);
    }
    assert.equal((await listParked(here.world)).length, 1);
    const ended = await decide('seen');
    assert.deepEqual([ended.code, ended.stderr], [0, '']);
    assert.deepEqual([(await listParked(here.world)).length, await balance()], [0, before]);
    await checkBooks();
  });

  // Guarantee: if the result of the refund was never heard, both moves are booked, and the statement agrees.
  test('before anybody said that it was paid', async () => {
    const before = await balance();
    const { id } = await aPaidRefund('unknown');
    await returned(id);
    assert.equal(await journalsOf(id), 'refund, refund came back, refund executed');
    here.bank.say('refund', id, 1_000n, { chargeKey: await chargeOf(id) });
    here.bank.say('refundReturned', id, 1_000n);
    assert.equal((await compare()).state, 'agreed');
    // The payment has no fee.
    assert.equal(await balance(), before + 1_000n);
    await checkBooks();
  });

  // Guarantee: money that the merchant had already is not given a second time.
  test("after it was paid late: it is the payer's", async () => {
    const { id } = await aPaidRefund('unknown');
    await handleCallback(here.world, { kind: 'refund', key: id, result: { kind: 'declined' } });
    const before = await balance();
    await handleCallback(here.world, { kind: 'refund', key: id, result: { kind: 'approved' } });
    assert.equal(await here.balanceOf('payer:unallocated'), 1_000n);
    await returned(id);
    await returned(id);
    assert.deepEqual([await balance(), await here.balanceOf('payer:unallocated')], [before, 0n]);
    await checkBooks();
  });

  // Guarantee: what the books have and the bank denies is named.
  test('that the bank does not know of', async () => {
    const { id } = await aPaidRefund();
    await returned(id);
    await compare();
    assert.deepEqual(await here.parked(id), ['Our books have a refund that came back of 10.00; the bank has not.']);
    here.bank.say('refundReturned', id, 1_000n);
    assert.equal((await compare()).state, 'agreed');
    await checkBooks();
  });

  // Guarantee: a line about a refund that nobody here knows is booked to the payers' money, and parked.
  test('that nobody here knows', async () => {
    const before = await receivable();
    here.bank.say('refundReturned', 'nobody', 700n);
    assert.equal((await compare()).found, 1);
    assert.deepEqual(await here.parked('nobody'), ['The bank has 7.00 of a refund again; no refund of ours is it.']);
    assert.deepEqual([await receivable(), await here.balanceOf('payer:unallocated')], [before + 700n, -700n]);
    await checkBooks();
  });

  // Guarantee: with another amount than ours nothing is booked unseen.
  test('with another amount', async () => {
    const { id } = await aPaidRefund();
    const before = await balance();
    here.bank.say('refundReturned', id, 900n);
    assert.equal((await compare()).state, 'differs');
    assert.equal(await balance(), before);
    await checkBooks();
  });

  // Guarantee: over several sellers each gets back what it gave, and the partner its commission.
  test('of several sellers', async () => {
    const partner = await aPartner(here.service);
    for (const one of [partner, ...partner.sellers]) await fund(here.service, one, 100_000n);
    const sellers = partner.sellers.map(({ id }) => `merchant:${id}:available`);
    const all = [`merchant:${partner.id}:available`, ...sellers];
    const balances = () => Promise.all(all.map((account) => here.balanceOf(account)));
    const id = await aPaidSplit(here.service, partner, [
      aChild(partner, 0, 700, { commission: 70 }),
      aChild(partner, 1, 300),
    ]);
    const before = await balances();
    const answer = await refundSplit(here.service, partner, id);
    assert.equal(answer.status, 200, answer.text);
    here.world.clock.advance({ seconds: 6 });
    await here.moveRefunds();
    const key = await here.world.db.sql.one((row) => readText(row, 'id'))`select id from refund`;
    await returned(key);
    assert.deepEqual(await balances(), before);
    await checkBooks();
    assert.equal((await refundSplit(here.service, partner, id)).status, 200);
    await checkBooks();
  });

  // Guarantee: a surplus that came back is the payer's still.
  test('of a surplus', async () => {
    here.bank.answers = 'unknown';
    await aCanceledCharge();
    here.bank.answers = 'approved';
    here.world.clock.advance({ seconds: 6 });
    await here.moveRefunds();
    const surplus = await here.world.db.sql.one((row) => readText(row, 'id'))`
      select id from outgoing_refund where purpose = 'surplus' and state = 'done'`;
    await returned(surplus);
    await returned(surplus);
    assert.equal(await here.balanceOf('payer:unallocated'), -1_001n);
    assert.deepEqual(
      (await listParked(here.world)).map(({ why }) => why.code),
      ['came_back'],
    );
    await checkBooks();
  });
});

async function chargeOf(id: string): Promise<string> {
  return here.world.db.sql.one((row) => readText(row, 'charge_key'))`
    select charge_key from outgoing_refund where id = ${id}`;
}

/** Captured after its transaction was canceled. */
async function aCanceledCharge(): Promise<void> {
  const answer = await here.service.ask('POST', '/transactions', {
    token: merchant.token,
    body: { amount: 10.01, description: 'Order' },
  });
  const id = answer.body.transactionId;
  await here.service.ask('POST', `/transactions/${id}/pay`, {
    token: merchant.token,
    body: { groupId: 150, blikPaymentData: { blikToken: '777123' } },
  });
  await here.service.ask('POST', `/transactions/${id}/cancel`, { token: merchant.token });
  const key = await here.world.db.sql.one((row) => readText(row, 'id'))`
    select id from charge where transaction_id = ${id}`;
  here.bank.say('capture', key, 1_001n);
  await handleCallback(here.world, {
    kind: 'charge',
    key,
    result: { kind: 'approved', amount: { minor: 1_001n, currency: 'PLN' } },
  });
}

suite('with the simulated bank', () => {
  const always = { probability: 1, seed: 1 };

  // Guarantee: days later the bank has the money again, says so twice, and its statement agrees with the books.
  test('it comes back after three days, by callback and in the statement', async () => {
    const service = await aService({ catchMail: true });
    const shop = await aMerchant(service, { refundFeeMinor: 100n });
    await fund(service, shop, 100_000n);
    service.world.bank.setFaults({ returnedRefund: always, duplicateCallback: always, chargeFee: always });
    const id = await aPaidTransaction(service, shop);
    await aRefund(service, shop, id);
    service.world.clock.advance({ seconds: 6 });
    await tickAll(service.world);
    assert.equal((await show(service, shop, id)).body.status, 'refund');
    service.world.clock.advance({ hours: 73 });
    await tickAll(service.world);
    assert.equal((await show(service, shop, id)).body.status, 'paid');
    assert.equal((await service.rooms.reconciliation.reconcile({}))?.state, 'agreed');
    assert.deepEqual(inWords(await findingsOf(service.world)), []);
    const mails = await mailsTo(service.world, await emailOf(service, shop));
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      ['A refund of PLN 10.01 did not reach the payer'],
    );
  });

  // Guarantee: if the callback is lost, the statement says it.
  test('only in the statement', async () => {
    const service = await aService();
    const shop = await aMerchant(service, {});
    await fund(service, shop, 100_000n);
    service.world.bank.setFaults({ returnedRefund: always, lateCallback: { ...always, seconds: 10_000_000 } });
    const id = await aPaidTransaction(service, shop);
    await aRefund(service, shop, id);
    service.world.clock.advance({ seconds: 6 });
    await tickAll(service.world);
    service.world.clock.advance({ hours: 73 });
    const run = await service.rooms.reconciliation.reconcile({});
    assert.deepEqual([run?.state, run?.applied], ['agreed', 1]);
    assert.equal((await show(service, shop, id)).body.status, 'paid');
    assert.deepEqual(inWords(await findingsOf(service.world)), []);
  });
});

function emailOf({ world }: Service, { id }: TestMerchant): Promise<string> {
  return world.db.sql.one((row) => readText(row, 'email'))`select email from account where id = ${id}`;
}
