// The list of transactions in a real browser: saved views, files, and what happens while somebody looks.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, suite, test } from 'node:test';
import type { UserRole } from '../../contract/identity/roles.ts';
import { aReachableService } from '../support/browser.ts';
import { aPerson } from '../support/panel.ts';
import { aPanelWindow, looksGood, titled } from '../support/panel-window.ts';
import { aPaidTransaction, aTransaction, payBlik, settleAll } from '../support/payments.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

suite('the list of transactions', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aReachableService();
    merchant = await aMerchant(service);
    await aPaidTransaction(service, merchant, { amount: 15, description: 'Paid tea' });
    await aTransaction(service, merchant, { amount: 7.5, description: 'Cup, "blue"' });
    await settleAll(service.world);
  });

  async function open(path: string, role: UserRole = 'read_only') {
    const person = await aPerson(service, role, merchant.id);
    const window = await aPanelWindow(service, person);
    await window.open(path);
    return { ...window, person };
  }

  // Guarantee: a view brings back exactly the filters it was saved with, for who saved it and nobody else.
  test('filters are saved under a name, opened, renamed, deleted, brought back', async () => {
    const { page, person, faults } = await open('/transactions');
    await page.getByRole('cell', { name: 'Cup, "blue"' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Save this view' }).count(), 0);
    await page.getByLabel('Status').selectOption('paid');
    await page.getByLabel('Amount from').fill('10');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'Cup, "blue"' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save this view' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the view').fill('Big & paid');
    await looksGood(page, 'saving a view');
    await dialog.getByRole('button', { name: 'Save this view' }).click();
    const views = page.getByRole('navigation', { name: 'Saved views' });
    await views.getByRole('link', { name: 'Big & paid' }).waitFor();

    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('cell', { name: 'Cup, "blue"' }).waitFor();
    await views.getByRole('link', { name: 'Big & paid' }).click();
    await page.getByRole('cell', { name: 'Cup, "blue"' }).waitFor({ state: 'detached' });
    assert.deepEqual(
      [await page.getByLabel('Status').inputValue(), await page.getByLabel('Amount from').inputValue()],
      ['paid', '10'],
    );
    await looksGood(page, 'a saved view');

    await views.getByRole('button', { name: 'Change the view Big & paid' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await dialog.getByLabel('Name of the view').fill('Paid');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await views.getByRole('link', { name: 'Paid', exact: true }).waitFor();
    const kept = async () => (await person.ask('GET', '/panel/api/views')).body.views;
    assert.deepEqual(
      (await kept()).map(({ name, query }: { name: string; query: string }) => [name, query]),
      [['Paid', 'status=paid&amountFrom=10']],
    );

    await views.getByRole('button', { name: 'Change the view Paid' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await views.getByRole('link', { name: 'Paid', exact: true }).waitFor({ state: 'detached' });
    assert.deepEqual(await kept(), []);
    await page.getByRole('button', { name: 'Undo' }).click();
    await views.getByRole('link', { name: 'Paid', exact: true }).waitFor();
    const other = await open('/transactions');
    await other.page.getByRole('cell', { name: 'Paid tea' }).waitFor();
    assert.equal(await other.page.getByRole('link', { name: 'Paid', exact: true }).count(), 0);
    assert.deepEqual(faults, []);
  });

  // Guarantee: a file has what the screen shows, no more and no less.
  test('what is filtered as CSV, what is found as JSON', async () => {
    const { page, faults } = await open('/transactions?status=paid');
    async function exported(format: RegExp): Promise<string> {
      await page.getByRole('button', { name: 'Export' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: format }).click();
      return readFile(await (await download).path(), 'utf8');
    }
    const lines = (await exported(/^CSV/)).trimEnd().split('\r\n');
    assert.equal(lines.length, 2);
    assert.match(lines[1] ?? '', /Paid tea/);
    await page.getByText('1 row is saved.').waitFor();
    await page.getByLabel('Status').selectOption('');
    await page.getByLabel('Amount to').fill('8');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'Paid tea' }).waitFor({ state: 'detached' });
    const found = JSON.parse(await exported(/^JSON/)) as { description: string }[];
    assert.deepEqual(
      found.map(({ description }) => description),
      ['Cup, "blue"'],
    );
    await page.getByText('The file is saved.').waitFor();
    assert.deepEqual(faults, []);
  });

  // Guarantee: every status that a row shows can be asked for, and filters leave room for the rows on a phone.
  test('declined ones on a phone, behind the button of the filters; one that was canceled says when', async () => {
    const declined = await aTransaction(service, merchant, { amount: 4, description: 'Declined cup' });
    await payBlik(service, merchant, declined, '222000');
    await settleAll(service.world);
    const { page, faults } = await open('/transactions');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('cell', { name: 'Paid tea' }).waitFor();
    assert.equal(await page.getByLabel('Status').isVisible(), false);
    assert.ok(await page.getByRole('textbox', { name: 'Search' }).isVisible());
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByLabel('Status').selectOption('Declined');
    await page.getByRole('cell', { name: 'Paid tea' }).waitFor({ state: 'detached' });
    await page
      .getByRole('row', { name: /Declined cup/ })
      .getByText('Declined', { exact: true })
      .waitFor();
    await page.getByRole('button', { name: 'Filters (1)' }).click();
    assert.equal(await page.getByLabel('Status').isVisible(), false);
    await looksGood(page, 'folded filters');
    await service.ask('POST', `/transactions/${declined}/cancel`, { token: merchant.token });
    await page.goto(`${new URL(page.url()).origin}/panel/transactions/${declined}`);
    await page.getByText('by your account, through the API or in the panel').waitFor();
    assert.deepEqual(faults, []);
  });

  // Guarantee: nobody has to reload to see a payment.
  test('what happens shows on the list and in the overview by itself', async () => {
    const list = await open('/transactions');
    const overview = await open('/');
    await list.page.getByRole('cell', { name: 'Paid tea' }).waitFor();
    await overview.page.getByText('1 payment', { exact: true }).waitFor();
    const id = await aTransaction(service, merchant, { amount: 3, description: 'Just now' });
    const row = list.page.getByRole('row', { name: /Just now/ });
    await row.getByText('Waiting').waitFor();
    await payBlik(service, merchant, id);
    await settleAll(service.world);
    await row.getByText('Paid', { exact: true }).waitFor();
    await overview.page.getByText('2 payments', { exact: true }).waitFor();
    assert.deepEqual([list.faults, overview.faults], [[], []]);
  });

  // Guarantee: a month with one payment is one row, not thirty of zeros.
  test('statements leave out the days on which nothing happened', async () => {
    const today = service.world.clock.now().toZonedDateTimeISO('Europe/Warsaw').toPlainDate();
    const from = today.subtract({ days: 29 });
    const { page, faults } = await open(`/money/statements?from=${from}&to=${today}`);
    await page.getByText('29 days on which nothing happened are left out').waitFor();
    assert.equal(await page.getByRole('table').getByRole('row').count(), 3, 'the head, the total and one day');
    await looksGood(page, 'statements');
    assert.deepEqual(faults, []);
  });

  // Guarantee: hidden tabs hold no connection, and after signing out none is left.
  test('the connection ends with the page’s visibility and with the session', async () => {
    const { page, faults } = await open('/transactions', 'owner');
    const isLive = (asked: { url(): string }) => asked.url().endsWith('/panel/api/live');
    const show = (state: 'hidden' | 'visible') =>
      page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));`);
    await page.getByRole('cell', { name: 'Paid tea' }).waitFor();
    const hidden = page.waitForEvent('requestfailed', isLive);
    await show('hidden');
    await hidden;
    const again = page.waitForResponse(isLive);
    await show('visible');
    assert.equal((await again).status(), 200);
    const ended = page.waitForEvent('requestfailed', isLive);
    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await titled(page, 'Sign in');
    await ended;
    assert.deepEqual(faults, []);
  });
});
