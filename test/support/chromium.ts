// Finds the browser for tests: the system's Chromium, or Debian's package. The headless shell is the same engine without
// the browser around it, and needs about a quarter less CPU for the same pages.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const usualPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Debian's packages, the better one first; older releases have only the second. */
const packages = ['chromium-headless-shell', 'chromium'];

export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH ?? '', ...usualPaths].find((path) => path !== '' && existsSync(path));
}

/** Installs Debian's package if there is no Chromium and we may; otherwise says what to do. */
export function ensureChromium(): void {
  if (findChromium()) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const install = (args: readonly string[]) => spawnSync('apt-get', args, { stdio: 'inherit', env }).status === 0;
    const wanted = (name: string) => ['install', '-y', '--no-install-recommends', name];
    const installAny = () => packages.some((name) => install(wanted(name)));
    if (!installAny() && install(['update'])) installAny();
  }
  if (!findChromium()) {
    throw new Error('The browser tests need Chromium: install it (apt-get install chromium), or set CHROMIUM_PATH.');
  }
}
