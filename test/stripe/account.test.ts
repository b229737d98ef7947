// Whose account it is, what it offers, and what never leaves the connector.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import { Stripe } from 'stripe';
import { readText } from '../../src/database/index.ts';
import { StartFault } from '../../src/runtime/index.ts';
import { aCharge, aRefund, aStripe, byKey, controlFake, heldAt, type Opening, type Stage } from '../support/stripe.ts';

const away: typeof fetch = () => Promise.reject(new TypeError('fetch failed'));

async function aRestrictedKey(stage: Stage, permissions: Readonly<Record<string, string>>): Promise<string> {
  const { text } = await controlFake(stage, 'keys', { permissions });
  assert.match(String(text), /^rk_test_/);
  return String(text);
}

/** That something was paid, signed with this secret. */
function anEvent({ world }: Stage, secret: string) {
  const object = { id: 'pi_nobodys' };
  const payload = JSON.stringify({ livemode: false, type: 'payment_intent.succeeded', data: { object } });
  const timestamp = Math.floor(world.clock.now().epochMilliseconds / 1_000);
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return { headers: { 'stripe-signature': header }, rawBody: Buffer.from(payload), path: '/acquirer/stripe/events' };
}

suite('the account', () => {
  test('is pinned, and offers what it is allowed', async () => {
    const stage = await aStripe();
    const shown = stage.stripe.offers?.map(({ method, leastMinor, fields }) => [method, leastMinor, fields]);
    assert.deepEqual(shown, [
      ['blik', 200n, 'own'],
      ['transfer', 200n, 'own'],
      ['blik', 200n, 'own'],
      ['card', 200n, 'vendor'],
    ]);
    stage.fake.provider.changeSettings({ p24: false });
    const later = await stage.another();
    assert.deepEqual(
      later.offers?.map(({ method }) => method),
      ['blik', 'blik', 'card'],
    );
  });

  // Guarantee: looking with the settings of another service does not tie the database to its account.
  test('is not pinned by a command that looks', async () => {
    const stage = await aStripe({ opening: { onlyLooks: true } });
    const pinned = () => stage.world.db.sql.many((row) => readText(row, 'account'))`select account from stripe_account`;
    assert.deepEqual(await pinned(), []);
    const [own, other] = stage.fake.provider.accounts;
    await stage.another();
    assert.deepEqual(await pinned(), [own.account]);
    await assert.rejects(
      stage.another({ key: other.restrictedTest, onlyLooks: true }),
      /database was set up with acct_/,
    );
  });

  // Guarantee: numbers are asked for only where the provider takes them, and fields are shown only with a key for them.
  test('cards: in its fields, by number, or not at all', async () => {
    const stage = await aStripe();
    const waysOf = async (opening: Opening) =>
      (await stage.another(opening)).offers?.flatMap(({ method, fields }) => (method === 'card' ? fields : []));
    assert.deepEqual(await waysOf({ cards: false }), []);
    assert.deepEqual(await waysOf({ cards: false, rawCards: 'on' }), ['own']);
    assert.deepEqual(await waysOf({ rawCards: 'on' }), ['vendor', 'own']);
  });

  // Guarantee: a key of another account, or of the same one in the other mode, moves nothing.
  test('another one is refused at the start', async () => {
    const stage = await aStripe();
    const [, other] = stage.fake.provider.accounts;
    await assert.rejects(stage.another({ key: other.restrictedTest }), /database was set up with acct_/);
    await assert.rejects(stage.world.db.sql.run`update stripe_account set account = 'acct_other'`);
  });

  // Guarantee: also of a key that nobody could ask about at the start: merchants are not paid into another account.
  test('another one, started while the provider is away: nothing is sent to it', async () => {
    const lines: string[] = [];
    const stage = await aStripe({ world: { logLines: lines } });
    const { provider } = stage.fake;
    const paid = aCharge(stage.world);
    await stage.stripe.charge(paid);
    stage.wait(6);
    let isAway = true;
    const send: typeof fetch = (address, init) => (isAway ? away(address, init) : fetch(address, init));
    const other = await stage.another({ key: provider.accounts[1].restrictedTest, send });
    const own = await stage.another({ send });
    isAway = false;
    const request = aCharge(stage.world);
    assert.deepEqual(await other.charge(request), { kind: 'notReached' });
    assert.deepEqual(await other.charge(paid), { kind: 'unknown' });
    assert.deepEqual(await other.findCharge(byKey(paid.key)), { kind: 'unknown' });
    assert.deepEqual(await other.refund(aRefund(stage.world.ids.ulid(), paid.key, 1n)), { kind: 'unknown' });
    assert.equal((await other.receive(anEvent(stage, provider.main.webhookSecret))).kind, 'later');
    assert.match(lines.join(''), /the key is of another account; nothing is sent/);
    assert.deepEqual(provider.store.list('payment_intent', `${provider.accounts[1].account}/test`, { limit: 1 }), []);
    assert.equal((await own.charge(request)).kind, 'waiting');
    assert.equal((await own.findCharge(byKey(paid.key))).kind, 'approved');
  });

  // Guarantee: who does not have the secret makes us ask nobody, although the account is not known.
  test('not asked for because of an event that nobody signed', async () => {
    const stage = await aStripe();
    let asked = 0;
    const send: typeof fetch = (address, init) => {
      asked += 1;
      return away(address, init);
    };
    const stripe = await stage.another({ send });
    asked = 0;
    assert.equal((await stripe.receive(anEvent(stage, 'whsec_other'))).kind, 'refused');
    assert.equal(asked, 0);
    assert.equal((await stripe.receive(anEvent(stage, stage.fake.provider.main.webhookSecret))).kind, 'later');
    assert.ok(asked > 0);
  });

  test('one that settles in another currency is refused', async () => {
    await assert.rejects(aStripe({ settings: { currency: 'eur' } }), /settles in eur/);
  });

  // Guarantee: whoever reads the refusal knows whether another key is needed or another permission.
  test('a key that is revoked, or may not read the account, is refused', async () => {
    const lines: string[] = [];
    const stage = await aStripe({ world: { logLines: lines } });
    await assert.rejects(stage.another({ key: 'rk_test_unknown_key' }), (error) => {
      return error instanceof StartFault && /does not know STRIPE_SECRET_KEY/.test(error.message);
    });
    const key = await aRestrictedKey(stage, { payment_intents: 'write' });
    await assert.rejects(stage.another({ key }), /may not read the account/);
    assert.match(lines.join(''), /the provider does not know our key.*our key lacks a permission/s);
  });

  // Guarantee: a provider that is away does not keep the service from starting, except the first time.
  test('is asked at the start; when nobody answers, the pinned one is enough', async () => {
    const stage = await aStripe();
    const later = await stage.another({ send: away });
    assert.deepEqual(later.offers?.length, 4);
    await stage.world.db.sql.run`delete from stripe_account`;
    await assert.rejects(stage.another({ send: away }), /does not answer/);
  });

  // Guarantee: an object of the other mode is never taken for ours.
  test('an intent of live mode is no answer in a sandbox', async () => {
    const stage = await aStripe();
    const request = aCharge(stage.world);
    await stage.stripe.charge(request);
    const turned = await stage.another({
      send: async (address, init) => {
        const response = await fetch(address, init);
        const text = (await response.text()).replaceAll('"livemode": false', '"livemode": true');
        return new Response(text, { status: response.status, headers: response.headers });
      },
    });
    stage.wait(6);
    assert.deepEqual(await turned.findCharge(byKey(request.key)), { kind: 'unknown' });
    assert.deepEqual(await turned.charge(aCharge(stage.world)), { kind: 'notReached' });
  });

  // Guarantee: the permissions of docs/stripe.md are enough for everything.
  test('a restricted key with the permissions of the guide', async () => {
    const stage = await aStripe();
    const permissions = {
      payment_intents: 'write',
      charges: 'write',
      balance: 'read',
      payouts: 'read',
      disputes: 'read',
      account: 'read',
    };
    const stripe = await stage.another({ key: await aRestrictedKey(stage, permissions) });
    const request = aCharge(stage.world);
    await stripe.charge(request);
    stage.wait(6);
    assert.equal((await stripe.findCharge(byKey(request.key))).kind, 'approved');
    const refunded = await stripe.refund(aRefund(stage.world.ids.ulid(), request.key, 1_000n));
    assert.deepEqual(refunded, { kind: 'approved' });
    const to = stage.world.clock.now().add({ seconds: 1 });
    const period = { from: to.subtract({ hours: 1 }), to, after: null, limit: 100, deadlineMilliseconds: 5_000 };
    assert.equal((await stripe.statement(period)).kind, 'page');
    const canceled = aCharge(stage.world);
    await stripe.charge(canceled);
    assert.deepEqual(await stripe.cancel(byKey(canceled.key)), { kind: 'canceled' });
    stage.wait(7_200);
    await stage.world.db.sql.run`delete from stripe_charge`;
    assert.equal((await stripe.findCharge(byKey(request.key))).kind, 'approved');
  });

  // Guarantee: no key, code or payer is in the log, in what is returned, in the database or in what is shown of the connector.
  test('nothing secret is left anywhere', async () => {
    const lines: string[] = [];
    const stage = await aStripe({ world: { logLines: lines } });
    const { main } = stage.fake.provider;
    const answers: unknown[] = [];
    const stripe = await stage.another({ key: main.secretTest });
    for (const kind of ['unauthorized', 'forbidden', 'failedBefore', 'lostAnswer', 'notFound', undefined] as const) {
      stage.faults(...(kind ? [{ kind }] : []));
      const request = aCharge(stage.world, { method: 'transfer', email: 'the-payer@example.com' });
      answers.push(await stripe.charge(request), await stripe.findCharge(byKey(request.key)));
      answers.push(await stripe.charge(aCharge(stage.world)));
      answers.push(await stripe.refund(aRefund(stage.world.ids.ulid(), request.key, 1n)));
      answers.push(
        await stripe.receive({ headers: { 'stripe-signature': 't=1,v1=00' }, rawBody: Buffer.from('{}'), path: '/' }),
      );
    }
    const rows = await stage.world.db.sql.many((row) => readText(row, 'row'))`
      select stripe_charge::text as row from stripe_charge union all
      select stripe_refund::text from stripe_refund union all select stripe_account::text from stripe_account`;
    assert.ok(rows.length > 10 && lines.length > 10);
    const all = [...lines, ...rows, inspect(answers), inspect(stripe, { depth: 9 })].join('\n');
    for (const secret of [main.secretTest, main.restrictedTest, main.webhookSecret, 'the-payer', 'Kowalski', '123456'])
      assert.ok(!all.includes(secret), secret);
    assert.match(lines.join(''), /a restricted key \(rk_\) is safer/);
  });

  // Guarantee: the provider learns nothing about this machine, and each request that changes something has our own key.
  test('what is sent with each request', async () => {
    const stage = await aStripe();
    const seen: Headers[] = [];
    const stripe = await stage.another({
      send: (address, init) => {
        seen.push(new Headers(init?.headers));
        return fetch(address, init);
      },
    });
    const request = aCharge(stage.world);
    await stripe.charge(request);
    await stripe.cancel(byKey(request.key));
    // Account, intent, confirmation, a look before the cancel, the cancel.
    assert.equal(seen.length, 5);
    assert.ok(seen.every((headers) => ![...headers.keys()].some((name) => name.startsWith('x-stripe-client'))));
    assert.ok(seen.every((headers) => headers.get('stripe-version') === '2026-10-28.endive'));
    const keys = seen.flatMap((headers) => headers.get('idempotency-key') ?? []);
    const installation = heldAt(stage.fake).intents[0]?.metadata.grosz_installation;
    assert.deepEqual(
      keys.map((key) => key.replace(/cancel:.*/, 'cancel')),
      ['create:1', 'confirm:1', 'cancel'].map((step) => `${installation}:${request.key}:${step}`),
    );
  });

  test('behind a path prefix', async () => {
    const stage = await aStripe();
    const paths: string[] = [];
    const stripe = await stage.another({
      apiUrl: `${stage.fake.url}/before`,
      send: (address, init) => {
        const url = new URL(String(address));
        paths.push(url.pathname);
        url.pathname = url.pathname.replace('/before', '');
        return fetch(url, init);
      },
    });
    assert.equal((await stripe.charge(aCharge(stage.world))).kind, 'waiting');
    assert.ok(paths.length === 3 && paths.every((path) => path.startsWith('/before/v1/')));
  });
});
