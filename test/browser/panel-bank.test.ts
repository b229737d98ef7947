// Our bank in the panel, in a real browser: what waits is decided, and a wrong decision taken back.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { camt053, type EntryGiven } from '../bankfiles/files.ts';
import { importInto, openOurs, refusalOf } from '../statements/support.ts';
import { anOperator } from '../support/batches.ts';
import { aReachableService } from '../support/browser.ts';
import { aPassword } from '../support/panel.ts';
import { aPanelWindow, looksGood, titled } from '../support/panel-window.ts';
import { checkInvariants } from '../support/payments.ts';

suite('the bank in the panel', () => {
  // Guarantee: an operator finds out what a line is, says so with a signature, and takes it back.
  test('from what waits to the decision and back', async () => {
    const service = await aReachableService();
    const operator = await anOperator(service);
    const { page, open, faults } = await aPanelWindow(service, operator);
    await open('/operator/bank');
    await titled(page, 'Bank');
    await page.getByText('No account is open').waitFor();
    await looksGood(page, 'without an account');
    await openOurs(service.world);
    const entries: EntryGiven[] = [
      { amount: '10.00', info: 'a gift' },
      { amount: '5.00', indicator: 'DBIT', info: 'card terminal' },
    ];
    await importInto(service.world, camt053({ opening: '0.00', closing: '5.00', entries }));
    await refusalOf(service.world, camt053({ opening: '7.00', closing: '7.00', entries: [] }), { name: 'gap.xml' });
    await open('/operator/bank');
    await page.getByText('The books agree with the bank.').waitFor();
    await page.getByText(/opens with 7\.00, but the one before closed with 5\.00/).waitFor();
    await looksGood(page, 'a line that waits');
    const sign = async (submit: string) => {
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Your password').fill(aPassword);
      await dialog.getByLabel('Code of the authenticator app').fill(operator.code());
      await dialog.getByRole('button', { name: submit, exact: true }).click();
    };
    await page
      .getByRole('row', { name: /card terminal/ })
      .getByRole('button', { name: 'Decide' })
      .click();
    await page.getByLabel('It is').selectOption('payout');
    await page.getByLabel('Which one').fill('01JZ8D3K7R4M5N6P7Q8R9S0T1V');
    await looksGood(page, 'the decision');
    await sign('Decide');
    await page.getByText('There is no payout 01JZ8D3K7R4M5N6P7Q8R9S0T1V').waitFor();
    await page.getByLabel('It is').selectOption('fee');
    await sign('Decide');
    await page.getByRole('row', { name: /card terminal/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Take back' }).click();
    await sign('Take back');
    await page.getByText(`Taken back by ${operator.email}`).waitFor();
    await page
      .getByRole('row', { name: /card terminal/ })
      .getByRole('button', { name: 'Decide' })
      .waitFor();
    await looksGood(page, 'a decision that was taken back');
    assert.deepEqual(faults, []);
    await checkInvariants(service.world);
  });
});
