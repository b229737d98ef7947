// Settings in the panel, in a real browser. Those of users are in panel-people.test.ts.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aReachableService } from '../support/browser.ts';
import { aPerson } from '../support/panel.ts';
import { aPanelWindow, looksGood } from '../support/panel-window.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';
import { walletConfig } from '../support/wallet.ts';

suite('settings in the panel', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aReachableService({ config: walletConfig() });
    merchant = await aMerchant(service, { name: 'Tea shop' });
  });

  async function open(path: string, role: 'owner' | 'staff' = 'owner') {
    const window = await aPanelWindow(service, await aPerson(service, role, merchant.id));
    await window.open(path);
    return window;
  }

  // Guarantee: faults of the service are at their fields, and what is saved is on the pay page.
  test('settings: a wrong address is told at its field, a right one is kept', async () => {
    const { page, faults } = await open('/settings/account');
    await page.getByRole('button', { name: 'Change: Account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Notification address').fill('ftp://shop.example');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Must be an absolute http or https URL.').waitFor();
    assert.equal(await dialog.getByLabel('Notification address').getAttribute('aria-invalid'), 'true');
    await looksGood(page, 'settings with a fault');
    await dialog.getByLabel('Notification address').fill('https://shop.example/notify');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('https://shop.example/notify').waitFor();
    await page.getByRole('button', { name: 'Change: Account' }).click();
    await dialog.getByLabel('Notification address').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Transactions that name no address of their own are no longer notified.').waitFor();
    await page.getByText('https://shop.example/notify').waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Points of sale' }).click();
    await page.getByRole('button', { name: 'Add a point of sale' }).click();
    await page.getByLabel('Name').fill('Second shop');
    await page.getByLabel('Website').fill('https://second.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Add a point of sale' }).click();
    await page
      .getByRole('row', { name: /Second shop/ })
      .getByRole('button', { name: 'Switch off' })
      .click();
    await page.getByRole('row', { name: /Second shop.*Switched off/ }).waitFor();
    await looksGood(page, 'points of sale');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('row', { name: /Second shop.*Active/ }).waitFor();
    assert.deepEqual(faults, []);
  });

  // Guarantee: what is chosen is what the pay page gets, by the picker as by typing.
  test('the pay page: a color, chosen and typed, and a logo', async () => {
    const { page, faults } = await open('/settings/account');
    const dialog = page.getByRole('dialog');
    const change = page.getByRole('button', { name: 'Change: Pay page' });
    await change.click();
    await dialog.getByLabel('Choose a color').fill('#7a1fa2');
    assert.equal(await dialog.getByLabel('Color', { exact: true }).inputValue(), '#7a1fa2');
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const logo = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') };
    await page.locator('input[type="file"]').setInputFiles(logo);
    await dialog.getByText('logo.png').waitFor();
    await looksGood(page, 'the pay page in the settings');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('#7a1fa2').waitFor();
    await page.getByAltText('Your logo').waitFor();
    await looksGood(page, 'the settings with a color and a logo');
    await change.click();
    await dialog.getByLabel('Color', { exact: true }).fill('');
    await dialog.getByLabel('Remove the logo').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('default', { exact: true }).waitFor();
    await page.locator('main').getByAltText('Your logo').waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
  });

  // Guarantee: the rule that a domain breaks is named.
  test('the wallet: a domain is checked and removed', async () => {
    const { page, faults } = await open('/settings/wallet', 'staff');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Register a domain' }).click();
    await dialog.getByLabel('Domain').fill('127.0.0.1:9');
    await dialog.getByRole('button', { name: 'Register a domain' }).click();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('Some rules are not met.').waitFor();
    await page.getByRole('row', { name: /The server can be reached.*Not met/ }).waitFor();
    await looksGood(page, 'the check of a domain');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No domains yet').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('cell', { name: '127.0.0.1:9' }).waitFor();
    assert.deepEqual(faults, []);
  });

  // Guarantee: one click too many makes no second key; only the certificate of this key is taken.
  test('the wallet: a certificate from its signing request to its end', async () => {
    const { page, faults } = await open('/settings/wallet', 'staff');
    const dialog = page.getByRole('dialog');
    const merchantIdentifier = 'merchant.com.example.shop';
    await page.getByRole('button', { name: 'New signing request' }).click();
    await dialog.getByLabel('Merchant identifier').fill(merchantIdentifier);
    await dialog.getByRole('button', { name: 'New signing request' }).dblclick();
    await page.getByRole('button', { name: 'Signing request', exact: true }).click();
    await page.getByText('BEGIN CERTIFICATE REQUEST').waitFor();
    await looksGood(page, 'a signing request');
    await page.keyboard.press('Escape');
    const { certificates } = (await service.ask('GET', '/wallet/certificates', { token: merchant.token })).body;
    assert.equal(certificates.length, 1);
    const issued = service.rooms.devices?.simulated.vendor.issueProcessing(
      certificates[0].csr,
      merchantIdentifier,
      service.world.wall.now(),
    );
    await page.getByRole('button', { name: 'Upload the certificate' }).click();
    await dialog.getByLabel('Certificate (PEM)').fill('not a certificate');
    await dialog.getByRole('button', { name: 'Upload the certificate' }).click();
    await dialog.locator('[aria-invalid="true"]').waitFor();
    await dialog.getByLabel('Certificate (PEM)').fill(issued ?? '');
    await dialog.getByRole('button', { name: 'Upload the certificate' }).click();
    await page.getByText('The certificate is active.').waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The certificate is revoked.').waitFor();
    assert.deepEqual(faults, []);
  });
});
