// Refunds through the connector: listed before they are sent, paid once, and told when they come back.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { money } from '../../src/kernel/index.ts';
import type { FaultRule } from '../../src/simulators/stripe/index.ts';
import { aCharge, aRefund, aStripe, byKey, heldAt, type Stage } from '../support/stripe.ts';

const paidBack = { kind: 'approved', amount: money(4_000n, 'PLN') };
const send = 'POST /v1/refunds';

async function aPaid(stage: Stage): Promise<string> {
  const request = aCharge(stage.world);
  await stage.stripe.charge(request);
  stage.wait(6);
  return request.key;
}

suite('a refund', () => {
  let stage: Stage;
  before(async () => {
    stage = await aStripe();
  });
  // Guarantee: no refund is ever paid twice.
  after(() =>
    assert.deepEqual(
      [...heldAt(stage.fake).refunds.values()].filter((times) => times > 1),
      [],
    ),
  );

  const refundOf = (chargeKey: string, minor = 4_000n) => aRefund(stage.world.ids.ulid(), chargeKey, minor);

  test('is paid, and a repeat says the same', async () => {
    const request = refundOf(await aPaid(stage));
    assert.deepEqual(await stage.stripe.refund(request), { kind: 'approved' });
    assert.deepEqual(await stage.stripe.refund(request), { kind: 'approved' });
    assert.deepEqual(await stage.stripe.findRefund(byKey(request.key)), paidBack);
  });

  // Guarantee: equal refunds of one charge are told apart by their keys.
  test('two equal ones of the same charge are two', async () => {
    const charge = await aPaid(stage);
    const both = [refundOf(charge), refundOf(charge)];
    for (const one of both) assert.deepEqual(await stage.stripe.refund(one), { kind: 'approved' });
    const { refunds } = heldAt(stage.fake);
    assert.deepEqual(
      both.map(({ key }) => refunds.get(key)),
      [1, 1],
    );
  });

  // Guarantee: the room learns why, so that an operator knows whether trying later helps.
  test('declined: too little money, refunded already, disputed', async () => {
    const charge = await aPaid(stage);
    stage.fake.provider.changeSettings({ refundsNeedBalance: true });
    const early = refundOf(charge);
    assert.deepEqual(await stage.stripe.refund(early), { kind: 'declined', why: 'no_funds' });
    const found = { kind: 'declined', reason: 'insufficient funds', why: 'no_funds' };
    assert.deepEqual(await stage.stripe.findRefund(byKey(early.key)), found);
    stage.fake.provider.changeSettings({ refundsNeedBalance: false });
    assert.deepEqual(await stage.stripe.refund(early), { kind: 'declined', why: 'no_funds' });
    assert.deepEqual(await stage.stripe.refund(refundOf(charge, 10_000n)), { kind: 'approved' });
    for (const minor of [1n, 10_000n])
      assert.deepEqual(await stage.stripe.refund(refundOf(charge, minor)), {
        kind: 'declined',
        why: 'already_refunded',
      });
    const disputed = await aPaid(stage);
    await dispute(stage, disputed);
    assert.deepEqual(await stage.stripe.refund(refundOf(disputed)), { kind: 'declined', why: 'disputed' });
  });

  test('waiting, then paid', async () => {
    stage.fake.provider.changeSettings({ refundOutcome: 'pending' });
    const request = refundOf(await aPaid(stage));
    assert.deepEqual(await stage.stripe.refund(request), { kind: 'waiting' });
    stage.fake.provider.changeSettings({ refundOutcome: 'succeeded' });
    stage.wait(3_601);
    assert.deepEqual(await stage.stripe.findRefund(byKey(request.key)), paidBack);
  });

  test('failed at once', async () => {
    stage.fake.provider.changeSettings({ refundOutcome: 'fails' });
    const request = refundOf(await aPaid(stage));
    assert.deepEqual(await stage.stripe.refund(request), { kind: 'declined', why: 'refused' });
    stage.fake.provider.changeSettings({ refundOutcome: 'succeeded' });
    assert.deepEqual(await stage.stripe.refund(request), { kind: 'declined', why: 'refused' });
  });

  // Guarantee: each fault ends with one refund, by what the room does next.
  for (const [name, rule, first] of [
    ['the request is lost', { kind: 'lostRequest', endpoint: send, times: 1 }, 'unknown'],
    ['the answer is lost', { kind: 'lostAnswer', endpoint: send, times: 1 }, 'unknown'],
    ['a failure that is kept', { kind: 'failedBefore', endpoint: send, times: 1 }, 'unknown'],
    ['a failure after the effect', { kind: 'failedAfter', endpoint: send, times: 1 }, 'approved'],
    ['the key is in use', { kind: 'keyInUse', endpoint: send, times: 1 }, 'unknown'],
    ['the charge is held', { kind: 'lockTimeout', endpoint: send, times: 1 }, 'unknown'],
    ['our key is refused', { kind: 'unauthorized', endpoint: send, times: 1 }, 'unknown'],
    ['the charge is unknown', { kind: 'notFound', endpoint: send, times: 1 }, 'unknown'],
    ['the list is lost', { kind: 'lostAnswer', endpoint: 'GET /v1/refunds', times: 1 }, 'unknown'],
  ] as const satisfies readonly (readonly [string, FaultRule, string])[])
    test(`${name}: ${first}, then paid once`, async () => {
      const request = refundOf(await aPaid(stage));
      stage.faults(rule);
      assert.equal((await stage.stripe.refund(request)).kind, first);
      stage.faults();
      stage.wait(3);
      if ((await stage.stripe.findRefund(byKey(request.key))).kind === 'notFound') await stage.stripe.refund(request);
      assert.deepEqual(await stage.stripe.findRefund(byKey(request.key)), paidBack);
      assert.equal(heldAt(stage.fake).refunds.get(request.key), 1);
    });

  // Guarantee: too many requests cost time, and no refund is paid twice or called declined.
  test('a storm of 429', async () => {
    const charge = await aPaid(stage);
    const requests = Array.from({ length: 3 }, () => refundOf(charge, 100n));
    stage.faults({ kind: 'rateLimit', times: 5 });
    const answers = await Promise.all(requests.map((request) => stage.stripe.refund(request)));
    stage.faults();
    assert.ok(!answers.some(({ kind }) => kind === 'declined'));
    for (const request of requests) {
      if ((await stage.stripe.findRefund(byKey(request.key))).kind === 'notFound') await stage.stripe.refund(request);
      assert.equal(heldAt(stage.fake).refunds.get(request.key), 1);
    }
  });

  // Guarantee: the provider has forgotten the idempotency key and the database the row; the list knows the refund.
  test('a day after its answer was lost, in a restored database', async () => {
    const request = refundOf(await aPaid(stage));
    stage.faults({ kind: 'lostAnswer', endpoint: send, times: 1 });
    await stage.stripe.refund(request);
    stage.faults();
    stage.wait(26 * 3_600);
    await stage.world.db.sql.run`delete from stripe_refund`;
    await stage.world.db.sql.run`delete from stripe_charge`;
    assert.deepEqual(await stage.stripe.findRefund(byKey(request.key)), { kind: 'notFound' });
    assert.deepEqual(await stage.stripe.refund(request), { kind: 'approved' });
    assert.equal(heldAt(stage.fake).refunds.get(request.key), 1);
  });

  // Guarantee: a charge that nobody knows is not a declined refund: its money is somewhere.
  test('of a charge that is not known', async () => {
    const request = refundOf(stage.world.ids.ulid());
    assert.deepEqual(await stage.stripe.refund(request), { kind: 'unknown' });
  });

  test('the 101st refund of a charge is found', async () => {
    const charge = await aPaid(stage);
    const oldest = refundOf(charge, 1n);
    await stage.stripe.refund(oldest);
    for (let count = 0; count < 100; count += 1) await stage.stripe.refund(refundOf(charge, 1n));
    await stage.world.db.sql.run`update stripe_refund set provider_id = null where key = ${oldest.key}`;
    stage.wait(26 * 3_600);
    assert.deepEqual(await stage.stripe.refund(oldest), { kind: 'approved' });
    assert.equal(heldAt(stage.fake).refunds.get(oldest.key), 1);
  });
});

async function dispute({ fake }: Stage, chargeKey: string): Promise<void> {
  const intent = heldAt(fake).intents.find(({ metadata }) => metadata.grosz_key === chargeKey);
  const response = await fetch(`${fake.url}/_fake/disputes`, {
    method: 'POST',
    body: JSON.stringify({ payment_intent: intent?.id }),
  });
  assert.equal(response.status, 200);
}
