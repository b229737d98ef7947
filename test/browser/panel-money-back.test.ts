// What moves or stops money in the panel, in a real browser: refunds, recurring payments, the marketplace.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { pause } from '../../src/runtime/index.ts';
import { aReachableService } from '../support/browser.ts';
import { aChild, aPaidSplit, aPartner, type TestPartner } from '../support/marketplace.ts';
import { aPerson } from '../support/panel.ts';
import { aPanelWindow, looksGood, titled } from '../support/panel-window.ts';
import { aPaidTransaction, passTime } from '../support/payments.ts';
import { aRecurring, attemptsOf, chargeAll, recurringOf } from '../support/recurring.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

suite('money in the panel', () => {
  let service: Service;
  let merchant: TestMerchant;
  let partner: TestPartner;

  before(async () => {
    service = await aReachableService();
    merchant = await aMerchant(service);
    partner = await aPartner(service);
    await fund(service, merchant, 100_000n);
    for (const seller of partner.sellers) await fund(service, seller, 100_000n);
  });

  async function open(path: string, role: 'owner' | 'staff' | 'read_only' = 'staff', accountId = merchant.id) {
    const window = await aPanelWindow(service, await aPerson(service, role, accountId));
    await window.open(path);
    return window;
  }

  async function statusOf(refundId: string): Promise<string> {
    return (await service.ask('GET', `/refunds/${refundId}`, { token: merchant.token })).body.status;
  }

  // Guarantee: holding is taken back with one click; canceling asks first, with the exact amount.
  test('a refund is held, let go again, held and canceled', async () => {
    const paid = await aPaidTransaction(service, merchant, { amount: 80 });
    const refundId = await aRefund(service, merchant, paid, { amount: 12.5 });
    const { page, faults } = await open(`/refunds/${refundId}`);
    await titled(page, /^Refund PLN.12\.50$/);
    await page.getByRole('button', { name: 'Hold' }).click();
    await page.getByText('The refund is held.', { exact: true }).waitFor();
    assert.equal(await statusOf(refundId), 'Hold');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Hold' }).waitFor();
    assert.notEqual(await statusOf(refundId), 'Hold');
    await page.getByRole('button', { name: 'Hold' }).click();
    await page.getByRole('button', { name: 'Release' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await page.getByRole('button', { name: 'Hold' }).waitFor();
    assert.notEqual(await statusOf(refundId), 'Hold');
    await page.getByRole('button', { name: 'Hold' }).click();
    await page.getByRole('button', { name: 'Cancel the refund' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/The payer does not get PLN.12\.50/).waitFor();
    await looksGood(page, 'canceling a refund');
    await dialog.getByRole('button', { name: 'Cancel the refund' }).dblclick();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await statusOf(refundId), 'Cancel');
    assert.equal(await page.getByRole('button', { name: /Hold|Release|Cancel the refund/ }).count(), 0);
    assert.deepEqual(faults, []);
  });

  // Guarantee: who looks for a refund that the payer has not reads why: what the bank said, or that it came back.
  test('a refund that the bank declined, and one that came back', async () => {
    const refundOf = async (fault: 'refusedRefund' | 'returnedRefund') => {
      const transactionId = await aPaidTransaction(service, merchant, { amount: 60 });
      service.world.bank.setFaults({ [fault]: { probability: 1, seed: 1, seconds: 0 } });
      const id = await aRefund(service, merchant, transactionId, { amount: 10 });
      await passTime(service.world, { seconds: 10 });
      service.world.bank.setFaults({});
      return { transactionId, id };
    };
    const declined = await refundOf('refusedRefund');
    const { page, open: go, faults } = await open(`/refunds/${declined.id}`);
    await page
      .getByText(/The bank declined this refund: the bank .+\. The amount and the fee are back in your balance/)
      .waitFor();
    await go(`/transactions/${declined.transactionId}`);
    await page.getByText(/refused by the bank: the bank /).waitFor();
    const refunds = page.getByRole('table', { name: 'Refunds' });
    await refunds.getByText('PLN 0.00').waitFor();
    const back = await refundOf('returnedRefund');
    await go(`/refunds/${back.id}`);
    await page.getByText(/the money came back on .+: the payer does not have it/).waitFor();
    await looksGood(page, 'a refund that came back');
    await go(`/transactions/${back.transactionId}`);
    await page.getByText('The refund came back: the money is back in the balance').waitFor();
    assert.equal(await page.getByText('refused by the bank').count(), 0);
    await page.getByText('The operator was told about the refund').waitFor();
    assert.deepEqual(faults, []);
  });

  // Guarantee: who may only read is offered no action, and nobody sees what belongs to another account.
  test('read only, and foreign ids', async () => {
    const paid = await aPaidTransaction(service, merchant, { amount: 20 });
    const refundId = await aRefund(service, merchant, paid, { amount: 5 });
    const recurringId = await aRecurring(service, merchant);
    const { page, open: go, faults } = await open(`/refunds/${refundId}`, 'read_only');
    await titled(page, /^Refund/);
    assert.equal(await page.getByRole('button', { name: /Hold|Cancel/ }).count(), 0);
    await go(`/recurring/${recurringId}`);
    await titled(page, 'Monthly box');
    assert.equal(await page.getByRole('button', { name: /Retry|Cancel|Change/ }).count(), 0);

    const stranger = await open(`/refunds/${refundId}`, 'owner', (await aMerchant(service)).id);
    await titled(stranger.page, 'Not found');
    await stranger.open(`/recurring/${recurringId}`);
    await titled(stranger.page, 'Not found');
    await stranger.open(`/developers/notifications/${refundId}`);
    await titled(stranger.page, 'Not found');
    assert.deepEqual(faults, []);
  });

  // Guarantee: a retry charges once, however often the button is pressed; canceling asks first.
  test('a recurring payment: retried, its instrument changed, canceled', async () => {
    const id = await aRecurring(service, merchant, {
      paymentInstrument: { value: 'always-insufficient-funds' },
      description: 'Tea club',
    });
    await chargeAll(service.world);
    const { page, faults } = await open('/recurring');
    await page.getByRole('link', { name: 'Tea club' }).first().click();
    await page.getByText('The last attempt failed: insufficient funds.').waitFor();
    await page
      .getByRole('table', { name: 'Attempts' })
      .getByRole('cell', { name: /PLN.49\.90/ })
      .waitFor();
    await looksGood(page, 'a recurring payment');

    await page.getByRole('button', { name: 'Change the instrument' }).click();
    await page.getByLabel('Value').fill('good-card');
    await page.getByRole('dialog').getByRole('button', { name: 'Change the instrument' }).click();
    await page.getByText('Later charges use the new instrument.').waitFor();

    await page.getByRole('button', { name: 'Retry now' }).click();
    await page
      .getByRole('dialog')
      .getByText(/Jan Nowak is charged PLN.49\.90/)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry now' }).dblclick();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await chargeAll(service.world);
    const attempts = await attemptsOf(service, merchant, id);
    assert.deepEqual(
      attempts.map(({ status }: { status: string }) => status),
      ['failed', 'correct'],
    );

    await page.reload();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(/All future charges of PLN.49\.90/)
      .waitFor();
    await page.getByRole('button', { name: 'Cancel the payment' }).click();
    await page.getByText('Canceled', { exact: true }).waitFor();
    assert.equal((await recurringOf(service, merchant, id)).status, 'canceled');
    assert.deepEqual(faults, []);
  });

  // Guarantee: one that has failed can be restored with a new instrument, or ended, and each dialog says what follows.
  test('a failed recurring payment: restored, failed again, ended', async () => {
    const id = await aRecurring(service, merchant, {
      paymentInstrument: { value: 'instrument-invalid' },
      schedule: { retryIntervals: [] },
      description: 'Coffee club',
    });
    await chargeAll(service.world);
    const { page, faults } = await open(`/recurring/${id}`);
    await page.getByText('A new payment instrument restores it.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Retry now' }).count(), 0);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Restore with a new instrument' }).click();
    await dialog.getByText(/The failed charge of PLN.49\.90 is tried at once/).waitFor();
    await page.getByLabel('Value').fill('payer-rejected');
    // A slow service: what is told shows on the page by then.
    await page.route(`**/recurring/${id}`, (route) => pause(500).then(() => route.continue()));
    await dialog.getByRole('button', { name: 'Restore with a new instrument' }).click();
    await page.getByText('It is active again; the charge is on its way.').waitFor();
    assert.equal(await page.getByText('A new payment instrument restores it.').count(), 0);
    assert.equal((await recurringOf(service, merchant, id)).status, 'active');
    await chargeAll(service.world);
    assert.equal((await attemptsOf(service, merchant, id)).length, 2);

    await page.reload();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.getByText('No new card or alias can restore it any more.').waitFor();
    await page.getByRole('button', { name: 'Cancel the payment' }).click();
    await page.getByText('Canceled', { exact: true }).waitFor();
    assert.equal((await recurringOf(service, merchant, id)).status, 'canceled');
    assert.deepEqual(faults, []);
  });

  test('the calendar has every date with its reason', async () => {
    await aRecurring(service, merchant, { description: 'Newspaper', schedule: { intervalType: 'days', interval: 5 } });
    await chargeAll(service.world);
    const { page, faults } = await open('/recurring/calendar');
    await page.getByRole('link', { name: 'Newspaper' }).first().waitFor();
    await page.getByText(/Charge 2: every 5 days from/).waitFor();
    await looksGood(page, 'the calendar');
    assert.deepEqual(faults, []);
  });

  // Guarantee: what the preview shows is what happens, and it happens once.
  test('a marketplace refund by product, with its preview', async () => {
    const product = { externalId: 'cup-9', name: 'Cup', quantity: 4, unitPrice: 2_000 };
    const id = await aPaidSplit(service, partner, [
      aChild(partner, 0, 8_000, { products: [product], commission: 400 }),
      aChild(partner, 1, 2_500),
    ]);
    const { page, faults } = await open('/marketplace', 'staff', partner.id);
    await page.getByRole('link', { name: /^TR-/ }).first().click();
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Products' }).check();
    await dialog.getByRole('textbox', { name: 'Quantity of Cup' }).fill('9');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('This is more than is left to refund.').waitFor();
    await dialog.getByRole('textbox', { name: 'Quantity of Cup' }).fill('1,5');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('Nothing has moved yet. This is what will happen:').waitFor();
    const balances = dialog.getByRole('table', { name: 'Balances' });
    const after = await balances
      .getByRole('row', { name: /Seller 1/ })
      .getByRole('cell')
      .last()
      .innerText();
    await looksGood(page, 'the preview');
    await dialog.getByRole('button', { name: /^Refund PLN.30\.00$/ }).dblclick();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await service.ask('GET', `/marketplace/v1/transaction/${id}`, { token: partner.token });
    assert.deepEqual(
      body.refunds.map(({ amount }: { amount: number }) => amount),
      [3_000],
    );
    const seller = (await service.ask('GET', `/accounts/${partner.sellers[0]?.id}`, { token: partner.token })).body;
    const shown = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'PLN' }).format(seller.balance);
    assert.equal(after, shown);
    await page.getByText('Partly refunded', { exact: true }).waitFor();
    const cup = page.getByRole('row', { name: /Cup/ }).getByRole('cell').last();
    assert.match(await cup.innerText(), /^1\.5$/);
    const rest = await service.ask('POST', `/marketplace/v1/transaction/${id}/refund`, {
      token: partner.token,
      body: {},
    });
    assert.equal(rest.status, 200, rest.text);
    await page.reload();
    await page.getByText('Partly refunded', { exact: true }).waitFor({ state: 'detached' });
    await cup.getByText(/^4$/).waitFor();
    assert.deepEqual(faults, []);
  });

  test('a seller: added, blocked, and the panel through its eyes', async () => {
    const { page, faults } = await open('/marketplace/sellers', 'owner', partner.id);
    await page.getByRole('button', { name: 'Add a seller' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('<b>Green</b> Tea');
    await dialog.getByLabel('Email').fill('green@example.com');
    await looksGood(page, 'a new seller');
    await dialog.getByRole('button', { name: 'Add a seller' }).click();
    await page.getByRole('link', { name: '<b>Green</b> Tea' }).click();
    await page.getByRole('button', { name: 'Block' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
    await page.getByText('This seller is blocked and takes no new payments.').waitFor();
    await page.getByRole('button', { name: 'Unblock' }).click();
    await page.getByRole('button', { name: 'Block', exact: true }).waitFor();
    await looksGood(page, 'a seller');
    await page.getByRole('link', { name: 'Look through this seller’s eyes' }).click();
    await page.getByText('You are looking through the eyes of <b>Green</b> Tea.').waitFor();
    assert.deepEqual(faults, []);
  });
});
