// `grosz acquirer test stripe`: each thing that can be set up wrongly is found, and said with what to do.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { type Check, isPassed } from '../../contract/codes/checks.ts';
import { checkSentences } from '../../contract/codes/english/checks.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import { listActivity } from '../../src/acquirer/index.ts';
import { Secret } from '../../src/kernel/index.ts';
import { controlFake, heldAt, type Opening } from '../support/stripe.ts';
import { aShop, type Shop } from '../support/stripe-shop.ts';

const came = { cameSince: async () => true };

suite('a test of Stripe', () => {
  let shop: Shop;
  before(async () => {
    shop = await aShop();
  });

  const checksOf = async (opening: Opening = {}): Promise<Check[]> => {
    const { stage, service } = shop;
    const stripe = await stage.another({ baseUrl: service.url, ...opening });
    const found: Check[] = [];
    for await (const check of stripe.check(came)) found.push(check);
    for (const check of found) assert.ok(sentenceOf(checkSentences, check).length > 20, check.code);
    return found;
  };
  const failed = (checks: readonly Check[]) => checks.filter((check) => !isPassed(check)).map(({ code }) => code);

  // Guarantee: nothing moves, and nothing is left behind that could be paid.
  test('everything is as it must be', async () => {
    const checks = await checksOf();
    assert.deepEqual(failed(checks), []);
    assert.deepEqual(
      [...new Set(checks.map(({ code }) => code))],
      [
        'account',
        'clock_agrees',
        'permission_there',
        'intent_made',
        'publishable_key_fits',
        'event_came',
        'event_accepted',
      ],
    );
    const { intents, captures } = heldAt(shop.stage.fake);
    assert.deepEqual([...captures], []);
    assert.ok(intents.length > 0 && intents.every(({ status, amount }) => status === 'canceled' && amount === 200));
  });

  // Guarantee: cards are not typed into the fields of another account, or of the other mode.
  test('a publishable key of another account', async () => {
    const [, other] = shop.stage.fake.provider.accounts;
    const { publishableLive } = shop.stage.fake.provider.main;
    for (const publishableKey of [other.publishableTest, publishableLive, 'pk_test_nobodys'])
      assert.deepEqual(failed(await checksOf({ publishableKey })), ['publishable_key_other']);
  });

  // Guarantee: each permission of the guide that is missing is named.
  for (const [group, resource] of [
    ['payment_intents', 'PaymentIntents'],
    ['charges', 'Charges and Refunds'],
    ['balance', 'Balance'],
    ['payouts', 'Payouts'],
    ['disputes', 'Disputes'],
    ['confirmation_tokens', 'Confirmation Tokens'],
    ['customers', 'Customers'],
  ] as const)
    test(`the key lacks the permission for ${resource}`, async () => {
      const all = {
        account: 'read',
        payment_intents: 'write',
        charges: 'write',
        balance: 'read',
        payouts: 'read',
        disputes: 'read',
        confirmation_tokens: 'read',
        customers: 'write',
      };
      const { [group]: _, ...permissions } = all;
      const { text } = await controlFake(shop.stage, 'keys', { permissions });
      const checks = await checksOf({ key: String(text) });
      const lacks = checks.flatMap((check) => (check.code === 'permission_missing' ? check.parameters.resource : []));
      assert.deepEqual(lacks, [resource]);
    });

  test('a secret key, a method that is not active, a clock that is off, another secret', async () => {
    const { stage, service } = shop;
    stage.fake.provider.changeSettings({ p24: false });
    const { main } = stage.fake.provider;
    assert.deepEqual(failed(await checksOf({ key: main.secretTest })), ['key_does_everything', 'method_inactive']);
    stage.fake.provider.changeSettings({ p24: true });
    stage.fake.provider.changeClock({ skewSeconds: 600 });
    assert.deepEqual(failed(await checksOf()), ['clock_off']);
    stage.fake.provider.changeClock({ skewSeconds: 0 });
    const other = await checksOf({ webhookSecrets: [new Secret('whsec_another')] });
    assert.deepEqual(failed(other), ['event_refused']);
    const nowhere = await checksOf({ baseUrl: 'http://127.0.0.1:9' });
    assert.deepEqual(failed(nowhere), ['service_not_reached']);
    const elsewhere = await checksOf({ baseUrl: `${service.url}/nowhere` });
    assert.deepEqual(failed(elsewhere), ['event_refused']);
  });

  test('a key that was revoked, and a provider that is away, after the start', async () => {
    const { stage, service } = shop;
    const { text } = await controlFake(stage, 'keys', { permissions: { account: 'read' } });
    const stripe = await stage.another({ key: String(text), baseUrl: service.url });
    await controlFake(stage, 'keys/revoke', { key: text });
    const found: Check[] = [];
    for await (const check of stripe.check(came)) found.push(check);
    assert.deepEqual(failed(found), ['key_unknown']);
    stage.faults({ kind: 'lostAnswer', endpoint: 'GET /v1/account', skip: 1 });
    assert.deepEqual(failed(await checksOf()), ['not_reached']);
    stage.faults();
  });

  // Guarantee: the event of the intent is waited for, and our own echo is not taken for it.
  test('an event that comes, by the time that was written down', async () => {
    const { stage, service } = shop;
    const stripe = await stage.another({ baseUrl: service.url });
    stage.wait(60);
    const waited = {
      cameSince: async (at: Temporal.Instant) => {
        await stage.fake.provider.deliver();
        const [seen] = await listActivity(service.world.db.sql);
        return seen !== undefined && Temporal.Instant.compare(seen.callbackAt, at) >= 0;
      },
    };
    const found: Check[] = [];
    for await (const check of stripe.check(waited)) found.push(check);
    assert.deepEqual(found.find(({ code }) => code === 'event_came')?.parameters, { seconds: 0 });
  });

  // Guarantee: in live mode a test creates nothing.
  test('in live mode no payment is created', async () => {
    const { stage } = shop;
    const before = heldAt(stage.fake).intents.length;
    const checks = await checksOf({ live: true, key: stage.fake.provider.main.restrictedLive });
    assert.ok(checks.some(({ code }) => code === 'intent_not_tried'));
    assert.equal(heldAt(stage.fake).intents.length, before);
  });
});
