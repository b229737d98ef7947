// Batches of payouts in the panel, in a real browser: two operators, one file.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, suite, test } from 'node:test';
import { anOperator, ourIban, type TestOperator, waitingPayouts } from '../support/batches.ts';
import { aReachableService } from '../support/browser.ts';
import { aPassword } from '../support/panel.ts';
import { aPanelWindow, looksGood, type PanelWindow, titled } from '../support/panel-window.ts';
import { checkInvariants } from '../support/payments.ts';
import type { Service } from '../support/service.ts';

suite('batches of payouts in the panel', () => {
  let service: Service;
  let first: TestOperator;
  let second: TestOperator;
  before(async () => {
    service = await aReachableService();
    [first, second] = [await anOperator(service), await anOperator(service)];
  });

  async function confirm({ page }: PanelWindow, operator: TestOperator, submit: string): Promise<void> {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill(aPassword);
    await dialog.getByLabel('Code of the authenticator app').fill(operator.code());
    await dialog.getByRole('button', { name: submit, exact: true }).click();
  }

  // Guarantee: one person makes a batch and another one signs it; whoever downloads the file knows whether it is the first.
  test('from what waits to the file', async () => {
    await waitingPayouts(service, [1_234n, 5_000n]);
    const window = await aPanelWindow(service, first);
    const { page, open, faults, become } = window;
    await open('/operator/batches');
    await titled(page, 'Payout batches');
    await looksGood(page, 'without an account');
    await page.getByRole('button', { name: 'Give an account' }).click();
    await page.getByLabel('IBAN').fill(ourIban);
    await page.getByLabel('Holder').fill('Grosz sp. z o.o.');
    await page.getByLabel('Profile of the bank').selectOption('iso20022-pl');
    await looksGood(page, 'an account that pays');
    await confirm(window, first, 'Give an account');
    await page.getByText(ourIban).waitFor();
    await page.getByRole('button', { name: 'Make a batch' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make a batch' }).click();
    await page.getByText('Waits for the second signature').waitFor();
    await looksGood(page, 'a draft');
    await page.getByRole('link', { name: /^[0-9A-Z]{26}$/ }).click();
    await titled(page, 'Batch');
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await confirm(window, first, 'Sign');
    await page.getByText(/Ask another operator/).waitFor();
    const path = new URL(page.url()).pathname.replace('/panel', '');
    await become(second);
    await open(path);
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.getByText('Sign 2 payouts of').waitFor();
    await looksGood(page, 'the second signature');
    await confirm(window, second, 'Sign');
    await page.getByRole('button', { name: 'Make the file' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make the file' }).click();
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const got = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Download', exact: true }).click();
    const download = await got;
    assert.match(download.suggestedFilename(), /^GROSZ-3456789123-000001\.xml$/);
    assert.match(await readFile(await download.path(), 'utf8'), /<CtrlSum>62\.34<\/CtrlSum>/);
    await page.getByText('Handed over').first().waitFor();
    await looksGood(page, 'a batch that was handed over');
    await page.getByRole('button', { name: 'Download a copy' }).click();
    const again = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Download a copy' }).click();
    assert.match((await again).suggestedFilename(), /-copy\.xml$/);
    await page.getByText('Copy', { exact: true }).waitFor();
    assert.deepEqual(faults, []);
    await checkInvariants(service.world);
  });
});
