// The fake of Stripe in a real browser: its card fields inside a shop's page, and the pages where payers decide.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, suite, test } from 'node:test';
import { Stripe } from 'stripe';
import { systemClock } from '../../src/runtime/index.ts';
import { type FakeStripe, openFakeStripe } from '../../src/simulators/stripe/index.ts';
import { aWindow } from '../support/browser.ts';
import { atEnd } from '../support/service.ts';

/** A page with the fields, under the policy that the pay page needs. */
function pageHtml({ url, provider }: FakeStripe): string {
  return `<!doctype html><html lang="en"><title>Shop</title><body><div id="fields"></div><button>Pay</button><output></output>
<script src="${url}/stripe.js"></script><script src="/shop.js" data-key="${provider.main.publishableTest}"></script></body></html>`;
}

const shopScript = `
const stripe = Stripe(document.currentScript.dataset.key);
const elements = stripe.elements({ mode: 'payment', amount: 10000, currency: 'pln', paymentMethodCreation: 'manual' });
elements.create('payment').mount('#fields');
document.querySelector('button').addEventListener('click', async () => {
  const show = (text) => { document.querySelector('output').textContent = text; };
  const { error } = await elements.submit();
  if (error) return show(error.message);
  const made = await stripe.createConfirmationToken({ elements, params: { return_url: location.href } });
  show(made.error ? made.error.code : made.confirmationToken.id);
});`;

async function aShop(fake: FakeStripe): Promise<string> {
  const policy = `default-src 'none'; script-src 'self' ${fake.url}; frame-src ${fake.url}; style-src 'unsafe-inline'`;
  const server = createServer((request, response) => {
    const isScript = request.url === '/shop.js';
    response.writeHead(request.url === '/favicon.ico' ? 204 : 200, {
      'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8',
      'content-security-policy': policy,
    });
    response.end(request.url === '/favicon.ico' ? undefined : isScript ? shopScript : pageHtml(fake));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

suite('the fake of Stripe', () => {
  let fake: FakeStripe;
  let stripe: Stripe;

  before(async () => {
    fake = await openFakeStripe({ clock: systemClock, settings: { blikSeconds: null } });
    atEnd(() => fake.close());
    const { hostname, port } = new URL(fake.url);
    stripe = new Stripe(fake.provider.main.restrictedTest, { host: hostname, port: Number(port), protocol: 'http' });
  });

  // Guarantee: a number typed into the fields becomes a token that a server confirms, with 3-D Secure on the way back.
  test('card fields make a token; 3-D Secure returns to the shop', async () => {
    const shop = await aShop(fake);
    const { page, faults } = await aWindow();
    await page.goto(shop);
    const fields = page.frameLocator('iframe');
    const said = page.locator('output');
    await fields.getByLabel('Card number').fill('4242424242424241');
    await page.getByRole('button', { name: 'Pay' }).click();
    await said.getByText('Your card number is not complete.').waitFor();
    await fields.getByLabel('Card number').fill('4000002760003184');
    await fields.getByLabel('Expiration date').fill('1230');
    await fields.getByLabel('Security code').fill('123');
    await page.getByRole('button', { name: 'Pay' }).click();
    await said.getByText('ctoken_').waitFor();
    const confirmation_token = (await said.textContent()) ?? '';
    const { id } = await stripe.paymentIntents.create({
      amount: 10_000,
      currency: 'pln',
      allowed_payment_method_types: ['card'],
      description: 'Tea House, order 1024',
    });
    const waiting = await stripe.paymentIntents.confirm(id, { confirmation_token, use_stripe_sdk: false });
    await page.goto(waiting.next_action?.redirect_to_url?.url ?? '');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(`${shop}?payment_intent=${id}&*redirect_status=succeeded`);
    assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'succeeded');
    assert.deepEqual(faults, []);
  });

  // Guarantee: a person can be the payer of BLIK.
  test('its own page lets a person approve BLIK', async () => {
    const { id } = await stripe.paymentIntents.create({
      amount: 4_999,
      currency: 'pln',
      allowed_payment_method_types: ['blik'],
      description: 'Tea House, order 1025',
    });
    await stripe.paymentIntents.confirm(id, {
      payment_method_data: { type: 'blik' },
      payment_method_options: { blik: { code: '123456' } },
    });
    const { page, faults } = await aWindow();
    await page.goto(`${fake.url}/`);
    await page.getByText('49.99 PLN').waitFor();
    await page.getByRole('button', { name: 'Approve' }).first().click();
    await page.getByText('Nobody waits.').waitFor();
    assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'succeeded');
    assert.deepEqual(faults, []);
  });
});
