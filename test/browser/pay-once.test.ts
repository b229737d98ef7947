// Whatever a payer does on the page, the bank captures once.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { aReachableService, aWindow } from '../support/browser.ts';
import { aPayPage, attemptsOf, capturesOf, enterBlik, enterCard, heading } from '../support/payer.ts';
import { checkInvariants, passTime, settleAll } from '../support/payments.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

suite('a payer pays once', () => {
  let service: Service;
  let merchant: TestMerchant;
  /** One for all tests; none of them goes to the shop. */
  let window: Awaited<ReturnType<typeof aWindow>>;

  before(async () => {
    service = await aReachableService();
    merchant = await aMerchant(service);
    window = await aWindow();
  });
  after(() => checkInvariants(service.world));

  async function open(body: object = {}) {
    const made = await aPayPage(service, merchant, body);
    const { context, page } = window;
    // Tabs of the test before.
    for (const other of context.pages()) if (other !== page) await other.close();
    await context.clearCookies();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto(made.url);
    return { ...made, context, page };
  }
  const blik = { pay: { groupId: 150 } };

  /** One that does not learn what the others do: it still has its form when they have paid. */
  async function aBlindTab(context: BrowserContext): Promise<Page> {
    const tab = await context.newPage();
    await tab.route('**/status', (route) => route.abort());
    return tab;
  }

  // Guarantee: a double click sends one payment.
  test('double click', async () => {
    const { page, id } = await open(blik);
    await page.fill('#blik', '777123');
    await page.dblclick('button.main');
    await heading(page, 'Payment successful');
    assert.deepEqual([await attemptsOf(service, id), await capturesOf(service, id)], [['64 correct'], 1]);
  });

  // Guarantee: reload and back during a payment show the payment in progress and send nothing.
  test('reload and back while waiting', async () => {
    const { page, id, url } = await open();
    await page.getByRole('link', { name: 'BLIK' }).click();
    await enterBlik(page, '500000');
    await heading(page, 'Confirm the payment in your bank’s app');
    await page.reload();
    await heading(page, 'Confirm the payment in your bank’s app');
    await page.goBack();
    assert.match(await page.locator('.notice').innerText(), /not confirmed yet/);
    await page.goto(url);
    await heading(page, 'Confirm the payment in your bank’s app');
    assert.deepEqual(await attemptsOf(service, id), ['64 waiting']);
    await passTime(service.world, { minutes: 3 });
  });

  // Guarantee: a confirmation that waits at the bank can be reached again.
  test('back from the bank’s page', async () => {
    const { page, url } = await open();
    await page.goto(`${url}?method=21`);
    await page.locator('button.main, .banks button').first().click();
    await heading(page, 'Confirm your bank transfer');
    await page.goto(`${url}?method=53`);
    assert.match(await page.locator('.notice').innerText(), /not confirmed yet/);
    await page.getByRole('link', { name: 'Go to the bank’s page' }).click();
    await heading(page, 'Confirm your bank transfer');
  });

  // Guarantee: reload and back after a payment show that it was made.
  test('reload and back after success', async () => {
    const { page, id } = await open();
    await page.getByRole('link', { name: 'BLIK' }).click();
    await enterBlik(page, '777123');
    await heading(page, 'Payment successful');
    await page.reload();
    await heading(page, 'Payment successful');
    await page.goBack();
    await heading(page, 'Payment successful');
    assert.deepEqual([await attemptsOf(service, id), await capturesOf(service, id)], [['64 correct'], 1]);
  });

  // Guarantee: a form shown before another tab paid is not sent to the bank.
  test('two tabs, one after the other', async () => {
    const { page, id, url, context } = await open(blik);
    const other = await aBlindTab(context);
    await other.goto(url);
    await other.fill('#blik', '777456');
    await enterBlik(page, '777123');
    await heading(page, 'Payment successful');
    await other.click('button.main');
    await heading(other, 'This payment has already been made');
    assert.deepEqual([await attemptsOf(service, id), await capturesOf(service, id)], [['64 correct'], 1]);
  });

  // Guarantee: two tabs that pay at the same moment, even with different methods, start one payment.
  test('two tabs concurrently', async () => {
    const { page, id, url, context } = await open(blik);
    await page.route('**/status', (route) => route.abort());
    const other = await aBlindTab(context);
    await other.goto(`${url}?method=53`);
    const answered = [page, other].map((tab) =>
      tab.waitForResponse((response) => response.request().method() === 'POST'),
    );
    await Promise.all([enterBlik(page, '777123'), enterCard(other), ...answered]);
    assert.equal((await attemptsOf(service, id)).length, 1);
    assert.ok((await capturesOf(service, id)) <= 1);
  });

  // Guarantee: a payer who leaves the bank's page and pays another way is charged only once: the first charge is
  // canceled there.
  test('another way while the bank’s page is open', async () => {
    const { page, id, url } = await open({ pay: { channelId: 21 } });
    await page.getByRole('button', { name: 'Bank Alfa' }).click();
    await heading(page, 'Confirm your bank transfer');
    const bankUrl = page.url();
    await page.goto(url);
    await heading(page, 'Confirm the payment at your bank');
    await page.getByRole('link', { name: 'Choose another way to pay' }).click();
    await page.getByRole('link', { name: 'BLIK' }).click();
    await enterBlik(page, '777123');
    await heading(page, 'Payment successful');
    await page.goto(bankUrl);
    await heading(page, 'This payment was canceled');
    assert.deepEqual(
      [await attemptsOf(service, id), await capturesOf(service, id)],
      [['21 canceled', '64 correct'], 1],
    );
  });

  // Guarantee: when the bank's response is lost the page waits; a second attempt does not charge again but finds the
  // first.
  test('a late answer', async () => {
    const { page, id, url, context } = await open(blik);
    service.world.bank.setFaults({ lostAnswer: { probability: 1, seed: 1 } });
    await enterBlik(page, '777123');
    await heading(page, 'Your payment is being processed');
    service.world.bank.setFaults({});
    const other = await context.newPage();
    await other.goto(`${url}?method=64`);
    await enterBlik(other, '777456');
    await heading(other, 'Payment successful');
    await heading(page, 'Payment successful');
    assert.deepEqual([await attemptsOf(service, id), await capturesOf(service, id)], [['64 correct'], 1]);
  });

  // Guarantee: a waiting page shows results that arrive later.
  test('a waiting page shows the late result', async () => {
    const { page, id } = await open(blik);
    service.world.bank.setFaults({ lostAnswer: { probability: 1, seed: 2 } });
    await enterBlik(page, '777123');
    await heading(page, 'Your payment is being processed');
    service.world.bank.setFaults({});
    service.world.clock.advance({ seconds: 30 });
    await settleAll(service.world);
    await heading(page, 'Payment successful');
    assert.equal(await capturesOf(service, id), 1);
  });

  // Guarantee: a payment that succeeds after the payer canceled is returned, and the page says so.
  test('paid at the bank after canceling', async () => {
    const { page, id, url } = await open({ pay: { channelId: 21 }, callbacks: {} });
    await page.getByRole('button', { name: 'Bank Alfa' }).click();
    await heading(page, 'Confirm your bank transfer');
    const bankUrl = page.url();
    await page.goto(`${url}/cancel`);
    await page.getByRole('button', { name: 'Cancel the payment' }).click();
    await heading(page, 'This payment was canceled');
    // The bank does not know of the cancel yet: the payer is faster.
    await page.goto(bankUrl);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await heading(page, 'This payment was canceled');
    assert.match(await page.locator('.step').innerText(), /on its way back to you/);
    assert.deepEqual(await attemptsOf(service, id), ['21 surplus']);
  });
});
