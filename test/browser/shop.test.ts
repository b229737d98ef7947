// The demo shop next to the service, as `npm start` runs them: from the cart to the paid order.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { aWindow, phone } from '../support/browser.ts';
import { aDemo, type Cookies, type Demo, fillCart, fitsPhones, untilShown } from '../support/demo.ts';
import { axeFindings, enterBlik, heading } from '../support/payer.ts';
import { testCard } from '../support/payments.ts';
import { quietPort } from '../support/process.ts';
import { atEnd } from '../support/service.ts';

suite('the demo shop', () => {
  let url: string;
  let demo: Demo;
  /** One for all tests; each begins with a cart of its own. */
  let window: Awaited<ReturnType<typeof aWindow>>;

  before(async () => {
    const port = await quietPort();
    // The next port is taken: the shop must find another.
    const blocker = createServer().listen(port + 1, '127.0.0.1');
    atEnd(async () => blocker.close());
    demo = await aDemo({ PORT: String(port) });
    url = demo.shopUrl;
    assert.equal(url, `http://127.0.0.1:${port + 2}`);
    window = await aWindow();
  });

  const filled = new Map<string, Promise<Cookies>>();

  /** A cart with these products, ready to pay; with options, in a window of its own. */
  async function aCart(
    products: readonly string[],
    options?: BrowserContextOptions,
  ): Promise<{ page: Page; faults: string[] }> {
    const cart = filled.get(products.join()) ?? fillCart(url, products);
    filled.set(products.join(), cart);
    const { context, page, faults } = options ? await aWindow(options) : window;
    faults.length = 0;
    page.removeAllListeners('request');
    await context.clearCookies();
    await context.addCookies(await cart);
    await page.goto(`${url}/cart`);
    await heading(page, 'Your cart');
    return { page, faults };
  }
  const order = (page: Page) => page.getByRole('button', { name: /Order and pay/ }).click();

  /** What the orders page shows about the order of this page. */
  async function arrivedOf(page: Page): Promise<string> {
    const id = await page.locator('dd').first().innerText();
    await page.goto(`${url}/orders`);
    return page.locator('.order', { hasText: id }).innerText();
  }

  // Guarantee: startup prints the URL of the shop, even if its usual port was taken.
  test('the start names the shop', () => assert.ok(demo.printed.includes(`Demo shop      ${url}`), demo.printed));

  // Guarantee: with the redirect, a cart becomes an order that a verified notification marks as paid.
  test('redirect: BLIK on the pay page', async () => {
    const { page, faults } = await aCart(['Sencha', 'Earl Grey', 'Sencha']);
    assert.match(await page.locator('tfoot').innerText(), /67\.81/);
    await order(page);
    await heading(page, 'How would you like to pay?');
    await page.getByRole('link', { name: 'BLIK' }).click();
    await enterBlik(page, '777123');
    await heading(page, 'Payment successful');
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await heading(page, 'Thank you, your order is paid');
    const arrived = await arrivedOf(page);
    assert.match(arrived, /paid[\s\S]+tr_status=TRUE[\s\S]+verified: webhook-signature, X-JWS-Signature, md5sum/);
    assert.deepEqual(faults, []);
  });

  // Guarantee: on the shop's own page, the embedded form takes the payment, and a verified notification marks it as paid.
  test('the embedded form: declined, then paid', async () => {
    const { page, faults } = await aCart(['Sencha']);
    await page.getByLabel('On this page, in the embedded form').check();
    await order(page);
    const address = page.url();
    const form = await (await page.waitForSelector('#payment iframe')).contentFrame();
    assert.ok(form && new URL(address).origin === url);
    await form.waitForURL((at) => at.origin === demo.baseUrl);
    await form.getByRole('link', { name: /^BLIK/ }).click();
    await enterBlik(form, '222222');
    await page.getByText('That did not work').waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await enterBlik(form, '777123');
    await heading(page, 'Thank you, your order is paid');
    await page.goto(address);
    await heading(page, 'Thank you, your order is paid');
    assert.deepEqual(faults, []);
  });

  // Guarantee: the shop promises no moment while the form says that nothing was sent.
  test('the embedded form: no network', async () => {
    const { page } = await aCart(['Sencha'], {});
    const context = page.context();
    await page.getByLabel('On this page, in the embedded form').check();
    await order(page);
    const form = await (await page.waitForSelector('#payment iframe')).contentFrame();
    assert.ok(form);
    await form.getByRole('link', { name: /^BLIK/ }).click();
    await heading(form, 'Pay with BLIK');
    await context.setOffline(true);
    await enterBlik(form, '777123');
    await form.getByText('We are checking whether your payment was sent.').waitFor();
    await page.locator('.said:empty').waitFor({ state: 'attached' });
    await context.setOffline(false);
    await form.getByText('Your payment has not reached us.').waitFor();
    await enterBlik(form, '777123');
    await heading(page, 'Thank you, your order is paid');
  });

  // Guarantee: a payer who cancels on the pay page returns to an unpaid order, which another payment can pay.
  test('redirect: canceled, and paid by another payment', async () => {
    const { page } = await aCart(['Sencha']);
    await order(page);
    await page.getByRole('link', { name: 'Cancel and return to the shop' }).click();
    await page.getByRole('button', { name: 'Cancel the payment' }).click();
    await heading(page, 'The payment was canceled');
    const address = page.url();
    assert.equal(await page.getByRole('link', { name: 'Open the payment page' }).count(), 0);
    assert.match(await arrivedOf(page), /No notification yet/);
    await page.goto(address);
    await page.getByRole('button', { name: 'Pay again' }).click();
    await heading(page, 'How would you like to pay?');
    await page.getByRole('link', { name: 'BLIK' }).click();
    await enterBlik(page, '777123');
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await heading(page, 'Thank you, your order is paid');
    assert.match(await arrivedOf(page), /tr_status=TRUE/);
  });

  // Guarantee: a verified notification marks an order paid on the shop's own page; staff refund it after they were asked,
  // and another notification marks it as refunded.
  test('on-site BLIK: paid, and refunded from the orders page', async () => {
    const { page } = await aCart(['Sencha']);
    await page.getByLabel('BLIK, here').check();
    await page.getByLabel('BLIK code').fill('777123');
    await order(page);
    await heading(page, 'Thank you, your order is paid');
    const id = await page.locator('dd').first().innerText();
    await fitsPhones(page);
    assert.match(await arrivedOf(page), /tr_status=TRUE/);
    await page.locator('.order h2 a').first().click();
    await heading(page, 'Thank you, your order is paid');
    await page.goBack();
    await page.getByRole('link', { name: `Refund order ${id}` }).click();
    await page.getByRole('heading', { name: /^Refund PLN.\d+\.\d\d\?$/ }).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await fitsPhones(page);
    await page.getByRole('button', { name: /^Refund PLN/ }).click();
    await heading(page, 'Orders, and what arrived about them');
    const shown = page.locator('.order', { hasText: id });
    await shown.getByText(/^(A refund was requested\.|refunded)$/).waitFor();
    assert.equal(await page.getByRole('link', { name: `Refund order ${id}` }).count(), 0);
    await untilShown(`${url}/orders/${id}`, /Your order was refunded/);
    await page.goto(`${url}/orders/${id}`);
    await heading(page, 'Your order was refunded');
    assert.match(await arrivedOf(page), /tr_status=CHARGEBACK/);
  });

  // Guarantee: BLIK on the shop's own page can be declined and then paid on the pay page; a payer who was declined, then
  // paid and returned before the notification, is not told that it was declined.
  test('on-site BLIK: declined, tried again, and back before the notification', async () => {
    const { page } = await aCart(['Oolong']);
    await page.getByLabel('BLIK, here').check();
    await page.getByLabel('BLIK code').fill('222222');
    await order(page);
    await heading(page, 'The payment was declined');
    assert.match(await page.locator('.result').innerText(), /not enough money/);
    const back = await page.context().newPage();
    await back.goto(`${page.url()}?paid`);
    await heading(back, 'Waiting for the payment');
    assert.doesNotMatch(await back.locator('.result').innerText(), /not enough money|declined/);
    await page.getByRole('link', { name: 'Try again on the payment page' }).click();
    await enterBlik(page, '777123');
    await heading(page, 'Payment successful');
    await heading(back, 'Thank you, your order is paid');
    await back.close();
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await heading(page, 'Thank you, your order is paid');
  });

  // Guarantee: a card on the shop's page reaches the shop's server only encrypted, and goes through 3-D Secure.
  test('on-site card with 3-D Secure', async () => {
    const { page } = await aCart(['Sencha']);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await page.getByLabel('Card, here').check();
    await page.getByLabel('Card number').fill(testCard.number);
    await page.getByLabel('Expiration').fill(testCard.expiry);
    await page.getByLabel('Security code').fill(testCard.code);
    await order(page);
    await heading(page, 'Confirm your card payment');
    assert.ok(sent.join().includes('card=') && !sent.join().includes(testCard.number));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await heading(page, 'Thank you, your order is paid');
  });

  // Guarantee: a card cannot be submitted before the script that encrypts it is loaded; other methods need no script.
  test('without JavaScript', async () => {
    const { page } = await aCart(['Sencha'], { javaScriptEnabled: false });
    assert.equal(await page.getByLabel('Card, here').isDisabled(), true);
    await page.locator('.needs').waitFor();
    await page.getByLabel('BLIK, here').check();
    await page.getByLabel('BLIK code').fill('777123');
    await order(page);
    const id = await page.locator('dd').first().innerText();
    const paid = await aWindow();
    await paid.page.goto(`${url}/orders/${id}`);
    await heading(paid.page, 'Thank you, your order is paid');
    await page.goto(`${url}/subscriptions`);
    assert.equal(await page.getByRole('button', { name: /Subscribe/ }).isDisabled(), true);
  });

  // Guarantee: a notification that the service did not sign changes nothing.
  test('a forged notification is refused', async () => {
    const { page } = await aCart(['Rooibos']);
    await order(page);
    await heading(page, 'How would you like to pay?');
    await page.goto(`${url}/orders`);
    const id = await page.locator('.order h2 a').first().innerText();
    const body = new URLSearchParams({
      id: '1',
      tr_id: 'TR-1',
      tr_amount: '15.05',
      tr_paid: '15.05',
      tr_crc: id,
      tr_status: 'TRUE',
      md5sum: 'x',
    });
    const headers = {
      'webhook-id': 'x',
      'webhook-timestamp': '1',
      'webhook-signature': 'v1,x',
      'x-jws-signature': 'a..b',
    };
    const answer = await fetch(`${url}/notifications`, { method: 'POST', body, headers });
    assert.equal(answer.status, 400);
    await page.reload();
    assert.match(await page.locator('.order', { hasText: id }).innerText(), /new[\s\S]+No notification yet/);
  });

  // Guarantee: the example is accessible too, and fits every phone.
  test('no axe findings', async () => {
    const { page } = await aCart(['Sencha'], { viewport: phone });
    const [, id] = /\/orders\/([A-Z0-9]{10})/.exec(await (await fetch(`${url}/orders`)).text()) ?? [];
    // The page of the order comes last: it empties the cart.
    for (const path of ['/', '/cart', '/orders', `/orders/${id}`]) {
      await page.goto(url + path);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await axeFindings(page), [], `${path} ${colorScheme}`);
      }
      await fitsPhones(page);
    }
    await page.goto(`${url}/nothing`);
    await fitsPhones(page);
  });

  // Guarantee: the example uses only what other developers have: the public API, the SDK and Node.
  test('imports only the SDK and Node', () => {
    for (const file of globSync('examples/shop/**/*.{ts,js}')) {
      const from = [...readFileSync(file, 'utf8').matchAll(/from '([^']+)'/g)].map(([, path = '']) => path);
      for (const path of from) assert.match(path, /^(node:|\.\/|\.\.\/\.\.\/sdk\/)/, `${file} imports ${path}`);
    }
  });

  // Last, because it moves the demo's clock.
  suite('a subscription', () => {
    // Guarantee: a person can subscribe with a card, watch charges, change the card and cancel.
    test('subscribe, let months pass, change the card, cancel', async () => {
      const { page, faults } = await aWindow();
      await page.goto(`${url}/subscriptions`);
      await page.getByLabel('Card number').fill(testCard.number);
      await page.getByLabel('Expiration (MM/YY)').fill(testCard.expiry);
      await page.getByLabel('Security code').fill(testCard.code);
      await page.getByRole('button', { name: /Subscribe for/ }).click();
      await page.getByRole('heading', { name: 'Your subscriptions' }).waitFor();
      const row = page.locator('[data-subscription]');
      // The card arrives by notification; the page goes on by itself.
      await row.getByText('active').waitFor();
      assert.match(await row.innerText(), /active/);
      assert.match(await row.innerText(), /•••• 1111/);
      assert.deepEqual(await axeFindings(page), []);

      await page.getByRole('button', { name: 'Let a month pass' }).click();
      await page.getByText('1 charge made').waitFor();
      const chargedAt = await row.locator('td').first().innerText();
      const clock = await page.locator('time').first().innerText();
      assert.ok(chargedAt <= clock, `charged at ${chargedAt}, and the clock says ${clock}`);
      await page.getByRole('button', { name: 'Use a card without funds' }).click();
      await page.getByRole('button', { name: 'Let a month pass' }).click();
      await page
        .getByText(/failed: insufficient funds/)
        .first()
        .waitFor();
      await row.getByText(/^1 charge made, \d+ failed attempts?$/).waitFor();
      await page.getByText('What comes next, and why').click();
      assert.deepEqual(await axeFindings(page), []);
      if (process.env.SHOTS)
        await page.screenshot({ path: join(process.env.SHOTS, 'subscription.png'), fullPage: true });
      assert.match(await row.innerText(), /failed/);
      await fitsPhones(page);
      assert.deepEqual(faults, []);
    });

    test('cancel', async () => {
      const { page } = await aWindow();
      await page.goto(`${url}/subscriptions`);
      await page.getByLabel('Card number').fill(testCard.number);
      await page.getByLabel('Expiration (MM/YY)').fill(testCard.expiry);
      await page.getByLabel('Security code').fill(testCard.code);
      await page.getByRole('button', { name: /Subscribe for/ }).click();
      const row = page.locator('[data-subscription]').first();
      await row.getByText('active').waitFor();
      await row.getByRole('link', { name: 'Cancel the subscription' }).click();
      await page.getByRole('heading', { name: 'Cancel this subscription?' }).waitFor();
      assert.deepEqual(await axeFindings(page), []);
      await fitsPhones(page);
      await page.getByRole('link', { name: 'Keep it' }).click();
      await row.getByText('active').waitFor();
      await row.getByRole('link', { name: 'Cancel the subscription' }).click();
      await page.getByRole('button', { name: 'Cancel the subscription' }).click();
      await page.getByText('canceled').first().waitFor();
      assert.match(await row.innerText(), /canceled/);
    });
  });
});
