// The reference page at /docs, in a real browser: a developer reads it, gets a token and sends a request.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { aReachableService, aWindow } from '../support/browser.ts';
import { aMerchant, atEnd, type Service, type TestMerchant } from '../support/service.ts';

suite('the reference page', () => {
  let service: Service;
  let merchant: TestMerchant;
  /** Loaded once: the page reads 4 MB of script and 1 MB of contract, seconds on a busy machine. */
  let opened: Awaited<ReturnType<typeof open>>;

  before(async () => {
    service = await aReachableService();
    merchant = await aMerchant(service);
    opened = await open();
  });

  async function open() {
    const window = await aWindow();
    const origins = new Set<string>();
    window.context.on('request', (request) => origins.add(new URL(request.url()).origin));
    await window.page.goto(`${service.url}/docs`);
    await window.page.getByRole('heading', { name: 'Grosz', exact: true }).waitFor({ timeout: 60_000 });
    return { ...window, origins };
  }

  // Guarantee: the page loads only from us, links nowhere else, and causes no policy violations.
  test('loads nothing from elsewhere', async () => {
    const { page, faults, origins } = opened;
    await page.getByText('Get an access token').first().waitFor();
    const links = await page.locator('a[href^="http"]:visible').all();
    const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
    const outside = addresses.filter((address) => !address?.startsWith(service.url));
    assert.deepEqual([[...origins], outside, faults], [[service.url], [], []]);
  });

  // Guarantee: with a client id and secret a transaction can be created from the page, using the example shown.
  test('gets a token and sends the example of E1', async () => {
    const { page, faults } = opened;
    await page.locator('[contenteditable=true]').nth(1).click();
    // At once, like one that is pasted: the page works on every key for a tenth of a second.
    await page.keyboard.insertText(merchant.clientId);
    await page.getByPlaceholder('XYZ123').first().fill(merchant.clientSecret);
    const token = page.waitForResponse(`${service.url}/oauth/auth`);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    assert.equal((await token).status(), 200);
    await page.getByText('Transactions', { exact: true }).first().click();
    await page.getByText('Create a transaction', { exact: true }).first().click();
    await page.getByRole('button', { name: 'Test Request (post /transactions)' }).click();
    const created = page.waitForResponse((response) => response.url() === `${service.url}/transactions`);
    await page.getByRole('button', { name: 'Send' }).first().click();
    const answer = await created;
    assert.equal(answer.status(), 200);
    assert.equal((await answer.json()).description, 'Order 1024');
    assert.deepEqual(faults, []);
  });

  // Guarantee: what there is can be read while the script does not come.
  test('has text without its script', async () => {
    const { page } = await aWindow();
    await page.route('**/scalar.js*', (route) => route.abort());
    await page.goto(`${service.url}/docs/`);
    await page.getByRole('heading', { name: 'Grosz API' }).waitFor();
    await page.getByText('Create a transaction', { exact: true }).waitFor();
    await page.getByText('POST /transactions', { exact: true }).first().waitFor();
  });

  // Guarantee: in the demo the request for a token can be sent as it stands.
  test('fills in the values of the demo', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'grosz-reference-'));
    atEnd(() => rm(dataDir, { recursive: true, force: true }));
    const demo = await aReachableService({ config: { dataDir } });
    const { id, clientId, clientSecret } = await aMerchant(demo);
    const client = { id, clientId, clientSecret };
    const file = { merchant: client, panel: {}, readOnly: client, otherMerchant: client, partner: client };
    await writeFile(join(dataDir, 'demo.json'), JSON.stringify(file));
    const { page } = await aWindow();
    await page.goto(`${demo.url}/docs/`);
    await page.getByRole('heading', { name: 'Grosz', exact: true }).waitFor({ timeout: 60_000 });
    await page.getByText('Get an access token', { exact: true }).first().click();
    await page.getByRole('button', { name: 'Test Request (post /oauth/auth)' }).click();
    const token = page.waitForResponse(`${demo.url}/oauth/auth`);
    await page.getByRole('button', { name: 'Send' }).first().click();
    assert.equal((await token).status(), 200);
  });

  // Guarantee: the large script is sent compressed, once, and under a name that changes with its content.
  test('is compressed and cached', async () => {
    const get = (path: string, headers: Record<string, string> = {}) => fetch(`${service.url}${path}`, { headers });
    const page = await (await get('/docs/')).text();
    const [, script = ''] = /src="([^"]*scalar\.js\?v=[0-9a-f]{16})"/.exec(page) ?? [];
    assert.notEqual(script, '', page.slice(0, 500));
    const path = new URL(script, `${service.url}/docs/`).pathname + new URL(script, `${service.url}/docs/`).search;
    const sent = await get(path, { 'accept-encoding': 'gzip' });
    assert.equal(sent.headers.get('content-encoding'), 'gzip');
    assert.match(sent.headers.get('cache-control') ?? '', /immutable/);
    assert.equal((await get('/docs/js/scalar.js')).headers.get('cache-control'), 'no-cache');
    const contract = await get('/openapi.json');
    const again = await get('/openapi.json', { 'if-none-match': contract.headers.get('etag') ?? '' });
    assert.deepEqual([contract.headers.get('content-encoding'), again.status], ['gzip', 304]);
  });
});
