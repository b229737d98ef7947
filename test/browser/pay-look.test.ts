// The merchant's color and logo, and the operator's foot, on the pay page; and the panel's section that sets them.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { aReachableService, aWindow, phone } from '../support/browser.ts';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { aPanelWindow, looksGood } from '../support/panel-window.ts';
import { aPayPage, axeFindings } from '../support/payer.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

/** A PNG of one color, 3:1. */
function aPng(): Buffer {
  const crc = (bytes: Buffer) => {
    let value = 0xffffffff;
    for (const byte of bytes) {
      value ^= byte;
      for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
    }
    return (value ^ 0xffffffff) >>> 0;
  };
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, check]);
  };
  const [width, height] = [240, 80];
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x99)]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

suite('how a pay page looks', () => {
  let service: Service;
  let merchant: TestMerchant;
  let owner: TestPerson;
  let window: Awaited<ReturnType<typeof aWindow>>;

  before(async () => {
    window = await aWindow({ viewport: phone, reducedMotion: 'reduce' });
    const operator = {
      name: 'Payments Example sp. z o.o.',
      termsUrl: 'https://pay.example/terms',
      support: 'help@pay.example',
    };
    service = await aReachableService({ config: { operator } });
    merchant = await aMerchant(service, { name: 'Tea House' });
    owner = await aPerson(service, 'owner', merchant.id);
  });

  // Guarantee: in any color the page stays readable, in light and dark mode; the foot names the operator.
  for (const color of ['#ffe600', '#101010', '#e0218a']) {
    test(`in ${color}`, async () => {
      const body = { color, logo: aPng().toString('base64') };
      assert.equal((await owner.ask('POST', '/panel/api/settings/pay-page', { body })).status, 200);
      const { url } = await aPayPage(service, merchant, { pay: { groupId: 150 } });
      const { page, faults } = window;
      await page.goto(url);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await axeFindings(page), [], `${color} ${colorScheme}`);
      }
      const shown = await page.evaluate("getComputedStyle(document.querySelector('button.main')).backgroundColor");
      const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
      assert.equal(shown, `rgb(${red}, ${green}, ${blue})`);
      assert.equal(await page.evaluate("document.querySelector('.logo').naturalWidth"), 240);
      assert.match(await page.locator('.operator').innerText(), /Payment processed by Payments Example/);
      assert.equal(await page.getByRole('link', { name: 'Help' }).getAttribute('href'), 'mailto:help@pay.example');
      assert.equal(await page.getByRole('link', { name: 'Terms' }).getAttribute('href'), 'https://pay.example/terms');
      assert.deepEqual(faults, []);
    });
  }

  // Guarantee: an owner sets color, logo and mails in the panel.
  test('the section in the panel', async () => {
    const { page, open } = await aPanelWindow(service, owner);
    await open('/settings/account');
    await page.getByRole('button', { name: 'Change: Pay page' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pay page' });
    await dialog.getByLabel('Color', { exact: true }).fill('#123456');
    await dialog.locator('input[type=file]').setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: aPng() });
    await dialog.getByLabel('Pages that may embed').fill('https://shop.example\nhttps://tea.example/\n');
    await dialog.getByLabel('Mails to payers: Refund paid out').uncheck();
    await looksGood(page, 'the dialog of the pay page');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { payPage } = (await owner.ask('GET', '/panel/api/settings/pay-page')).body;
    assert.equal(payPage.color, '#123456');
    assert.equal(payPage.mails.refunded, false);
    assert.deepEqual(payPage.embedOrigins, ['https://shop.example', 'https://tea.example']);
    assert.ok(payPage.logoUrl);
    await page.getByAltText('Your logo').waitFor();
  });
});
