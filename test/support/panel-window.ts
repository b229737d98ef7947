// The panel in a real browser.

import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { aLentWindow, desktop } from './browser.ts';
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
  /** Somebody else, or nobody, is signed in from the next `open` on. */
  become(person?: TestPerson): Promise<void>;
}

/** Browsers bind passkeys to a name, which 127.0.0.1 is not. */
function named(url: string): string {
  return url.replace('127.0.0.1', 'localhost');
}

/** A window on the panel, signed in as this person if there is one. */
export async function aPanelWindow(service: Service, person?: TestPerson): Promise<PanelWindow> {
  await service.rooms.panel.prepare();
  const { page, context, faults } = await aLentWindow();
  const base = named(service.url);
  const become = async (next?: TestPerson) => {
    await context.clearCookies();
    const [name = '', value = ''] = next?.cookie.split('=') ?? [];
    if (next) await context.addCookies([{ name, value, url: base, httpOnly: true, sameSite: 'Strict' }]);
  };
  await become(person);
  return { page, context, faults, become, open: async (path) => void (await page.goto(`${base}/panel${path}`)) };
}

export async function signInThere({ page }: PanelWindow, email: string, password = aPassword): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function titled(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Switches to light or dark, and waits until no color changes any more. */
export async function inColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  await page.evaluate(`Promise.allSettled(
    document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished)).then(() => {})`);
}

const narrow = { width: 320, height: 700 };

/** The tables that hide a part of themselves: they are wider than what they are in. */
const cutTables = `[...document.querySelectorAll('table')]
  .filter((table) => table.parentElement.scrollWidth > table.parentElement.clientWidth + 1)
  .map((table) => table.getAttribute('aria-label'))`;

/**
 * What is on screen now: no axe findings in both themes, wide and on a phone; nothing scrolls sideways, neither the page
 * nor a table. A theme changes nothing but colors.
 */
export async function looksGood(page: Page, name: string): Promise<void> {
  // In an order with few changes: every one of them makes the browser lay out and paint the page.
  for (const [viewport, schemes] of [
    [desktop, ['light', 'dark']],
    [narrow, ['dark', 'light']],
  ] as const) {
    await page.setViewportSize(viewport);
    for (const colorScheme of schemes) {
      await inColors(page, colorScheme);
      const rules = colorScheme === 'light' ? 'all' : 'contrast';
      assert.deepEqual(await axeFindings(page, rules), [], `${name}, ${viewport.width} ${colorScheme}`);
    }
    const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.equal(beyond, 0, `${name} scrolls sideways at ${viewport.width}`);
    assert.deepEqual(await page.evaluate(cutTables), [], `${name}: a table is cut at ${viewport.width}`);
  }
  await page.setViewportSize(desktop);
}
