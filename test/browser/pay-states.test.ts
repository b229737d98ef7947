// Every state of the pay page and of the bank's pages: no axe findings, nothing wider than a phone, in light and dark
// mode, in Polish and English; and text from merchants and payers stays text.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { aReachableService, aWindow, desktop, phone } from '../support/browser.ts';
import { aPayPage, axeFindings, heading } from '../support/payer.ts';
import { encryptCard } from '../support/payments.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

/** Each width and color scheme in each language, with two loads of a page. */
const looks = [
  { viewport: phone, colorScheme: 'light' },
  { viewport: desktop, colorScheme: 'dark' },
] as const;
const mirrored = [
  { viewport: desktop, colorScheme: 'light' },
  { viewport: phone, colorScheme: 'dark' },
] as const;

suite('every state of the pay page', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aReachableService();
    merchant = await aMerchant(service, { name: 'Księgarnia' });
  });

  const pay = async (id: string, body: object) =>
    (await service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body })).body;
  const blik = (code: string) => ({ groupId: 150, blikPaymentData: { blikToken: code } });

  /** The URL of a page in a given state; `form` submits what the page's own form would. */
  async function after(body: object, then: (id: string) => Promise<unknown>, suffix = ''): Promise<string> {
    const { id, url } = await aPayPage(service, merchant, body);
    await then(id);
    return url + suffix;
  }
  const nothing = async () => undefined;
  const setStatus = (status: string) => (id: string) =>
    service.world.db.sql.run`update transaction set status = ${status} where id = ${id}`;
  const setCreated = (id: string) =>
    service.world.db.sql.run`update transaction set created_at = '2026-01-01T00:00:00Z' where id = ${id}`;
  async function atBank(channel: object): Promise<string> {
    const { id } = await aPayPage(service, merchant);
    return (await pay(id, channel)).transactionPaymentUrl;
  }

  const states: readonly (readonly [string, () => Promise<string>])[] = [
    ['choice', () => after({}, nothing)],
    ['BLIK', () => after({ pay: { groupId: 150 } }, nothing)],
    ['card', () => after({ pay: { channelId: 53 } }, nothing)],
    ['bank transfer', () => after({ pay: { channelId: 21 } }, nothing)],
    ['online wallet', () => after({ pay: { channelId: 106 } }, nothing)],
    ['declined', () => after({}, (id) => pay(id, blik('222222')))],
    ['declined, all methods', () => after({}, (id) => pay(id, blik('222222')), '?method=all')],
    ['waiting for BLIK', () => after({}, (id) => pay(id, blik('500000')))],
    ['another way while waiting', () => after({}, (id) => pay(id, blik('500000')), '?method=53')],
    ['confirm at the bank', () => after({}, (id) => pay(id, { channelId: 21 }))],
    ['paid', () => after({}, (id) => pay(id, blik('777123')))],
    ['paid, without a shop', () => after({ callbacks: {} }, (id) => pay(id, blik('777123')))],
    ['paid already', () => after({}, (id) => pay(id, blik('777123')), '?already')],
    ['refunded', () => after({}, async (id) => (await pay(id, blik('777123'))) && setStatus('refund')(id))],
    ['asks before canceling', () => after({}, nothing, '/cancel')],
    ['canceled', () => after({}, setStatus('canceled'))],
    ['expired', () => after({}, setCreated)],
    ['not found', async () => `${service.url}/pay/01ARZ3NDEKTSV4RRFFQ69G5FAV.wrong`],
    ['the bank: card', () => atBank({ channelId: 53, cardPaymentData: { card: encryptCard(service) } })],
    ['the bank: transfer', () => atBank({ channelId: 21 })],
    ['the bank: unknown', async () => `${service.url}/bank/confirm/nothing`],
  ];

  let windows: { page: Page; faults: string[]; language: string; looks: typeof looks | typeof mirrored }[];
  before(async () => {
    // Without motion, so that no color is caught between two schemes.
    const open = async (locale: string) => ({
      ...(await aWindow({ locale, reducedMotion: 'reduce' })),
      language: locale.slice(0, 2),
    });
    windows = [
      { ...(await open('pl-PL')), looks },
      { ...(await open('en-GB')), looks: mirrored },
    ];
  });

  // Guarantee: every state is readable and usable by sight, screen reader and keyboard, and on a phone.
  for (const [name, make] of states) {
    test(name, async () => {
      const url = await make();
      for (const { page, faults, language, looks } of windows) {
        await page.goto(url);
        assert.equal(await page.getAttribute('html', 'lang'), language);
        for (const { viewport, colorScheme } of looks) {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          assert.deepEqual(await axeFindings(page), [], `${name} ${viewport.width} ${language} ${colorScheme}`);
          const width = (await page.evaluate('document.documentElement.scrollWidth')) as number;
          assert.ok(width <= viewport.width, `${name} is ${width} wide`);
        }
        assert.deepEqual(faults, []);
      }
    });
  }

  // Guarantee: a narrow screen (or 400 % zoom) needs no horizontal scrolling, whatever the merchant writes.
  test('320 pixels wide, with the longest words and the largest amount', async () => {
    const name = 'W'.repeat(100);
    const loud = await aMerchant(service, { name });
    const body = { amount: 99_999_999_999.99, description: 'W'.repeat(128), pay: { channelId: 53 } };
    const { url } = await aPayPage(service, loud, body);
    const { page } = await aWindow({ viewport: { width: 320, height: 600 }, locale: 'de-DE' });
    for (const suffix of ['', '?method=all', '?method=64', '/cancel']) {
      await page.goto(url + suffix);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, suffix);
    }
  });

  // Guarantee: script and markup in any text is shown as text, on our pages and on the bank's.
  test('script in description, names and hiddenDescription is text', async () => {
    const script = `<script>document.title="taken"</script><img src=x onerror=document.title="taken">"'`;
    const sly = await aMerchant(service, { name: script.slice(0, 100) });
    const body = { description: script, hiddenDescription: script, payer: { name: script, address: script } };
    const { page, faults } = await aWindow();
    const { id, url } = await aPayPage(service, sly, body);
    const pay = await service.ask('POST', `/transactions/${id}/pay`, { token: sly.token, body: { channelId: 21 } });
    const pages = [url, `${url}?method=all`, `${url}?method=53`, `${url}/cancel`, pay.body.transactionPaymentUrl];
    for (const address of pages) {
      await page.goto(address);
      assert.ok((await page.innerText('body')).includes(script), address);
      assert.equal(await page.locator('main img[src=x], main script').count(), 0);
      assert.notEqual(await page.title(), 'taken');
    }
    assert.deepEqual(faults, []);
  });

  // Guarantee: the page is visible before any script has arrived.
  test('paints without waiting for its script', async () => {
    const { url } = await aPayPage(service, merchant, { pay: { groupId: 150 } });
    const { page } = await aWindow();
    // Requested, and never answered.
    await page.route('**/assets/pay/pay.js*', () => undefined);
    const asked = page.waitForRequest('**/assets/pay/pay.js*');
    await page.goto(url, { waitUntil: 'commit' });
    await heading(page, 'Pay with BLIK');
    // Not waitForFunction, which polls with eval: the page's policy forbids that.
    await page.evaluate(`new Promise((painted) => {
      const seen = (list) => list.getEntriesByName('first-contentful-paint').length > 0 && painted();
      new PerformanceObserver(seen).observe({ type: 'paint', buffered: true });
    })`);
    await asked;
    assert.equal(await page.locator('button.main').isVisible(), true);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  // Guarantee: everything can be done by keyboard, in a sensible order, with visible focus.
  test('by keyboard alone', async () => {
    const { url } = await aPayPage(service, merchant, {});
    const { page } = await aWindow();
    await page.goto(url);
    await page.keyboard.press('Tab');
    assert.match(String(await page.evaluate('document.activeElement.textContent')), /BLIK/);
    assert.notEqual(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'none');
    await page.keyboard.press('Enter');
    await heading(page, 'Pay with BLIK');
    assert.equal(await page.evaluate('document.activeElement.id'), 'blik', 'the cursor is in the field already');
    await page.keyboard.type('777123');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await heading(page, 'Payment successful');
  });

  // Guarantee: with reduced motion there is no animation.
  test('reduced motion', async () => {
    const { id, url } = await aPayPage(service, merchant, {});
    await pay(id, blik('500000'));
    const { page } = await aWindow({ reducedMotion: 'reduce' });
    await page.goto(url);
    assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.turn')).animationName"), 'none');
  });
});
