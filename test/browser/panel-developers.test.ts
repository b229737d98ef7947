// What developers do in the panel, in a real browser.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Nodes } from '../../src/database/index.ts';
import { SandboxClock } from '../../src/sandbox/index.ts';
import { ClockMoves } from '../../src/sandbox/move.ts';
import { aReachableService } from '../support/browser.ts';
import { aPerson } from '../support/panel.ts';
import { aPanelWindow, looksGood, titled } from '../support/panel-window.ts';
import { aPaidTransaction } from '../support/payments.ts';
import { aReceiver } from '../support/receiver.ts';
import { tickAll } from '../support/rooms.ts';
import { aMerchant, aToken, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('developers in the panel', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aReachableService({ clockOver: (wall) => new SandboxClock(wall) });
    merchant = await aMerchant(service, { name: 'Tea shop' });
  });

  async function open(path: string, role: 'owner' | 'staff' | 'operator' = 'staff') {
    const window = await aPanelWindow(service, await aPerson(service, role, role === 'operator' ? null : merchant.id));
    await window.open(path);
    return window;
  }

  // Guarantee: a developer finds out why a notification failed, and sends it again when the shop is mended.
  test('a notification: refused, looked at, sent again; a test notification', async () => {
    const receiver = await aReceiver();
    receiver.answer = { status: 503, body: 'Down for <b>maintenance</b>' };
    await aPaidTransaction(service, merchant, { callbacks: { notification: { url: receiver.url } } });
    await tickAll(service.world);
    const { page, faults } = await open('/developers/notifications', 'staff');
    await page.getByText(/one failure, .*the status of the response is not 200 \(wrong_status\)/).waitFor();
    await page.getByRole('row', { name: /TR-.*the status of the response is not 200/ }).waitFor();
    await looksGood(page, 'notifications');
    await page
      .getByRole('row', { name: /Transaction/ })
      .getByRole('link')
      .first()
      .click();
    await titled(page, 'Notification: Transaction');
    await page.getByText('Status 503').waitFor();
    await page.getByText('Down for <b>maintenance</b>').waitFor();
    await page.getByText('tr_status = TRUE').waitFor();
    await looksGood(page, 'a notification');
    receiver.answer = { status: 200, body: 'TRUE' };
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByText('The notification is sent again.').waitFor();
    await tickAll(service.world);
    await page.getByText('Delivered', { exact: true }).waitFor();

    await page.getByRole('link', { name: 'All notifications' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByRole('dialog').getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/Your shop accepted it after/).waitFor();
    await looksGood(page, 'a test notification');
    assert.deepEqual(faults, []);
  });

  test('requests with their bodies', async () => {
    await service.ask('POST', '/transactions', { token: merchant.token, body: { amount: 0 } });
    await service.rooms.panel.requests.flush();
    const { page, faults } = await open('/developers/requests?status=error', 'staff');
    await page
      .getByRole('link', { name: /POST .transactions/ })
      .first()
      .click();
    await titled(page, 'POST /transactions');
    await page.getByText('"amount": 0').waitFor();
    await looksGood(page, 'a request');
    assert.deepEqual(faults, []);
  });

  // Guarantee: a secret is on screen once, and works; a revoked key does not.
  test('an API key from its creation to its revocation', async () => {
    const { page, faults } = await open('/developers/keys', 'owner');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('Warehouse');
    await page.getByLabel('May').selectOption('read_only');
    await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
    await page.getByText('It is shown only this once.').waitFor();
    await looksGood(page, 'a new secret');
    const [clientId = '', secret = ''] = await page.getByRole('dialog').locator('.mono').allInnerTexts();
    await aToken(service, clientId, secret);
    await page.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('row', { name: /Warehouse/ })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name: /Warehouse.*Revoked/ }).waitFor();
    const refused = await service.ask('POST', '/oauth/auth', { body: { client_id: clientId, client_secret: secret } });
    assert.deepEqual(faultsOf(refused), ['invalid_client']);
    await page.getByRole('button', { name: 'Show the secrets' }).click();
    await page.getByText(/^whsec_/).waitFor();
    assert.deepEqual(faults, []);
  });

  // Guarantee: a move that goes on after its response is followed: how far it is, and that it is done.
  test('a long move of the clock', async (context) => {
    const { world } = service;
    const gate = Promise.withResolvers<void>();
    context.after(() => gate.resolve());
    const work = { name: 'send_mail' as const, run: () => gate.promise.then(() => 0) };
    const { page, faults } = await open('/operator/sandbox', 'operator');
    await page.getByRole('button', { name: 'A day' }).waitFor();
    const moves = new ClockMoves(world, [work], new Nodes(world.db, world.wall, world.random), 0);
    const to = world.clock.now().add({ hours: 3 });
    await moves.begin(to);
    // Asked again by the page itself, rarely while nothing moves.
    await page.reload();
    await page.getByText('Being moved to').waitFor();
    await page.getByText('Done so far').waitFor();
    gate.resolve();
    await page.getByText('The clock was moved; everything due is done.').waitFor();
    await page.getByText('Being moved to').waitFor({ state: 'detached' });
    assert.ok(Temporal.Instant.compare(world.clock.now(), to) >= 0);
    assert.deepEqual(faults, []);
  });

  // Guarantee: operators move the clock, others see it; what fell due has happened when it stands still.
  test('the clock of the sandbox, and a bank that misbehaves', async () => {
    const onlooker = await open('/developers/sandbox');
    await onlooker.page.getByText('Operators move the clock and choose the faults.').waitFor();
    assert.equal(await onlooker.page.getByRole('button', { name: 'A month' }).count(), 0);
    const before = service.world.clock.now();
    const { page, faults } = await open('/operator/sandbox', 'operator');
    await page.getByRole('button', { name: 'A day' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move the clock' }).click();
    await page.getByText('The clock was moved; everything due is done.').waitFor();
    assert.equal(service.world.clock.now().since(before).total('hours'), 24);
    await page.getByLabel('The response is lost').selectOption('1');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('The bank misbehaves as chosen.').waitFor();
    await page.getByRole('button', { name: 'Switch all off' }).click();
    await page.getByText('The bank behaves again.').waitFor();
    await looksGood(page, 'the sandbox');
    assert.deepEqual(faults, []);
  });
});
