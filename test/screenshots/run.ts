// `npm run screenshots`: starts a demo in a temporary folder, takes the screenshots and ends it. Those of the documentation
// are written to docs/images, the others to dist/screenshots. `npm run screenshots -- pay` takes only those whose names
// begin like this.

import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { ensureChromium, findChromium } from '../support/chromium.ts';
import { type Demo, openDemo } from './demo.ts';
import type { Shot } from './shot.ts';
import { shots } from './shots.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const bytesAtMost = 150_000;

/** A window of its own for each: nobody is signed in, and nothing is remembered. */
async function screenshot(browser: Browser, demo: Demo, shot: Shot): Promise<void> {
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
    const file = `${shot.kept ? 'docs/images' : 'dist/screenshots'}/${shot.name}.png`;
    await page.screenshot({ path: root + file, animations: 'disabled' });
    const { size } = await stat(root + file);
    process.stdout.write(`${file} ${size} bytes\n`);
    if (size > bytesAtMost) throw new Error(`${shot.name} has more than ${bytesAtMost} bytes.`);
  } finally {
    await context.close();
  }
}

const [wanted = ''] = process.argv.slice(2);
const chosen = shots.filter(({ name }) => name.startsWith(wanted));
if (chosen.length === 0) throw new Error(`There is no screenshot ${wanted}.`);
ensureChromium();
for (const folder of ['docs/images', 'dist/screenshots']) await mkdir(root + folder, { recursive: true });
// Only the panel shows what was before.
const demo = await openDemo(chosen.some(({ name }) => name.startsWith('panel')));
try {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: asRoot });
  try {
    for (const shot of chosen) await screenshot(browser, demo, shot);
  } finally {
    await browser.close();
  }
} finally {
  await demo.stop();
}
