// The embedded payment form in a merchant's own page, on another origin and with a strict policy.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { languages } from '../../contract/languages.ts';
import { aReachableService, aWindow, desktop, phone } from '../support/browser.ts';
import { aMerchantSite, eventsUntil, formOf, type MerchantSite, type SeenEvent } from '../support/merchant-page.ts';
import { aPerson } from '../support/panel.ts';
import {
  answerForShop,
  aPayPage,
  attemptsOf,
  axeFindings,
  capturesOf,
  enterBlik,
  enterCard,
  heading,
  shop,
} from '../support/payer.ts';
import { checkInvariants, passTime, payBlik, testCard } from '../support/payments.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

suite('the embedded form', () => {
  let service: Service;
  let merchant: TestMerchant;
  let site: MerchantSite;
  /** One for all tests that need nothing special. */
  let window: Awaited<ReturnType<typeof aWindow>>;

  before(async () => {
    window = await aWindow();
    service = await aReachableService();
    merchant = await aMerchant(service, { name: 'Tea House' });
    site = await aMerchantSite(service.url);
    const owner = await aPerson(service, 'owner', merchant.id);
    const body = { embedOrigins: [site.origin] };
    assert.equal((await owner.ask('POST', '/panel/api/settings/pay-page', { body })).status, 200);
  });
  after(() => checkInvariants(service.world));

  /** A page with the form of a new transaction. */
  async function open(body: object = {}, options: object = {}, { context, page, faults } = window) {
    const made = await aPayPage(service, merchant, body);
    await context.clearCookies();
    await site.open(page, made.url, options);
    return { ...made, context, page, faults, form: await formOf(page) };
  }
  const namesOf = (events: readonly SeenEvent[]) => events.map(({ type }) => type);

  // Guarantee: a card pays within the frame; its number reaches neither the page around it nor the merchant's server, and
  // the network only encrypted.
  test('card: paid', async () => {
    const { page, form, id, context, faults } = await open({ amount: 10.01 }, {}, await aWindow());
    const sent: string[] = [];
    context.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await form.getByRole('link', { name: /^Card/ }).click();
    await enterCard(form);
    await heading(form, 'Payment successful');
    const events = await eventsUntil(page, 'paid');
    assert.deepEqual(namesOf(events), ['ready', 'method', 'processing', 'paid']);
    const seen = [await page.content(), JSON.stringify(events), JSON.stringify(site.receiver.received), ...sent];
    for (const clear of [testCard.number, testCard.number.replaceAll(' ', ''), 'number=', 'code='])
      assert.ok(!seen.join('\n').includes(clear), clear);
    assert.ok(sent.some((request) => request.includes('card=')));
    assert.equal(await form.locator('.close, .forward, a.main').count(), 0, 'the payer is in the shop already');
    assert.deepEqual([await capturesOf(service, id), faults], [1, []]);
  });

  // Guarantee: a decline says why, to the payer and to the page, once; the payer can pay in another way.
  test('card: declined, then paid by BLIK', async () => {
    const { page, form, id } = await open({ amount: 10.06 });
    await form.getByRole('link', { name: /^Card/ }).click();
    await enterCard(form);
    await form.getByRole('alert').waitFor();
    await form.getByRole('link', { name: 'Choose another way to pay' }).click();
    await form.getByRole('link', { name: /^BLIK/ }).click();
    await enterBlik(form, '777123');
    const events = await eventsUntil(page, 'paid');
    assert.deepEqual(namesOf(events), ['ready', 'method', 'processing', 'declined', 'method', 'processing', 'paid']);
    const { method, reason } = events[3] ?? {};
    assert.deepEqual([method, reason], ['card', 'instrument rejected']);
    assert.deepEqual(await attemptsOf(service, id), ['53 failed', '64 correct']);
  });

  // Guarantee: the bank's page opens in the whole window, and the payer returns to the shop.
  test('card: 3-D Secure', async () => {
    const own = await aWindow();
    await answerForShop(own.context);
    const { page, form, id } = await open({ amount: 10.02 }, { method: 'card' }, own);
    await enterCard(form);
    await heading(page, 'Confirm your card payment');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await heading(page, 'Payment successful');
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await page.waitForURL(shop.success);
    assert.deepEqual([await attemptsOf(service, id), await capturesOf(service, id)], [['53 correct'], 1]);
  });

  // Guarantee: a payer who goes back from the bank's page stays in the shop, and can go on from there.
  test('card: back from the bank', async () => {
    const { page, form } = await open({ amount: 10.02 }, { method: 'card' });
    await enterCard(form);
    await heading(page, 'Confirm your card payment');
    await page.goBack();
    await eventsUntil(page, 'waiting');
    const again = await formOf(page);
    await heading(again, 'Confirm the payment at your bank');
    await again.getByRole('link', { name: 'Go to the bank’s page' }).click();
    await heading(page, 'Confirm your card payment');
  });

  // Guarantee: the form waits for the confirmation in the bank's app, and then shows the result.
  test('BLIK: waits, then paid', async () => {
    const { page, form, id } = await open({}, { method: 'blik' });
    await enterBlik(form, '770123');
    await heading(form, 'Confirm the payment in your bank’s app');
    await eventsUntil(page, 'waiting');
    await passTime(service.world, { seconds: 6 });
    await heading(form, 'Payment successful');
    const events = await eventsUntil(page, 'paid');
    assert.deepEqual(namesOf(events), ['ready', 'method', 'processing', 'waiting', 'paid']);
    assert.equal(await capturesOf(service, id), 1);
  });

  // Guarantee: a payment that is over says so, and offers no form.
  test('paid, canceled, refunded or expired before', async () => {
    const ask = (id: string, what: string) =>
      service.ask('POST', `/transactions/${id}/${what}`, { token: merchant.token });
    const pay = (id: string) => payBlik(service, merchant, id, '777123');
    const age = (id: string) =>
      service.world.db.sql.run`update transaction set created_at = '2026-01-01T00:00:00Z' where id = ${id}`;
    const ends = {
      paid: [pay, 'Payment successful'],
      canceled: [(id: string) => ask(id, 'cancel'), 'This payment was canceled'],
      refunded: [async (id: string) => (await pay(id)) && ask(id, 'refunds'), 'This payment has been refunded'],
      expired: [age, 'This payment has expired'],
    } as const;
    const { page } = window;
    for (const [name, [end, title]] of Object.entries(ends)) {
      const { id, url } = await aPayPage(service, merchant);
      await end(id);
      await site.open(page, url);
      await heading(await formOf(page), title);
      assert.deepEqual(namesOf(await eventsUntil(page, name)), ['ready', name]);
    }
  });

  // Guarantee: the browser shows the form in no page that the merchant has not registered; the way to pay stays.
  test('a foreign page is refused by the browser', async () => {
    const foreign = await aMerchantSite(service.url);
    const { url } = await aPayPage(service, merchant);
    const { page, faults } = await aWindow();
    await page.clock.install();
    const refused = page.waitForEvent('console', (message) => /frame/i.test(message.text()));
    await foreign.open(page, url);
    await refused;
    await page.clock.fastForward(25_000);
    const [event] = await eventsUntil(page, 'error');
    assert.equal(event?.reason, 'not shown');
    assert.match(event?.message ?? '', new RegExp(`Check that ${foreign.origin} is registered`));
    assert.equal(await page.getByRole('link', { name: 'Pay for the order' }).getAttribute('href'), url);
    assert.equal(await page.locator('iframe').isVisible(), false);
    assert.match(faults.join('\n'), /frame-ancestors|refused|frame/i);
    // A page that pretends to be the registered one is refused just so: the policy names that one.
    const pretended = `${url}/embed?origin=${encodeURIComponent(site.origin)}`;
    const answer = await fetch(pretended);
    assert.match(answer.headers.get('content-security-policy') ?? '', new RegExp(`frame-ancestors ${site.origin}$`));
  });

  // Guarantee: a form that is there stays there, however long the payer takes.
  test('a form that nobody touches', async () => {
    const { url } = await aPayPage(service, merchant);
    const { page } = await aWindow();
    await page.clock.install();
    await site.open(page, url, { method: 'blik' });
    const form = await formOf(page);
    await eventsUntil(page, 'ready');
    await form.waitForLoadState('load');
    await page.waitForLoadState('load');
    await page.clock.fastForward(60_000);
    await heading(form, 'Pay with BLIK');
    assert.equal(await page.locator('iframe').isVisible(), true);
    assert.deepEqual(namesOf(await eventsUntil(page, 'ready')), ['ready', 'method']);
  });

  // Guarantee: a form that comes late takes its place, with what was typed into it.
  test('a slow form', async () => {
    const { url, id } = await aPayPage(service, merchant);
    const { page, context } = await aWindow();
    const late = Promise.withResolvers<void>();
    await context.route('**/frame.js*', async (route) => {
      await late.promise;
      await route.continue();
    });
    await page.clock.install();
    await site.open(page, url, { method: 'blik' });
    const form = await formOf(page);
    await form.fill('#blik', '777 123');
    await page.clock.fastForward(25_000);
    await page.getByRole('link', { name: 'Pay for the order' }).waitFor();
    late.resolve();
    await eventsUntil(page, 'ready');
    assert.equal(await form.inputValue('#blik'), '777 123');
    assert.equal(await page.getByRole('link', { name: 'Pay for the order' }).count(), 0);
    await form.click('button.main');
    assert.deepEqual(namesOf(await eventsUntil(page, 'paid')), ['error', 'ready', 'method', 'processing', 'paid']);
    assert.equal(await capturesOf(service, id), 1);
  });

  // Guarantee: a form whose next page does not come says so and goes on by itself, also if the payer was faster than its
  // icons.
  test('the next page fails', async () => {
    const { url } = await aPayPage(service, merchant);
    const { page, context } = await aWindow();
    const late = Promise.withResolvers<void>();
    await context.route('**/assets/methods/*', async (route) => {
      await late.promise;
      await route.continue();
    });
    await context.route(/embed\?.*method=64/, (route) => route.abort());
    await site.open(page, url);
    const form = await formOf(page);
    await eventsUntil(page, 'ready');
    await form.getByRole('link', { name: 'BLIK' }).click({ noWaitAfter: true });
    late.resolve();
    await form.getByText('No connection to the payment service').waitFor();
    await heading(form, 'How would you like to pay?');
    await context.unroute(/embed\?.*method=64/);
    await heading(form, 'Pay with BLIK');
    assert.deepEqual(namesOf(await eventsUntil(page, 'method')), ['ready', 'method']);
  });

  // Guarantee: only the form's own frame is believed, at its own origin.
  test('messages of others are ignored', async () => {
    const { page } = await open();
    await eventsUntil(page, 'ready');
    const message = "{ source: 'grosz', type: 'page', state: 'redirect', height: 4000 }";
    const frame = "document.querySelector('iframe').contentWindow";
    for (const [origin, source] of [
      [site.origin, frame],
      ['https://evil.example', frame],
      [service.url, 'window'],
      [service.url, 'null'],
    ])
      await page.evaluate(
        `dispatchEvent(new MessageEvent('message', { origin: '${origin}', source: ${source}, data: ${message} }))`,
      );
    await page.evaluate(`postMessage(${message}, '*')`);
    assert.deepEqual(namesOf(await eventsUntil(page, 'ready')), ['ready']);
    assert.ok(Number(await page.evaluate("document.querySelector('iframe').clientHeight")) < 1_000);
    assert.ok(page.url().startsWith(site.origin));
  });

  // Guarantee: two forms on one page know nothing of each other; one that is taken away is silent.
  test('two forms; unmount', async () => {
    const first = await aPayPage(service, merchant);
    const second = await aPayPage(service, merchant);
    const { page } = window;
    await site.open(page, `${first.url} ${second.url}`, { method: 'blik' });
    await enterBlik(await formOf(page, 1), '777123');
    assert.deepEqual(namesOf(await eventsUntil(page, 'paid', 1)), ['ready', 'method', 'processing', 'paid']);
    assert.deepEqual(namesOf(await eventsUntil(page, 'ready', 0)), ['ready', 'method']);
    assert.deepEqual([await capturesOf(service, first.id), await capturesOf(service, second.id)], [0, 1]);
    await page.evaluate('window.handles[0].unmount()');
    assert.equal(await page.locator('iframe').count(), 1);
    // Mounted again in the same element, it takes the place of the former.
    await page.evaluate(`for (const _ of [1, 2]) window.again = Grosz.mount('#form-0', { payUrl: '${first.url}' })`);
    assert.equal(await page.locator('#form-0 iframe').count(), 1);
    await page.evaluate('window.again.unmount()');
    assert.equal(await page.getByRole('link', { name: 'Pay for the order' }).getAttribute('href'), first.url);
  });

  // Guarantee: mistakes of those who build the page are told at once.
  test('options that are wrong', async () => {
    const { page, url } = await open();
    for (const [options, message] of [
      [{ payUrl: `${url}/bank` }, /transactionPaymentUrl/],
      [{ payUrl: url.replace('127.0.0.1', 'localhost') }, /must begin with/],
      [{ payUrl: url, method: 'transfer' }, /'card' or 'blik'/],
      [{ payUrl: url, language: 'cs' }, /language must be one of/],
      [{ payUrl: url, language: 'constructor' }, /language must be one of/],
      [{ payUrl: url.replace(/:\d+/, ':99999') }, /transactionPaymentUrl/],
      [undefined, /options are missing/],
      [{ payUrl: url, theme: 'blue' }, /theme/],
    ] as const) {
      const thrown = `try { Grosz.mount('main', ${JSON.stringify(options)}); '' } catch (error) { String(error) }`;
      assert.match(String(await page.evaluate(thrown)), message);
    }
    assert.match(String(await page.evaluate("try { Grosz.mount('#no', {}) } catch (error) { String(error) }")), /#no/);
  });

  // Guarantee: the form takes the cursor from nobody; by keyboard it is reached where it stands.
  test('by keyboard alone', async () => {
    const { page, form } = await open({}, { language: 'pl' });
    await heading(form, 'Jak chcesz zapłacić?');
    await eventsUntil(page, 'ready');
    assert.equal(await page.locator('iframe').getAttribute('title'), 'Formularz płatności');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'BODY');
    await page.keyboard.press('Tab');
    assert.match(String(await form.evaluate('document.activeElement.textContent')), /BLIK/);
    await page.keyboard.press('Enter');
    await heading(form, 'Zapłać BLIKIEM');
    await form.waitForLoadState('load');
    await page.keyboard.type('777123');
    await page.keyboard.press('Enter');
    await heading(form, 'Płatność zakończona pomyślnie');
  });

  // Guarantee: the frame opened by itself is the payment page.
  test('without a page around it', async () => {
    const { url } = await aPayPage(service, merchant);
    const { page } = window;
    await page.goto(`${url}/embed?origin=${encodeURIComponent(site.origin)}`);
    await page.waitForURL(url);
    await heading(page, 'How would you like to pay?');
  });

  /** That a form fits into its frame: nothing to scroll in any direction. */
  async function assertFits(page: Page, form: Frame, about: string): Promise<void> {
    const { width = 0 } = page.viewportSize() ?? {};
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, about);
    const root = 'document.documentElement';
    assert.equal(await form.evaluate(`${root}.scrollWidth - ${root}.clientWidth`), 0, about);
  }

  // Guarantee: readable and usable by sight and screen reader, light and dark, on phones and desktops.
  test('no accessibility findings', async () => {
    const { page, faults } = await aWindow({ reducedMotion: 'reduce' });
    const waiting = await aPayPage(service, merchant);
    await payBlik(service, merchant, waiting.id, '500000');
    const declined = await aPayPage(service, merchant);
    await payBlik(service, merchant, declined.id, '222222');
    const fresh = await aPayPage(service, merchant);
    const shown = [
      [fresh.url, {}, phone, 'dark'],
      [fresh.url, { method: 'card' }, desktop, 'light'],
      [waiting.url, {}, desktop, 'dark'],
      [declined.url, {}, phone, 'light'],
    ] as const;
    for (const [url, options, viewport, colorScheme] of shown) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await site.open(page, url, options);
      await eventsUntil(page, 'ready');
      const form = await formOf(page);
      assert.deepEqual(await axeFindings(form), [], url);
      await assertFits(page, form, url);
    }
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(faults, []);
  });

  // Guarantee: nothing needs horizontal scrolling on the narrowest phone, in any language.
  test('320 pixels, eight languages', async () => {
    const { page } = window;
    await page.setViewportSize({ width: 320, height: 600 });
    const fresh = await aPayPage(service, merchant, { amount: 99_999_999.99 });
    for (const language of languages) {
      await site.open(page, fresh.url, { language, method: 'card' });
      await eventsUntil(page, 'ready');
      const form = await formOf(page);
      assert.equal(await form.getAttribute('html', 'lang'), language);
      await assertFits(page, form, language);
    }
  });
});
