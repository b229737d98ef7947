// Charges through the connector: what each answer of the provider becomes, and what faults leave behind.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { money, Secret } from '../../src/kernel/index.ts';
import type { FaultRule } from '../../src/simulators/stripe/index.ts';
import { aCharge, aStripe, byKey, heldAt, type Stage } from '../support/stripe.ts';

const approved = { kind: 'approved', amount: money(10_000n, 'PLN') };
const create = 'POST /v1/payment_intents';
const confirm = '/confirm';

suite('a charge', () => {
  let stage: Stage;
  before(async () => {
    stage = await aStripe();
  });
  // Guarantee: no key is ever paid twice.
  after(() =>
    assert.deepEqual(
      [...heldAt(stage.fake).captures.values()].filter((times) => times > 1),
      [],
    ),
  );

  // Guarantee: the payer confirms in the app; the result is found by the id of the intent.
  test('BLIK: waits, then is paid, and a repeat says the same', async () => {
    const request = aCharge(stage.world);
    assert.deepEqual(await stage.stripe.charge(request), { kind: 'waiting', link: null });
    assert.deepEqual(await stage.stripe.findCharge(byKey(request.key)), { kind: 'waiting', link: null });
    stage.wait(6);
    assert.deepEqual(await stage.stripe.findCharge(byKey(request.key)), approved);
    assert.deepEqual(await stage.stripe.charge(request), approved);
    assert.deepEqual(await stage.stripe.cancel(byKey(request.key)), { kind: 'tooLate' });
    assert.deepEqual(await stage.stripe.findCharge(byKey(request.key)), approved);
  });

  for (const [who, reason, seconds] of [
    ['invalid_code', 'wrong code', 0],
    ['expired_code', 'timed out', 0],
    ['limit_exceeded', 'instrument rejected', 9],
    ['insufficient_funds', 'insufficient funds', 9],
    ['customer_declined', 'payer rejected', 9],
    ['bank_declined', 'instrument rejected', 9],
    ['blik_declined', 'instrument rejected', 9],
    ['customer_timeout', 'timed out', 61],
    ['bank_timeout', 'timed out', 61],
    ['blik_timeout', 'timed out', 61],
  ] as const) {
    // Guarantee: a decline is final for us, although the provider's intent could be confirmed again.
    test(`BLIK: ${who} is "${reason}", and the intent is canceled`, async () => {
      const request = aCharge(stage.world, { email: `${who}@example.com` });
      const answer = await stage.stripe.charge(request);
      if (seconds > 0) {
        assert.equal(answer.kind, 'waiting');
        stage.wait(seconds);
      } else assert.deepEqual(answer, { kind: 'declined', reason });
      assert.deepEqual(await stage.stripe.findCharge(byKey(request.key)), { kind: 'declined', reason });
      const intent = heldAt(stage.fake).intents.find(({ metadata }) => metadata.grosz_key === request.key);
      assert.equal(intent?.status, 'canceled');
      assert.deepEqual(await stage.stripe.charge(request), { kind: 'declined', reason });
    });
  }

  // Guarantee: a wrong code is told apart whichever status the provider gives it.
  test('BLIK: a wrong code with status 400', async () => {
    stage.fake.provider.changeSettings({ blikWrongCodeStatus: 400 });
    const request = aCharge(stage.world, { email: 'invalid_code@example.com' });
    assert.deepEqual(await stage.stripe.charge(request), { kind: 'declined', reason: 'wrong code' });
    stage.fake.provider.changeSettings({ blikWrongCodeStatus: 402 });
  });

  test('what the provider gets: a short description, our metadata, no merchant on the statement', async () => {
    const request = { ...aCharge(stage.world), description: `Order\n ${'x'.repeat(100)}` };
    await stage.stripe.charge(request);
    const intent = heldAt(stage.fake).intents.find(({ metadata }) => metadata.grosz_key === request.key);
    assert.equal(intent?.description, `Order ${'x'.repeat(64)}`);
    assert.deepEqual([intent?.capture_method, intent?.payment_method_types], ['automatic', ['blik']]);
    assert.deepEqual(Object.keys(intent?.metadata ?? {}).sort(), [
      'grosz_installation',
      'grosz_key',
      'grosz_kind',
      'grosz_merchant',
    ]);
  });

  // Guarantee: the payer is sent to the bank; one who closes its page is declined in the end, and can pay no more.
  test('Przelewy24: a link; paid, refused, and a payer who closes the page', async () => {
    for (const [choice, expected] of [
      ['approve', approved],
      ['refuse', { kind: 'declined', reason: 'payer rejected' }],
      [undefined, { kind: 'declined', reason: 'payer rejected' }],
    ] as const) {
      const request = aCharge(stage.world, { method: 'transfer' });
      const answer = await stage.stripe.charge(request);
      assert.equal(answer.kind, 'waiting');
      const link = answer.kind === 'waiting' ? (answer.link ?? '') : '';
      assert.match(link, /^http:\/\/127/);
      if (choice) await fetch(link, { method: 'POST', body: `choice=${choice}`, redirect: 'manual' });
      else stage.wait(901);
      assert.deepEqual(await stage.stripe.findCharge(byKey(request.key)), expected);
      assert.equal((await fetch(link)).status, 404);
    }
  });

  test('Przelewy24: without the payer’s email nothing is sent', async () => {
    const { payer: _, ...request } = aCharge(stage.world, { method: 'transfer' });
    assert.deepEqual(await stage.stripe.charge(request), { kind: 'declined', reason: 'instrument invalid' });
    assert.deepEqual(await stage.stripe.findCharge(byKey(request.key)), {
      kind: 'declined',
      reason: 'instrument invalid',
    });
  });

  test('what is not offered is declined, and nothing is sent', async () => {
    const card = { number: new Secret('4242424242424242'), expiry: new Secret('12/30'), code: new Secret('123') };
    for (const instrument of [
      { kind: 'card', card },
      { kind: 'onlineWallet' },
      { kind: 'blik', code: null, aliases: [] },
    ] as const) {
      const request = { ...aCharge(stage.world), instrument };
      assert.equal((await stage.stripe.charge(request)).kind, 'declined');
      assert.ok(!heldAt(stage.fake).intents.some(({ metadata }) => metadata.grosz_key === request.key));
    }
  });

  test('an amount that the provider does not take is declined', async () => {
    const request = aCharge(stage.world, { minor: 199n });
    assert.deepEqual(await stage.stripe.charge(request), { kind: 'declined', reason: 'instrument rejected' });
    assert.deepEqual(await stage.stripe.findCharge(byKey(request.key)), {
      kind: 'declined',
      reason: 'instrument rejected',
    });
  });

  // Guarantee: a cancel that comes first wins, also over a charge that arrives later.
  test('canceled: before it arrives, while the payer decides, twice', async () => {
    const early = aCharge(stage.world);
    assert.deepEqual(await stage.stripe.cancel(byKey(early.key)), { kind: 'canceled' });
    assert.equal((await stage.stripe.charge(early)).kind, 'declined');
    assert.deepEqual(await stage.stripe.findCharge(byKey(early.key)), { kind: 'canceled' });
    const waiting = aCharge(stage.world);
    await stage.stripe.charge(waiting);
    assert.deepEqual(await stage.stripe.cancel(byKey(waiting.key)), { kind: 'canceled' });
    assert.deepEqual(await stage.stripe.cancel(byKey(waiting.key)), { kind: 'canceled' });
    stage.wait(100);
    assert.deepEqual(await stage.stripe.findCharge(byKey(waiting.key)), { kind: 'canceled' });
    const { captures } = heldAt(stage.fake);
    assert.deepEqual([captures.get(early.key), captures.get(waiting.key)], [undefined, undefined]);
  });

  // Guarantee: the mark before the confirmation and the cancel exclude each other.
  test('a cancel between the intent and its confirmation wins', async () => {
    const request = aCharge(stage.world);
    const paths: string[] = [];
    const slow = await stage.another({
      send: async (address, init) => {
        const { pathname } = new URL(String(address));
        paths.push(pathname);
        const response = await fetch(address, init);
        if (pathname === '/v1/payment_intents')
          await stage.world.db.sql.run`
            update stripe_charge set provider_id = 'pi_other', canceled_at = created_at where key = ${request.key}`;
        return response;
      },
    });
    assert.equal((await slow.charge(request)).kind, 'declined');
    assert.ok(!paths.some((path) => path.endsWith('/confirm')));
  });

  test('unknown keys are not found', async () => {
    assert.deepEqual(await stage.stripe.findCharge(byKey(stage.world.ids.ulid())), { kind: 'notFound' });
    assert.deepEqual(await stage.stripe.findRefund(byKey(stage.world.ids.ulid())), { kind: 'notFound' });
  });

  // Guarantee: each fault of each step ends with the charge decided, and paid at most once.
  for (const [name, rule, first] of [
    ['create: the request is lost', { kind: 'lostRequest', endpoint: create, times: 1 }, 'notReached'],
    ['create: the answer is lost', { kind: 'lostAnswer', endpoint: create, times: 1 }, 'notReached'],
    ['create: a failure that is kept', { kind: 'failedBefore', endpoint: create, times: 1 }, 'notReached'],
    ['create: a failure after the effect', { kind: 'failedAfter', endpoint: create, times: 1 }, 'notReached'],
    ['create: the key is in use', { kind: 'keyInUse', endpoint: create, times: 1 }, 'notReached'],
    ['create: a page of a proxy', { kind: 'badGateway', endpoint: create, times: 1 }, 'notReached'],
    ['create: our key is refused', { kind: 'unauthorized', endpoint: create, times: 1 }, 'notReached'],
    ['confirm: the request is lost', { kind: 'lostRequest', endpoint: confirm, times: 1 }, 'unknown'],
    ['confirm: the answer is lost', { kind: 'lostAnswer', endpoint: confirm, times: 1 }, 'unknown'],
    ['confirm: a failure that is kept', { kind: 'failedBefore', endpoint: confirm, times: 1 }, 'unknown'],
    ['confirm: a failure after the effect', { kind: 'failedAfter', endpoint: confirm, times: 1 }, 'unknown'],
    ['confirm: the key is in use', { kind: 'keyInUse', endpoint: confirm, times: 1 }, 'unknown'],
    ['confirm: the object is held', { kind: 'lockTimeout', endpoint: confirm, times: 1 }, 'unknown'],
    ['confirm: a page of a proxy', { kind: 'badGateway', endpoint: confirm, times: 1 }, 'unknown'],
    ['confirm: our key is refused', { kind: 'unauthorized', endpoint: confirm, times: 1 }, 'unknown'],
    ['confirm: our key lacks a permission', { kind: 'forbidden', endpoint: confirm, times: 1 }, 'unknown'],
    ['confirm: the id is unknown', { kind: 'notFound', endpoint: confirm, times: 1 }, 'unknown'],
  ] as const satisfies readonly (readonly [string, FaultRule, string])[]) {
    test(`${name}: ${first}, and a repeat is paid once`, async () => {
      const request = aCharge(stage.world);
      stage.faults(rule);
      assert.equal((await stage.stripe.charge(request)).kind, first);
      stage.faults();
      // As a recurring charge does.
      await stage.stripe.charge(request);
      stage.wait(6);
      assert.deepEqual(await stage.stripe.findCharge(byKey(request.key)), approved);
      assert.equal(heldAt(stage.fake).captures.get(request.key), 1);
    });
  }

  // Guarantee: too many requests are asked again, within the time, and nothing is lost.
  test('a storm of 429', async () => {
    stage.faults({ kind: 'rateLimit', probability: 0.4, seed: 3 });
    const requests = Array.from({ length: 20 }, () => aCharge(stage.world));
    await Promise.all(requests.map((request) => stage.stripe.charge(request)));
    stage.faults();
    stage.wait(10);
    for (const { key } of requests) {
      const found = await stage.stripe.findCharge(byKey(key));
      const paid = heldAt(stage.fake).captures.get(key) ?? 0;
      assert.equal(paid, found.kind === 'approved' ? 1 : 0);
      assert.ok(['approved', 'notFound'].includes(found.kind), found.kind);
    }
  });

  // Guarantee: a request that is too slow is unknown by its deadline, whatever becomes of it.
  test('a slow confirmation', async () => {
    const request = aCharge(stage.world, { deadlineMilliseconds: 1_000 });
    stage.faults({ kind: 'slowAnswer', endpoint: confirm, seconds: 5, times: 1 });
    const started = performance.now();
    assert.deepEqual(await stage.stripe.charge(request), { kind: 'unknown' });
    assert.ok(performance.now() - started < 5_000);
    stage.faults();
    stage.wait(6);
    assert.deepEqual(await stage.stripe.findCharge(byKey(request.key)), approved);
  });

  // Guarantee: a stored id that the provider does not know is never "not found": the key is another account's.
  test('404 for a stored id is unknown, not "not found"', async () => {
    const request = aCharge(stage.world);
    await stage.stripe.charge(request);
    stage.faults({ kind: 'notFound' });
    assert.deepEqual(await stage.stripe.findCharge(byKey(request.key)), { kind: 'unknown' });
    assert.deepEqual(await stage.stripe.cancel(byKey(request.key)), { kind: 'unknown' });
    stage.faults();
  });

  test('no answer to a look-up is unknown, and a refused connection sends nothing', async () => {
    const request = aCharge(stage.world);
    const off = await stage.another({
      send: () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: refusedConnection })),
    });
    assert.deepEqual(await off.charge(request), { kind: 'notReached' });
    await stage.stripe.charge(request);
    assert.deepEqual(await off.findCharge(byKey(request.key)), { kind: 'unknown' });
  });
});

const refusedConnection = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });

suite('after a restore', () => {
  // Guarantee: rows that a restored database lost are found again, and nothing is charged a second time: within the hour by
  // the idempotency key, after it by a search, also when the provider has forgotten the key.
  for (const hours of [0, 2, 26]) {
    test(`${hours} hours later`, async () => {
      const stage = await aStripe();
      const paid = aCharge(stage.world);
      const declined = aCharge(stage.world, { email: 'customer_declined@example.com' });
      for (const request of [paid, declined]) await stage.stripe.charge(request);
      stage.wait(10);
      await stage.stripe.findCharge(byKey(declined.key));
      stage.wait(hours * 3_600);
      await stage.world.db.sql.run`delete from stripe_charge`;
      // Within the day the provider repeats what it said first: that both wait.
      await stage.stripe.charge(paid);
      await stage.stripe.charge(declined);
      assert.equal((await stage.stripe.findCharge(byKey(declined.key))).kind, 'declined');
      assert.deepEqual([...heldAt(stage.fake).captures], [[paid.key, 1]]);
      assert.deepEqual(await stage.stripe.findCharge(byKey(paid.key)), approved);
    });
  }

  test('a look-up and a cancel find it, too', async () => {
    const stage = await aStripe();
    const request = aCharge(stage.world);
    await stage.stripe.charge(request);
    stage.wait(2 * 3_600);
    await stage.world.db.sql.run`delete from stripe_charge`;
    assert.deepEqual(await stage.stripe.cancel(byKey(request.key)), { kind: 'tooLate' });
    await stage.world.db.sql.run`delete from stripe_charge`;
    assert.deepEqual(await stage.stripe.findCharge(byKey(request.key)), approved);
  });

  // Guarantee: while it cannot be told whether a charge was made, no other one is.
  test('without a search nothing is sent', async () => {
    const stage = await aStripe();
    const request = aCharge(stage.world);
    await stage.stripe.charge(request);
    stage.wait(2 * 3_600);
    await stage.world.db.sql.run`delete from stripe_charge`;
    stage.faults({ kind: 'lostAnswer', endpoint: '/search' });
    assert.deepEqual(await stage.stripe.charge(request), { kind: 'unknown' });
    assert.deepEqual(await stage.stripe.findCharge(byKey(request.key)), { kind: 'unknown' });
    assert.equal(heldAt(stage.fake).intents.length, 1);
  });
});
