// Wallet payments in a real browser with the simulated device: on-site in the demo shop, and on the pay page.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { aWindow, phone } from '../support/browser.ts';
import { aDemo, type Cookies, type Demo, fillCart } from '../support/demo.ts';
import { axeFindings, heading } from '../support/payer.ts';
import { ask } from '../support/service.ts';

suite('the wallet in a browser', () => {
  let demo: Demo;
  let token: string;
  let logFile: string;
  let filled: Cookies;
  /** One for all tests that need nothing special. */
  let window: Awaited<ReturnType<typeof aWindow>>;

  before(async () => {
    demo = await aDemo({ LOG_LEVEL: 'debug' });
    logFile = join(demo.dataDir, 'grosz.log');
    filled = await fillCart(demo.shopUrl, ['Sencha']);
    window = await aWindow({ viewport: phone });
    const { clientId, clientSecret } = demo.merchant;
    const body = { client_id: clientId, client_secret: clientSecret };
    token = (await ask(demo.baseUrl, 'POST', '/oauth/auth', { body })).body.access_token;
  });

  const api = (method: string, path: string, body?: object) =>
    ask(demo.baseUrl, method, path, { token, ...(body ? { body } : {}) });
  const transactions = async () => (await api('GET', '/transactions?limit=1')).body.total as number;
  /** How often endpoints were called so far. */
  const calls = (endpoint: string) =>
    readFileSync(logFile, 'utf8')
      .split('\n')
      .filter((line) => line.includes(`"endpoint":"${endpoint}","status":200`)).length;

  async function aCart({ context, page, faults } = window): Promise<{ page: Page; faults: string[] }> {
    faults.length = 0;
    await context.clearCookies();
    await context.addCookies(filled);
    await page.goto(`${demo.shopUrl}/cart`);
    await heading(page, 'Your cart');
    return { page, faults };
  }
  const begin = (page: Page) => page.getByRole('button', { name: 'Pay with the wallet' }).click();
  const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm with passcode' }).click();

  async function aPayPage(pay?: object): Promise<string> {
    const body = { amount: 49.9, description: 'Order', lang: 'en', ...(pay ? { pay } : {}) };
    return (await api('POST', '/transactions', body)).body.transactionPaymentUrl;
  }

  suite('on-site, in the demo shop', () => {
    // Guarantee: the backend calls E3, E1 once with the payer's address, and E2; the shop relies on the notification.
    test('the payer pays', async () => {
      const [sessions, created, paid] = [calls('E3'), calls('E1'), calls('E2')];
      const { page, faults } = await aCart();
      await begin(page);
      await confirm(page);
      await heading(page, 'Thank you, your order is paid');
      assert.deepEqual([calls('E3') - sessions, calls('E1') - created, calls('E2') - paid], [1, 1, 1]);
      const [newest] = (await api('GET', '/transactions?limit=1')).body.transactions.list;
      const { body } = await api('GET', `/transactions/${newest.transactionId}`);
      assert.equal(body.status, 'paid');
      assert.equal(body.payer.ip, '127.0.0.1');
      assert.deepEqual(
        body.payments.attempts.map(({ channelId, status }: { channelId: string; status: string }) => [
          channelId,
          status,
        ]),
        [['75', 'correct']],
      );
      assert.deepEqual(faults, []);
    });

    // Guarantee: canceling the sheet orders nothing.
    test('the payer cancels the sheet', async () => {
      const had = await transactions();
      const { page, faults } = await aCart();
      await begin(page);
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await begin(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal(await transactions(), had);
      assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Your cart');
      assert.deepEqual(faults, []);
    });

    // Guarantee: a decline is shown, and the payer can try again.
    test('the bank declines', async () => {
      const { page } = await aCart();
      await begin(page);
      await page.getByLabel(/Mastercard/).check();
      await confirm(page);
      await heading(page, 'The payment was declined');
      assert.match(await page.locator('.result').innerText(), /The bank refused the card\..*You were not charged/s);
    });

    // Guarantee: a page of an unregistered domain gets no session, and nothing is ordered.
    test('the domain is not registered', async () => {
      const had = await transactions();
      const { walletDomain } = demo.merchant;
      assert.equal((await api('DELETE', `/wallet/domains/${walletDomain}`)).status, 200);
      const { page } = await aCart();
      await begin(page);
      await page.getByText('The wallet is not available here at the moment').waitFor();
      assert.equal(await page.getByRole('dialog').count(), 0);
      assert.equal(await transactions(), had);
      assert.equal((await api('POST', '/wallet/domains', { domainName: walletDomain })).status, 201);
    });

    // Guarantee: the shop's own domain passes every rule of the check.
    test('the domain check passes', async () => {
      const { body } = await api('POST', `/wallet/domains/${demo.merchant.walletDomain}/check`, {});
      assert.deepEqual(
        body.rules.filter(({ passed }: { passed: boolean }) => !passed),
        [],
      );
      assert.equal(body.passed, true);
    });

    // Guarantee: a forged token is refused, and the payer is not charged.
    test('a forged token', async () => {
      const { page } = await aCart();
      await begin(page);
      await page.getByText('For testers').click();
      await page.getByLabel('Kind of token').selectOption({ index: 60 });
      await confirm(page);
      await heading(page, 'The payment was declined');
    });

    // Guarantee: without a network the page stays, and says what is known; whether it was paid is found out by itself.
    test('no network: before the sheet, and while it pays', async () => {
      const had = await transactions();
      const own = await aWindow({ viewport: phone });
      const { page } = await aCart(own);
      await own.context.setOffline(true);
      await begin(page);
      await page.getByText('You were not charged', { exact: false }).waitFor();
      await own.context.setOffline(false);
      assert.equal(await transactions(), had);

      await begin(page);
      await page.getByRole('button', { name: 'Confirm with passcode' }).waitFor();
      // The order arrives, its answer does not.
      await own.context.route('**/wallet/pay', async (route) => {
        await route.fetch();
        await own.context.setOffline(true);
        await route.abort();
      });
      await confirm(page);
      await page.getByText('No answer came.', { exact: false }).waitFor();
      assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Your cart');
      await own.context.setOffline(false);
      await heading(page, 'Thank you, your order is paid');
      assert.equal(await transactions(), had + 1);

      await aCart(own);
      await own.context.unroute('**/wallet/pay');
      await own.context.route('**/wallet/pay', (route) => route.abort());
      await begin(page);
      await confirm(page);
      await page.getByText('The payment did not arrive. You were not charged', { exact: false }).waitFor();
      assert.equal(await transactions(), had + 1);
    });

    // Guarantee: a browser without the session object shows no button.
    test('no session object, no button', async () => {
      const own = await aWindow();
      await own.context.route('**/wallet/device.js', (route) => route.abort());
      const { page } = await aCart(own);
      await page.waitForLoadState('networkidle');
      assert.equal(await page.getByRole('button', { name: 'Pay with the wallet' }).isVisible(), false);
    });
  });

  /** A device that closes its sheet before the page has its answer. */
  async function anImpatientDevice(page: Page, amount: number): Promise<void> {
    const minted = await api('POST', '/sandbox/wallet/tokens', { amount });
    const paymentData = Buffer.from(minted.body.walletPayPaymentData, 'base64').toString();
    await page.addInitScript(`globalThis.WalletSession = class {
      static canMakePayments() { return true; }
      static async canMakePaymentsWithActiveCard() { return true; }
      begin() { queueMicrotask(() => this.onpaymentauthorized({ payment: { token: { paymentData: ${paymentData} } } })); }
      completePayment() { throw new DOMException('No payment is under way.', 'InvalidAccessError'); }
    }`);
  }

  // Guarantee: the payer sees that it is paid, even if the device gave up waiting.
  test('the device closed its sheet: the pay page and the shop show the payment', async () => {
    const { page } = await aWindow({ viewport: phone });
    await anImpatientDevice(page, 49.9);
    await page.goto(await aPayPage({ channelId: 75 }));
    await begin(page);
    await heading(page, 'Payment successful');
    const shop = await aCart(await aWindow({ viewport: phone }));
    const amount = Number(await shop.page.locator('.wallet').getAttribute('data-amount'));
    await anImpatientDevice(shop.page, amount);
    await shop.page.reload();
    await begin(shop.page);
    await shop.page.waitForURL(/\/orders\//);
  });

  suite('on the pay page', () => {
    // Guarantee: the page's own button pays; a decline is explained, and the payer can try again.
    test('declined, then paid', async () => {
      const { page, faults } = window;
      faults.length = 0;
      await page.goto(await aPayPage());
      await page.getByRole('link', { name: /^Wallet/ }).click();
      await heading(page, 'Pay with the wallet');
      assert.deepEqual(await axeFindings(page), []);
      await begin(page);
      assert.deepEqual(await axeFindings(page), []);
      await page.getByLabel(/Mastercard/).check();
      await confirm(page);
      await page.getByText('Your bank refused the payment').waitFor();
      await begin(page);
      await confirm(page);
      await heading(page, 'Payment successful');
      assert.deepEqual(faults, []);
    });

    // Guarantee: a forged token pays nothing and says so.
    test('a forged token', async () => {
      const { page } = window;
      await page.goto(await aPayPage({ channelId: 75 }));
      await begin(page);
      await page.getByText('For testers').click();
      await page.getByLabel('Kind of token').selectOption({ index: 60 });
      await confirm(page);
      await page.getByText('The wallet payment did not work. You were not charged.').waitFor();
    });

    // Guarantee: a payer without a mouse who closes the sheet is back at the button, and can begin again.
    test('with the keyboard only: canceled, then paid', async () => {
      const { page } = window;
      await page.goto(await aPayPage({ channelId: 75 }));
      const button = page.getByRole('button', { name: 'Pay with the wallet' });
      await button.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal(await button.evaluate((element) => element.matches(':focus')), true);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Confirm with passcode', disabled: false }).waitFor();
      await page.keyboard.press('Enter');
      await heading(page, 'Payment successful');
    });

    // Guarantee: without the session object the wallet is not among the methods, and a wallet payment says why.
    test('no session object, no button', async () => {
      const { context, page } = await aWindow();
      await context.route('**/wallet/device.js', (route) => route.abort());
      await page.goto(await aPayPage());
      await page.waitForLoadState('networkidle');
      assert.equal(await page.getByRole('link', { name: /^Wallet/ }).isVisible(), false);
      await page.goto(await aPayPage({ channelId: 75 }));
      await page.getByText('This browser has no wallet that you could pay with.').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Pay with the wallet' }).isVisible(), false);
      await page.getByRole('link', { name: 'Choose another way to pay' }).click();
      await heading(page, 'How would you like to pay?');
    });

    // Guarantee: without a script the page offers no wallet.
    test('without script', async () => {
      const { page } = await aWindow({ javaScriptEnabled: false });
      await page.goto(await aPayPage());
      assert.equal(await page.getByRole('link', { name: /^Wallet/ }).isVisible(), false);
    });
  });
});
