// The fields of the pay page: focus, paste, the card's brand, what is wrong and when it is said; and waiting for BLIK.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { aReachableService, aWindow } from '../support/browser.ts';
import { aPayPage, attemptsOf, axeFindings, capturesOf, enterBlik, enterCard, heading } from '../support/payer.ts';
import { checkInvariants, passTime } from '../support/payments.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

suite('fields of the pay page', () => {
  let service: Service;
  let merchant: TestMerchant;
  /** One for all tests with a script. */
  let window: Awaited<ReturnType<typeof aWindow>>;

  before(async () => {
    service = await aReachableService();
    merchant = await aMerchant(service, { name: 'Tea House' });
    window = await aWindow();
  });
  after(() => checkInvariants(service.world));

  async function open(body: object, { context, page, faults } = window) {
    const made = await aPayPage(service, merchant, { callbacks: {}, ...body });
    faults.length = 0;
    await context.clearCookies();
    await page.goto(made.url, { waitUntil: 'load' });
    return { ...made, context, page, faults };
  }

  // Guarantee: a code from the clipboard needs one tap; the button is there only while the field is empty.
  test('BLIK: the cursor is in the field, and the code is pasted by one tap', async () => {
    const { page, context, faults } = await open({ pay: { groupId: 150 } });
    assert.equal(await page.evaluate('document.activeElement.id'), 'blik');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate("navigator.clipboard.writeText('Your code: 777 123')");
    await page.getByRole('button', { name: 'Paste' }).click();
    await page.getByRole('button', { name: 'Paste' }).waitFor({ state: 'hidden' });
    assert.equal(await page.inputValue('#blik'), '777 123');
    await page.keyboard.press('Enter');
    await heading(page, 'Payment successful');
    assert.deepEqual(faults, []);
  });

  // Guarantee: while the bank waits for the app, the page counts down, and shows the result by itself.
  test('BLIK 770: waits with a countdown, then succeeds', async () => {
    const { page, id } = await open({ pay: { groupId: 150 } });
    await enterBlik(page, '770123');
    await heading(page, 'Confirm the payment in your bank');
    const left = page.getByRole('timer');
    await left.getByText(/Time left to confirm: (2:00|1:5\d)/).waitFor();
    await left.getByText(/Time left to confirm: 1:5\d/).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await passTime(service.world, { seconds: 6 });
    await heading(page, 'Payment successful');
    assert.equal(await capturesOf(service, id), 1);
  });

  // Guarantee: the brand is shown while typing.
  test('the brand of a card', async () => {
    const { page } = await open({ pay: { channelId: 53 } });
    for (const [start, brand] of [
      ['4', 'Visa'],
      ['51', 'Mastercard'],
      ['2221', 'Mastercard'],
      ['37', 'American Express'],
      ['6759', 'Maestro'],
      ['6011', 'Discover'],
      ['3530', 'JCB'],
      ['9', ''],
    ] as const) {
      await page.fill('#number', start);
      assert.equal(await page.locator('.card-brand').innerText(), brand);
      // It tells where the security code is.
      const hint = {
        '': '3 digits on the back of the card, on some cards 4 on the front',
        'American Express': '4 digits on the front of the card',
      };
      const expected = hint[brand as keyof typeof hint] ?? '3 digits on the back of the card';
      assert.equal(await page.innerText('#code-hint'), expected);
    }
    const accepted = page.getByRole('list', { name: 'Accepted cards' }).getByRole('listitem');
    assert.deepEqual(await accepted.allInnerTexts(), [
      'Visa',
      'Mastercard',
      'American Express',
      'Discover',
      'JCB',
      'Maestro',
    ]);
  });

  // Guarantee: American Express is spaced as on the card, and its code has four digits.
  test('American Express', async () => {
    const { page, id } = await open({ amount: 10.01, pay: { channelId: 53 } });
    assert.equal(await page.evaluate('document.activeElement.id'), 'number', 'the cursor is in the first field');
    await page.keyboard.type('378282246310005');
    assert.equal(await page.inputValue('#number'), '3782 822463 10005');
    await page.fill('#expiry', '12/39');
    await page.fill('#code', '123');
    await page.click('button.main');
    assert.equal(await page.innerText('#code-fault'), 'Enter the 4 digits on the front of the card.');
    await page.fill('#code', '1234');
    await page.click('button.main');
    await heading(page, 'Payment successful');
    assert.equal(await capturesOf(service, id), 1);
  });

  // Guarantee: an empty number is asked for, not called wrong; with and without a script.
  test('no card number', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await open({ pay: { channelId: 53 } }, await aWindow({ javaScriptEnabled }));
      await page.click('button.main');
      await page.locator('#number-fault', { hasText: 'Enter the card number.' }).waitFor();
    }
  });

  // Guarantee: a long list of banks can be searched, and says what to do if one's own is missing.
  test('the bank of a transfer', async () => {
    const { page, id } = await open({ pay: { channelId: 21 } });
    assert.equal(await page.evaluate('document.activeElement.id'), 'bank-search');
    const names = await page.locator('.banks .name').allInnerTexts();
    assert.deepEqual(names, names.toSorted());
    await page.keyboard.type('lAM');
    assert.deepEqual(await page.locator('.banks li:visible .name').allInnerTexts(), ['Bank Lambda']);
    assert.equal(await page.locator('.bank-search [role=status]').innerText(), 'Banks found: 1');
    await page.fill('#bank-search', 'nothing');
    assert.equal(await page.locator('.bank-search [role=status]').innerText(), 'Banks found: 0');
    // Without a click: who finds none needs it.
    await page.locator('.not-listed').getByRole('link', { name: 'Choose another way to pay' }).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await page.fill('#bank-search', 'omega');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await heading(page, 'Payment successful');
    assert.equal(await capturesOf(service, id), 1);
  });

  // Guarantee: a field tells what is wrong when it is left, not before, and looks wrong even with the cursor in it.
  test('what is wrong is said on leaving a field', async () => {
    const { page } = await open({ pay: { channelId: 53 } });
    await page.locator('#number').pressSequentially('4111 1111 1111 1112');
    assert.equal(await page.locator('#number-fault').innerText(), '');
    await page.keyboard.press('Tab');
    assert.match(await page.locator('#number-fault').innerText(), /a digit is wrong or missing/);
    assert.equal(await page.locator('#expiry-fault').innerText(), '', 'an empty field is not wrong yet');
    await page.focus('#number');
    const colors = (await page.evaluate(`{
      const { outlineColor, borderTopColor } = getComputedStyle(document.querySelector('#number'));
      const bad = getComputedStyle(document.querySelector('#number-fault')).color;
      [outlineColor === bad, borderTopColor !== getComputedStyle(document.querySelector('#expiry')).borderTopColor];
    }`)) as boolean[];
    assert.deepEqual(colors, [true, true]);
    assert.deepEqual(await axeFindings(page), []);
    await page.click('button.main');
    for (const field of ['number', 'expiry', 'code'])
      assert.notEqual(await page.locator(`#${field}-fault`).innerText(), '', field);
    assert.equal(await page.evaluate('document.activeElement.id'), 'number');
  });

  // Guarantee: without a script, too, all faults are told at once, with links to their fields.
  test('all faults at once, without script', async () => {
    const { page } = await open({ pay: { channelId: 53 } }, await aWindow({ javaScriptEnabled: false }));
    await page.fill('#number', '4111 1111 1111 1112');
    await page.click('button.main');
    const notice = page.getByRole('alert');
    assert.match(await notice.innerText(), /Please check what you entered/);
    assert.equal(await notice.getByRole('link').count(), 3);
    await notice.getByRole('link', { name: /security code/ }).click();
    assert.equal(await page.locator('#code:focus').count(), 1);
  });

  // Guarantee: what the acquirer does not take is not shown, and told before anything is sent.
  test('a brand that is not accepted, with and without a script', async () => {
    const other = await aReachableService({ config: { cardBrands: ['visa', 'mastercard'] } });
    const shop = await aMerchant(other);
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await aWindow({ javaScriptEnabled });
      const { id, url } = await aPayPage(other, shop, { pay: { channelId: 53 } });
      await page.goto(url);
      assert.deepEqual(await page.locator('.brands li').allInnerTexts(), ['Visa', 'Mastercard']);
      await enterCard(page, { number: '378282246310005', expiry: '12/39', code: '1234' });
      await page.locator('#number-fault', { hasText: 'Cards of this brand are not accepted here.' }).waitFor();
      assert.deepEqual(await attemptsOf(other, id), []);
    }
    await checkInvariants(other.world);
  });

  // Guarantee: a refunded payment looks like the other results: a symbol, the title, what happened.
  test('refunded', async () => {
    const { id, url } = await aPayPage(service, merchant, { callbacks: {} });
    const body = { groupId: 150, blikPaymentData: { blikToken: '777123' } };
    await service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body });
    await service.ask('POST', `/transactions/${id}/refunds`, { token: merchant.token, body: {} });
    const { page } = window;
    await page.goto(url);
    await heading(page, 'This payment has been refunded');
    assert.equal(await page.locator('.step .symbol').isVisible(), true);
  });
});
