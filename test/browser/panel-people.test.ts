// Users and the audit log of the panel, what each role sees, looking through another account's eyes, and the keyboard.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { aReachableService } from '../support/browser.ts';
import { aPartner, type TestPartner } from '../support/marketplace.ts';
import { aPerson } from '../support/panel.ts';
import { aPanelWindow, looksGood, titled } from '../support/panel-window.ts';
import { settleAll } from '../support/payments.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

let service: Service;
let merchant: TestMerchant;
let partner: TestPartner;

before(async () => {
  service = await aReachableService({ catchMail: true });
  merchant = await aMerchant(service, { name: 'Tea House' });
  partner = await aPartner(service);
});

/** The names in the main navigation. */
async function menuOf(page: Page): Promise<string[]> {
  return page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').allInnerTexts();
}

suite('users', () => {
  test('invited, given a role, blocked, removed', async () => {
    const shop = await aMerchant(service);
    const window = await aPanelWindow(service, await aPerson(service, 'owner', shop.id));
    const { page, faults } = window;
    await window.open('/settings/users');
    await titled(page, 'Users');
    await looksGood(page, 'users');
    await page.getByRole('button', { name: 'Invite a user' }).click();
    await page.getByLabel('Name').fill('Zofia Maj');
    await page.getByLabel('Email').fill('zofia@example.com');
    await page.getByLabel('Staff').check();
    await looksGood(page, 'the invitation');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    const row = page.getByRole('row', { name: /Zofia Maj/ });
    await row.getByText('Invited').waitFor();
    const act = async (name: string) => {
      await page.getByRole('button', { name: 'Actions for Zofia Maj' }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    await page.getByRole('button', { name: 'Actions for Zofia Maj' }).click();
    await looksGood(page, 'the menu of a user');
    await page.keyboard.press('Escape');
    await act('Change role');
    await page.getByLabel('Read only').check();
    await page.getByRole('button', { name: 'Change role' }).click();
    await row.getByText('Read only').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByText('Staff').waitFor();
    await act('Block');
    await looksGood(page, 'the question before blocking');
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    await row.getByText('Blocked').waitFor();
    await act('Unblock');
    await row.getByText('Invited').waitFor();
    await act('Remove');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
  });

  test('the last owner stays; a taken address is said at its field', async () => {
    const shop = await aMerchant(service);
    const owner = await aPerson(service, 'owner', shop.id);
    const window = await aPanelWindow(service, owner);
    const { page } = window;
    await window.open('/settings/users');
    await page.getByRole('button', { name: /Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The account needs an active owner').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Invite a user' }).click();
    await page.getByLabel('Name').fill('Double');
    await page.getByLabel('Email').fill(owner.email);
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText('already a user with this email').waitFor();
    assert.equal(await page.getByLabel('Email').getAttribute('aria-invalid'), 'true');
  });

  // Guarantee: what people typed is shown as text.
  test('script in a name is text', async () => {
    const shop = await aMerchant(service, { name: '<img src=x onerror=alert(1)>' });
    const owner = await aPerson(service, 'owner', shop.id);
    const name = '<script>alert(1)</script><img src=x onerror=alert(2)>';
    const invited = { email: 'script@example.com', name, role: 'staff' };
    assert.equal((await owner.ask('POST', '/panel/api/users', { body: invited })).status, 201);
    const window = await aPanelWindow(service, owner);
    const { page, faults } = window;
    page.on('dialog', () => faults.push('a dialog'));
    await window.open('/settings/users');
    await page.getByText(name).waitFor();
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    await window.open('/settings/audit');
    await page
      .getByRole('button', { name: /Details of/ })
      .first()
      .click();
    await page.getByRole('dialog').getByText('<script>alert(1)').waitFor();
    assert.deepEqual(faults, []);
  });
});

suite('the audit log', () => {
  test('what was done, by whom; filters are in the address', async () => {
    const shop = await aMerchant(service);
    const owner = await aPerson(service, 'owner', shop.id);
    const staff = await aPerson(service, 'staff', shop.id);
    await staff.ask('POST', '/panel/api/me', { body: { name: 'Staff' } });
    await staff.ask('POST', '/panel/api/me/password', { body: { current: 'wrong', password: 'something else here' } });
    const window = await aPanelWindow(service, owner);
    const { page, faults } = window;
    await window.open('/settings/audit');
    await page.getByRole('cell', { name: 'Changed the password' }).waitFor();
    await page.getByText('Refused').first().waitFor();
    await looksGood(page, 'the audit log');
    await page.getByLabel('Action').selectOption({ label: 'Changed name or language' });
    await page.getByRole('cell', { name: 'Changed the password' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /Details of/ }).click();
    await page.getByRole('dialog').getByText('"name": "Staff"').waitFor();
    await looksGood(page, 'an entry');
    await page.keyboard.press('Escape');
    assert.match(page.url(), /\?action=P11$/);
    await page.reload();
    await page.getByRole('cell', { name: 'Changed name or language' }).waitFor();
    assert.equal(await page.getByRole('row').count(), 2);
    await page.getByLabel('User').selectOption(owner.id);
    await page.getByText('Nobody did anything that matches').waitFor();
    assert.match(page.url(), new RegExp(`userId=${owner.id}`));
    assert.deepEqual(faults, []);
  });
});

suite('roles', () => {
  /** The reason beside "You may not see this". */
  const refused = async (page: Page, reason: string) => {
    await titled(page, 'You may not see this');
    await page.getByRole('heading', { name: reason }).waitFor();
  };

  // Guarantee: a screen for others says who may see it; an address that leads nowhere says that.
  test('everybody sees what they may use', async () => {
    const main = ['Overview', 'Transactions', 'Refunds', 'Recurring', 'Money', 'Developers'];
    const window = await aPanelWindow(service);
    for (const role of ['owner', 'staff', 'read_only'] as const) {
      await window.become(await aPerson(service, role, merchant.id));
      await window.open('/');
      await titled(window.page, 'Overview');
      const menu = await menuOf(window.page);
      assert.deepEqual(
        main.filter((name) => !menu.includes(name)),
        [],
        role,
      );
      assert.deepEqual([menu.includes('Marketplace'), menu.includes('Operator')], [false, false]);
      await window.open('/settings/users');
      if (role === 'owner') await titled(window.page, 'Users');
      else await refused(window.page, 'Only owners of the account may see this.');
      await window.open('/developers/keys');
      if (role === 'owner') await titled(window.page, 'API keys');
      else await refused(window.page, 'Only owners of the account may see this.');
      await window.open('/transactions/new');
      if (role === 'read_only') await refused(window.page, 'Your role only reads.');
      else await titled(window.page, 'New payment');
      await window.open('/marketplace');
      await refused(window.page, 'Only partners, who run a marketplace, have this.');
      for (const path of ['/operator', '/operator/verify', '/operator/sandbox']) {
        await window.open(path);
        await refused(window.page, 'Only operators of this installation may see this.');
      }
      await looksGood(window.page, 'a screen for others');
      await window.open('/operator/nowhere');
      await titled(window.page, 'Not found');
      assert.deepEqual(window.faults, []);
    }
  });

  test('operators begin in their section', async () => {
    const window = await aPanelWindow(service, await aPerson(service, 'operator', null));
    await window.open('/');
    await window.page.waitForURL('**/panel/operator**');
    assert.ok(!(await menuOf(window.page)).includes('Transactions'));
    for (const path of ['/transactions', '/developers/keys', '/transactions/new']) {
      await window.open(path);
      await refused(window.page, 'This screen belongs to an account.');
    }
  });
});

suite('looking through the eyes of another account', () => {
  test('a partner: its sellers, read-only, on every screen; others do not exist', async () => {
    const window = await aPanelWindow(service, await aPerson(service, 'owner', partner.id));
    const { page, faults } = window;
    await window.open('/');
    await titled(page, 'Overview');
    assert.ok((await menuOf(page)).includes('Marketplace'));
    await window.open('/settings/users');
    await titled(page, 'Users');
    await page.getByRole('button', { name: 'Look as another account' }).click();
    await page.getByRole('link', { name: 'Seller 2' }).waitFor();
    await looksGood(page, 'the accounts to look as');
    await page.getByRole('link', { name: 'Seller 2' }).click();
    await page.getByText('through the eyes of Seller 2').waitFor();
    await page.getByText('Everything is read-only').waitFor();
    await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Refunds' }).click();
    await titled(page, 'Refunds');
    assert.equal(new URL(page.url()).searchParams.get('as'), partner.sellers[1]?.id);
    await looksGood(page, 'looking as a seller');
    await window.open('/settings/users');
    await titled(page, 'Users');
    await window.open(`/settings/users?as=${partner.sellers[1]?.id}`);
    await titled(page, 'You may not see this');
    await page.getByText('Not while you look through the eyes of another account.').waitFor();
    await page.getByRole('link', { name: 'Leave' }).click();
    await titled(page, 'Overview');
    assert.equal(new URL(page.url()).search, '');
    await window.open(`/?as=${merchant.id}`);
    await page.getByText('There is no such account').waitFor();
    await looksGood(page, 'an account that is not theirs');
    assert.deepEqual(
      faults.filter((fault) => !fault.startsWith('ApiError')),
      [],
    );
  });

  test('an operator: any account, found by name', async () => {
    const window = await aPanelWindow(service, await aPerson(service, 'operator', null));
    const { page } = window;
    await window.open('/');
    await page.getByRole('button', { name: 'Look as another account' }).click();
    const choice = page.getByRole('dialog', { name: 'Look as another account' });
    await choice.getByRole('textbox').fill('Tea');
    await choice.getByRole('link', { name: 'Tea House' }).click();
    await page.getByText('through the eyes of Tea House').waitFor();
    assert.ok((await menuOf(page)).includes('Transactions'));
  });
});

suite('the keyboard', () => {
  test('shortcuts, the palette, the skip link, and the focus on the title', async () => {
    const window = await aPanelWindow(service, await aPerson(service, 'owner', merchant.id));
    const { page, faults } = window;
    const focused = () => page.evaluate('document.activeElement.textContent');
    await window.open('/');
    await titled(page, 'Overview');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Skip to content');
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await titled(page, 'Users');
    assert.equal(await page.title(), 'Users · Grosz');
    assert.equal(await focused(), 'Users');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await looksGood(page, 'the shortcuts');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search and commands' }).waitFor();
    await looksGood(page, 'the palette');
    await page.keyboard.type('audit');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/settings\/audit|transactions/);
    assert.deepEqual(faults, []);
  });

  test('the palette finds a transaction by its title', async () => {
    const body = { amount: 12.34, description: 'Green tea', payer: { email: 'jan@example.com' } };
    const made = (await service.ask('POST', '/transactions', { token: merchant.token, body })).body;
    await settleAll(service.world);
    const window = await aPanelWindow(service, await aPerson(service, 'staff', merchant.id));
    const { page } = window;
    await window.open('/');
    await titled(page, 'Overview');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('textbox').fill(made.title);
    await page.getByText('Green tea').click();
    await page.waitForURL(`**/panel/transactions/${made.transactionId}`);
  });
});
