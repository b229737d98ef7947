// What operators do in the panel, in a real browser.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { acquirersOf } from '../support/acquirers.ts';
import { aReachableService } from '../support/browser.ts';
import { gated } from '../support/gate.ts';
import { aPerson } from '../support/panel.ts';
import { aPanelWindow, looksGood, titled } from '../support/panel-window.ts';
import { aTransaction, passTime, payBlik, settleAll, show } from '../support/payments.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

suite('operators in the panel', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aReachableService({ catchMail: true });
    merchant = await aMerchant(service, { name: 'Tea shop' });
  });

  async function open(path: string) {
    const window = await aPanelWindow(service, await aPerson(service, 'operator', null));
    await window.open(path);
    return window;
  }

  /** The bank's response is lost, and then the bank cannot be asked for three days. */
  async function aParkedPayment(): Promise<string> {
    const { world } = service;
    world.bank.setFaults({ lostAnswer: { probability: 1, seed: 0 } });
    const id = await aTransaction(service, merchant);
    await payBlik(service, merchant, id);
    world.bank.setFaults({});
    const away = async () => ({ kind: 'notReached' }) as const;
    await passTime(
      { ...world, acquirers: acquirersOf(world, { ...gated(world.bank, {}), findCharge: away, cancel: away }) },
      { hours: 80 },
      40,
    );
    return id;
  }

  // Guarantee: an operator creates, blocks and unblocks; a blocked account takes nothing.
  test('an account is created, another gets fees and is blocked', async () => {
    const { page, open: go, faults } = await open('/operator');
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Book shop');
    await page.getByLabel('Email of the account').fill('books@example.com');
    await page.getByLabel('Email of the owner').fill('olga@example.com');
    await looksGood(page, 'a new account');
    await page.getByRole('dialog').getByRole('button', { name: 'Create an account' }).click();
    await titled(page, 'Book shop');
    await go(`/operator/accounts/${merchant.id}`);
    await page.getByRole('button', { name: 'Change: Fees and limits' }).click();
    await page.getByLabel('Of each payment, in percent').fill('1,5');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText(/1\.5 % and/).waitFor();
    await page.getByRole('button', { name: 'Block' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
    await page.getByRole('button', { name: 'Unblock' }).waitFor();
    const body = { amount: 1, description: 'x', payer: { email: 'a@example.com', name: 'A' } };
    // Tokens are known for less than a second.
    service.world.wall.advance({ seconds: 1 });
    const refused = await service.ask('POST', '/transactions', { token: merchant.token, body });
    assert.ok(refused.status >= 400, refused.text);
    await page.getByRole('button', { name: 'Unblock' }).click();
    // Exactly: the name is a part of the other button's.
    await page.getByRole('button', { name: 'Block', exact: true }).waitFor();
    assert.deepEqual(faults, []);
  });

  // Guarantee: what is wrong with a form is told in the language of the panel, whether the browser or the service finds it.
  test('faults of a form in Polish', async () => {
    const operator = await aPerson(service, 'operator', null);
    await operator.ask('POST', '/panel/api/me', { body: { language: 'pl' } });
    const { page, open: go, faults } = await aPanelWindow(service, operator);
    await go(`/operator/accounts/${merchant.id}`);
    await page.getByRole('button', { name: 'Zmień: Konto' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Strefa czasowa').fill('');
    await dialog.getByLabel('Kraj').fill('pl');
    await dialog.getByRole('button', { name: 'Zapisz' }).click();
    await dialog.getByText('To pole jest wymagane.').waitFor();
    await dialog.getByLabel('Strefa czasowa').fill('Europe/Krakow');
    await dialog.getByRole('button', { name: 'Zapisz' }).click();
    await dialog.getByText('Wymagana strefa czasowa, na przykład Europe/Warsaw.').waitFor();
    await dialog.getByText('Wymagane dwie wielkie litery, na przykład PL.').waitFor();
    assert.doesNotMatch(await dialog.innerText(), /Must|required|valid/);
    assert.deepEqual(faults, []);
  });

  // Guarantee: an operator decides what the bank could not, once, and only for the amount that was asked for.
  test('what is parked is decided', async () => {
    const id = await aParkedPayment();
    const { page, faults } = await open('/operator/parked');
    await page.getByText('The bank gave no result for three days.').waitFor();
    await page.getByRole('button', { name: 'Decide' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount that the bank confirmed').fill('1,00');
    await dialog.getByRole('button', { name: 'Decide' }).click();
    await dialog.getByText(/was requested, not 1\.00/).waitFor();
    await looksGood(page, 'a decision that is refused');
    await dialog.getByLabel('Amount that the bank confirmed').fill('10,01');
    await dialog.getByRole('button', { name: 'Decide' }).click();
    await page.getByText('Nothing is parked').waitFor();
    await settleAll(service.world);
    assert.equal((await show(service, merchant, id)).body.status, 'paid');
    assert.deepEqual(faults, []);
  });

  // Guarantee: nobody makes a route for all charges by leaving a form as it was.
  test('a route for everything is chosen', async () => {
    const { page, faults } = await open('/operator/routes');
    await page.getByRole('button', { name: 'Add a route' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add a route' }).click();
    await dialog.getByText('This field is required.').waitFor();
    await page.getByText('No routes').waitFor();
    await dialog.getByLabel('Channel').selectOption('Every');
    await looksGood(page, 'a new route');
    await dialog.getByRole('button', { name: 'Add a route' }).click();
    await page.getByRole('row', { name: /simulator Every Every Every 1/ }).waitFor();
    assert.deepEqual(faults, []);
  });

  test('works, nodes and the books', async () => {
    const { page, open: go, faults } = await open('/operator/works');
    await page.getByRole('row', { name: /send notifications/ }).waitFor();
    await looksGood(page, 'works');
    await go('/operator/verify');
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('No problems').waitFor();
    await looksGood(page, 'the books');
    assert.deepEqual(faults, []);
  });
});
