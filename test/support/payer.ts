// Payers for browser tests: transactions with a page, a shop to return to, and what payers do there.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { readText } from '../../src/database/index.ts';
import { testCard } from './payments.ts';
import type { Service, TestMerchant } from './service.ts';

export const shop = { success: 'https://shop.example/thanks', error: 'https://shop.example/sorry' };

/** A pay page through the API. 10.02 by default: cards pay it after 3-D Secure. */
export async function aPayPage(
  service: Service,
  merchant: TestMerchant,
  body: object = {},
): Promise<{ id: string; url: string }> {
  const answer = await service.ask('POST', '/transactions', {
    token: merchant.token,
    body: { amount: 10.02, description: 'Order 1024', callbacks: { payerUrls: shop }, ...body },
  });
  assert.equal(answer.status, 200, answer.text);
  return { id: answer.body.transactionId, url: answer.body.transactionPaymentUrl };
}

/** The merchant's own site, which no test really visits. */
export function answerForShop(context: BrowserContext): Promise<unknown> {
  return context.route('https://shop.example/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<title>Shop</title><h1>${new URL(route.request().url()).pathname}</h1>`,
    }),
  );
}

/**
 * Like a person who is slower than the page's script: what is submitted before it arrives takes the path without a
 * script.
 */
function untilEnhanced(page: Page | Frame): Promise<void> {
  return page.waitForLoadState('load');
}

export async function enterBlik(page: Page | Frame, code: string): Promise<void> {
  await page.fill('#blik', code);
  await untilEnhanced(page);
  await page.click('button.main');
}

export async function enterCard(page: Page | Frame, card = testCard): Promise<void> {
  await page.fill('#number', card.number);
  await page.fill('#expiry', card.expiry);
  await page.fill('#code', card.code);
  await untilEnhanced(page);
  await page.click('button.main');
}

/** The heading of the page, once it is there. */
export async function heading(page: Page | Frame, text: string): Promise<void> {
  await page.locator('h1', { hasText: text }).waitFor();
}

/** The small file: the browser compiles it for every page that is examined. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Accessibility problems of the page. */
export async function axeFindings(page: Page | Frame, rules: 'all' | 'contrast' = 'all'): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const only = rules === 'all' ? tags : { type: 'rule', values: ['color-contrast'] };
  // As text, because what runs in the page uses names that do not exist here. It says there what it found: all that axe
  // knows about its rules is long, and takes longer to get here than most rules.
  const run = `axe.run(document, { runOnly: ${JSON.stringify(only)}, resultTypes: ['violations'] }).then(
    ({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`;
  // The script stays until the page is left.
  const found = await page.evaluate<string[] | undefined>(`'axe' in window ? ${run} : undefined`);
  if (found) return found;
  await page.evaluate(axe);
  return page.evaluate<string[]>(run);
}

/** The attempts of a transaction as `channel state`, in order. */
export function attemptsOf(service: Service, id: string): Promise<string[]> {
  return service.world.db.sql.many((row) => readText(row, 'shown'))`
    select channel_id || ' ' || state as shown from charge where transaction_id = ${id} order by number`;
}

/** How often the bank captured for a transaction, by its own record. */
export async function capturesOf(service: Service, id: string): Promise<number> {
  const keys = await service.world.db.sql.many((row) => readText(row, 'id'))`
    select id from charge where transaction_id = ${id}`;
  return service.world.bank.record().captures.filter(({ key }) => keys.includes(key)).length;
}
