// Events: verified, then only a hint. What is passed on is what the provider says when it is asked.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Stripe } from 'stripe';
import type { Callback } from '../../src/acquirer/index.ts';
import { money, Secret } from '../../src/kernel/index.ts';
import { Seeded } from '../support/seeded.ts';
import { aCharge, aRefund, aStripe, byKey, heldAt, type Stage } from '../support/stripe.ts';

const scopeOf = ({ fake }: Stage) => `${fake.provider.main.account}/test`;

/** All events so far, oldest first. */
function eventsOf(stage: Stage): Stripe.Event[] {
  stage.fake.provider.runDue();
  return stage.fake.provider.store.list('event', scopeOf(stage), { limit: 10_000 }).reverse();
}

interface Sending {
  readonly secret?: string;
  /** Relative to the clock of the service. */
  readonly seconds?: number;
  readonly to?: Stage['stripe'];
}

interface Answer {
  readonly status: number;
  readonly callbacks?: readonly Callback[];
}

/** With the status of the response. */
async function receive(stripe: Stage['stripe'], rawBody: Uint8Array, signature?: string): Promise<Answer> {
  const headers = signature === undefined ? {} : { 'stripe-signature': signature };
  const received = await stripe.receive({ headers, rawBody, path: '/acquirer/stripe/events' });
  if (received.kind === 'callbacks') return { status: 200, callbacks: received.callbacks };
  return { status: received.kind === 'refused' ? 400 : 503 };
}

function send(stage: Stage, event: object, { secret, seconds = 0, to = stage.stripe }: Sending = {}): Promise<Answer> {
  const payload = JSON.stringify(event);
  const header = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: secret ?? stage.fake.provider.main.webhookSecret,
    timestamp: Math.floor(stage.world.clock.now().epochMilliseconds / 1_000) + seconds,
  });
  return receive(to, Buffer.from(payload), header);
}

const callbacksOf = (answer: Answer): readonly Callback[] => answer.callbacks ?? [];

async function control({ fake }: Stage, name: string, body: object): Promise<void> {
  const response = await fetch(`${fake.url}/_fake/${name}`, { method: 'POST', body: JSON.stringify(body) });
  assert.equal(response.status, 200, await response.text());
}

suite('an event', () => {
  let stage: Stage;
  before(async () => {
    stage = await aStripe();
    await stage.stripe.charge(aCharge(stage.world));
    stage.wait(6);
  });

  // Guarantee: what is passed on was looked up, so an old event says what is true now.
  test('about a payment: what it is by now, not what the event says', async () => {
    const request = aCharge(stage.world);
    await stage.stripe.charge(request);
    const begun = eventsOf(stage).findLast(({ type }) => type === 'payment_intent.requires_action');
    assert.ok(begun);
    assert.deepEqual(callbacksOf(await send(stage, begun)), []);
    stage.wait(6);
    const paid = {
      kind: 'charge',
      key: request.key,
      lookedUp: true,
      result: { kind: 'approved', amount: money(10_000n, 'PLN') },
    };
    assert.deepEqual(callbacksOf(await send(stage, begun)), [paid]);
  });

  test('about a decline, and a cancel by a person at the provider', async () => {
    const declined = aCharge(stage.world, { email: 'customer_declined@example.com' });
    const canceled = aCharge(stage.world);
    await stage.stripe.charge(declined);
    await stage.stripe.charge(canceled);
    const intent = heldAt(stage.fake).intents.find(({ metadata }) => metadata.grosz_key === canceled.key);
    const { url, provider } = stage.fake;
    await fetch(`${url}/v1/payment_intents/${intent?.id}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${provider.main.secretTest}` },
    });
    stage.wait(10);
    const results = new Map<string, unknown>();
    for (const event of eventsOf(stage))
      for (const one of callbacksOf(await send(stage, event)))
        if (one.kind === 'charge') results.set(one.key, one.result);
    assert.deepEqual(results.get(declined.key), { kind: 'declined', reason: 'payer rejected' });
    assert.deepEqual(results.get(canceled.key), { kind: 'canceled' });
  });

  // Guarantee: only who has the secret is believed, and nobody repeats an old event.
  test('400: another secret, no signature, another body, too old', async () => {
    const [event] = eventsOf(stage);
    assert.ok(event);
    assert.equal((await send(stage, event, { secret: 'whsec_other_secret' })).status, 400);
    assert.equal((await receive(stage.stripe, Buffer.from(JSON.stringify(event)))).status, 400);
    assert.equal((await receive(stage.stripe, Buffer.alloc(0), 't=1,v1=00')).status, 400);
    assert.equal((await send(stage, event, { seconds: -301 })).status, 400);
    assert.equal((await send(stage, event, { seconds: -299 })).status, 200);
    const payload = JSON.stringify(event);
    const header = Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: stage.fake.provider.main.webhookSecret,
      timestamp: Math.floor(stage.world.clock.now().epochMilliseconds / 1_000),
    });
    assert.equal((await receive(stage.stripe, Buffer.from(`${payload} `), header)).status, 400);
  });

  // Guarantee: a clock that is off is told by the log, and look-ups go on without events.
  test('400: a clock that is ten minutes ahead; the look-up still finds the payment', async () => {
    const lines: string[] = [];
    const own = await aStripe({ world: { logLines: lines } });
    const request = aCharge(own.world);
    await own.stripe.charge(request);
    const [event] = eventsOf(own);
    assert.ok(event);
    own.wait(6);
    assert.equal((await send(own, event, { seconds: -600 })).status, 400);
    assert.match(lines.join(''), /"secondsOff":600/);
    assert.equal((await own.stripe.findCharge(byKey(request.key))).kind, 'approved');
  });

  // Guarantee: while a secret is replaced, events signed with either are read.
  test('signed with the old secret or the new one', async () => {
    const [event] = eventsOf(stage);
    assert.ok(event);
    const both = await stage.another({
      webhookSecrets: [new Secret('whsec_the_new_one'), new Secret('whsec_the_old_one')],
    });
    for (const secret of ['whsec_the_new_one', 'whsec_the_old_one'])
      assert.equal((await send(stage, event, { secret, to: both })).status, 200);
    assert.equal((await send(stage, event, { to: both })).status, 400);
  });

  // Guarantee: when the provider cannot be asked, the event comes again.
  test('503: it cannot be looked up now', async () => {
    const event = eventsOf(stage).find(({ type }) => type === 'payment_intent.succeeded');
    assert.ok(event);
    for (const kind of ['lostAnswer', 'unauthorized', 'failedBefore'] as const) {
      stage.faults({ kind });
      assert.equal((await send(stage, event)).status, 503, kind);
    }
    stage.faults();
  });

  // Guarantee: others may use the account; nothing of theirs is passed on, and nothing is asked for again.
  test('200 and nothing: objects of others, other types, another mode, another account, gone', async () => {
    await control(stage, 'fill', { count: 1, metadata: { grosz_key: 'theirs', grosz_installation: 'another' } });
    const theirs = eventsOf(stage)
      .filter(({ type }) => type === 'payment_intent.succeeded')
      .at(-1);
    const mine = eventsOf(stage).find(({ type }) => type === 'payment_intent.succeeded');
    assert.ok(theirs && mine);
    const nothing = { status: 200, callbacks: [] };
    assert.deepEqual(await send(stage, theirs), nothing);
    assert.deepEqual(await send(stage, { ...mine, type: 'customer.created' }), nothing);
    assert.deepEqual(await send(stage, { ...mine, livemode: true }), nothing);
    assert.deepEqual(await send(stage, { ...mine, account: 'acct_other' }), nothing);
    assert.deepEqual(await send(stage, { ...mine, data: { object: { id: 'pi_gone' } } }), nothing);
    assert.deepEqual(await send(stage, { ...mine, data: {} }), nothing);
    assert.deepEqual(await send(stage, { ...mine, type: undefined }), nothing);
    assert.deepEqual(await send(stage, { ...mine, type: 5 }), nothing);
    assert.equal(callbacksOf(await send(stage, mine)).length, 1);
  });

  // Guarantee: an id of an event never becomes another path of the provider.
  test('200 and nothing: an id that is none', async () => {
    const mine = eventsOf(stage).find(({ type }) => type === 'payment_intent.succeeded');
    for (const id of ['../accounts', 'pi_1/confirm', '', 7])
      assert.deepEqual(await send(stage, { ...mine, data: { object: { id } } }), { status: 200, callbacks: [] });
  });

  test('about a refund that waits and is paid', async () => {
    const own = await aStripe({ settings: { refundOutcome: 'pending' } });
    const paid = aCharge(own.world);
    await own.stripe.charge(paid);
    own.wait(6);
    const key = own.world.ids.ulid();
    await own.stripe.refund(aRefund(key, paid.key, 4_000n));
    own.wait(3_601);
    const events = eventsOf(own).filter(({ type }) => type.startsWith('refund.'));
    for (const event of events)
      assert.deepEqual(callbacksOf(await send(own, event)), [{ kind: 'refund', key, result: { kind: 'approved' } }]);
  });

  // Guarantee: money that came back after it was reported as paid is told as that, a month later and to every event.
  test('about a refund that fails a month after it was paid', async () => {
    const own = await aStripe();
    const paid = aCharge(own.world);
    await own.stripe.charge(paid);
    own.wait(6);
    const key = own.world.ids.ulid();
    assert.deepEqual(await own.stripe.refund(aRefund(key, paid.key, 4_000n)), { kind: 'approved' });
    own.wait(30 * 86_400);
    const [refund] = own.fake.provider.store.list('refund', scopeOf(own), { limit: 1 });
    await control(own, 'refunds', { refund: refund?.id, outcome: 'failed' });
    const events = eventsOf(own).filter(({ type }) => /^refund\.|^charge\.refund\.updated/.test(type));
    assert.ok(events.some(({ type }) => type === 'refund.failed'));
    for (const event of events)
      assert.deepEqual(callbacksOf(await send(own, event)), [{ kind: 'refund', key, result: { kind: 'returned' } }]);
    // Whoever asks is still told that it was paid, which it was.
    assert.equal((await own.stripe.findRefund(byKey(key))).kind, 'approved');
  });

  test('about a refund that failed before anybody said that it was paid', async () => {
    const own = await aStripe({ settings: { refundOutcome: 'pending' } });
    const paid = aCharge(own.world);
    await own.stripe.charge(paid);
    own.wait(6);
    const key = own.world.ids.ulid();
    await own.stripe.refund(aRefund(key, paid.key, 4_000n));
    const [refund] = own.fake.provider.store.list('refund', scopeOf(own), { limit: 1 });
    await control(own, 'refunds', { refund: refund?.id, outcome: 'failed', reason: 'insufficient_funds' });
    const failed = eventsOf(own).find(({ type }) => type === 'refund.failed');
    assert.ok(failed);
    const declined = { kind: 'refund', key, result: { kind: 'declined', why: 'no_funds' } };
    assert.deepEqual(callbacksOf(await send(own, failed)), [declined]);
  });

  for (const outcome of ['won', 'lost'] as const)
    test(`about a dispute that is ${outcome}`, async () => {
      const own = await aStripe();
      const paid = aCharge(own.world);
      await own.stripe.charge(paid);
      own.wait(6);
      const intent = heldAt(own.fake).intents[0]?.id;
      await control(own, 'disputes', { payment_intent: intent });
      const [dispute] = own.fake.provider.store.list('dispute', scopeOf(own), { limit: 1 });
      const opened = eventsOf(own).filter(({ type }) => type.startsWith('charge.dispute.'));
      const news = { chargeKey: paid.key, amount: money(10_000n, 'PLN'), reason: 'fraudulent' };
      const due = own.world.clock.now().add({ hours: 7 * 24 });
      for (const event of opened)
        assert.deepEqual(callbacksOf(await send(own, event)), [
          { kind: 'dispute', key: dispute?.id, result: { kind: 'opened', ...news, respondUntil: due } },
        ]);
      await control(own, 'disputes', { dispute: dispute?.id, outcome });
      const all = eventsOf(own).filter(({ type }) => type.startsWith('charge.dispute.'));
      assert.ok(all.length > opened.length);
      // The first event, which came late, says the end.
      for (const event of all)
        assert.deepEqual(callbacksOf(await send(own, event)), [
          { kind: 'dispute', key: dispute?.id, result: { kind: outcome, ...news, respondUntil: null } },
        ]);
    });

  // Guarantee: the order of events, and how often they come, changes nothing in what is true in the end.
  test('100 events in any order, with duplicates', async () => {
    const own = await aStripe();
    const draw = new Seeded('events');
    const requests = Array.from({ length: 24 }, (_, index) =>
      aCharge(own.world, index % 3 === 0 ? { email: 'customer_declined@example.com' } : {}),
    );
    for (const request of requests) await own.stripe.charge(request);
    own.wait(10);
    for (const request of requests.slice(0, 10))
      if ((await own.stripe.findCharge(byKey(request.key))).kind === 'approved')
        await own.stripe.refund(aRefund(own.world.ids.ulid(), request.key, 1_000n));
    const events = eventsOf(own);
    assert.ok(events.length >= 100, `${events.length}`);
    const shuffled = draw.some([...events, ...draw.some(events, 30)], events.length + 30);
    const results = new Map<string, Set<string>>();
    for (const event of shuffled)
      for (const one of callbacksOf(await send(own, event)))
        results.set(one.key, (results.get(one.key) ?? new Set()).add(JSON.stringify(one.result, plain)));
    // Each key has one result, whichever event told it.
    assert.ok([...results.values()].every((some) => some.size === 1));
    for (const [index, { key }] of requests.entries())
      assert.match([...(results.get(key) ?? [])].join(), index % 3 === 0 ? /declined/ : /approved/);
  });

  // Guarantee: an event about a payment that a restored database lost brings it back.
  test('about a payment that the database has lost', async () => {
    const own = await aStripe();
    const request = aCharge(own.world);
    await own.stripe.charge(request);
    own.wait(6);
    await own.world.db.sql.run`delete from stripe_charge`;
    const event = eventsOf(own).find(({ type }) => type === 'payment_intent.succeeded');
    assert.ok(event);
    assert.equal(callbacksOf(await send(own, event)).length, 1);
    assert.equal((await own.stripe.findCharge(byKey(request.key))).kind, 'approved');
  });
});

const plain = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);
