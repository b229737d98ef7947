// The panel in a real browser.

import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { aWindow, desktop } from './browser.ts';
import { aPassword, type TestPerson } from './panel.ts';
import { axeFindings } from './payer.ts';
import type { Service } from './service.ts';

export interface PanelWindow {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Failed scripts and violations of the policy. */
  readonly faults: string[];
  /** Opens a screen, such as `/settings/users`. */
  open(path: string): Promise<void>;
}

/** Browsers bind passkeys to a name, which 127.0.0.1 is not. */
function named(url: string): string {
  return url.replace('127.0.0.1', 'localhost');
}

/** A window on the panel, signed in as this person if there is one. */
export async function aPanelWindow(service: Service, person?: TestPerson): Promise<PanelWindow> {
  await service.rooms.panel.prepare();
  const { page, context, faults } = await aWindow({ reducedMotion: 'reduce' });
  const base = named(service.url);
  if (person) {
    const [name = '', value = ''] = person.cookie.split('=');
    await context.addCookies([{ name, value, url: base, httpOnly: true, sameSite: 'Strict' }]);
  }
  return { page, context, faults, open: async (path) => void (await page.goto(`${base}/panel${path}`)) };
}

export async function signInThere({ page }: PanelWindow, email: string, password = aPassword): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function titled(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

const narrow = { width: 320, height: 700 };

/**
 * What is on screen now: no axe findings in both themes, wide and on a phone; nothing scrolls sideways. A theme changes
 * nothing but colors.
 */
export async function looksGood(page: Page, name: string): Promise<void> {
  for (const viewport of [desktop, narrow]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      const rules = colorScheme === 'light' ? 'all' : 'contrast';
      assert.deepEqual(await axeFindings(page, rules), [], `${name}, ${viewport.width} ${colorScheme}`);
    }
    const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.equal(beyond, 0, `${name} scrolls sideways at ${viewport.width}`);
  }
  await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: 'light' });
}
