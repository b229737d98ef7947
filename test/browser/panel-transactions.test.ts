// The panel's transactions, in a real browser: found, looked at, refunded in part.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { UserRole } from '../../contract/identity/roles.ts';
import { aReachableService, phone } from '../support/browser.ts';
import { sayDispute } from '../support/disputes.ts';
import { aPerson } from '../support/panel.ts';
import { aPanelWindow, inColors } from '../support/panel-window.ts';
import { axeFindings } from '../support/payer.ts';
import { aPaidTransaction, aTransaction, settleAll } from '../support/payments.ts';
import { fund } from '../support/refunds.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

const hostile = '<script>document.title = "owned"</script>';

suite('transactions in the panel', () => {
  let service: Service;
  let merchant: TestMerchant;
  let paidId: string;

  before(async () => {
    service = await aReachableService();
    merchant = await aMerchant(service, { refundFeeMinor: 100n });
    await fund(service, merchant, 100_000n);
    paidId = await aPaidTransaction(service, merchant, {
      amount: 100.01,
      description: hostile,
      hiddenDescription: 'order-7',
    });
    await aTransaction(service, merchant, { amount: 5, description: 'Another order' });
    await settleAll(service.world);
  });

  /** A window of somebody who is signed in and sees an address of the panel. */
  async function open(role: UserRole, path: string) {
    const window = await aPanelWindow(service, await aPerson(service, role, merchant.id));
    await window.open(path);
    return window;
  }

  // Guarantee: what staff confirm is what the payer gets, and the timeline tells it. Another merchant's id looks like
  // one that does not exist.
  test('found by reference, refunded in part with the exact amount confirmed', async () => {
    const { page, faults, open: go } = await open('owner', '/transactions');
    await page.getByRole('cell', { name: 'Another order' }).waitFor();
    await page.getByRole('textbox', { name: 'Search' }).fill('order-7');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'Another order' }).waitFor({ state: 'detached' });
    assert.match(page.url(), /q=order-7/);
    assert.equal(await page.getByRole('cell', { name: hostile }).count(), 1);
    assert.deepEqual(await axeFindings(page), []);

    await page.getByRole('link', { name: /^TR-/ }).click();
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await page.getByRole('radio', { name: 'A part' }).check();
    // Guarantee: nobody is asked to confirm an amount that cannot be refunded.
    for (const outside of ['0', '100,02']) {
      await page.getByLabel('Amount in PLN').fill(outside);
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText(/^Enter more than 0 and at most PLN.100\.01\.$/).waitFor();
    }
    await page.getByLabel('Amount in PLN').fill('30,5');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: /^Refund PLN.30\.50$/ }).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole('button', { name: /^Refund PLN.30\.50$/ }).click();
    const requested = page.getByRole('listitem').filter({ hasText: 'Refund requested' });
    assert.match(await requested.innerText(), /-PLN.30\.50/);
    await page.getByText('Partly refunded').waitFor();
    const { body } = await service.ask('GET', `/transactions/${paidId}/refunds`, { token: merchant.token });
    assert.deepEqual(
      body.refundsList.map(({ amount }: { amount: number }) => amount),
      [30.5],
    );
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual([await page.title().then((title) => title.includes('owned')), faults], [false, []]);

    const foreign = await aTransaction(service, await aMerchant(service), { description: 'Theirs' });
    await go(`/transactions/${foreign}`);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    assert.equal(await page.getByText('Theirs').count(), 0);
  });

  // Guarantee: a list never shows the rows of another question without saying so.
  test('without a network a filter says that the service could not be reached', async () => {
    const { page } = await open('owner', '/transactions');
    await page.getByRole('cell', { name: 'Another order' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('textbox', { name: 'Search' }).fill('order-7');
    await page.keyboard.press('Enter');
    await page.getByText('The service could not be reached.').first().waitFor();
    assert.equal(await page.getByRole('cell', { name: 'Another order' }).count(), 0);
    await page.context().setOffline(false);
    await page.getByRole('cell', { name: hostile }).waitFor();
  });

  // Guarantee: who may only read is offered nothing else, on a phone and in the dark as well.
  test('read only: no refund, no new payment', async () => {
    const { page, faults } = await open('read_only', `/transactions/${paidId}`);
    await page.setViewportSize(phone);
    await inColors(page, 'dark');
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    assert.equal(await page.getByText(hostile, { exact: true }).count(), 1);
    assert.equal(await page.getByRole('button', { name: /Refund|Cancel/ }).count(), 0);
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole('link', { name: 'All transactions' }).click();
    await page.getByText('Another order').waitFor();
    assert.equal(await page.getByRole('link', { name: 'New payment' }).count(), 0);
    assert.deepEqual(faults, []);
  });

  // Guarantee: a dispute that is over is not told as one that can still be won.
  test('disputed and lost, or won', async () => {
    const id = await aPaidTransaction(service, merchant, { amount: 49.9 });
    await sayDispute(service.world, id, 'opened', 4_990n);
    const { page, faults, open: go } = await open('staff', `/transactions/${id}`);
    const unlessWon = page.getByText(/^The payer disputes PLN.49\.90\..+ unless the dispute is won\.$/);
    await unlessWon.waitFor();
    await sayDispute(service.world, id, 'lost', 4_990n);
    await go(`/transactions/${id}`);
    await page.getByText(/^The dispute was lost\. PLN.49\.90 stays with the payer and cannot be refunded\.$/).waitFor();
    assert.equal(await unlessWon.count(), 0);
    assert.deepEqual(await axeFindings(page), []);
    const other = await aPaidTransaction(service, merchant, { amount: 20 });
    await sayDispute(service.world, other, 'opened', 2_000n);
    await sayDispute(service.world, other, 'won', 2_000n);
    await go(`/transactions/${other}`);
    await page.getByText(/^The dispute was won\. You got PLN.20\.00 back\.$/).waitFor();
    await page.getByRole('button', { name: 'Refund', exact: true }).waitFor();
    assert.deepEqual(faults, []);
  });

  test('a new payment: its link, as text and QR code', async () => {
    const { page, faults } = await open('staff', '/transactions/new');
    await page.getByLabel('Amount in PLN').fill('12,50');
    await page.getByLabel('Description').fill('Tea');
    await page.getByRole('button', { name: 'Create the payment link' }).click();
    await page.getByRole('img', { name: 'QR code of the payment link' }).waitFor();
    const link = await page.getByRole('link', { name: `${service.url}/pay/` }).getAttribute('href');
    assert.equal((await fetch(link ?? '')).status, 200);
    const mail = await page.getByRole('link', { name: 'Send by mail' }).getAttribute('href');
    assert.ok(mail?.startsWith('mailto:') && mail.includes(encodeURIComponent(link ?? '?')));
    assert.deepEqual([await axeFindings(page), faults], [[], []]);
  });

  // Guarantee: what staff confirm is what is canceled; a question about one transaction is gone when another is on screen.
  test('canceled, with the exact amount in the question', async () => {
    const [first, second] = [
      await aTransaction(service, merchant, { amount: 7 }),
      await aTransaction(service, merchant),
    ];
    const { page, faults } = await open('staff', `/transactions/${first}`);
    const cancel = page.getByRole('button', { name: 'Cancel transaction' });
    const question = (amount: string) => page.getByText(`Cancel the transaction of PLN\u00a0${amount}?`);
    await cancel.waitFor();
    // As a link from one to the other would, so that both have been loaded.
    await page.evaluate(`history.pushState({}, '', '/panel/transactions/${second}');
      dispatchEvent(new PopStateEvent('popstate', { state: {} }))`);
    await page.getByRole('heading', { level: 1, name: /10\.01/ }).waitFor();
    await cancel.click();
    await question('10.01').waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: /7\.00/, includeHidden: true }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.goForward();
    await cancel.click();
    await question('10.01').waitFor();
    await page.getByRole('button', { name: 'Cancel the transaction', exact: true }).click();
    await page.getByText('The transaction is canceled.').waitFor();
    const statusOf = async (id: string) =>
      (await service.ask('GET', `/transactions/${id}`, { token: merchant.token })).body.status;
    assert.deepEqual([await statusOf(first), await statusOf(second)], ['pending', 'canceled']);
    assert.deepEqual(faults, []);
  });
});
