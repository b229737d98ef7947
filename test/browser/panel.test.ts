// The panel in a real browser: each role sees its screens, on a phone and a desktop, in light and dark, without findings
// of axe and without violations of the policy.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { UserRole } from '../../contract/identity/roles.ts';
import { aReachableService, desktop, phone } from '../support/browser.ts';
import { aChild, aPaidSplit, aPartner, type TestPartner } from '../support/marketplace.ts';
import { aPassword, aUser } from '../support/panel.ts';
import { aPanelWindow, inColors, type PanelWindow } from '../support/panel-window.ts';
import { axeFindings } from '../support/payer.ts';
import { aMerchant, type Service, type TestMerchant } from '../support/service.ts';

suite('the panel', () => {
  let service: Service;
  let merchant: TestMerchant;
  let partner: TestPartner;

  before(async () => {
    service = await aReachableService({ catchMail: true });
    merchant = await aMerchant(service, { name: '<b>Tea</b> & <script>alert(1)</script>' });
    partner = await aPartner(service);
  });

  async function signedIn(role: UserRole, accountId: string | null) {
    const user = await aUser(service, role, accountId);
    const window = await aPanelWindow(service);
    await window.open('');
    await window.page.getByLabel('Email').fill(user.email);
    await window.page.getByLabel('Password', { exact: true }).fill(aPassword);
    await window.page.keyboard.press('Enter');
    await window.page.locator('nav a[href]').first().waitFor({ state: 'attached' });
    return { ...window, user };
  }

  /** Addresses in the navigation. */
  function linksOf(page: Page): Promise<string[]> {
    return page.locator('nav a[href]').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  }

  async function settled(page: Page): Promise<void> {
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    // What is still loading shows a skeleton.
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  }

  /** Goes there as people do, by the link, or by the address where there is none, or it leads to where they are. */
  async function visit({ page, open }: PanelWindow, address: string): Promise<void> {
    const link = page.locator(`nav a[href="${address}"]`).first();
    if (new URL(page.url()).pathname.startsWith(address) || !(await link.isVisible())) {
      await open(address.replace('/panel', ''));
    } else {
      // The screen that is left stays until the next one is loaded.
      await page.locator('h1').evaluateAll((titles) => {
        for (const title of titles) title.setAttribute('data-left', '');
      });
      await link.click();
      await page.locator('h1:not([data-left])').first().waitFor();
    }
    await settled(page);
  }

  const looks = [
    [desktop, 'light'],
    [phone, 'dark'],
  ] as const;

  /** Ends on a desktop again, where all links are visible. */
  async function examine(page: Page, address: string): Promise<void> {
    for (const [viewport, colorScheme] of looks) {
      await page.setViewportSize(viewport);
      await inColors(page, colorScheme);
      assert.deepEqual(await axeFindings(page), [], `${address}, ${colorScheme}`);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      assert.ok(width <= 0, `${address} is ${width} px too wide at ${viewport.width}`);
    }
    await page.setViewportSize(desktop);
    await page.emulateMedia({ colorScheme: 'light' });
  }

  /** The last: which screens, if others were seen before. */
  const roles: readonly (readonly [string, UserRole, () => string | null, RegExp])[] = [
    ['an owner', 'owner', () => merchant.id, /./],
    ['a partner', 'owner', () => partner.id, /marketplace/],
    ['an operator', 'operator', () => null, /operator/],
  ];
  for (const [name, role, accountOf, which] of roles) {
    // Guarantee: everybody can use every screen, and no stored text becomes markup.
    test(`${name}: every screen, on a desktop in light, on a phone in the dark`, async () => {
      if (role === 'owner' && accountOf() === partner.id)
        await aPaidSplit(service, partner, [aChild(partner, 0, 1_000), aChild(partner, 1, 2_500)]);
      const window = await signedIn(role, accountOf());
      const { page, faults } = window;
      const examined = new Set<string>();
      const wanted = async () => (await linksOf(page)).filter((link) => which.test(link));
      const waiting = [...(await wanted()), ...(which.test('profile') ? ['/panel/profile'] : [])];
      for (let index = 0; index < waiting.length && index < 40; index += 1) {
        const address = waiting[index] ?? '';
        // The test's clock stands still: time passes, so that no rate limit applies.
        service.world.wall.advance({ seconds: 2 });
        await visit(window, address);
        // The address of a section leads to its first screen.
        const { pathname } = new URL(page.url());
        if (!examined.has(pathname)) await examine(page, address);
        examined.add(pathname);
        // The links of a section are there as long as one is in it.
        waiting.splice(index + 1, 0, ...(await wanted()).filter((one) => !waiting.includes(one)));
      }
      assert.ok(waiting.length >= 1, waiting.join(' '));
      assert.deepEqual(faults, []);
    });
  }

  // Guarantee: who may not use a screen is not led to it.
  test('staff and read only see no users, API keys or operator screens', async () => {
    for (const role of ['staff', 'read_only'] as const) {
      const { page, open } = await signedIn(role, merchant.id);
      await open('/settings');
      await settled(page);
      const links = await linksOf(page);
      assert.deepEqual(
        links.filter((link) => /users|audit|operator|keys/.test(link)),
        [],
        role,
      );
      await open('/operator');
      await settled(page);
      assert.match(
        await page.locator('main').innerText(),
        /You may not see this\s+Only operators of this installation may see this/,
      );
    }
  });

  test('a wrong password is told, and the address is kept for after the sign-in', async () => {
    const user = await aUser(service, 'owner', merchant.id);
    const { page, open } = await aPanelWindow(service);
    await open('/refunds');
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill('wrong password');
    await page.keyboard.press('Enter');
    await page.getByText(/wrong/i).first().waitFor();
    await page.getByLabel('Password', { exact: true }).fill(aPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/panel/refunds*');
    await page.getByRole('heading', { level: 1, name: 'Refunds' }).waitFor();
  });

  // Guarantee: no page of another site can show the panel in a frame, and nothing runs that is not ours.
  test('the policy', async () => {
    const response = await fetch(`${service.url}/panel`);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(response.headers.get('x-frame-options'), 'DENY');
    assert.equal(response.headers.get('cache-control'), 'no-store');
  });
});
