// Payouts and the bank account in the panel, in a real browser: what a merchant sees, asks for and changes.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Secret as OtpSecret, TOTP } from 'otpauth';
import { verifyPayoutAccount } from '../../src/payouts/index.ts';
import { aReachableService } from '../support/browser.ts';
import { aPassword, aPerson, type TestPerson } from '../support/panel.ts';
import { aPanelWindow, looksGood, titled } from '../support/panel-window.ts';
import { checkInvariants, settleAll } from '../support/payments.ts';
import { someIbans } from '../support/payouts.ts';
import { fund } from '../support/refunds.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

suite('payouts in the panel', () => {
  let service: Service;
  let merchant: TestMerchant;
  let owner: TestPerson;
  let codes: string[];
  before(async () => {
    service = await aReachableService();
    for (const clock of [service.world.clock, service.world.wall]) clock.set('2026-11-19T10:00:00Z');
    merchant = await aMerchant(service);
    owner = await aPerson(service, 'owner', merchant.id);
    const { secret } = (await owner.ask('POST', '/panel/api/me/totp', { body: { password: aPassword } })).body;
    const code = new TOTP({ secret: OtpSecret.fromBase32(secret) }).generate({
      timestamp: service.world.wall.now().epochMilliseconds,
    });
    codes = (await owner.ask('POST', '/panel/api/me/totp/confirm', { body: { code } })).body.recoveryCodes;
    await fund(service, merchant, 123_456n);
  });

  // Guarantee: a merchant gives a number, is told what it waits for, asks for a payout, sees what it consists of, takes it
  // back, and chooses when to be paid.
  test('from the number to the payout', async () => {
    const { page, open, faults } = await aPanelWindow(service, owner);
    const dialog = page.getByRole('dialog');
    await open('/money/payouts');
    await titled(page, 'Payouts');
    await page.getByText('No bank account is given yet.').waitFor();
    await looksGood(page, 'no payouts');
    await open('/money/bank-account');
    await titled(page, 'Bank account');
    await page.getByRole('button', { name: 'Give a bank account' }).click();
    await dialog.getByLabel('Account number').fill('61 1090 1014 0000 0712 1981 2875');
    await dialog.getByLabel('Holder').fill('Sklep Jana sp. z o.o.');
    await dialog.getByLabel('Your password').fill(aPassword);
    await dialog.getByLabel('Code of the authenticator app').fill(codes.pop() ?? '');
    await looksGood(page, 'giving a bank account');
    await dialog.getByRole('button', { name: 'Give a bank account' }).click();
    await dialog.getByText('Must be a valid IBAN, or a Polish account number.').waitFor();
    await dialog.getByLabel('Account number').fill('61 1090 1014 0000 0712 1981 2874');
    await dialog.getByRole('button', { name: 'Give a bank account' }).click();
    await page.getByText('Waits for the operator to verify it').waitFor();
    await page.getByText('ends with 2874').waitFor();
    await looksGood(page, 'a bank account that waits');
    await verifyPayoutAccount(service.world, { accountId: merchant.id, by: 'operator@grosz.example' });
    await page.getByRole('button', { name: 'Change the schedule' }).click();
    await dialog.getByLabel('Schedule').selectOption('weekdays');
    await dialog.getByLabel('Days').fill('1, 4');
    await dialog.getByLabel('Minimum of a payout').fill('50,00');
    await looksGood(page, 'changing the schedule');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('On days of the week: Monday, Thursday').waitFor();
    await page.getByText('Verified').waitFor();
    await looksGood(page, 'a verified bank account');

    service.world.clock.set('2026-11-20T10:00:00Z');
    await open('/money/ledger');
    await page.getByText('The next payout comes on 23 Nov 2026: PLN 1,234.56.').waitFor();
    await looksGood(page, 'the balance with the next payout');
    await open('/money/payouts');
    await page.getByRole('button', { name: 'Ask for a payout' }).click();
    await dialog.getByText('PLN 1,234.56 can be paid out now.').waitFor();
    await dialog.getByLabel('Amount').fill('2000');
    await dialog.getByRole('button', { name: 'Ask for a payout' }).click();
    await dialog.getByText('The amount is more than what is due.').waitFor();
    await looksGood(page, 'asking for too much');
    await dialog.getByLabel('Amount').fill('1000');
    await dialog.getByRole('button', { name: 'Ask for a payout' }).click();
    await page.getByRole('link', { name: /^20 Nov 2026/ }).waitFor();
    await looksGood(page, 'a payout in the list');
    await settleAll(service.world);
    await page.getByRole('link', { name: /^20 Nov 2026/ }).click();
    await titled(page, 'Payout: PLN 1,000.00');
    await page.getByText('At your request').waitFor();
    await page.getByRole('link', { name: 'Show the settlement' }).waitFor();
    await looksGood(page, 'one payout');
    await page.getByRole('button', { name: 'Cancel the payout' }).click();
    await dialog.getByRole('button', { name: 'Cancel the payout' }).click();
    await page.getByText('Canceled by you').waitFor();
    await looksGood(page, 'a canceled payout');

    await open('/money/bank-account');
    await page.getByRole('button', { name: 'Change the bank account' }).click();
    await dialog.getByLabel('Account number').fill(someIbans[1]);
    await dialog.getByLabel('Holder').fill('Sklep Jana sp. z o.o.');
    await dialog.getByLabel('Your password').fill(aPassword);
    await dialog.getByLabel('Code of the authenticator app').fill(codes.pop() ?? '');
    await dialog.getByRole('button', { name: 'Change the bank account' }).click();
    await page.getByText('ends with 5387').waitFor();
    await page.getByText('On hold until 23 Nov 2026, 11:00').waitFor();
    await looksGood(page, 'a changed bank account');
    assert.deepEqual(faults, []);
    await checkInvariants(service.world);
  });
});
