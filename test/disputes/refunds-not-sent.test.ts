// Refunds that were sent, that the bank does not know, and whose payer gets the money by a dispute meanwhile.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import type { DisputeStage } from '../../src/acquirer/index.ts';
import { Database, readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { sayDispute } from '../support/disputes.ts';
import { inWords } from '../support/findings.ts';
import { aTransaction, payBlik } from '../support/payments.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { claimDisputes, decideParked, handleCallback, listParked, moveRefunds } from '../support/rooms.ts';
import { atEnd, serve } from '../support/service.ts';
import { findingsOf } from '../support/verify.ts';

let here: Reconciling;
/** A paid transaction of 20.00. */
let id: string;
/** How often the bank was asked to refund. */
let sent: number;
/** Done by others while the bank is asked for a refund, or for what became of one. */
let meanwhile: { refund?: () => Promise<void>; find?: () => Promise<void> };

beforeEach(async () => {
  here = await aReconciling();
  await fund(here.service, here.merchant, 50_000n);
  [sent, meanwhile] = [0, {}];
  const { bank } = here;
  const [refund, find] = [bank.refund.bind(bank), bank.findRefund.bind(bank)];
  bank.refund = async (request) => {
    sent += 1;
    await meanwhile.refund?.();
    return refund(request);
  };
  bank.findRefund = async (request) => {
    await meanwhile.find?.();
    return find(request);
  };
  id = await aTransaction(here.service, here.merchant, { amount: 20 });
  await payBlik(here.service, here.merchant, id);
});

const say = (stage: DisputeStage, minor = 2_000n, key = 'dp_1') => sayDispute(here.world, id, stage, minor, { key });
const available = async () => -(await here.balanceOf(`merchant:${here.merchant.id}:available`));

/** Of this amount, or of all. The bank does not get it, and does not answer. */
async function aLost(body: object = {}): Promise<string> {
  const refundId = await aRefund(here.service, here.merchant, id, body);
  here.bank.answers = 'unknown';
  await pass({ seconds: 6 });
  here.bank.answers = 'approved';
  return refundId;
}

async function pass(time: Temporal.DurationLike = { hours: 2 }): Promise<void> {
  here.world.clock.advance(time);
  await here.moveRefunds();
}

async function decide(refundId: string, decision: Parameters<typeof decideParked>[2]): Promise<void> {
  assert.equal(await decideParked(here.world, refundId, decision), true);
}

const parked = async () => (await listParked(here.world)).map(({ kind, why }) => `${kind} ${why.code}`);

async function statusOf(refundId: string): Promise<string> {
  const { token } = here.merchant;
  return (await here.service.ask('GET', `/refunds/${refundId}`, { token })).body.status;
}

async function checkBooks(): Promise<void> {
  assert.deepEqual(inWords(await findingsOf(here.world)), []);
}

const waits = ['refund return_disputed', 'dispute refunded_too'];

// Guarantee: a refund that the bank did not get is not sent again while the payer has the same money by a dispute. It waits,
// and an operator is told.
// Guarantee: what a dispute takes back that was said before the payment, and that nobody has claimed yet, is not refunded.
test('a refund of a payment whose dispute waits to be claimed is refused', async () => {
  const { bank, merchant, service, world } = here;
  const late = await aTransaction(service, merchant, { amount: 20 });
  bank.answers = 'unknown';
  await payBlik(service, merchant, late);
  bank.answers = 'approved';
  const key = await world.db.sql.one((row) =>
    readText(row, 'id'),
  )`select id from charge where transaction_id = ${late}`;
  const amount = money(2_000n, 'PLN');
  const said = { kind: 'lost', chargeKey: key, amount, reason: 'fraudulent', respondUntil: null } as const;
  await handleCallback(world, { kind: 'dispute', key: 'dp_early', result: said });
  await handleCallback(world, { kind: 'charge', key, result: { kind: 'approved', amount } });
  const refund = () => service.ask('POST', `/transactions/${late}/refunds`, { token: merchant.token, body: {} });
  assert.equal((await refund()).body.errors[0].errorCode, 'payment_disputed');
  await claimDisputes(world);
  assert.equal((await refund()).body.errors[0].errorCode, 'payment_disputed');
  assert.deepEqual(await parked(), []);
  await checkBooks();
});

suite('a refund that the bank does not know, and whose payment is disputed', () => {
  for (const stage of ['opened', 'lost'] as const)
    test(`after it was sent: ${stage}`, async () => {
      const refundId = await aLost();
      await say(stage);
      for (const _ of [1, 2]) await pass();
      assert.deepEqual([sent, (await parked()).toSorted()], [1, waits.toSorted()]);
      assert.equal(await statusOf(refundId), 'BLIK_pending');
      await checkBooks();
    });

  test('while it is sent', async () => {
    meanwhile.refund = () => say('lost');
    await aLost();
    await pass();
    assert.deepEqual([sent, (await parked()).toSorted()], [1, waits.toSorted()]);
    await checkBooks();
  });

  test('while the bank is asked what became of it', async () => {
    await aLost();
    meanwhile.find = () => say('opened');
    await pass();
    assert.deepEqual([sent, (await parked()).toSorted()], [1, waits.toSorted()]);
    await checkBooks();
  });

  test('by what was said before the payment was paid, and that nobody has claimed yet', async () => {
    id = await aTransaction(here.service, here.merchant, { amount: 20 });
    here.bank.answers = 'unknown';
    const data = { groupId: 150, blikPaymentData: { blikToken: '777123' } };
    await here.service.ask('POST', `/transactions/${id}/pay`, { token: here.merchant.token, body: data });
    const key = await here.world.db.sql.one((row) => readText(row, 'id'))`
      select id from charge where transaction_id = ${id}`;
    const amount = money(2_000n, 'PLN');
    const dispute = { kind: 'opened', chargeKey: key, amount, reason: 'fraudulent', respondUntil: null } as const;
    await handleCallback(here.world, { kind: 'dispute', key: 'dp_1', result: dispute });
    await handleCallback(here.world, { kind: 'charge', key, result: { kind: 'approved', amount } });
    here.bank.say('capture', key, 2_000n);
    // What is said at the moment in which the refund is made.
    await here.world.db.sql.run`update dispute_unclaimed set claimed_at = heard_at`;
    await aLost();
    await here.world.db.sql.run`update dispute_unclaimed set claimed_at = null`;
    await pass();
    assert.deepEqual([sent, await parked()], [1, ['refund return_disputed']]);
    await claimDisputes(here.world);
    await pass();
    assert.deepEqual([sent, (await parked()).toSorted()], [1, waits.toSorted()]);
    await checkBooks();
  });

  test('is sent by no node', async () => {
    await aLost();
    await say('opened');
    const db = new Database({ url: here.world.databaseUrl, applicationName: 'second node' });
    atEnd(() => db.close());
    const second = await serve({ ...here.world, db });
    for (const _ of [1, 2, 3]) {
      here.world.clock.advance({ hours: 2 });
      await Promise.all([moveRefunds(here.world), moveRefunds(second.world), moveRefunds(here.world)]);
    }
    assert.deepEqual([sent, (await parked()).toSorted()], [1, waits.toSorted()]);
    await say('won');
    here.world.clock.advance({ hours: 2 });
    await Promise.all([moveRefunds(here.world), moveRefunds(second.world)]);
    await pass();
    assert.deepEqual([sent, await parked()], [2, []]);
    await checkBooks();
  });
});

// Guarantee: what waits for a dispute goes on when the payer does not get the money by it, or ends as an operator says.
suite('a refund that waits for a dispute', () => {
  test('is sent once the dispute is won', async () => {
    const refundId = await aLost();
    await say('opened');
    await pass();
    // Longer than a refund may wait for a result.
    await pass({ hours: 24 * 60 });
    await say('won');
    await pass({ seconds: 1 });
    await pass();
    assert.deepEqual([sent, await statusOf(refundId), await parked()], [2, 'BLIK_processed', []]);
    await checkBooks();
  });

  test('is sent once another refund leaves enough, and not before', async () => {
    const first = await aRefund(here.service, here.merchant, id, { amount: 8 });
    const second = await aLost({ amount: 8 });
    await say('opened', 1_000n);
    await pass();
    assert.equal(sent, 2);
    await decide(first, 'not-captured');
    await pass({ seconds: 1 });
    await pass();
    assert.deepEqual([sent, await statusOf(first), await statusOf(second)], [3, 'BLIK_incorrect', 'BLIK_processed']);
    await checkBooks();
  });

  test('is not paid, as an operator says: the merchant has it back', async () => {
    const before = await available();
    const refundId = await aLost();
    await say('lost');
    await pass();
    await decide(refundId, 'not-captured');
    await pass();
    assert.deepEqual([sent, await statusOf(refundId), await parked()], [1, 'BLIK_incorrect', []]);
    assert.equal(await available(), before - 2_000n);
    await checkBooks();
  });

  test('was paid, as an operator says, or the bank', async () => {
    for (const [index, isBank] of [true, false].entries()) {
      id = await aTransaction(here.service, here.merchant, { amount: 20 });
      await payBlik(here.service, here.merchant, id);
      sent = 0;
      const refundId = await aLost();
      await say('lost', 2_000n, `dp_${index}`);
      await pass();
      if (isBank) await handleCallback(here.world, { kind: 'refund', key: refundId, result: { kind: 'approved' } });
      else await decide(refundId, { capturedMinor: 2_000n });
      await pass();
      assert.deepEqual([sent, await statusOf(refundId)], [1, 'BLIK_processed']);
      await checkBooks();
    }
    assert.deepEqual(await parked(), ['dispute refunded_too', 'dispute refunded_too']);
  });

  // Guarantee: one whose row is damaged keeps no other from going on, and an operator is told.
  test('is sent beside one that cannot be written', async () => {
    const bad = await aLost();
    await say('opened', 2_000n, 'dp_1');
    const badId = id;
    id = await aTransaction(here.service, here.merchant, { amount: 20 });
    await payBlik(here.service, here.merchant, id);
    const fine = await aLost();
    await say('opened', 2_000n, 'dp_2');
    await pass();
    assert.equal(sent, 2);
    await here.damage(`update refund set amount_minor = 1999 where id = '${bad}'`);
    await sayDispute(here.world, badId, 'won', 2_000n, { key: 'dp_1' });
    await say('won', 2_000n, 'dp_2');
    await pass({ seconds: 1 });
    await pass();
    assert.deepEqual([sent, await statusOf(fine), await parked()], [3, 'BLIK_processed', ['refund not_written']]);
  });

  // Guarantee: what both come to is not more than was paid: the refund goes on.
  test('does not wait if enough is left for both', async () => {
    const refundId = await aLost({ amount: 8 });
    await say('lost', 1_200n);
    await pass();
    assert.deepEqual([sent, await statusOf(refundId), await parked()], [2, 'BLIK_processed', []]);
    await checkBooks();
  });
});
