// Signing in to the panel, in a real browser: with every second step, links from mails, and the own profile.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { TOTP } from 'otpauth';
import { aReachableService } from '../support/browser.ts';
import { inNewestMail } from '../support/mail.ts';
import { aPassword, aPerson, aUser } from '../support/panel.ts';
import { aPanelWindow, looksGood, type PanelWindow, signInThere, titled } from '../support/panel-window.ts';
import { aPaidTransaction, settleAll } from '../support/payments.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

let service: Service;
let merchant: TestMerchant;

before(async () => {
  service = await aReachableService({ catchMail: true });
  merchant = await aMerchant(service, { name: 'Tea House' });
});

async function signOut({ page }: PanelWindow): Promise<void> {
  await page.getByRole('button', { name: /Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await titled(page, 'Sign in');
}

/** The code that an app shows now. Each works once, so the next one is half a minute later. */
function nextCode(secret: string): string {
  service.world.wall.advance({ seconds: 30 });
  return new TOTP({ secret }).generate({ timestamp: service.world.wall.now().epochMilliseconds });
}

suite('signing in', () => {
  test('leads to the screen that was asked for; a wrong password is said', async () => {
    const user = await aUser(service, 'owner', merchant.id);
    const window = await aPanelWindow(service);
    const { page, faults } = window;
    await window.open('/settings/users?x=1');
    await titled(page, 'Sign in');
    await looksGood(page, 'sign-in');
    await signInThere(window, user.email, 'not the password');
    await page.getByRole('alert').getByText('or the password is wrong').waitFor();
    await looksGood(page, 'a wrong password');
    await signInThere(window, user.email);
    await titled(page, 'Users');
    assert.match(page.url(), /\/panel\/settings\/users\?x=1$/);
    assert.deepEqual(faults, []);
  });

  // Guarantee: the address of a page cannot send somebody elsewhere after signing in.
  test('never leads to another site', async () => {
    const user = await aUser(service, 'owner', merchant.id);
    const window = await aPanelWindow(service);
    for (const to of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
      await window.become();
      await window.open(`/sign-in?to=${encodeURIComponent(to)}`);
      await signInThere(window, user.email);
      await window.page.getByRole('button', { name: /Your account/ }).waitFor();
      assert.equal(new URL(window.page.url()).hostname, 'localhost');
    }
  });

  // Guarantee: the first screen needs at most 300 KB of script, compressed.
  test('the first screen loads little, with its charts', async () => {
    await aPaidTransaction(service, merchant);
    await settleAll(service.world);
    const window = await aPanelWindow(service, await aPerson(service, 'owner', merchant.id));
    const sizes: Promise<number>[] = [];
    window.page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script') sizes.push(request.sizes().then((size) => size.responseBodySize));
    });
    // What stays open would never be idle.
    await window.page.route('**/panel/api/live', (route) => route.abort());
    await window.open('/');
    await window.page.locator('.chart').first().waitFor();
    await window.page.waitForLoadState('networkidle');
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(bytes > 100_000 && bytes <= 300_000, `${bytes} bytes`);
  });

  test('a session that ended elsewhere leads to sign-in, and back afterwards', async () => {
    const person = await aPerson(service, 'owner', merchant.id);
    const window = await aPanelWindow(service, person);
    await window.open('/profile');
    await titled(window.page, 'Your profile');
    await person.ask('POST', '/panel/api/sign-out');
    await window.page.getByRole('button', { name: 'Save' }).click();
    await titled(window.page, 'Sign in');
    await signInThere(window, person.email);
    await titled(window.page, 'Your profile');
  });
});

suite('the second step', () => {
  test('an authenticator app: set up, codes, recovery codes, removed', async () => {
    const user = await aUser(service, 'staff', merchant.id);
    const window = await aPanelWindow(service);
    const { page, faults } = window;
    await window.open('/profile');
    await signInThere(window, user.email);
    await titled(page, 'Your profile');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByLabel('Your password').fill('not the password');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('The password is wrong').waitFor();
    await looksGood(page, 'the password before');
    await page.getByLabel('Your password').fill(aPassword);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    await looksGood(page, 'the QR code');
    const secret = await page.locator('code').first().innerText();
    await page.getByLabel('Six-digit code').fill(nextCode(secret));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Each works once').waitFor();
    await looksGood(page, 'recovery codes');
    const [recovery = ''] = await page.locator('code').allInnerTexts();
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 recovery codes are left').waitFor();
    await signOut(window);

    await signInThere(window, user.email);
    await titled(page, 'Second step');
    await looksGood(page, 'the second step');
    await page.getByLabel(/Code from/).fill('000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('It was not accepted').waitFor();
    await page.getByLabel(/Code from/).fill(nextCode(secret));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await titled(page, 'Overview');
    await signOut(window);

    await signInThere(window, user.email);
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
    await page.getByLabel('Recovery code').fill(recovery);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await titled(page, 'Overview');
    await window.open('/profile');
    await page.getByText('9 recovery codes are left').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByLabel('Your password').fill(aPassword);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
    assert.deepEqual(faults, []);
  });

  test('a passkey: added, used, removed', async () => {
    const user = await aUser(service, 'staff', merchant.id);
    const window = await aPanelWindow(service);
    const { page, faults } = window;
    const device = await window.context.newCDPSession(page);
    await device.send('WebAuthn.enable');
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await window.open('/profile');
    await signInThere(window, user.email);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel(/Name, such as/).fill('Laptop');
    await page.getByLabel('Your password').fill(aPassword);
    await page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Remove: Laptop' }).waitFor();
    await signOut(window);
    await signInThere(window, user.email);
    await page.getByRole('button', { name: 'Use your passkey' }).click();
    await titled(page, 'Overview');
    await window.open('/profile');
    await page.getByRole('button', { name: 'Remove: Laptop' }).click();
    await page.getByLabel('Your password').fill(aPassword);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('You have no passkey yet').waitFor();
    await device.detach();
    assert.deepEqual(faults, []);
  });
});

suite('links from mails', () => {
  /** The address in the newest mail to this one. */
  async function linkTo(email: string): Promise<string> {
    await service.rooms.identity.tools.afterwards.drain();
    return inNewestMail(service.world, email, /(\/password#[\w-]+)/);
  }

  // Guarantee: the token is in the fragment, which browsers send to nobody.
  test('a forgotten password is set anew, once', async () => {
    const user = await aUser(service, 'staff', merchant.id);
    const window = await aPanelWindow(service);
    const { page, faults } = window;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await window.open('/sign-in');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await titled(page, 'Forgotten password');
    await looksGood(page, 'forgotten password');
    await page.getByLabel('Email').fill(user.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('a mail is on its way').waitFor();
    await looksGood(page, 'the link is sent');
    const link = await linkTo(user.email);
    await window.open(link);
    await titled(page, 'Set a password');
    await page.getByLabel('New password').fill('blue teapot on a shelf');
    await page.getByLabel('The same again').fill('blue teapot on a shelv');
    await page.getByRole('button', { name: 'Set a password' }).click();
    await page.getByText('are not the same').waitFor();
    await looksGood(page, 'two different passwords');
    await page.getByLabel('The same again').fill('blue teapot on a shelf');
    await page.getByRole('button', { name: 'Set a password' }).click();
    await page.getByText('Your password is set').waitFor();
    await looksGood(page, 'the password is set');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signInThere(window, user.email, 'blue teapot on a shelf');
    await titled(page, 'Overview');
    await page.goto('about:blank');
    await window.open(link);
    await titled(page, 'This link no longer works');
    await looksGood(page, 'a used link');
    const token = link.slice(link.indexOf('#') + 1);
    assert.deepEqual(
      asked.filter((url) => url.replace(/#.*/, '').includes(token)),
      [],
    );
    assert.deepEqual(faults, []);
  });

  test('an invitation: the name can be corrected, a weak password is refused', async () => {
    const owner = await aPerson(service, 'owner', merchant.id);
    const invited = { email: 'zofia@example.com', name: 'Zofia', role: 'read_only' };
    assert.equal((await owner.ask('POST', '/panel/api/users', { body: invited })).status, 201);
    const window = await aPanelWindow(service);
    const { page, faults } = window;
    await window.open(await linkTo(invited.email));
    await titled(page, 'Welcome, Zofia');
    await looksGood(page, 'an invitation');
    await page.getByLabel('Name').fill('Zofia Maj');
    for (const password of [invited.email, 'blue teapot on a shelf']) {
      await page.getByLabel('New password').fill(password);
      await page.getByLabel('The same again').fill(password);
      await page.getByRole('button', { name: 'Set a password' }).click();
      await page.getByText(password === invited.email ? 'too easy to guess' : 'Your password is set').waitFor();
    }
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signInThere(window, invited.email, 'blue teapot on a shelf');
    await page.getByRole('button', { name: 'Your account: Zofia Maj' }).waitFor();
    assert.deepEqual(faults, []);
  });
});

suite('the profile', () => {
  test('name and language, the password, other sessions', async () => {
    const person = await aPerson(service, 'staff', merchant.id);
    const window = await aPanelWindow(service, person);
    const { page, faults } = window;
    await window.open('/profile');
    await titled(page, 'Your profile');
    await looksGood(page, 'the profile');
    await page.getByLabel('Language').selectOption('pl');
    await page.getByRole('button', { name: 'Save' }).click();
    await titled(page, 'Twój profil');
    await page.getByRole('link', { name: 'Przegląd' }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.lang'), 'pl');
    await looksGood(page, 'the profile in Polish');
    await page.getByLabel('Język').selectOption('en');
    await page.getByRole('button', { name: 'Zapisz' }).click();
    await titled(page, 'Your profile');

    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('blue teapot on a shelf');
    await page.getByLabel('The same again').fill('blue teapot on a shelf');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The password is wrong').waitFor();
    await page.getByLabel('Current password').fill(aPassword);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed').waitFor();

    const other = await aPanelWindow(service);
    await other.open('/profile');
    await signInThere(other, person.email, 'blue teapot on a shelf');
    await titled(other.page, 'Your profile');
    await page.reload();
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByText('Ended').waitFor();
    await other.page.reload();
    await titled(other.page, 'Sign in');
    assert.deepEqual(faults, []);
  });
});
