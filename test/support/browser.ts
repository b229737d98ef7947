// A real Chromium, and a service whose URLs a browser can follow.

import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from './chromium.ts';
import { aroundTests, atEndOfProcess } from './closers.ts';
import { quietPort } from './process.ts';
import { atEnd, aWorld, type Service, serve, type WorldOptions } from './service.ts';

/** A service that listens at its own base URL, so that links to the pay page and the bank lead back to it. */
export async function aReachableService(options: WorldOptions = {}): Promise<Service> {
  const port = await quietPort();
  const url = `http://127.0.0.1:${port}`;
  const world = await aWorld({ ...options, config: { ...options.config, port, baseUrl: url } });
  return serve(world, port);
}

let running: Promise<Browser> | undefined;

atEndOfProcess(async () => (await running)?.close());

/** A window, with what went wrong in it: failed scripts and policy violations. */
export interface Window {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly faults: string[];
}

let windows: BrowserContext[] = [];
let lent: Window[] = [];
const free: Window[] = [];

// A window lives as long as its test: the scripts of its pages would go on asking the service, next to all later tests.
// One that was open before the first test serves them all.
aroundTests({
  before() {
    windows = [];
    lent = [];
  },
  async after(test) {
    for (const context of windows.splice(0)) await context.close();
    // What a failed test left behind is its own.
    const passed = 'passed' in test && test.passed;
    for (const window of lent.splice(0)) await (passed ? giveBack(window) : window.context.close());
  },
});

function theBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('No Chromium found: install the package chromium, or set CHROMIUM_PATH.');
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  // Drawing by an emulated graphics card took a third of the CPU of the browser tests.
  const withoutGpu = ['--disable-gpu', '--disable-software-rasterizer'];
  // Pages live for seconds: compiling their scripts a second and a third time takes longer than it saves.
  const once = '--js-flags=--no-maglev --no-turbofan';
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  running ??= chromium.launch({ executablePath, args: [...quiet, ...withoutGpu, once, ...asRoot] });
  return running;
}

export const phone = { width: 390, height: 844 };
export const desktop = { width: 1280, height: 800 };

/** A separate browser window. */
export async function aWindow(options: BrowserContextOptions = {}): Promise<Window> {
  const window = await opened(options);
  windows.push(window.context);
  atEnd(() => window.context.close());
  return window;
}

/**
 * A window that was perhaps used by an earlier test: without its cookies and what it stored, but with the scripts that it
 * compiled, which take longer than most tests.
 */
export async function aLentWindow(): Promise<Window> {
  const window = free.pop() ?? (await opened({ reducedMotion: 'reduce' }));
  window.faults.splice(0);
  lent.push(window);
  return window;
}

async function opened(options: BrowserContextOptions): Promise<Window> {
  const browser = await theBrowser();
  const context = await browser.newContext({ locale: 'en-GB', viewport: desktop, ...options });
  // Far longer than anything takes: a busy machine is no fault.
  context.setDefaultTimeout(30_000);
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(String(error.error())));
  context.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) faults.push(message.text());
  });
  return { context, page: await context.newPage(), faults };
}

async function giveBack(window: Window): Promise<void> {
  const { context, page } = window;
  page.removeAllListeners();
  await page.unrouteAll();
  await page.evaluate('localStorage.clear()');
  await page.goto('about:blank');
  await context.clearCookies();
  await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: null });
  free.push(window);
}
