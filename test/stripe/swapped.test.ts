// What the connector keeps about a charge or a refund may have been changed behind its back. The provider's object says whose
// it is: by its metadata, which nobody here can change.

import assert from 'node:assert/strict';
import { before, beforeEach, suite, test } from 'node:test';
import { money, Secret } from '../../src/kernel/index.ts';
import { aCharge, aRefund, aStripe, byKey, controlFake, heldAt, type Stage } from '../support/stripe.ts';

const unknown = { kind: 'unknown' };

/** Two rows exchange what they have in a column, as somebody with the database could. */
async function exchange({ world }: Stage, table: 'stripe_charge' | 'stripe_refund', keys: readonly string[]) {
  const { sql } = world.db;
  const read = (row: Record<string, unknown>) => String(row.provider_id);
  const [one, other] = keys;
  if (table === 'stripe_charge') {
    const [first, second] = await Promise.all(
      [one, other].map((key) => sql.one(read)`select provider_id from stripe_charge where key = ${key}`),
    );
    await sql.run`update stripe_charge set provider_id = 'pi_between' where key = ${one}`;
    await sql.run`update stripe_charge set provider_id = ${first} where key = ${other}`;
    await sql.run`update stripe_charge set provider_id = ${second} where key = ${one}`;
    return;
  }
  const [first, second] = await Promise.all(
    [one, other].map((key) => sql.one(read)`select provider_id from stripe_refund where key = ${key}`),
  );
  await sql.run`update stripe_refund set provider_id = 're_between' where key = ${one}`;
  await sql.run`update stripe_refund set provider_id = ${first} where key = ${other}`;
  await sql.run`update stripe_refund set provider_id = ${second} where key = ${one}`;
}

/** The intents of these keys, in their order. */
const intentsOf = (stage: Stage, keys: readonly string[]) =>
  keys.map((key) => heldAt(stage.fake).intents.find(({ metadata }) => metadata.grosz_key === key));

suite('two charges that exchanged their intents', () => {
  let lines: string[];
  let stage: Stage;
  let keys: string[];
  before(async () => {
    lines = [];
    stage = await aStripe({ world: { logLines: lines } });
  });
  const alarms = () => lines.filter((line) => line.includes('what cannot be')).length;
  const begin = async (seconds: number) => {
    const requests = [aCharge(stage.world), aCharge(stage.world, { minor: 20_000n })];
    for (const request of requests) await stage.stripe.charge(request);
    stage.wait(seconds);
    keys = requests.map(({ key }) => key);
    await exchange(stage, 'stripe_charge', keys);
    return requests;
  };
  beforeEach(() => lines.splice(0));

  // Guarantee: money goes back to the payer that it came from, or not at all.
  test('are not refunded, and it is told', async () => {
    await begin(6);
    for (const key of keys)
      assert.deepEqual(await stage.stripe.refund(aRefund(stage.world.ids.ulid(), key, 1_000n)), unknown);
    assert.equal(heldAt(stage.fake).refunds.size, 0);
    assert.ok(alarms() >= 2);
  });

  // Guarantee: an answer about another charge is no answer about this one.
  test('are neither paid nor declined by each other', async () => {
    const requests = await begin(6);
    for (const request of requests) {
      assert.deepEqual(await stage.stripe.findCharge(byKey(request.key)), unknown);
      assert.deepEqual(await stage.stripe.charge(request), unknown);
    }
    for (const key of keys) assert.equal(heldAt(stage.fake).captures.get(key), 1);
    assert.ok(alarms() >= 4);
  });

  // Guarantee: the cancel of one charge never ends that of another payer.
  test('do not cancel each other', async () => {
    await begin(0);
    for (const key of keys) assert.deepEqual(await stage.stripe.cancel(byKey(key)), unknown);
    assert.deepEqual(
      intentsOf(stage, keys).map((intent) => intent?.status),
      ['requires_action', 'requires_action'],
    );
  });

  // Guarantee: the statement names each charge, its refund and its dispute as the provider does.
  test('are told apart by the statement', async () => {
    await begin(6);
    const [intent] = intentsOf(stage, keys);
    // Its line is on a page without the captures, which name their charges themselves.
    stage.wait(60);
    await controlFake(stage, 'disputes', { payment_intent: intent?.id });
    const linesOf = async (seconds: number) => {
      const to = stage.world.clock.now().add({ seconds: 1 });
      const period = { from: to.subtract({ seconds }), to, after: null, limit: 1_000, deadlineMilliseconds: 10_000 };
      const answer = await stage.stripe.statement(period);
      assert.ok(answer.kind === 'page');
      return answer.lines;
    };
    const captures = (await linesOf(65)).filter((line) => line.kind === 'capture' && keys.includes(line.key));
    assert.deepEqual(
      captures.map(({ key, amount }) => [key, amount.minor]).toSorted(),
      [
        [keys[0], 10_000n],
        [keys[1], 20_000n],
      ].toSorted(),
    );
    const disputed = (await linesOf(5)).find((line) => line.kind === 'dispute');
    assert.deepEqual([disputed?.chargeKey, disputed?.amount.minor], [keys[0], 10_000n]);
    assert.ok(alarms() > 0);
  });
});

suite('two refunds', () => {
  let lines: string[];
  let stage: Stage;
  before(async () => {
    lines = [];
    stage = await aStripe({ world: { logLines: lines } });
  });
  const paid = async () => {
    const request = aCharge(stage.world);
    await stage.stripe.charge(request);
    stage.wait(6);
    return request.key;
  };

  // Guarantee: what became of a refund is never said of another one.
  test('that exchanged their ids are unknown', async () => {
    const charge = await paid();
    stage.fake.provider.changeSettings({ refundOutcome: 'pending' });
    const requests = [1_000n, 2_000n].map((minor) => aRefund(stage.world.ids.ulid(), charge, minor));
    for (const request of requests) await stage.stripe.refund(request);
    stage.fake.provider.changeSettings({ refundOutcome: 'succeeded' });
    await exchange(
      stage,
      'stripe_refund',
      requests.map(({ key }) => key),
    );
    for (const request of requests) {
      assert.deepEqual(await stage.stripe.findRefund(byKey(request.key)), unknown);
      assert.deepEqual(await stage.stripe.refund(request), unknown);
    }
    assert.match(lines.join(''), /what cannot be/);
  });

  // Guarantee: a refund is sent as it was asked for, of that charge and amount, or not at all.
  test('whose charge, intent or amount was changed are not sent', async () => {
    const [one, other] = [await paid(), await paid()];
    const [, otherIntent] = intentsOf(stage, [one, other]);
    const { sql } = stage.world.db;
    const send = 'POST /v1/refunds';
    const { size } = heldAt(stage.fake).refunds;
    const changes: ((key: string) => Promise<unknown>)[] = [
      (key) => sql.run`update stripe_refund set charge_key = ${other} where key = ${key}`,
      (key) => sql.run`update stripe_refund set intent_id = ${otherIntent?.id} where key = ${key}`,
      (key) => sql.run`update stripe_refund set amount_minor = amount_minor + 1 where key = ${key}`,
    ];
    for (const change of changes) {
      const request = aRefund(stage.world.ids.ulid(), one, 1_000n);
      stage.faults({ kind: 'lostRequest', endpoint: send });
      await stage.stripe.refund(request);
      stage.faults();
      await change(request.key);
      assert.deepEqual(await stage.stripe.refund(request), unknown);
    }
    assert.equal(heldAt(stage.fake).refunds.size, size);
  });

  // Guarantee: what was paid back is what the provider paid back, whatever the row says.
  test('of another amount in the row are what the provider says', async () => {
    const request = aRefund(stage.world.ids.ulid(), await paid(), 1_500n);
    await stage.stripe.refund(request);
    await stage.world.db.sql.run`update stripe_refund set amount_minor = 1 where key = ${request.key}`;
    assert.deepEqual(await stage.stripe.findRefund(byKey(request.key)), {
      kind: 'approved',
      amount: money(1_500n, 'PLN'),
    });
  });
});

suite('a process that died after the payer paid', () => {
  // Guarantee: whether the repeated request reached the provider says nothing about the first one: it is looked up, not ended.
  test('and whose request does not reach the provider again is asked about', async () => {
    const stage = await aStripe();
    const request = aCharge(stage.world);
    await stage.stripe.charge(request);
    stage.wait(6);
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const away = await stage.another({
      send: () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: refused })),
    });
    const repeated = { ...request, instrument: { kind: 'blik', code: new Secret('654321'), aliases: [] } } as const;
    assert.deepEqual(await away.charge(repeated), unknown);
    assert.deepEqual(await stage.stripe.findCharge(byKey(request.key)), {
      kind: 'approved',
      amount: money(10_000n, 'PLN'),
    });
  });

  // Guarantee: the same while the first confirmation may still be on its way: the mark says that one was sent.
  test('and whose confirmation was sent before is asked about', async () => {
    const stage = await aStripe();
    const request = aCharge(stage.world);
    stage.faults({ kind: 'lostRequest', endpoint: '/confirm', times: 1 });
    assert.deepEqual(await stage.stripe.charge(request), unknown);
    stage.faults();
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const away = await stage.another({
      send: (address, init) =>
        String(address).endsWith('/confirm')
          ? Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: refused }))
          : fetch(address, init),
    });
    assert.deepEqual(await away.charge(request), unknown);
    assert.deepEqual(await stage.stripe.charge(request), { kind: 'waiting', link: null });
    stage.wait(6);
    assert.equal(heldAt(stage.fake).captures.get(request.key), 1);
  });
});
