// The demo with its shop, as `npm start` runs them, for browser tests.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { pause } from '../../src/runtime/index.ts';
import { aWindow } from './browser.ts';
import { cloneDatabase } from './database.ts';
import { heading } from './payer.ts';
import { aDataDir, type Environment, quietPort, startGrosz } from './process.ts';
import { atEnd } from './service.ts';

/** What `demo.json` has, and where it is. */
export interface Demo {
  readonly baseUrl: string;
  readonly shopUrl: string;
  readonly mailUrl: string;
  readonly merchant: { readonly clientId: string; readonly clientSecret: string; readonly walletDomain: string };
  readonly dataDir: string;
  /** What the start printed. */
  readonly printed: string;
  /** What it was started with: commands need the same. */
  readonly environment: Environment;
}

/** On a database of the run: the embedded one has its own tests, and takes longer to start than all else. */
export async function aDemo(environment: Environment = {}): Promise<Demo> {
  const database = await cloneDatabase();
  atEnd(() => database.drop());
  const dataDir = aDataDir();
  const settings = { DATA_DIR: dataDir, DATABASE_URL: database.url, PORT: String(await quietPort()), ...environment };
  const printed = await startGrosz(['start'], settings).until(/Ctrl-C stops it/);
  return { ...JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')), dataDir, printed, environment: settings };
}

export type Cookies = Parameters<ReturnType<Page['context']>['addCookies']>[0];

/** A cart that was filled by hand: windows that get its cookies begin with it, without all the pages before. */
export async function fillCart(address: string, products: readonly string[]): Promise<Cookies> {
  const { context, page } = await aWindow();
  for (const product of products) {
    await page.goto(address);
    await page.getByRole('button', { name: `Add ${product} to the cart` }).click();
    await heading(page, 'Your cart');
  }
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

/** Asks for a page, without opening it, until it contains this: what comes by notification or mail takes a moment. */
export async function untilShown(address: string, shape: RegExp): Promise<void> {
  for (let looked = 0; looked < 200; looked += 1) {
    const text = await (await fetch(address)).text();
    if (shape.test(text.replaceAll('&amp;', '&'))) return;
    await pause(50);
  }
  throw new Error(`${address} does not show ${shape}.`);
}

/** What reaches beyond the right edge, and by how much; nothing inside what scrolls by itself. */
const tooWide = `(() => {
  const width = document.documentElement.clientWidth;
  const scrolls = (node) => node && (/auto|scroll|hidden/.test(getComputedStyle(node).overflowX) || scrolls(node.parentElement));
  const found = [...document.body.querySelectorAll('*')].filter((node) =>
    !node.closest('.away, svg') && !scrolls(node.parentElement) && node.getBoundingClientRect().right > width + 0.5);
  const named = found.map((node) => node.tagName.toLowerCase() + '.' + node.className + ' ' + Math.round(node.getBoundingClientRect().right));
  return document.documentElement.scrollWidth > width ? ['the page ' + document.documentElement.scrollWidth, ...named] : named;
})()`;

/** That the page, with everything unfolded, needs no scrolling sideways on any phone. */
export async function fitsPhones(page: Page): Promise<void> {
  const before = page.viewportSize();
  await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 700 });
    const name = new URL(page.url()).pathname.replaceAll('/', '_');
    if (process.env.SHOTS)
      await page.screenshot({ path: join(process.env.SHOTS, `${width}${name}.png`), fullPage: true });
    assert.deepEqual(await page.evaluate(tooWide), [], `${page.url()} ${width}`);
  }
  if (before) await page.setViewportSize(before);
}
