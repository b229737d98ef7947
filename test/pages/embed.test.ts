// The embedded form over plain HTTP: who may frame it, what it accepts, and the script for merchants' pages.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { aPerson } from '../support/panel.ts';
import { aPayPage, attemptsOf, capturesOf } from '../support/payer.ts';
import { checkInvariants } from '../support/payments.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

const shop = 'https://shop.example';

suite('GET and POST /pay/{address}/embed', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    const owner = await aPerson(service, 'owner', merchant.id);
    const body = { embedOrigins: [shop, 'https://other.example'], color: '#336699' };
    assert.equal((await owner.ask('POST', '/panel/api/settings/pay-page', { body })).status, 200);
  });

  async function aForm(query: Record<string, string> = {}, by = merchant) {
    const { id, url } = await aPayPage(service, by);
    const path = new URL(url).pathname;
    return { id, path, embed: `${path}/embed?${new URLSearchParams({ origin: shop, ...query })}` };
  }
  const get = (path: string, headers = {}) => fetch(service.url + path, { headers, redirect: 'manual' });
  async function send(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    service.world.wall.advance({ seconds: 1 });
    const body = new URLSearchParams(fields);
    return fetch(service.url + path, { method: 'POST', body, headers, redirect: 'manual' });
  }
  const ancestorsOf = ({ headers }: Response) =>
    /frame-ancestors (.*)$/.exec(headers.get('content-security-policy') ?? '')?.[1];
  const blik = { method: '64', attempt: '1', blik: '777123' };

  // Guarantee: exactly the page that asks may frame it, and nothing else about the policy is softer.
  test('200: the policy', async () => {
    const { embed, path } = await aForm();
    const [framed, alone] = [await get(embed), await get(path)];
    assert.deepEqual([framed.status, ancestorsOf(framed), ancestorsOf(alone)], [200, shop, "'none'"]);
    const rest = ({ headers }: Response) => headers.get('content-security-policy')?.replace(/frame-ancestors.*/, '');
    assert.equal(rest(framed), rest(alone));
    assert.equal(framed.headers.get('x-frame-options'), null);
    assert.equal(framed.headers.get('set-cookie'), null);
    for (const name of ['referrer-policy', 'cache-control'])
      assert.equal(framed.headers.get(name), alone.headers.get(name));
  });

  // Guarantee: all other pages of a payment can be framed by nobody.
  test('200: all others say none', async () => {
    const { path } = await aForm();
    for (const suffix of ['', '?method=53', '/cancel', `?origin=${shop}`, `/cancel?origin=${shop}`])
      assert.equal(ancestorsOf(await get(path + suffix)), "'none'", suffix);
    for (const address of ['/', '/docs/errors', `/pay/x/embed?origin=${shop}`])
      assert.equal(ancestorsOf(await get(address)), "'none'", address);
  });

  // Guarantee: only card and BLIK, in the language, theme and color that were asked for, without header, foot and way out.
  test('200: what it shows', async () => {
    const { embed } = await aForm({ lang: 'de', theme: 'dark' });
    const html = await (await get(embed)).text();
    assert.match(html, /<html lang="de">/);
    for (const there of ['method=64', 'method=53', '/assets/pay/pay-dark.css', '/assets/pay/colors/336699-dark.css'])
      assert.ok(html.includes(there), there);
    for (const gone of ['method=21', 'method=75', '<footer', '<header', '/cancel', 'qr.svg', 'autofocus'])
      assert.ok(!html.includes(gone), gone);
    const style = await (await get('/assets/pay/colors/336699-dark.css')).text();
    assert.match(style, /@media all\{/);
  });

  // Guarantee: a page that is not registered gets a reason that nobody can frame.
  for (const [what, origin] of [
    ['another origin', 'https://evil.example'],
    ['the same host without https', 'http://shop.example'],
    ['a page of the origin', 'https://shop.example/'],
    ['more of a policy', "https://shop.example 'self'"],
    ['nothing', ''],
  ] as const) {
    test(`403: ${what}`, async () => {
      const { embed, id } = await aForm({ origin });
      const answer = await get(embed);
      assert.deepEqual([answer.status, ancestorsOf(answer)], [403, "'none'"]);
      assert.match(await answer.text(), /cannot be shown on this page/);
      assert.equal((await send(embed, blik)).status, 403);
      assert.deepEqual(await attemptsOf(service, id), []);
    });
  }

  test('403: a merchant that registered none', async () => {
    const { embed } = await aForm({}, await aMerchant(service));
    assert.equal((await get(embed)).status, 403);
  });

  test('404: a wrong key', async () => {
    const { id } = await aForm();
    assert.equal((await get(`/pay/${id}.A/embed?origin=${shop}`)).status, 404);
  });

  // Guarantee: the form takes the way of the pay page, and its answer stays in the frame.
  test('303: paid once', async () => {
    const { embed, id, path } = await aForm({ lang: 'pl', only: 'blik' });
    const answers = await Promise.all([send(embed, blik), send(embed, blik), send(path, blik)]);
    const [location] = answers.map(({ headers }) => headers.get('location') ?? '');
    assert.match(location ?? '', /\/embed\?origin=https%3A%2F%2Fshop.example&lang=pl&only=blik/);
    assert.deepEqual([await attemptsOf(service, id), await capturesOf(service, id)], [['64 correct'], 1]);
    assert.match(await (await get(embed)).text(), /data-state="paid"/);
    await checkInvariants(service.world);
  });

  // Guarantee: a method that the page left out starts nothing.
  test('303: another method', async () => {
    const { embed, id } = await aForm({ only: 'card' });
    for (const method of ['64', '21', '106', '75']) assert.equal((await send(embed, { ...blik, method })).status, 303);
    assert.deepEqual(await attemptsOf(service, id), []);
  });

  // Guarantee: without a script a mistake is told at its field, within the frame.
  test('422: a wrong code', async () => {
    const { embed } = await aForm();
    const answer = await send(embed, { ...blik, blik: '1' });
    assert.deepEqual([answer.status, ancestorsOf(answer)], [422, shop]);
    assert.match(await answer.text(), /aria-invalid="true" data-focus/);
  });

  // Guarantee: the merchant's page cannot send the form for the payer.
  test('403: a form of the page around it', async () => {
    const { embed, id } = await aForm();
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: shop }] as Record<string, string>[])
      assert.equal((await send(embed, blik, headers)).status, 403);
    assert.deepEqual(await attemptsOf(service, id), []);
  });
});

suite('GET /embed.js', () => {
  let service: Service;
  before(async () => {
    service = await aService();
  });

  // Guarantee: small, for any page, and updatable: browsers ask again after minutes and learn whether it changed.
  test('200, then 304', async () => {
    const answer = await fetch(`${service.url}/embed.js`);
    const zipped = gzipSync(await answer.bytes(), { level: 9 }).length;
    assert.ok(zipped <= 15 * 1_024, `${zipped} bytes`);
    for (const [name, value] of [
      ['content-type', 'text/javascript; charset=utf-8'],
      ['cache-control', 'public, max-age=300'],
      ['access-control-allow-origin', '*'],
      ['cross-origin-resource-policy', 'cross-origin'],
      ['x-content-type-options', 'nosniff'],
    ] as const)
      assert.equal(answer.headers.get(name), value);
    const etag = answer.headers.get('etag') ?? '';
    const again = await fetch(`${service.url}/embed.js`, { headers: { 'if-none-match': `W/${etag}` } });
    assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag]);
    assert.equal((await fetch(`${service.url}/embed.js`, { headers: { 'if-none-match': '"x"' } })).status, 200);
  });

  test('405: POST', async () => {
    assert.equal((await fetch(`${service.url}/embed.js`, { method: 'POST' })).status, 405);
  });
});
