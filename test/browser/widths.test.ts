// The shop and the mail catcher on phones: nothing is wider than the screen.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { aWindow } from '../support/browser.ts';
import { heading } from '../support/payer.ts';
import { testCard } from '../support/payments.ts';
import { aDataDir, quietPort, startGrosz } from '../support/process.ts';

const widths = [320, 360, 390];

/** What reaches beyond the right edge, and by how much; nothing inside what scrolls by itself. */
const tooWide = `(() => {
  const width = document.documentElement.clientWidth;
  const scrolls = (node) => node && (/auto|scroll|hidden/.test(getComputedStyle(node).overflowX) || scrolls(node.parentElement));
  const found = [...document.body.querySelectorAll('*')].filter((node) =>
    !node.closest('.away, svg') && !scrolls(node.parentElement) && node.getBoundingClientRect().right > width + 0.5);
  const named = found.map((node) => node.tagName.toLowerCase() + '.' + node.className + ' ' + Math.round(node.getBoundingClientRect().right));
  return document.documentElement.scrollWidth > width ? ['the page ' + document.documentElement.scrollWidth, ...named] : named;
})()`;

suite('on phones', () => {
  let shop: string;
  let mailUrl: string;
  /** The addresses of all kinds of pages. */
  let addresses: string[];
  let page: Page;

  before(async () => {
    const dataDir = aDataDir();
    const running = startGrosz(['start'], { DATA_DIR: dataDir, PORT: String(await quietPort()) });
    await running.until(/Ctrl-C stops it/);
    ({ shopUrl: shop, mailUrl } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')));
    ({ page } = await aWindow());
    const orderId = await anOrder('/', 'Sencha');
    const marketId = await anOrder('/market', 'Shortbread');
    const subscriptionId = await aSubscription();
    // A mail: the market's payer gets one with the refund.
    await page.goto(`${shop}/market/office/${marketId}`);
    await page.getByRole('button', { name: 'Refund everything' }).click();
    await page.getByRole('button', { name: /^Refund/ }).click();
    await heading(page, `Order ${marketId}`);
    const mail = await firstMail();
    addresses = [
      ...['/', '/cart', '/orders', `/orders/${orderId}`, `/orders/${orderId}/refund`],
      ...['/subscriptions', `/subscriptions/cancel?id=${subscriptionId}`, '/nothing'],
      ...['/market', '/market/cart', '/market/office', `/market/office/${marketId}`, `/market/orders/${marketId}`],
    ].map((path) => `${shop}${path}`);
    addresses.push(mailUrl, mail);
    // Carts with something in them.
    for (const [path, product] of [
      ['/', 'Earl Grey'],
      ['/market', 'Linden honey'],
    ] as const) {
      await page.goto(`${shop}${path}`);
      await page.getByRole('button', { name: `Add ${product} to the cart` }).click();
    }
  });

  async function anOrder(path: string, product: string): Promise<string> {
    await page.goto(`${shop}${path}`);
    await page.getByRole('button', { name: `Add ${product} to the cart` }).click();
    await page.getByLabel('BLIK, here').check();
    await page.getByLabel('BLIK code').fill('777123');
    await page.getByRole('button', { name: /Order and pay/ }).click();
    await heading(page, 'Thank you, your order is paid');
    return page.locator('dl dd').first().innerText();
  }

  async function aSubscription(): Promise<string> {
    await page.goto(`${shop}/subscriptions`);
    await page.getByLabel('Card number').fill(testCard.number);
    await page.getByLabel('Expiry (MM/YY)').fill(testCard.expiry);
    await page.getByLabel('Security code').fill(testCard.code);
    await page.getByRole('button', { name: /Subscribe for/ }).click();
    const row = page.locator('[data-subscription]');
    await row.getByText('active').waitFor();
    await page.getByRole('button', { name: 'Let a month pass' }).click();
    await page.getByText('1 charge made').waitFor();
    return (await row.getAttribute('data-subscription')) ?? '';
  }

  async function firstMail(): Promise<string> {
    for (let looked = 0; looked < 400; looked += 1) {
      await page.goto(mailUrl);
      const link = page.locator('li a').first();
      if ((await link.count()) > 0) return new URL((await link.getAttribute('href')) ?? '', mailUrl).href;
    }
    throw new Error('There is no mail.');
  }

  for (const width of widths) {
    // Guarantee: a phone shows every page of the shop, its market and the mail catcher without scrolling sideways.
    test(`${width} px`, async () => {
      await page.setViewportSize({ width, height: 700 });
      for (const address of addresses) {
        await page.goto(address);
        for (const details of await page.locator('details:not([open]) > summary').all()) await details.click();
        const shots = process.env.SHOTS;
        const name = new URL(address).pathname.replaceAll('/', '_');
        if (shots) await page.screenshot({ path: join(shots, `${width}${name}.png`), fullPage: true });
        assert.deepEqual(await page.evaluate(tooWide), [], address);
      }
    });
  }
});
