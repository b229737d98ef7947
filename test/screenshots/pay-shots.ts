// Every state of the pay page, the bank's pages, the embedded form in the demo shop, and the payer's mails.

import type { FrameLocator, Page } from 'playwright-core';
import type { Demo } from './demo.ts';
import { desktop, phone, type Shot } from './shot.ts';

const card = { number: '4111111111111111', expiry: '12/39', code: '123' };

/** Opens the page of a new transaction. Cards pay an amount that ends in 2 after 3-D Secure. */
async function openNew(page: Page, { ask }: Demo, query = '', amount = 84.02): Promise<string> {
  const { transactionId, transactionPaymentUrl } = await ask('POST', '/transactions', {
    amount,
    description: 'Oolong tea, 250 g',
    payer: { name: 'Anna Kowalska', email: 'anna.kowalska@example.com' },
    callbacks: { payerUrls: { success: 'https://shop.example/thanks', error: 'https://shop.example/sorry' } },
  });
  await page.goto(`${transactionPaymentUrl}${query}`);
  await page.locator('h1').waitFor();
  return transactionId ?? '';
}

async function payBlik(page: Page, demo: Demo, code: string, title: string): Promise<string> {
  const id = await openNew(page, demo, '?method=64');
  await page.getByLabel('BLIK code').fill(code);
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByText(title).first().waitFor();
  return id;
}

async function enterCard(place: Page | FrameLocator, { number, expiry, code } = card): Promise<void> {
  await place.getByLabel('Card number').fill(number);
  await place.getByLabel('Expiration date').fill(expiry);
  await place.getByLabel('Security code').fill(code);
}

async function openFaults(page: Page, demo: Demo): Promise<void> {
  await openNew(page, demo, '?method=53');
  await enterCard(page, { number: '4111111111111112', expiry: '01/20', code: '1' });
  await page.getByRole('button', { name: /^Pay/ }).click();
}

/** What the payer sees after something was done with the transaction. */
async function openAfter(page: Page, demo: Demo, code: string | undefined, work: (id: string) => Promise<unknown>) {
  const id = code === undefined ? await openNew(page, demo) : await payBlik(page, demo, code, 'Payment successful');
  await work(id);
  await page.reload();
}

async function openShop(page: Page, { file }: Demo): Promise<FrameLocator> {
  await page.goto(file.shopUrl);
  await page.getByRole('button', { name: 'Add Sencha to the cart' }).click();
  await page.getByLabel('On this page, in the embedded form').check();
  await page.getByRole('button', { name: /Order and pay/ }).click();
  return page.frameLocator('#payment iframe');
}

async function openMail(page: Page, demo: Demo, subject: RegExp): Promise<void> {
  await payBlik(page, demo, '777123', 'Payment successful');
  await page.goto(`${demo.url}/mail`);
  const link = page.getByRole('link', { name: subject }).first();
  // Sent by a loop of the service.
  for (let tries = 0; tries < 200 && (await link.count()) === 0; tries += 1) await page.reload();
  const path = await link.getAttribute('href');
  await page.goto(`${demo.url}${path}/html`);
}

export const payShots: readonly Shot[] = [
  { name: 'pay-methods', ...desktop, open: (page, demo) => openNew(page, demo) },
  { name: 'pay-methods-phone', ...phone, dark: true, open: (page, demo) => openNew(page, demo) },
  { name: 'pay-card-phone', ...phone, open: (page, demo) => openNew(page, demo, '?method=53') },
  { name: 'pay-card-faults', ...desktop, open: openFaults },
  { name: 'pay-card-faults-phone', ...phone, dark: true, open: openFaults },
  { name: 'pay-blik', ...desktop, dark: true, open: (page, demo) => openNew(page, demo, '?method=64') },
  {
    name: 'pay-blik-waiting-phone',
    ...phone,
    open: (page, demo) => payBlik(page, demo, '500000', 'Confirm the payment in your bank'),
  },
  { name: 'pay-banks', ...desktop, open: (page, demo) => openNew(page, demo, '?method=21') },
  { name: 'pay-banks-phone', ...phone, dark: true, open: (page, demo) => openNew(page, demo, '?method=21') },
  {
    name: 'pay-secure',
    ...desktop,
    open: async (page, demo) => {
      await openNew(page, demo, '?method=53');
      await enterCard(page);
      await page.getByRole('button', { name: /^Pay/ }).click();
      await page.getByText('Confirm your card payment').first().waitFor();
    },
  },
  { name: 'pay-paid', ...desktop, open: (page, demo) => payBlik(page, demo, '777123', 'Payment successful') },
  {
    name: 'pay-paid-phone',
    ...phone,
    dark: true,
    open: (page, demo) => payBlik(page, demo, '777123', 'Payment successful'),
  },
  { name: 'pay-declined', ...desktop, dark: true, open: (page, demo) => payBlik(page, demo, '222222', 'declined') },
  { name: 'pay-declined-phone', ...phone, open: (page, demo) => payBlik(page, demo, '222222', 'declined') },
  {
    name: 'pay-canceled',
    ...desktop,
    open: (page, demo) => openAfter(page, demo, undefined, (id) => demo.ask('POST', `/transactions/${id}/cancel`)),
  },
  {
    name: 'pay-refunded-phone',
    ...phone,
    open: (page, demo) => openAfter(page, demo, '777123', (id) => demo.ask('POST', `/transactions/${id}/refunds`)),
  },
  { name: 'pay-cancel', ...desktop, open: (page, demo) => openNew(page, demo, '/cancel') },
  { name: 'pay-not-found', ...phone, open: (page, { url }) => page.goto(`${url}/pay/nothing`) },
  {
    name: 'embed-shop',
    kept: true,
    width: 1000,
    height: 900,
    open: async (page, demo) => {
      const form = await openShop(page, demo);
      await form.getByRole('link', { name: /^Card/ }).click();
      await enterCard(form);
    },
  },
  {
    name: 'embed-shop-phone',
    ...phone,
    dark: true,
    open: async (page, demo) => (await openShop(page, demo)).getByRole('heading').waitFor(),
  },
  { name: 'mail-paid', width: 700, height: 700, open: (page, demo) => openMail(page, demo, /84\.02/) },
  { name: 'mail-paid-phone', ...phone, dark: true, open: (page, demo) => openMail(page, demo, /84\.02/) },
  // Last: it moves the clock.
  {
    name: 'pay-expired',
    ...desktop,
    open: (page, demo) => openAfter(page, demo, undefined, () => demo.advance('P2M')),
  },
];
