// The demo shop's subscriptions: a first payment that saves the card, and charges as the clock is moved.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { aWindow } from '../support/browser.ts';
import { axeFindings } from '../support/payer.ts';
import { testCard } from '../support/payments.ts';
import { aDataDir, quietPort, startGrosz } from '../support/process.ts';

suite('a subscription', () => {
  let url: string;

  before(async () => {
    const dataDir = aDataDir();
    const running = startGrosz(['start'], { DATA_DIR: dataDir, PORT: String(await quietPort()) });
    await running.until(/Ctrl-C stops it/);
    url = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')).shopUrl;
  });

  // Guarantee: a person can subscribe with a card, watch charges, change the card and cancel.
  test('subscribe, let months pass, change the card, cancel', async () => {
    const { page, faults } = await aWindow();
    await page.goto(`${url}/subscriptions`);
    await page.getByLabel('Card number').fill(testCard.number);
    await page.getByLabel('Expiry (MM/YY)').fill(testCard.expiry);
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
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, 'subscription.png'), fullPage: true });
    assert.match(await row.innerText(), /failed/);
    assert.deepEqual(faults, []);
  });

  test('cancel', async () => {
    const { page } = await aWindow();
    await page.goto(`${url}/subscriptions`);
    await page.getByLabel('Card number').fill(testCard.number);
    await page.getByLabel('Expiry (MM/YY)').fill(testCard.expiry);
    await page.getByLabel('Security code').fill(testCard.code);
    await page.getByRole('button', { name: /Subscribe for/ }).click();
    const row = page.locator('[data-subscription]').first();
    await row.getByText('active').waitFor();
    await row.getByRole('link', { name: 'Cancel the subscription' }).click();
    await page.getByRole('heading', { name: 'Cancel this subscription?' }).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole('link', { name: 'Keep it' }).click();
    await row.getByText('active').waitFor();
    await row.getByRole('link', { name: 'Cancel the subscription' }).click();
    await page.getByRole('button', { name: 'Cancel the subscription' }).click();
    await page.getByText('canceled').first().waitFor();
    assert.match(await row.innerText(), /canceled/);
  });
});
