// The demo shop's forms: they act with the merchant's credential, so only the shop's own pages may submit them.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { SandboxClock } from '../../src/sandbox/index.ts';
import { aShop } from '../support/places.ts';
import { sendRaw } from '../support/raw.ts';
import { aMerchant, aService, type Service } from '../support/service.ts';

const forms = [
  ['/subscriptions/clock', 'advance=P1M'],
  ['/subscriptions/change', 'id=1&action=cancel'],
  ['/subscriptions', 'id=01ARZ3NDEKTSV4RRFFQ69G5FAV&email=payer@example.com'],
  ['/checkout', 'orderId=ABCDEFGHJK&way=redirect'],
  ['/cart', 'id=sencha'],
] as const;

suite('the forms of the demo shop', () => {
  let service: Service;
  let shopUrl: string;
  before(async () => {
    service = await aService({ clockOver: (wall) => new SandboxClock(wall) });
    shopUrl = (await aShop(service, await aMerchant(service, {}, 'operator'))).url;
  });

  const send = (path: string, body: string, headers: Record<string, string>) =>
    fetch(shopUrl + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      redirect: 'manual',
    });

  // Guarantee: no page that a developer visits while the demo runs can move its clock, order or cancel.
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ] as Record<string, string>[]) {
    test(`403: ${JSON.stringify(headers)}`, async () => {
      const before = service.world.clock.now().toString();
      for (const [path, body] of forms) assert.equal((await send(path, body, headers)).status, 403, path);
      assert.equal(service.world.clock.now().toString(), before);
    });
  }

  // Guarantee: the shop's own forms work, whichever header the browser sends.
  test('303: a form of its own', async () => {
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: shopUrl }] as Record<string, string>[])
      assert.equal((await send('/cart', 'id=sencha', headers)).status, 303);
  });

  // Guarantee: DNS rebinding does not help: for the browser the shop is then that page's own site.
  test('403: a form of its own, under a name that is not the shop’s', async () => {
    const { port } = new URL(shopUrl);
    const statusUnder = async (host: string) => {
      const head = `POST /cart HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nSec-Fetch-Site: same-origin\r\n`;
      return (await sendRaw(shopUrl, `${head}Connection: close\r\nContent-Length: 9\r\n\r\nid=sencha`)).status;
    };
    for (const name of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example'])
      assert.equal(await statusUnder(`${name}:${port}`), 403, name);
    for (const name of ['127.0.0.1', 'localhost', '[::1]', 'shop.localhost'])
      assert.equal(await statusUnder(`${name}:${port}`), 303, name);
  });

  // Guarantee: notifications do not come from browsers; they are protected by a signature, not by their origin.
  test('400: a notification without a signature, from anywhere', async () => {
    assert.equal((await send('/notifications', 'tr_id=1', { 'sec-fetch-site': 'cross-site' })).status, 400);
  });
});
