// A person's day with Stripe: `npm start` with the settings of the fake, the demo shop in a real browser, and in the end
// `grosz reconcile`, which must agree with the provider's balance to the grosz.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { systemClock } from '../../src/runtime/index.ts';
import { type FakeStripe, openFakeStripe, serviceSettings } from '../../src/simulators/stripe/index.ts';
import { aWindow } from '../support/browser.ts';
import { runHere } from '../support/command.ts';
import { aDemo, type Demo, fillCart, untilShown } from '../support/demo.ts';
import { heading } from '../support/payer.ts';
import { quietPort } from '../support/process.ts';
import { atEnd } from '../support/service.ts';
import { heldAt } from '../support/stripe.ts';

suite('the demo shop with Stripe', () => {
  let fake: FakeStripe;
  let demo: Demo;
  let page: Page;
  let faults: string[];
  let cart: Awaited<ReturnType<typeof fillCart>>;

  before(async () => {
    const port = await quietPort();
    const webhookUrl = `http://127.0.0.1:${port}/acquirer/stripe/events`;
    fake = await openFakeStripe({
      // A little behind: whatever moved is in a statement that ends now, because the provider's times are whole seconds.
      clock: { now: () => systemClock.now().subtract({ seconds: 2 }) },
      settings: { blikSeconds: 1 },
      webhookUrl,
      deliverEveryMilliseconds: 100,
    });
    atEnd(() => fake.close());
    demo = await aDemo({ PORT: String(port), REFUND_DELAY_SECONDS: '0', ...serviceSettings(fake.provider) });
    cart = await fillCart(demo.shopUrl, ['Sencha']);
    ({ page, faults } = await aWindow());
  });

  const order = () => page.getByRole('button', { name: /Order and pay/ }).click();
  async function toCart(): Promise<void> {
    await page.context().addCookies(cart);
    await page.goto(`${demo.shopUrl}/cart`);
    await heading(page, 'Your cart');
  }
  async function isPaid(): Promise<void> {
    await heading(page, 'Payment successful');
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await heading(page, 'Thank you, your order is paid');
  }

  // Guarantee: the shop offers what can be paid, and nothing else.
  test('offers no card, wallet or subscription of its own', async () => {
    await toCart();
    const ways = await page.locator('input[name=way]').all();
    const values = await Promise.all(ways.map((way) => way.getAttribute('value')));
    assert.deepEqual(values, ['redirect', 'form', 'blik']);
    assert.equal(await page.locator('.wallet').count(), 0);
    await page.goto(`${demo.shopUrl}/subscriptions`);
    await page.getByText('There are no new subscriptions at the moment').waitFor();
    assert.equal(await page.getByLabel('Card number').count(), 0);
  });

  test('BLIK, on the shop’s page', async () => {
    await toCart();
    await page.getByLabel('BLIK, here').check();
    await page.getByLabel('BLIK code').fill('123456');
    await order();
    await heading(page, 'Thank you, your order is paid');
  });

  test('Przelewy24, at the bank’s page', async () => {
    await toCart();
    await order();
    await page.getByRole('link', { name: 'Bank transfer' }).click();
    await page.locator('button.main').click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await isPaid();
  });

  test('a card, in the provider’s fields', async () => {
    await toCart();
    await order();
    await page.getByRole('link', { name: 'Card' }).click();
    const fields = page.frameLocator('#card-fields iframe');
    await fields.getByLabel('Card number').fill('4242424242424242');
    await fields.getByLabel('Expiration date').fill('1230');
    await fields.getByLabel('Security code').fill('123');
    await page.locator('.step button.main').click();
    await isPaid();
    assert.deepEqual(faults, []);
  });

  // Guarantee: a refund of the shop and a dispute of a payer are in the books as in the provider's balance, fees included.
  test('a refund, a dispute, and the books agree to the grosz', async () => {
    const id = await page.locator('dd').first().innerText();
    await page.goto(`${demo.shopUrl}/orders/${id}/refund`);
    await page.getByRole('button', { name: /^Refund/ }).click();
    // The order is refunded when that is asked for, and the payer told when the money is on its way.
    await untilShown(demo.mailUrl, /Refund of PLN.24\.90/);
    const transfer = heldAt(fake).intents.find(({ payment_method_types: types }) => types.includes('p24'));
    const disputed = { method: 'POST', body: JSON.stringify({ payment_intent: transfer?.id }) };
    assert.equal((await fetch(`${fake.url}/_fake/disputes`, disputed)).status, 200);
    const run = await runHere(['reconcile'], demo.environment);
    assert.equal(run.code, 0, run.stdout + run.stderr);
    const [, sums = ''] = run.stdout.split(':\n');
    assert.match(
      sums,
      /3 captures of 74\.70\n {2}1 refund of 24\.90\n {2}0 payouts of 0\.00\n {2}fees of [\d.]+\n {2}disputes of 24\.90\n/,
    );
    assert.match(run.stdout, /The books agree with the bank\.\n$/);
    const [, fees = ''] = /fees of ([\d.]+)/.exec(sums) ?? [];
    const { main, store } = fake.provider;
    const { available, pending } = store.sumBalance(`${main.account}/test`, fake.provider.now() / 1_000);
    assert.equal(available + pending, 7_470 - 2_490 - 2_490 - Math.round(Number(fees) * 100));
  });
});
