// Paying on the pay page, in a real browser: every method, declines, canceling, and the return to the shop.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { aReachableService, aWindow } from '../support/browser.ts';
import {
  answerForShop,
  aPayPage,
  attemptsOf,
  capturesOf,
  enterBlik,
  enterCard,
  heading,
  shop,
} from '../support/payer.ts';
import { checkInvariants, passTime, testCard } from '../support/payments.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

suite('the pay page', () => {
  let service: Service;
  let merchant: TestMerchant;
  /** One for all tests that do not go to the shop. */
  let window: Awaited<ReturnType<typeof aWindow>>;

  before(async () => {
    service = await aReachableService();
    merchant = await aMerchant(service, { name: 'Tea House' });
    window = await aWindow();
    await answerForShop(window.context);
  });
  after(() => checkInvariants(service.world));

  async function open(body: object = {}, { context, page, faults } = window) {
    const made = await aPayPage(service, merchant, body);
    faults.length = 0;
    await context.clearCookies();
    await page.goto(made.url);
    return { ...made, context, page, faults };
  }

  /** In a window that knows the shop. Its clock can be moved: a paid payment goes there by itself after some seconds. */
  async function openWithShop(body: object = {}) {
    const own = await aWindow();
    await answerForShop(own.context);
    await own.page.clock.install();
    return open(body, own);
  }

  /** The page goes on to the shop by itself. */
  async function untilShop(page: Page): Promise<void> {
    await page.locator('.forward').waitFor();
    assert.match(await page.locator('.forward').innerText(), /to the shop in \d\ss/);
    await page.clock.runFor(10_000);
    await page.waitForURL(shop.success);
  }

  // Guarantee: a payer chooses BLIK, pays, sees the result, and returns to the shop.
  test('BLIK, from the choice to the shop', async () => {
    const { page, id, faults } = await openWithShop();
    await heading(page, 'How would you like to pay?');
    assert.deepEqual(await page.locator('.method .name').allTextContents(), [
      'BLIK',
      'Card',
      'Wallet on this device',
      'Bank transfer',
      'Online wallet',
    ]);
    await page.getByRole('link', { name: 'BLIK' }).click();
    await page.locator('#blik').pressSequentially('777123');
    await page.waitForLoadState('load');
    assert.equal(await page.inputValue('#blik'), '777 123');
    await page.keyboard.press('Enter');
    await heading(page, 'Payment successful');
    await untilShop(page);
    assert.deepEqual([await attemptsOf(service, id), await capturesOf(service, id), faults], [['64 correct'], 1, []]);
  });

  // Guarantee: digits typed before the page's script arrives are formatted like any others once it is there.
  test('typed before the script arrived', async () => {
    const { url } = await aPayPage(service, merchant, { pay: { groupId: 150 } });
    const { context, page } = await aWindow();
    const typed = Promise.withResolvers<void>();
    await context.route('**/pay.js*', async (route) => {
      await typed.promise;
      await route.continue();
    });
    await page.goto(url, { waitUntil: 'commit' });
    await page.locator('#blik').pressSequentially('777123');
    assert.equal(await page.inputValue('#blik'), '777123');
    typed.resolve();
    await page.waitForLoadState('load');
    assert.equal(await page.inputValue('#blik'), '777 123');
  });

  // Guarantee: a payer who chooses to stay on the page is not redirected.
  test('staying on the page', async () => {
    const { page } = await openWithShop({ pay: { groupId: 150 } });
    await enterBlik(page, '777123');
    await page.getByRole('button', { name: 'Stay on this page' }).click();
    await page.clock.fastForward(60_000);
    await heading(page, 'Payment successful');
    assert.equal(await page.locator('.forward').isVisible(), false);
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await page.waitForURL(shop.success);
  });

  // Guarantee: a decline explains why, charges nothing, and the payer can try again.
  test('BLIK declined, tried again', async () => {
    const { page, id } = await open({ pay: { groupId: 150 } });
    await enterBlik(page, '222222');
    await page.getByRole('alert').waitFor();
    assert.match(await page.getByRole('alert').innerText(), /declined[\s\S]+not enough money[\s\S]+not charged/);
    assert.equal(await capturesOf(service, id), 0);
    await enterBlik(page, '777123');
    await heading(page, 'Payment successful');
    assert.deepEqual(await attemptsOf(service, id), ['64 failed', '64 correct']);
  });

  // Guarantee: while the payer has not confirmed, the page waits by itself and then shows the result.
  test('BLIK that nobody confirms', async () => {
    const { page, id } = await open({ pay: { groupId: 150 } });
    await enterBlik(page, '500000');
    await heading(page, 'Confirm the payment in your bank’s app');
    await passTime(service.world, { minutes: 3 });
    await page.getByRole('alert').waitFor();
    assert.match(await page.getByRole('alert').innerText(), /not confirmed in time/);
    assert.deepEqual(await attemptsOf(service, id), ['64 failed']);
  });

  // Guarantee: an invalid code or card is reported at its field, and nothing is sent.
  test('mistakes are reported at their fields', async () => {
    const { page, id } = await open();
    await page.getByRole('link', { name: /^Card/ }).click();
    await enterCard(page, { number: '4111 1111 1111 1112', expiry: '13/39', code: '1' });
    const shown = async (name: string) => [
      await page.getAttribute(`#${name}`, 'aria-invalid'),
      (await page.innerText(`#${name}-fault`)).length > 0,
    ];
    assert.deepEqual(await Promise.all(['number', 'expiry', 'code'].map(shown)), [
      ['true', true],
      ['true', true],
      ['true', true],
    ]);
    assert.equal(await page.evaluate('document.activeElement.id'), 'number');
    await page.fill('#expiry', '01/20');
    await page.click('button.main');
    assert.match(await page.innerText('#expiry-fault'), /expired/);
    assert.deepEqual(await attemptsOf(service, id), []);
  });

  suite('card with 3-D Secure', () => {
    // Guarantee: the card leaves the browser only encrypted; confirmed at the bank, it pays.
    test('passed', async () => {
      const { page, id, context } = await openWithShop();
      const sent: string[] = [];
      context.on('request', (request) => sent.push(request.postData() ?? ''));
      await page.getByRole('link', { name: /^Card/ }).click();
      await enterCard(page);
      await heading(page, 'Confirm your card payment');
      const bodies = sent.join('\n');
      assert.ok(bodies.includes('card='), 'the form was sent');
      for (const clear of [testCard.number, 'number=', 'expiry=', 'code=']) assert.ok(!bodies.includes(clear), clear);
      await page.getByRole('button', { name: 'Confirm' }).click();
      await heading(page, 'Payment successful');
      await untilShop(page);
      assert.deepEqual(await attemptsOf(service, id), ['53 correct']);
    });

    // Guarantee: if it is refused at the bank, nothing is charged, and another method can be used.
    test('failed, then paid by BLIK', async () => {
      const { page, id } = await open({ pay: { channelId: 53 } });
      await enterCard(page);
      await page.getByRole('button', { name: 'Refuse' }).click();
      await page.getByRole('alert').waitFor();
      assert.match(await page.getByRole('alert').innerText(), /refused in the bank’s app or on its page/);
      await page.getByRole('link', { name: 'Choose another way to pay' }).click();
      await page.getByRole('link', { name: 'BLIK' }).click();
      await enterBlik(page, '777123');
      await heading(page, 'Payment successful');
      assert.deepEqual(
        [await attemptsOf(service, id), await capturesOf(service, id)],
        [['53 failed', '64 correct'], 1],
      );
    });

    // Guarantee: a card saved at the payer's request reaches the merchant as a token.
    test('saved by the payer’s wish', async () => {
      const { page, id } = await open({ amount: 10.01, pay: { channelId: 53 } });
      await page.getByLabel('Allow Tea House to save this card').check();
      await enterCard(page);
      await heading(page, 'Payment successful');
      const tokens = await service.world.db.sql.many((row) => row.active_at !== null)`
        select active_at from card_token join charge on card_token = token where transaction_id = ${id}`;
      assert.deepEqual(tokens, [true]);
    });
  });

  // Guarantee: a transfer and an online wallet go through the bank's page and back.
  for (const [method, start] of [
    ['Bank transfer', 'Bank Alfa'],
    ['Online wallet', 'Continue to the wallet'],
  ] as const) {
    test(method, async () => {
      const { page, id } = await open();
      await page.getByRole('link', { name: method }).click();
      await page.getByRole('button', { name: start }).click();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await heading(page, 'Payment successful');
      assert.equal(await capturesOf(service, id), 1);
    });
  }

  // Guarantee: canceling asks for confirmation; then the payer is in the shop, and the payment can no longer be made.
  test('cancel and return to the shop', async () => {
    const { page, url, id } = await openWithShop();
    await page.getByRole('link', { name: 'Cancel and return to the shop' }).click();
    await page.getByRole('link', { name: 'No, continue paying' }).click();
    await heading(page, 'How would you like to pay?');
    await page.getByRole('link', { name: 'Cancel and return to the shop' }).click();
    await page.getByRole('button', { name: 'Cancel the payment' }).click();
    await page.waitForURL(shop.error);
    await page.goto(url);
    await heading(page, 'This payment was canceled');
    assert.deepEqual(await attemptsOf(service, id), []);
  });

  // Guarantee: without URLs of the merchant the payer ends on our own page.
  test('our own page when the merchant has none', async () => {
    const { page } = await open({ callbacks: {}, pay: { groupId: 150 } });
    await enterBlik(page, '777123');
    await heading(page, 'Payment successful');
    assert.equal(await page.innerText('.close'), 'You can close this page.');
  });

  // Guarantee: an unreachable bank is reported, and the payer may try again.
  test('the bank cannot be reached', async () => {
    const { page, id } = await open({ pay: { groupId: 150 } });
    service.world.bank.setFaults({ unreachable: { probability: 1, seed: 1 } });
    await enterBlik(page, '777123');
    await page.getByRole('alert').waitFor();
    service.world.bank.setFaults({});
    assert.match(await page.getByRole('alert').innerText(), /cannot be reached/);
    await enterBlik(page, '777123');
    await heading(page, 'Payment successful');
    assert.deepEqual(await attemptsOf(service, id), ['64 failed', '64 correct']);
  });
});
