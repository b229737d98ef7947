// The market of the demo shop next to the service, as `npm start` runs them: one cart over three sellers, paid by
// redirect and on-site, with its mail; refunds in the back office.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { aWindow, desktop, phone } from '../support/browser.ts';
import { aDemo, type Cookies, fillCart, fitsPhones, untilShown } from '../support/demo.ts';
import { axeFindings, enterBlik, heading } from '../support/payer.ts';
import { testCard } from '../support/payments.ts';

suite('the market of the demo shop', () => {
  let url: string;
  let mailUrl: string;
  let filled: Cookies;
  /** One for all tests; each begins with a cart of its own. */
  let window: Awaited<ReturnType<typeof aWindow>>;

  /** 0.5 kg of honey, two bowls and shortbread of three sellers: 24.00 + 108.00 + 16.90. */
  const products = ['Linden honey', 'Linden honey', 'Tea bowl', 'Tea bowl', 'Shortbread'];

  before(async () => {
    ({ shopUrl: url, mailUrl } = await aDemo());
    filled = await fillCart(`${url}/market`, products);
    window = await aWindow({ reducedMotion: 'reduce' });
  });

  async function aCart(): Promise<{ page: Page; faults: string[] }> {
    const { context, page, faults } = window;
    faults.length = 0;
    await context.clearCookies();
    await context.addCookies(filled);
    await page.setViewportSize(desktop);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${url}/market/cart`);
    await heading(page, 'Your cart');
    assert.match(await page.locator('tfoot').innerText(), /148\.90/);
    return { page, faults };
  }
  const toGrosz = (text: string) => Number(text.replaceAll(/[,.]/g, ''));
  const order = (page: Page) => page.getByRole('button', { name: /Order and pay/ }).click();

  async function aPaidOrder(): Promise<{ page: Page; faults: string[]; id: string }> {
    const cart = await aCart();
    await cart.page.getByLabel('BLIK, here').check();
    await cart.page.getByLabel('BLIK code').fill('777123');
    await order(cart.page);
    await heading(cart.page, 'Thank you, your order is paid');
    const id = await cart.page.locator('dd').first().innerText();
    return { ...cart, id };
  }

  /** For tests that only look at it. */
  let seen: Promise<string> | undefined;
  const anOrderToSee = () => (seen ??= aPaidOrder().then(({ id }) => id));

  /** The mail with this in its subject, once the service has sent it. */
  async function openMail(page: Page, subject: RegExp): Promise<string> {
    await untilShown(mailUrl, subject);
    await page.goto(mailUrl);
    await page.getByRole('link', { name: subject }).first().click();
    return page.locator('pre').innerText();
  }

  // Guarantee: with the redirect, the pay page shows the sellers' parts, and a verified notification marks the order as
  // paid; the mail is in the language of the order.
  test('redirect, in Polish', async () => {
    const { page, faults } = await aCart();
    await page.getByLabel('Language').selectOption('PL');
    await order(page);
    await heading(page, 'Jak chcesz zapłacić?');
    assert.deepEqual(await page.locator('.seller summary span:first-child').allInnerTexts(), [
      'Meadow Honey',
      'Stoneware Studio',
      'Corner Bakery',
    ]);
    await page.locator('.seller summary').first().click();
    assert.match(await page.locator('.seller').first().innerText(), /Linden honey\s+0,5 × 48,00\szł/);
    await page.getByRole('link', { name: 'BLIK' }).click();
    await enterBlik(page, '777123');
    await page.getByRole('link', { name: 'Wróć do sklepu' }).click();
    await heading(page, 'Thank you, your order is paid');
    assert.equal(await page.locator('.badge', { hasText: /^paid$/ }).count(), 3);
    await page.goto(`${url}/market/office`);
    assert.match(await page.locator('.order').first().innerText(), /paid[\s\S]+verified: X-JWS-Signature, account/);
    const mail = await openMail(page, /Leaf & Cup Market: płatność 148,90\szł/);
    assert.match(mail, /- Meadow Honey: 24,00\szł\n- Stoneware Studio: 108,00\szł\n- Corner Bakery: 16,90\szł/);
    assert.match(mail, /\/pay\//);
    assert.deepEqual(await axeFindings(page), []);
    await fitsPhones(page);
    await page.goto(mailUrl);
    await fitsPhones(page);
    assert.deepEqual(faults, []);
  });

  // Guarantee: a canceled payment is not offered again, in the shop and its back office, but another one is; an order in
  // English has an English mail.
  test('redirect, in English, canceled', async () => {
    const { page } = await aCart();
    await order(page);
    await heading(page, 'How would you like to pay?');
    await page.getByRole('link', { name: 'Cancel and return to the shop' }).click();
    await page.getByRole('button', { name: 'Cancel the payment' }).click();
    await heading(page, 'The payment was canceled');
    const address = page.url();
    assert.equal(await page.locator('.badge', { hasText: /^not paid$/ }).count(), 3);
    assert.equal(await page.getByRole('link', { name: 'Open the payment page' }).count(), 0);
    await page.getByRole('link', { name: 'Back office' }).first().click();
    assert.match(await page.locator('.order').first().innerText(), /canceled[\s\S]+No notification\./);
    assert.match(await openMail(page, /Payment of PLN\s148\.90 to Leaf & Cup Market/), /is waiting for your payment/);
    await page.goto(address);
    await page.getByRole('button', { name: 'Pay again' }).click();
    await page.getByRole('link', { name: 'BLIK' }).click();
    await enterBlik(page, '777123');
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await heading(page, 'Thank you, your order is paid');
    assert.equal(await page.locator('.badge', { hasText: /^paid$/ }).count(), 3);
  });

  // Guarantee: on-site, a card goes to the bank's page and comes back to the paid order.
  test('on-site: card with 3-D Secure', async () => {
    const { page } = await aCart();
    await page.getByLabel('Card, here').check();
    await page.getByLabel('Card number').fill(testCard.number);
    await page.getByLabel('Expiration').fill(testCard.expiry);
    await page.getByLabel('Security code').fill(testCard.code);
    await order(page);
    await heading(page, 'Confirm your card payment');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await heading(page, 'Thank you, your order is paid');
  });

  // Guarantee: a declined payment on-site can be made on the pay page.
  test('on-site: BLIK is declined', async () => {
    const { page } = await aCart();
    await page.getByLabel('BLIK, here').check();
    await page.getByLabel('BLIK code').fill('222222');
    await order(page);
    await heading(page, 'The payment was declined');
    assert.match(await page.locator('.result').innerText(), /not enough money/);
    await page.getByRole('link', { name: 'Try again on the payment page' }).click();
    await enterBlik(page, '777123');
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await heading(page, 'Thank you, your order is paid');
  });

  // Guarantee: the preview says what a refund will do and moves nothing; the confirmed refund is the same, and the order
  // page shows it.
  test('a product is refunded with the preview, then a seller, then the rest', async () => {
    const { page, faults, id } = await aPaidOrder();
    await page.getByRole('link', { name: 'Back office' }).last().click();
    await heading(page, `Order ${id}`);
    await page.getByLabel('Quantity of Linden honey to refund').fill('0.25');
    await page.getByRole('button', { name: 'Refund Linden honey' }).click();
    await heading(page, 'Refund PLN 12.00?');
    const seller = page.locator('.part', { hasText: 'Meadow Honey' });
    const shown = await seller.innerText();
    const [now = '', then = ''] = [...shown.matchAll(/Balance (?:now|then)\s+PLN\s([\d,.]+)/g)].map(([, sum]) => sum);
    assert.equal(toGrosz(now) - toGrosz(then), 1_200 + 100 - 60);
    assert.match(shown, /PLN\s12\.00[\s\S]+Fee\s+PLN\s1\.00[\s\S]+Commission back\s+PLN\s0\.60/);
    await page.reload();
    assert.equal(await seller.innerText(), shown, 'nothing moved');
    await page.getByRole('button', { name: 'Refund PLN 12.00' }).click();
    await heading(page, `Order ${id}`);
    assert.match(await page.locator('.part').first().innerText(), /partly refunded[\s\S]+0\.25 refunded/);

    await page.getByLabel('Amount of Stoneware Studio to refund').fill('8,50');
    await page.getByRole('button', { name: 'Refund an amount of Stoneware Studio' }).click();
    await page.getByRole('button', { name: 'Refund PLN 8.50' }).click();
    await heading(page, `Order ${id}`);
    await page.getByRole('link', { name: 'as the customer sees it' }).click();
    await heading(page, 'Thank you, your order is paid');
    assert.deepEqual(
      (await page.locator('.badge').allInnerTexts()).map((text) => text.replaceAll(/\s/g, ' ')),
      ['partly refunded: PLN 12.00', 'partly refunded: PLN 8.50', 'paid'],
    );
    assert.match(await page.locator('.result').innerText(), /0\.5 × Linden honey \(0\.25 refunded\)/);

    await page.goBack();
    await page.getByRole('button', { name: 'Refund everything' }).click();
    await page.getByRole('button', { name: 'Refund PLN 128.40' }).click();
    await heading(page, `Order ${id}`);
    assert.equal(await page.locator('.badge', { hasText: /^refunded$/ }).count(), 3);
    await page.getByRole('link', { name: 'as the customer sees it' }).click();
    await heading(page, 'Your order was refunded');
    await page.getByRole('link', { name: 'Back office' }).first().click();
    assert.match(await page.locator('.order').first().innerText(), /^\S+ refunded/);
    assert.deepEqual(faults, []);
  });

  // Guarantee: what cannot be refunded is refused with a reason, and the form is never read as a full refund.
  test('a refund that is refused', async () => {
    const { page } = window;
    const id = await anOrderToSee();
    await page.goto(`${url}/market/office/${id}`);
    await page.getByLabel('Amount of Corner Bakery to refund').fill('16.91');
    await page.getByRole('button', { name: 'Refund an amount of Corner Bakery' }).click();
    await heading(page, 'This cannot be refunded');
    assert.match(await page.locator('.reasons').innerText(), /1690 cents are left/);
    assert.deepEqual(await axeFindings(page), []);
    for (const query of ['', '?by=', '?by=product', '?by=seller&amount=0', '?by=seller&amount=1.234']) {
      const answer = await page.goto(`${url}/market/office/${id}/refund${query}`);
      assert.equal(answer?.status(), 400, query);
    }
  });

  // Guarantee: a notification that the service did not sign changes nothing.
  test('a forged notification is refused', async () => {
    const answer = await fetch(`${url}/market/notifications`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'x',
        'webhook-timestamp': '1',
        'x-jws-signature': 'a..b',
      },
      body: JSON.stringify({ type: 'marketplace_transaction', merchantId: 'x', data: { transactionStatus: 'paid' } }),
    });
    assert.equal(answer.status, 400);
  });

  // Guarantee: the market is accessible, and fits every phone.
  test('no axe findings', async () => {
    const id = await anOrderToSee();
    const { page } = await aCart();
    // The page of the order comes last: it empties the cart.
    const office = `/market/office/${id}`;
    const paths = ['/market', '/market/cart', '/market/office', office, `${office}/refund?by=all`];
    await page.setViewportSize(phone);
    for (const path of [...paths, `/market/orders/${id}`]) {
      await page.goto(url + path);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await axeFindings(page), [], `${path} ${colorScheme}`);
      }
      await fitsPhones(page);
    }
  });

  // Guarantee: the sellers on the pay page are accessible, opened too, and need no script.
  test('no axe findings on the pay page, without JavaScript', async () => {
    const { page } = await aCart();
    await order(page);
    await heading(page, 'How would you like to pay?');
    const plain = await aWindow({ javaScriptEnabled: false, viewport: phone });
    await plain.page.goto(page.url());
    await plain.page.locator('.seller summary').nth(1).click();
    assert.match(await plain.page.locator('.seller').nth(1).innerText(), /Tea bowl\s+2 × PLN\s54\.00/);
    await page.setViewportSize({ width: 320, height: 568 });
    await page.reload();
    for (const summary of await page.locator('.seller summary').all()) await summary.click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await axeFindings(page), []);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
    }
  });
});
