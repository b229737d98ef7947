// The mail catcher's pages in a real browser: no axe findings, no policy violations, on a phone too.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aReachableService, aWindow, desktop, phone } from '../support/browser.ts';
import { axeFindings } from '../support/payer.ts';
import { aPaidTransaction, checkInvariants, passTime } from '../support/payments.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { aMerchant, type Service } from '../support/service.ts';

suite('caught mail', () => {
  let service: Service;

  before(async () => {
    service = await aReachableService({ catchMail: true });
  });

  // Guarantee: the empty list is readable on phones and desktops, light and dark.
  test('no mail yet', async () => {
    const { page, faults } = await aWindow({ reducedMotion: 'reduce' });
    await page.goto(`${service.url}/mail`);
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'No mail yet');
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await axeFindings(page), [], `${viewport.width} ${colorScheme}`);
      }
    }
    assert.deepEqual(faults, []);
  });

  // Guarantee: a demo user reads the payer's mail a moment after the refund, by keyboard and screen reader.
  test('the mail of a refund, from the list to its text', async () => {
    const merchant = await aMerchant(service, { name: 'Tea House' });
    await fund(service, merchant, 10_000n);
    const body = { amount: 12.5, lang: 'en', description: 'Green tea', payer: { email: 'jan@example.com' } };
    await aRefund(service, merchant, await aPaidTransaction(service, merchant, body));
    await passTime(service.world, { seconds: 10 }, 2);
    const { page, faults } = await aWindow();
    await page.goto(`${service.url}/mail`);
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport);
      assert.deepEqual(await axeFindings(page), [], `the list ${viewport.width}`);
    }
    await page.getByRole('link', { name: 'Refund of PLN 12.50 from Tea House' }).click();
    await page.waitForURL(/\/mail\/[0-9A-Z]{26}$/);
    const facts = await page.locator('dl').innerText();
    assert.match(facts, /Tea House via Grosz <no-reply@grosz\.test>/);
    assert.match(facts, /Reply to\s+Tea House </);
    assert.match(await page.locator('pre').innerText(), /Payment description: Green tea/);
    const frame = page.frameLocator('iframe');
    await frame.getByText('Green tea').waitFor();
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport);
      assert.deepEqual(await axeFindings(page), [], `one mail ${viewport.width}`);
      const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      assert.equal(wide, 0);
    }
    assert.deepEqual(faults, []);
    await checkInvariants(service.world);
  });
});
