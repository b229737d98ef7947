// PaymentIntents over HTTP, with the official SDK as the client.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Stripe } from 'stripe';
import { aClient, confirmBlik, draft, paid, refusal, sdk } from '../../../test/support/fake-stripe-client.ts';

const chargeOf = ({ latest_charge: charge }: Stripe.PaymentIntent) => charge as Stripe.Charge;

suite('cards', async () => {
  const client = await aClient();
  const { stripe, fake } = client;

  // Guarantee: a paid intent has its charge, its line and its fee at once, with the metadata of the intent.
  test('pay at once', async () => {
    const { id } = await draft(stripe, 'card', { metadata: { grosz_key: 'k1' }, description: 'Tea' });
    const intent = await stripe.paymentIntents.confirm(id, {
      payment_method: 'pm_card_visa',
      expand: ['latest_charge.balance_transaction'],
    });
    assert.equal(intent.status, 'succeeded');
    assert.equal(intent.amount_received, 10_000);
    assert.equal(intent.livemode, false);
    const charge = chargeOf(intent);
    assert.deepEqual(charge.metadata, { grosz_key: 'k1' });
    const line = charge.balance_transaction as Stripe.BalanceTransaction;
    assert.deepEqual(
      [line.type, line.amount, line.fee, line.net, line.currency],
      ['charge', 10_000, 250, 9_750, 'pln'],
    );
    assert.equal(intent.lastResponse.apiVersion, '2026-10-28.endive');
    assert.match(intent.lastResponse.requestId, /^req_/);
  });

  // Guarantee: a decline is not final, and an intent is paid once.
  test('a decline returns the intent to its beginning; it is paid at most once', async () => {
    const { id } = await draft(stripe, 'card');
    const declined = await refusal(
      stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa_chargeDeclined' }),
    );
    assert.deepEqual(
      [declined.statusCode, declined.type, declined.code, declined.decline_code],
      [402, 'StripeCardError', 'card_declined', 'generic_decline'],
    );
    assert.equal(declined.payment_intent?.status, 'requires_payment_method');
    const shown = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
    assert.equal(shown.last_payment_error?.decline_code, 'generic_decline');
    assert.equal(chargeOf(shown).status, 'failed');
    await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
    const again = await refusal(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }));
    assert.deepEqual([again.statusCode, again.code], [400, 'payment_intent_unexpected_state']);
    assert.equal(again.payment_intent?.status, 'succeeded');
    const late = await refusal(stripe.paymentIntents.cancel(id));
    assert.equal(late.code, 'payment_intent_unexpected_state');
    const charges = await stripe.charges.list({ payment_intent: id });
    assert.equal(charges.data.filter((charge) => charge.paid).length, 1);
  });

  test('a canceled intent takes nothing more', async () => {
    const { id } = await draft(stripe, 'card');
    assert.equal((await stripe.paymentIntents.cancel(id)).status, 'canceled');
    assert.equal(
      (await refusal(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }))).statusCode,
      400,
    );
    assert.equal((await refusal(stripe.paymentIntents.cancel(id))).code, 'payment_intent_unexpected_state');
  });

  // Guarantee: numbers from a server are refused, as by default at the provider.
  test('numbers are refused unless they are allowed', async () => {
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc: '123' };
    const create = () => stripe.paymentMethods.create({ type: 'card', card });
    assert.equal((await refusal(create())).statusCode, 402);
    await client.control('/settings', { rawCards: true });
    assert.equal((await create()).card?.last4, '4242');
    await client.control('/settings', { rawCards: false });
  });

  test('a token of the card fields is used once', async () => {
    const token = await stripe.testHelpers.confirmationTokens.create({ payment_method: 'pm_card_visa' });
    const { id } = await draft(stripe, 'card');
    const done = await stripe.paymentIntents.confirm(id, { confirmation_token: token.id });
    assert.equal(done.status, 'succeeded');
    const second = await draft(stripe, 'card');
    const again = await refusal(stripe.paymentIntents.confirm(second.id, { confirmation_token: token.id }));
    assert.equal(again.param, 'confirmation_token');
    assert.equal((await stripe.confirmationTokens.retrieve(token.id)).payment_intent, id);
  });

  // Guarantee: the payer can be sent to a page, and comes back with the result.
  test('3-D Secure by redirect: approved and refused', async () => {
    for (const [choice, status] of [
      ['approve', 'succeeded'],
      ['refuse', 'failed'],
    ] as const) {
      const { id } = await draft(stripe, 'card');
      const waiting = await stripe.paymentIntents.confirm(id, {
        payment_method: 'pm_card_authenticationRequired',
        return_url: 'http://127.0.0.1:1/back?x=1',
      });
      assert.equal(waiting.status, 'requires_action');
      const url = waiting.next_action?.redirect_to_url?.url ?? '';
      assert.match(await (await fetch(url)).text(), /3-D Secure/);
      const answer = await fetch(url, { method: 'POST', body: `choice=${choice}`, redirect: 'manual' });
      const back = new URL(answer.headers.get('location') ?? '');
      assert.equal(back.searchParams.get('redirect_status'), status);
      assert.equal(back.searchParams.get('payment_intent'), id);
      assert.equal(back.searchParams.get('x'), '1');
      assert.equal((await fetch(url)).status, 404);
      const { last_payment_error: error, status: now } = await stripe.paymentIntents.retrieve(id);
      assert.equal(now, choice === 'approve' ? 'succeeded' : 'requires_payment_method');
      assert.equal(error?.code, choice === 'approve' ? undefined : 'payment_intent_authentication_failure');
    }
  });

  test('a payer who never returns from 3-D Secure', async () => {
    const { id } = await draft(stripe, 'card');
    await stripe.paymentIntents.confirm(id, {
      payment_method: 'pm_card_authenticationRequired',
      return_url: 'http://127.0.0.1:1/back',
    });
    client.wait(901);
    const over = await stripe.paymentIntents.retrieve(id);
    assert.equal(over.last_payment_error?.code, 'payment_intent_authentication_failure');
  });

  // Guarantee: a saved card is charged without its payer, unless its bank asks for them.
  test('saved with a payment, charged without the payer', async () => {
    const customer = await stripe.customers.create({ email: 'jan@example.com' });
    const first = await draft(stripe, 'card', { customer: customer.id, setup_future_usage: 'off_session' });
    const waiting = await stripe.paymentIntents.confirm(first.id, {
      payment_method: 'pm_card_authenticationRequiredOnSetup',
      return_url: 'http://127.0.0.1:1/back',
    });
    await fetch(waiting.next_action?.redirect_to_url?.url ?? '', {
      method: 'POST',
      body: 'choice=approve',
      redirect: 'manual',
    });
    const method = String((await stripe.paymentIntents.retrieve(first.id)).payment_method);
    const listed = await stripe.paymentMethods.list({ customer: customer.id, type: 'card' });
    assert.deepEqual(
      listed.data.map(({ id }) => id),
      [method],
    );
    const later = await draft(stripe, 'card', { customer: customer.id });
    const charge = (id: string, payment_method: string) =>
      stripe.paymentIntents.confirm(id, { payment_method, off_session: true });
    assert.equal((await charge(later.id, method)).status, 'succeeded');
    const without = await draft(stripe, 'card');
    assert.equal((await refusal(charge(without.id, method))).param, 'payment_method');
    const asking = await refusal(charge(without.id, 'pm_card_authenticationRequired'));
    assert.deepEqual([asking.statusCode, asking.code], [402, 'authentication_required']);
    await stripe.paymentMethods.detach(method);
    const gone = await draft(stripe, 'card', { customer: customer.id });
    assert.equal((await refusal(charge(gone.id, method))).statusCode, 400);
  });

  test('a method that was used without a customer is spent', async () => {
    const intent = await paid(stripe);
    const { id } = await draft(stripe, 'card');
    assert.equal(
      (await refusal(stripe.paymentIntents.confirm(id, { payment_method: String(intent.payment_method) }))).statusCode,
      400,
    );
  });

  test('saved without a payment', async () => {
    const customer = await stripe.customers.create();
    const setup = await stripe.setupIntents.create({ customer: customer.id, allowed_payment_method_types: ['card'] });
    const done = await stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa' });
    assert.equal(done.status, 'succeeded');
    const declined = await stripe.setupIntents.create({ customer: customer.id });
    const failed = await refusal(
      stripe.setupIntents.confirm(declined.id, { payment_method: 'pm_card_visa_chargeDeclined' }),
    );
    assert.equal(failed.statusCode, 402);
  });

  // Guarantee: what was asynchronously captured has no line yet, as at the provider.
  test('without capture_method the line comes later', async () => {
    const intent = await stripe.paymentIntents.create({
      amount: 500,
      currency: 'pln',
      allowed_payment_method_types: ['card'],
      payment_method: 'pm_card_visa',
      confirm: true,
      expand: ['latest_charge'],
    });
    assert.equal(chargeOf(intent).balance_transaction, null);
    client.wait(2);
    const later = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] });
    assert.ok(chargeOf(later).balance_transaction);
  });

  test('live keys see nothing of test mode, nor does another account', async () => {
    const { id } = await draft(stripe, 'card');
    const { main, accounts } = fake.provider;
    for (const key of [main.secretLive, accounts[1].secretTest]) {
      const seen = await refusal(sdk(fake.url, key).paymentIntents.retrieve(id));
      assert.deepEqual([seen.statusCode, seen.code], [404, 'resource_missing']);
    }
    const live = sdk(fake.url, main.restrictedLive);
    assert.equal((await draft(live, 'card')).livemode, true);
  });
});

suite('BLIK and Przelewy24', async () => {
  const client = await aClient();
  const { stripe } = client;

  // Guarantee: the payer confirms in the app of the bank, within 60 seconds.
  test('BLIK: waits for the payer, then is paid', async () => {
    const { id } = await draft(stripe, 'blik');
    const waiting = await confirmBlik(stripe, id);
    assert.equal(waiting.next_action?.type, 'blik_authorize');
    client.wait(4);
    assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'requires_action');
    client.wait(1);
    const done = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge.balance_transaction'] });
    assert.equal(done.status, 'succeeded');
    assert.match(chargeOf(done).id, /^py_/);
    assert.equal((chargeOf(done).balance_transaction as Stripe.BalanceTransaction).type, 'payment');
  });

  for (const [email, code, decline, seconds] of [
    ['customer_declined@example.com', 'payment_method_provider_decline', 'customer_declined', 8],
    ['insufficient_funds@example.com', 'payment_method_provider_decline', 'insufficient_funds', 8],
    ['limit_exceeded@example.com', 'payment_method_provider_decline', 'payment_limit_exceeded', 8],
    ['customer_timeout@example.com', 'payment_method_provider_timeout', 'partner_generic_decline', 60],
  ] as const)
    test(`BLIK: ${email}`, async () => {
      const { id } = await draft(stripe, 'blik');
      await confirmBlik(stripe, id, email);
      client.wait(seconds);
      const { status, last_payment_error: error } = await stripe.paymentIntents.retrieve(id);
      assert.deepEqual([status, error?.code, error?.decline_code], ['requires_payment_method', code, decline]);
    });

  test('BLIK: a wrong code is refused at once', async () => {
    const { id } = await draft(stripe, 'blik');
    const wrong = await refusal(confirmBlik(stripe, id, 'invalid_code@example.com'));
    assert.deepEqual([wrong.statusCode, wrong.decline_code], [402, 'code_invalid']);
    assert.equal(wrong.payment_intent?.status, 'requires_payment_method');
  });

  test('BLIK: a payer who does nothing, and one who is late', async () => {
    await client.control('/settings', { blikSeconds: null });
    const one = await draft(stripe, 'blik');
    await confirmBlik(stripe, one.id);
    client.wait(60);
    const over = await stripe.paymentIntents.retrieve(one.id);
    assert.equal(over.last_payment_error?.code, 'payment_method_provider_timeout');
    await client.control('/settings', { blikLate: true });
    const other = await draft(stripe, 'blik');
    await confirmBlik(stripe, other.id);
    client.wait(3_600);
    await client.control('/payers', { payment_intent: other.id, choice: 'approve' });
    assert.equal((await stripe.paymentIntents.retrieve(other.id)).status, 'succeeded');
    await client.control('/settings', { blikSeconds: 5, blikLate: false });
  });

  test('BLIK: what is refused before it begins', async () => {
    const { id } = await draft(stripe, 'blik');
    const confirm = (code?: string) =>
      refusal(
        stripe.paymentIntents.confirm(id, {
          payment_method_data: { type: 'blik' },
          payment_method_options: { blik: code === undefined ? {} : { code } },
        }),
      );
    assert.equal((await confirm()).code, 'parameter_missing');
    assert.equal((await confirm('12345')).code, 'parameter_invalid');
    assert.equal((await refusal(draft(stripe, 'blik', { currency: 'eur' }))).statusCode, 400);
    assert.equal((await refusal(draft(stripe, 'blik', { amount: 199 }))).code, 'amount_too_small');
    const early = { payment_method_options: { blik: { code: '123456' } } };
    assert.equal((await refusal(draft(stripe, 'blik', early))).code, 'parameter_invalid');
  });

  // Guarantee: a cancel beats the payer.
  test('BLIK: canceled while the payer decides', async () => {
    const { id } = await draft(stripe, 'blik');
    await confirmBlik(stripe, id);
    await stripe.paymentIntents.cancel(id);
    client.wait(120);
    assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'canceled');
  });

  test('BLIK: recurring by a mandate, until it ends', async () => {
    const customer = await stripe.customers.create({ email: 'jan@example.com' });
    const { id } = await draft(stripe, 'blik', { customer: customer.id });
    await stripe.paymentIntents.confirm(id, {
      payment_method_data: { type: 'blik' },
      payment_method_options: { blik: { code: '123456', setup_future_usage: 'off_session' } },
      mandate_data: { customer_acceptance: { type: 'online', online: { ip_address: '127.0.0.1', user_agent: 'x' } } },
    });
    client.wait(5);
    const method = String((await stripe.paymentIntents.retrieve(id)).payment_method);
    const charge = async (amount: number) => {
      const later = await draft(stripe, 'blik', { customer: customer.id, amount });
      return stripe.paymentIntents.confirm(later.id, { payment_method: method, off_session: true });
    };
    assert.equal((await charge(5_000)).status, 'succeeded');
    assert.equal((await refusal(charge(200_001))).decline_code, 'payment_limit_exceeded');
    const row = client.fake.provider.store.find('payment_method', `${client.fake.provider.main.account}/test`, method);
    const mandate = row?.hidden.mandate ?? '';
    assert.equal((await stripe.mandates.retrieve(mandate)).status, 'active');
    await client.control('/mandates/end', { mandate });
    assert.equal((await refusal(charge(5_000))).code, 'payment_intent_mandate_invalid');
    const updated = await stripe.events.list({ type: 'mandate.updated' });
    assert.equal(updated.data.length, 1);
  });

  test('Przelewy24: needs an email and an address to return to, then its page', async () => {
    const { id } = await draft(stripe, 'p24');
    const confirm = (email: string | undefined, return_url: string | undefined) =>
      stripe.paymentIntents.confirm(id, {
        payment_method_data: { type: 'p24', ...(email && { billing_details: { email } }), p24: { bank: 'ing' } },
        ...(return_url && { return_url }),
      });
    assert.equal((await refusal(confirm(undefined, 'http://127.0.0.1:1/'))).param, 'billing_details[email]');
    assert.equal((await refusal(confirm('jan@example.com', undefined))).param, 'return_url');
    const waiting = await confirm('jan@example.com', 'http://127.0.0.1:1/');
    const url = waiting.next_action?.redirect_to_url?.url ?? '';
    await fetch(url, { method: 'POST', body: 'choice=approve', redirect: 'manual' });
    assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'succeeded');
  });

  test('methods of the account, and the parameter that no longer exists', async () => {
    const old = { payment_method_types: ['blik'] } as Partial<Stripe.PaymentIntentCreateParams>;
    assert.equal((await refusal(draft(stripe, 'blik', old))).code, 'payment_method_types_no_longer_supported');
    await client.control('/settings', { p24: false });
    assert.equal((await refusal(draft(stripe, 'p24'))).param, 'allowed_payment_method_types');
    const both = await draft(stripe, 'p24', { allowed_payment_method_types: ['p24', 'card'] });
    assert.deepEqual(both.payment_method_types, ['card']);
    await client.control('/settings', { p24: true });
  });

  // Guarantee: search finds by metadata, but not what was just written.
  test('search lags', async () => {
    const { id } = await draft(stripe, 'blik', { metadata: { grosz_key: 'searched' } });
    const search = () => stripe.paymentIntents.search({ query: "metadata['grosz_key']:'searched'" });
    assert.deepEqual((await search()).data, []);
    client.wait(60);
    assert.deepEqual(
      (await search()).data.map((one) => one.id),
      [id],
    );
  });
});
