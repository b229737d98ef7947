// Rate limits: every request counts somewhere, and no caller chooses where.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import pg from 'pg';
import { addSeller } from '../../src/accounts/index.ts';
import { readTrustedProxies } from '../../src/http/index.ts';
import { Secret } from '../../src/kernel/index.ts';
import { idsFrom, systemRandom } from '../../src/runtime/index.ts';
import { untilBlocked } from '../support/database.ts';
import { aMerchant, aService, atEnd, aWorld, type Service, serve, type TestMerchant } from '../support/service.ts';

/** The statuses of this many requests in sequence. */
async function statusesOf(count: number, ask: (index: number) => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await ask(index)).status);
  return statuses;
}

suite('the limit of an account', () => {
  let service: Service;
  let merchant: TestMerchant;
  before(async () => {
    service = await aService();
    merchant = await aMerchant(service, { requestsPerSecond: 2, kind: 'partner' });
  });

  // Guarantee: no header makes a token's requests uncounted. The wall clock does not move, so nothing is refilled.
  test('counts requests for an account that is not there', async () => {
    const ids = idsFrom(service.world.clock, systemRandom());
    const headers = (index: number) => ({ 'x-merchant-id': index % 2 === 0 ? ids.ulid() : `wrong ${index}` });
    const statuses = await statusesOf(7, (index) =>
      service.ask('GET', '/transactions', { token: merchant.token, headers: headers(index) }),
    );
    assert.deepEqual(statuses, [404, 404, 404, 404, 429, 429, 429]);
    assert.equal((await service.ask('GET', '/transactions', { token: merchant.token })).status, 429);
  });

  // Guarantee: the limit is that of the token's account, whomever it acts for.
  test('is the partner’s, whatever the seller’s is', async () => {
    const partner = await aMerchant(service, { requestsPerSecond: 2, kind: 'partner' });
    const seller = await aMerchant(service, { requestsPerSecond: 50, kind: 'seller' });
    await addSeller(service.world.db.sql, partner.id, seller.id);
    const headers = { 'x-merchant-id': seller.id };
    const statuses = await statusesOf(6, () => service.ask('GET', '/transactions', { token: partner.token, headers }));
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429]);
  });
});

suite('the limit of an address', () => {
  let url: string;
  before(async () => {
    ({ url } = await aService({ config: { addressRequestsPerSecond: 2, proxies: { hops: 1 } } }));
  });
  const get = (path: string, forwarded: string) =>
    fetch(`${url}${path}`, { headers: { 'x-forwarded-for': forwarded } });

  // Guarantee: everything that needs no token is limited, including pages and unknown paths.
  for (const [index, path] of [
    '/pay/01K9Z4M7Q2V5X8B1C3D6F9G0HJ.key',
    '/pay/01K9Z4M7Q2V5X8B1C3D6F9G0HJ.key/status',
    '/bank/confirm/link',
    '/mail',
    '/metrics',
    '/docs/',
    '/openapi.json',
    '/x509/notifications-jws.pem',
    '/assets/pay/icon.svg',
    '/embed.js',
    '/health/live',
    '/nowhere',
  ].entries()) {
    test(`GET ${path}`, async () => {
      const client = `198.51.100.${index}`;
      const statuses = await statusesOf(6, () => get(path, client));
      assert.ok(!statuses.slice(0, 4).includes(429), String(statuses));
      assert.deepEqual(statuses.slice(4), [429, 429]);
      assert.equal((await get(path, client)).headers.get('retry-after'), '1');
    });
  }

  // Guarantee: what the client itself wrote into X-Forwarded-For is ignored.
  test('stays the same whatever the client says it is', async () => {
    const said = (index: number) => `6.6.6.${index}, ${'x'.repeat(index * 2_000)}, 203.0.113.9`;
    const statuses = await statusesOf(6, (index) => get('/health/live', said(index)));
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429]);
    assert.equal((await get('/health/live', '203.0.113.10')).status, 200, 'another client of the proxy');
  });

  test('is one for a /64 of IPv6', async () => {
    const statuses = await statusesOf(6, (index) => get('/health/live', `2001:db8:1:2::${index}`));
    assert.deepEqual(statuses.slice(4), [429, 429]);
  });

  test('believes proxies of the given networks only', async () => {
    const proxies = readTrustedProxies('10.0.0.0/8') ?? { hops: 0 };
    const other = await aService({ config: { addressRequestsPerSecond: 2, proxies } });
    const statuses = await statusesOf(6, (index) =>
      fetch(`${other.url}/health/live`, { headers: { 'x-forwarded-for': `203.0.113.${index}` } }),
    );
    assert.deepEqual(statuses.slice(4), [429, 429]);
  });
});

// Guarantee: however many made-up tokens arrive at once, only as many are looked up as the address may send; requests
// with a valid one do not count there, not even a crowd with the same token.
test('unknown tokens count by address before they are looked up', async () => {
  const service = await aService({ config: { addressRequestsPerSecond: 2 } });
  const merchant = await aMerchant(service);
  const { clientId: client_id, clientSecret: client_secret } = merchant;
  const tokens: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    service.world.wall.advance({ seconds: 2 });
    const { body } = await service.ask('POST', '/oauth/auth', { body: { client_id, client_secret } });
    tokens.push(body.access_token);
  }
  service.world.wall.advance({ seconds: 2 });
  const known = await statusesOf(6, (index) => service.ask('GET', '/transactions', { token: tokens[index] ?? '' }));
  assert.deepEqual(known, [200, 200, 200, 200, 200, 200]);
  service.world.wall.advance({ seconds: 2 });
  const holder = new pg.Client({ connectionString: service.world.databaseUrl });
  await holder.connect();
  atEnd(() => holder.end());
  await holder.query('begin; lock table access_token in access exclusive mode');
  const statuses: number[] = [];
  const all = Array.from({ length: 10 }, async (_, index) => {
    const token = String(index).padEnd(43, 'x');
    statuses.push((await service.ask('GET', '/transactions', { token })).status);
  });
  await untilBlocked(service.world.databaseUrl);
  while (statuses.length < 6) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    statuses,
    Array.from({ length: 6 }, () => 429),
  );
  await holder.query('commit');
  await Promise.all(all);
  assert.deepEqual(statuses.slice(6), [401, 401, 401, 401]);

  service.world.wall.advance({ seconds: 2 });
  await holder.query('begin; lock table access_token in access exclusive mode');
  const crowd = Array.from({ length: 10 }, () => service.ask('GET', '/transactions', { token: merchant.token }));
  await untilBlocked(service.world.databaseUrl);
  await holder.query('commit');
  assert.deepEqual(new Set((await Promise.all(crowd)).map(({ status }) => status)), new Set([200]));
});

suite('/metrics', () => {
  const token = 'a-token-of-some-length';

  // Guarantee: business volume is visible only with the token.
  test('takes the token, where there is one', async () => {
    const service = await aService({ config: { metricsToken: new Secret(token) } });
    const merchant = await aMerchant(service);
    const statusOf = async (authorization?: string) =>
      (await fetch(`${service.url}/metrics`, { headers: authorization ? { authorization } : {} })).status;
    assert.equal(await statusOf(`Bearer ${token}`), 200);
    for (const wrong of [undefined, token, `Bearer ${token}x`, `Bearer ${merchant.token}`, 'Bearer '])
      assert.equal(await statusOf(wrong), 401, String(wrong));
  });

  // Guarantee: a live service without a metrics token shows no metrics on its public address.
  test('is not there in live mode without a token', async () => {
    const live = await aWorld({ config: { mode: 'live' } });
    const service = await serve(live);
    assert.equal((await service.ask('GET', '/metrics')).status, 404);
    const withToken = await serve({ ...live, config: { ...live.config, metricsToken: new Secret(token) } });
    assert.equal((await withToken.ask('GET', '/metrics')).status, 401);
  });
});
