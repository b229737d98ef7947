// Cards through the provider's own fields, and bank transfers, in a real browser with the fake of Stripe.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { aWindow } from '../support/browser.ts';
import { answerForShop, aPayPage, attemptsOf, enterBlik, heading } from '../support/payer.ts';
import { settleAll } from '../support/payments.ts';
import { quietPort } from '../support/process.ts';
import { heldAt } from '../support/stripe.ts';
import { aShop, type Shop } from '../support/stripe-shop.ts';

const cards = { paid: '4242424242424242', declined: '4000000000009995', asked: '4000002760003184' };

suite('cards with Stripe', () => {
  let shop: Shop;
  let window: Awaited<ReturnType<typeof aWindow>>;

  before(async () => {
    const port = await quietPort();
    shop = await aShop({ port, world: { config: { port, baseUrl: `http://127.0.0.1:${port}` } } });
    window = await aWindow();
    await answerForShop(window.context);
  });

  async function open(query = '') {
    const made = await aPayPage(shop.service, shop.merchant);
    window.faults.length = 0;
    await window.page.goto(`${made.url}${query}`);
    return made;
  }

  const paidTimes = (id: string) =>
    attemptsOf(shop.service, id).then(() => [...heldAt(shop.stage.fake).captures.values()].filter((n) => n > 1).length);

  // Guarantee: a card is typed into the provider's frame only; a decline leads to a new form, and the payer pays once.
  test('from the choice: a mistake, a decline, a payment', async () => {
    const { id } = await open();
    const { page, faults } = window;
    await page.getByRole('link', { name: 'Card' }).click();
    await enter(page, '4242424242424241');
    const fault = page.frameLocator('#card-fields iframe').getByText('Your card number is not complete.');
    await fault.waitFor();
    await isWithinFrame(fault);
    await enter(page, cards.declined);
    await page.getByText('There is not enough money').waitFor();
    await enter(page, cards.paid);
    await heading(page, 'Payment successful');
    assert.deepEqual(await attemptsOf(shop.service, id), ['53 failed', '53 correct']);
    assert.equal(await paidTimes(id), 0);
    assert.deepEqual(faults, []);
  });

  // Guarantee: 3-D Secure is at the provider's page, and what the payer brings back settles nothing by itself.
  test('3-D Secure, and back', async () => {
    const { id } = await open('?method=53');
    const { page, faults } = window;
    await enter(page, cards.asked);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/pay/') && url.search === '');
    await heading(page, 'Confirm the payment at your bank');
    await shop.stage.fake.provider.deliver();
    await settleAll(shop.service.world);
    await heading(page, 'Payment successful');
    assert.deepEqual([await attemptsOf(shop.service, id), faults], [['53 correct'], []]);
  });

  // Guarantee: a payer who is asked for an email address reads who needs it, and types it once.
  test('a bank transfer: at Przelewy24, with an email address that is kept', async () => {
    const { id } = await open('?method=21');
    const { page, faults } = window;
    await heading(page, 'Pay by bank transfer');
    await page.getByText('You choose your bank at Przelewy24').waitFor();
    await page.getByText('Przelewy24 needs your email.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Continue to your bank' }).count(), 0);
    await page.getByLabel('Email').fill('jan@example.com');
    await page.getByRole('button', { name: 'Continue to Przelewy24' }).click();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await shop.stage.fake.provider.deliver();
    await settleAll(shop.service.world);
    await page.getByText('The payment was declined').waitFor();
    assert.equal(await page.getByLabel('Email').inputValue(), 'jan@example.com');
    assert.deepEqual([await attemptsOf(shop.service, id), faults], [['21 failed'], []]);
  });

  // Guarantee: who blocks the provider's script reads why there is no form, and pays in another way.
  test('without the provider’s script', async () => {
    await window.context.route('**/stripe.js', (route) => route.abort());
    await open('?method=53');
    const { page } = window;
    await page.getByText('The card form cannot be shown').waitFor();
    assert.equal(await page.locator('form .main').isVisible(), false);
    await page.getByRole('link', { name: 'Choose another way to pay' }).click();
    await page.getByRole('link', { name: 'BLIK' }).click();
    await enterBlik(page, '777123');
    await heading(page, 'Confirm the payment in your bank’s app');
    await window.context.unroute('**/stripe.js');
  });
});

/** The frame grows until nothing of what it shows is cut off. */
async function isWithinFrame(shown: Locator): Promise<void> {
  const element = await shown.elementHandle();
  const frame = await element?.ownerFrame();
  // As text: these names exist in the page only.
  await frame?.waitForFunction('document.querySelector("#fault").getBoundingClientRect().bottom <= innerHeight');
}

async function enter(page: Page, number: string): Promise<void> {
  const fields = page.frameLocator('#card-fields iframe');
  await fields.getByLabel('Card number').fill(number);
  await fields.getByLabel('Expiration date').fill('1230');
  await fields.getByLabel('Security code').fill('123');
  await page.locator('.step button.main').click();
}
