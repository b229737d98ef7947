// The pay page with JavaScript switched off.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { aReachableService, aWindow } from '../support/browser.ts';
import { answerForShop, aPayPage, attemptsOf, enterBlik, enterCard, heading, shop } from '../support/payer.ts';
import { checkInvariants, testCard } from '../support/payments.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

suite('the pay page without JavaScript', () => {
  const logLines: string[] = [];
  let service: Service;
  let merchant: TestMerchant;
  let window: Awaited<ReturnType<typeof aWindow>>;

  before(async () => {
    service = await aReachableService({ logLines });
    merchant = await aMerchant(service);
    window = await aWindow({ javaScriptEnabled: false });
    await answerForShop(window.context);
  });
  after(() => checkInvariants(service.world));

  async function open(body: object = {}) {
    const made = await aPayPage(service, merchant, body);
    await window.context.clearCookies();
    await window.page.goto(made.url);
    return { ...made, ...window };
  }

  // Guarantee: BLIK works from the choice to the shop, including a decline.
  test('BLIK', async () => {
    const { page, id } = await open();
    await page.getByRole('link', { name: 'BLIK' }).click();
    await enterBlik(page, '12');
    assert.equal(await page.innerText('#blik-fault'), 'Enter the six digits of the BLIK code.');
    await enterBlik(page, '333333');
    await page.getByRole('alert').waitFor();
    await enterBlik(page, '777 123');
    await heading(page, 'Payment successful');
    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await page.waitForURL(shop.success);
    assert.deepEqual(await attemptsOf(service, id), ['64 failed', '64 correct']);
  });

  // Guarantee: a card sent without script is read only by src/cards, and neither stored nor logged in plain text.
  test('card with 3-D Secure', async () => {
    const { page, id } = await open({ pay: { channelId: 53 } });
    await enterCard(page, { number: '4111 1111 1111 1112', expiry: '1/20', code: '' });
    assert.match(await page.innerText('#number-fault'), /wrong or missing/);
    assert.match(await page.innerText('#expiry-fault'), /expired/);
    assert.match(await page.innerText('#code-fault'), /security code/);
    assert.equal(await page.inputValue('#number'), '', 'what was entered is not shown again');
    await enterCard(page, { number: '4111 1111 1111 1111', expiry: '12 / 2039', code: '987' });
    await heading(page, 'Confirm your card payment');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await heading(page, 'Payment successful');
    assert.deepEqual(await attemptsOf(service, id), ['53 correct']);
    assert.ok(!logLines.join('').includes(testCard.number) && !/\b987\b/.test(logLines.join('')));
  });

  // Guarantee: the waiting page refreshes itself.
  test('waiting', async () => {
    const { page } = await open({ pay: { groupId: 150 } });
    await enterBlik(page, '500000');
    await heading(page, 'Confirm the payment in your bank’s app');
    assert.equal(await page.locator('meta[http-equiv=refresh]').getAttribute('content'), '5');
    service.world.clock.advance({ minutes: 3 });
    await checkInvariants(service.world);
    await page.getByRole('alert').waitFor();
  });

  // Guarantee: transfer and cancel need no script either.
  test('transfer refused, then canceled', async () => {
    const { page } = await open();
    await page.getByRole('link', { name: 'Bank transfer' }).click();
    await page.getByRole('button', { name: 'Bank Alfa' }).click();
    await page.getByRole('button', { name: 'Refuse' }).click();
    assert.match(await page.getByRole('alert').innerText(), /refused/);
    await page.getByRole('link', { name: 'Cancel and return to the shop' }).click();
    await page.getByRole('button', { name: 'Cancel the payment' }).click();
    await page.waitForURL(shop.error);
  });
});
