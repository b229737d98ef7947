// Keys, idempotency, limits, faults and restarts of the fake, with the official SDK as the client.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import type { Stripe } from 'stripe';
import { aClient, draft, paid, refusal, sdk, start } from '../../../test/support/fake-stripe-client.ts';
import { openFakeStripe } from './index.ts';

const order: Stripe.PaymentIntentCreateParams = {
  amount: 10_000,
  currency: 'pln',
  allowed_payment_method_types: ['card'],
  capture_method: 'automatic',
};

suite('keys of the API', async () => {
  const { fake, control } = await aClient();
  const { main } = fake.provider;

  test('that do not exist, are revoked, or are for pages', async () => {
    const ask = (key: string) => refusal(sdk(fake.url, key).balance.retrieve());
    assert.deepEqual((await ask('sk_test_unheard')).statusCode, 401);
    assert.equal((await ask(main.publishableTest)).code, 'secret_key_required');
    const { text } = await control('/keys', { permissions: { balance: 'read' } });
    await control('/keys/revoke', { key: text });
    assert.deepEqual([(await ask(String(text))).statusCode, (await ask(String(text))).code], [401, 'api_key_expired']);
  });

  // Guarantee: a restricted key does only what it was allowed.
  test('with few permissions', async () => {
    const { text } = await control('/keys', { permissions: { payment_intents: 'read', balance: 'read' } });
    const few = sdk(fake.url, String(text));
    assert.equal((await few.balance.retrieve()).object, 'balance');
    assert.equal((await few.paymentIntents.list()).data.length, 0);
    const refused = await refusal(draft(few, 'card'));
    assert.deepEqual([refused.statusCode, refused.type], [403, 'StripePermissionError']);
    assert.equal((await refusal(few.accounts.retrieveCurrent())).statusCode, 403);
  });

  test('of the account: it settles PLN', async () => {
    const account = await sdk(fake.url, main.secretTest).accounts.retrieveCurrent();
    assert.deepEqual([account.id, account.default_currency, account.country], [main.account, 'pln', 'PL']);
    assert.equal(account.capabilities?.blik_payments, 'active');
  });
});

suite('idempotency keys', async () => {
  const client = await aClient();
  const { stripe, fake } = client;

  // Guarantee: the same request has one effect and, byte for byte, one response.
  test('repeat the response, bound to endpoint and parameters, for a day', async () => {
    const post = (body: string, path = '/v1/payment_intents') =>
      fetch(`${fake.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${fake.provider.main.secretTest}`, 'idempotency-key': 'one' },
        body,
      });
    const first = await post('amount=5000&currency=pln');
    const text = await first.text();
    const again = await post('currency=pln&amount=5000');
    assert.equal(await again.text(), text);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(again.headers.get('original-request'), first.headers.get('request-id'));
    for (const other of [await post('amount=5001&currency=pln'), await post('', '/v1/customers')]) {
      assert.equal(other.status, 400);
      assert.equal(((await other.json()) as { error: { type: string } }).error.type, 'idempotency_error');
    }
    client.wait(86_400);
    assert.notEqual(await (await post('amount=5000&currency=pln')).text(), text);
  });

  test('do not keep what was wrong with the parameters; a decline they keep', async () => {
    const key = { idempotencyKey: 'two' };
    assert.equal((await refusal(stripe.paymentIntents.create({ ...order, amount: 1 }, key))).code, 'amount_too_small');
    const { id } = await stripe.paymentIntents.create(order, key);
    const confirm = () =>
      refusal(
        stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa_chargeDeclined' }, { idempotencyKey: 'x' }),
      );
    assert.equal((await confirm()).statusCode, 402);
    assert.equal((await confirm()).statusCode, 402);
    assert.equal((await stripe.charges.list({ payment_intent: id })).data.length, 1);
  });

  test('are in use while the first request runs, and its object is held', async () => {
    const { id } = await draft(stripe, 'card');
    await client.control('/faults', { rules: [{ kind: 'slow', endpoint: '/confirm', times: 1, seconds: 0.3 }] });
    const confirm = () =>
      stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }, { idempotencyKey: 'slow' });
    const first = confirm();
    // It has begun when the rule has struck.
    while ((await stateOf(fake.url)).faults[0]?.struck !== 1);
    assert.equal((await refusal(confirm())).statusCode, 409);
    const cancel = await refusal(stripe.paymentIntents.cancel(id));
    assert.deepEqual([cancel.statusCode, cancel.code], [429, 'lock_timeout']);
    assert.equal((await first).status, 'succeeded');
    assert.equal((await confirm()).status, 'succeeded');
    await client.control('/faults', { rules: [] });
  });
});

async function stateOf(url: string): Promise<{ faults: { struck: number }[] }> {
  return (await (await fetch(`${url}/_fake/state`)).json()) as { faults: { struck: number }[] };
}

suite('faults', async () => {
  const client = await aClient();
  const { stripe } = client;
  const meet = (rule: object) => client.control('/faults', { rules: [rule] });

  // Guarantee: an answer that was lost after the effect is found again under its key; one lost before had no effect.
  for (const [kind, found] of [
    ['lostAnswer', 1],
    ['lostRequest', 0],
  ] as const)
    test(`${kind}: ${found} intents afterwards`, async () => {
      const metadata = { way: kind };
      // The SDK tries a broken connection once more by itself.
      await meet({ kind, endpoint: 'POST /v1/payment_intents', times: 2 });
      const key = { idempotencyKey: kind };
      const lost = await refusal(stripe.paymentIntents.create({ ...order, metadata }, key));
      assert.equal(lost.type, 'StripeConnectionError');
      const made = async () =>
        (await stripe.paymentIntents.list({ limit: 100 })).data.filter((one) => one.metadata.way === kind).length;
      assert.equal(await made(), found);
      await stripe.paymentIntents.create({ ...order, metadata }, key);
      assert.equal(await made(), 1);
    });

  // Guarantee: a failure is kept under its key, whether something happened or not.
  for (const [kind, status] of [
    ['failedBefore', 'requires_payment_method'],
    ['failedAfter', 'succeeded'],
  ] as const)
    test(`${kind}: kept under the key`, async () => {
      const { id } = await draft(stripe, 'card');
      await meet({ kind, endpoint: '/confirm', times: 1 });
      const confirm = () =>
        refusal(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }, { idempotencyKey: kind }));
      assert.equal((await confirm()).statusCode, 500);
      assert.equal((await confirm()).statusCode, 500);
      assert.equal((await stripe.paymentIntents.retrieve(id)).status, status);
    });

  for (const [kind, status, type] of [
    ['rateLimit', 429, 'StripeRateLimitError'],
    ['lockTimeout', 429, 'StripeRateLimitError'],
    ['keyInUse', 409, 'StripeAPIError'],
    ['unauthorized', 401, 'StripeAuthenticationError'],
    ['forbidden', 403, 'StripePermissionError'],
    ['notFound', 404, 'StripeInvalidRequestError'],
    ['badGateway', undefined, 'StripeAPIError'],
  ] as const)
    test(`${kind}: ${status ?? 'no JSON'}, and the key stays free`, async () => {
      await meet({ kind, times: 1 });
      const key = { idempotencyKey: `free ${kind}` };
      const refused = await refusal(stripe.paymentIntents.create(order, key));
      assert.deepEqual([refused.statusCode, refused.type], [status, type]);
      assert.equal((await stripe.paymentIntents.create(order, key)).status, 'requires_payment_method');
    });

  test('the limits of the provider', async () => {
    await meet({ kind: 'slow', times: 0 });
    await client.control('/settings', { rateLimits: true });
    const asked = await Promise.allSettled(Array.from({ length: 30 }, () => stripe.balance.retrieve()));
    assert.equal(asked.filter(({ status }) => status === 'fulfilled').length, 25);
    client.wait(1);
    assert.equal((await stripe.balance.retrieve()).object, 'balance');
    await client.control('/settings', { rateLimits: false });
  });

  test('what the controls do not know is refused', async () => {
    await assert.rejects(client.control('/faults', { rules: [{ kind: 'unheard' }] }), /no fault/);
    await assert.rejects(client.control('/settings', { unheard: true }), /no setting/);
    await assert.rejects(client.control('/unheard'), /no control/);
  });
});

suite('a restart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fake-stripe-'));
  after(() => rmSync(folder, { recursive: true }));

  // Guarantee: what was answered is there after a restart, with keys, settings, clock and what is due.
  test('forgets nothing', async () => {
    const clock = { now: () => Temporal.Instant.from(start) };
    const file = join(folder, 'fake.sqlite');
    const before = await openFakeStripe({ clock, file });
    const first = sdk(before.url, before.provider.main.restrictedTest);
    const created = await first.paymentIntents.create(order, { idempotencyKey: 'kept' });
    before.provider.changeSettings({ searchLagSeconds: 7 });
    before.provider.changeClock({ advanceSeconds: 100 });
    await before.close();
    const afterwards = await openFakeStripe({ clock, file });
    const second = sdk(afterwards.url, afterwards.provider.main.restrictedTest);
    assert.equal((await second.paymentIntents.create(order, { idempotencyKey: 'kept' })).id, created.id);
    assert.equal(afterwards.provider.settings.searchLagSeconds, 7);
    assert.equal((await paid(second)).created, Temporal.Instant.from(start).epochMilliseconds / 1_000 + 100);
    await afterwards.close();
  });

  // Guarantee: the same seed and requests give the same ids.
  test('the same seed gives the same ids', async () => {
    const ids = async (seed: string) => {
      const { stripe } = await aClient({ seed });
      return (await paid(stripe)).id;
    };
    assert.equal(await ids('one'), await ids('one'));
    assert.notEqual(await ids('one'), await ids('two'));
  });
});
