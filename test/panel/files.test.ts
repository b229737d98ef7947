// The panel's files: how they are built, kept and served.

import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildIn, checkPanel } from '../../src/panel/build.ts';
import { aFolder, aService, type Service } from '../support/service.ts';

suite('files of the panel', () => {
  let service: Service;
  let page: string;

  before(async () => {
    service = await aService();
    await service.rooms.panel.prepare();
    page = await (await fetch(`${service.url}/panel`)).text();
  });

  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${service.url}${path}`, { headers });
  const assets = () => [...page.matchAll(/(?:src|href)="(\/panel\/assets\/[^"]+)"/g)].map(([, path = '']) => path);

  // Guarantee: no script or style that is not ours runs in the panel, and no other site shows it in a frame.
  test('the page has a policy with a fresh nonce, and is never stored', async () => {
    const nonces = new Set<string>();
    for (const path of ['/panel', '/panel/', '/panel/transactions/x', '/panel/sign-in?to=/x']) {
      const answer = await get(path, { accept: 'text/html' });
      const policy = answer.headers.get('content-security-policy') ?? '';
      const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
      assert.deepEqual(
        [answer.status, answer.headers.get('cache-control'), answer.headers.get('x-frame-options')],
        [200, 'no-store', 'DENY'],
      );
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/);
      assert.doesNotMatch(policy, /unsafe/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
      assert.ok((await answer.text()).includes(`<meta name="csp-nonce" content="${nonce}"`));
      nonces.add(nonce);
    }
    assert.equal(nonces.size, 4);
  });

  test('its files are compressed and cached for good', async () => {
    assert.ok(assets().length >= 3);
    for (const path of assets()) {
      const answer = await get(path);
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(answer.headers.get('content-encoding'), 'gzip');
      const plain = await get(path, { 'accept-encoding': 'identity' });
      assert.equal(plain.headers.get('content-encoding'), null);
      assert.equal(await plain.text(), await answer.text());
    }
  });

  // Guarantee: only files of the panel are served.
  test('404: other files, paths that lead out of the folder, and endpoints that do not exist', async () => {
    const paths = [
      '/panel/assets/nothing.js',
      '/panel/assets/..%2findex.html',
      '/panel/assets/%2e%2e%2f%2e%2e%2fpackage.json',
      '/panel/assets/..%5c..%5cpackage.json',
      `${assets()[0]}.gz`,
      '/panel/api/nothing',
      '/panel/api/merchant/nothing',
    ];
    for (const path of paths) {
      const answer = await get(path, { accept: 'application/json' });
      assert.equal(answer.status, 404, path);
    }
  });

  // Guarantee: the first screen needs at most 300 KB of script, compressed.
  test('the first screen is light', async () => {
    const scripts = assets().filter((path) => path.endsWith('.js'));
    const texts = await Promise.all(scripts.map(async (path) => (await get(path)).text()));
    // The screens of sign-in and overview, and what they share, are loaded by name from the first script.
    const bytes = texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
    assert.ok(bytes < 250_000, `${bytes} bytes before any screen`);
    assert.ok(!texts.some((text) => text.includes('sourceMappingURL=')));
  });

  // Guarantee: two processes that start together both have a panel.
  test('two builds at once end with one folder; old ones and unfinished ones are forgotten', async () => {
    const home = await aFolder();
    const long = new Date('2020-01-01T00:00:00Z');
    for (const name of ['.making-killed', ...Array.from({ length: 5 }, (_, index) => `${index}`.repeat(16))]) {
      await mkdir(join(home, name));
      await writeFile(join(home, name, 'x'), '');
      await utimes(join(home, name), long, long);
    }
    const [one, other] = await Promise.all([buildIn(home), buildIn(home)]);
    assert.equal(one, other);
    assert.equal(await buildIn(home), one);
    const names = await readdir(home);
    assert.equal(names.length, 4, names.join());
    assert.ok((await readFile(join(one, 'index.html'), 'utf8')).includes('__NONCE__'));
  });
});

suite('the panel before it is built', () => {
  test('the page says so and reloads itself', async () => {
    const service = await aService();
    const answer = await fetch(`${service.url}/panel`);
    const text = await answer.text();
    assert.equal(answer.status, 200);
    assert.match(text, /The panel is being prepared/);
    assert.match(text, /http-equiv="refresh"/);
    assert.match(answer.headers.get('content-security-policy') ?? '', /script-src 'self'/);
    await service.rooms.panel.prepare();
  });

  // Guarantee: an installation without development packages and without npm run build says so at the start.
  test('a start that has neither the files nor Vite is refused in one sentence', async () => {
    const place = { dataDir: await aFolder() };
    const production = { distribution: await aFolder(), cache: await aFolder(), canBuild: () => false };
    const sentence = { name: 'StartFault', message: /^The panel is not built: run npm run build [^.]+\.$/ };
    await assert.rejects(checkPanel(place, production), sentence);
    await checkPanel(place, { ...production, canBuild: () => true });
    await buildIn(production.distribution);
    await checkPanel(place, production);
  });
});
