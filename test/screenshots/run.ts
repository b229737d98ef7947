// `npm run screenshots`: starts a demo in a temporary folder, takes the screenshots of the documentation and ends it.
// `npm run screenshots -- panel-phone` takes only those whose names begin like this.

import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { ensureChromium, findChromium } from '../support/chromium.ts';
import { type Demo, openDemo } from './demo.ts';
import { type Shot, shots } from './shots.ts';

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const bytesAtMost = 150_000;

/** A window of its own for each: nobody is signed in, and nothing is remembered. */
async function take(browser: Browser, demo: Demo, shot: Shot): Promise<void> {
  const { width, height } = shot;
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width, height },
    colorScheme: shot.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  try {
    const page = await context.newPage();
    await shot.open(page, demo);
    const path = `${folder}${shot.name}.png`;
    await page.screenshot({ path, animations: 'disabled' });
    const { size } = await stat(path);
    process.stdout.write(`docs/images/${shot.name}.png ${size} bytes\n`);
    if (size > bytesAtMost) throw new Error(`${shot.name} has more than ${bytesAtMost} bytes.`);
  } finally {
    await context.close();
  }
}

const [wanted = ''] = process.argv.slice(2);
const chosen = shots.filter(({ name }) => name.startsWith(wanted));
if (chosen.length === 0) throw new Error(`There is no screenshot ${wanted}.`);
ensureChromium();
await mkdir(folder, { recursive: true });
const demo = await openDemo();
try {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: asRoot });
  try {
    for (const shot of chosen) await take(browser, demo, shot);
  } finally {
    await browser.close();
  }
} finally {
  await demo.stop();
}
