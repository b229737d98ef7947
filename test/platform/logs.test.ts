// Card numbers and secrets as names and values, in every part of every request: none of them is logged.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { bodyWith, type JsonSchema, placesOf } from '../support/hostile.ts';
import { formPlaces } from '../support/places.ts';
import { sendRaw } from '../support/raw.ts';
import { type Asking, aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

const number = '4111111111111111';
const secrets = [number, 'mark-secret'];
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

suite('the log', () => {
  const logLines: string[] = [];
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService({ logLines, config: { requestsPerSecond: 1_000_000 } });
    merchant = await aMerchant(service, {}, 'operator');
    logLines.length = 0;
  });

  /** Nothing that a test sent may be in the log, and something must have been logged. */
  function assertSilent(): void {
    const log = logLines.splice(0).join('');
    assert.notEqual(log, '');
    for (const secret of [...secrets, merchant.token, merchant.clientSecret]) {
      assert.ok(!log.includes(secret), log.slice(Math.max(0, log.indexOf(secret) - 300), log.indexOf(secret) + 100));
    }
  }

  function* bodiesFor(endpoint: Endpoint, secret: string): Generator<Asking> {
    const places = placesOf(endpoint.body as JsonSchema | undefined);
    const containers = places.map((place) => [...place.slice(0, -1), secret]);
    yield { raw: bodyWith(places, () => JSON.stringify(secret), 0), headers: json };
    yield { raw: bodyWith(places, () => `{"${secret}": "${secret}"}`, 0), headers: json };
    yield { raw: bodyWith([[secret], ...containers], () => `"${secret}"`, 0), headers: json };
    yield { raw: bodyWith([...places, [secret]], () => number, 0), headers: json };
    yield { raw: `{"${secret}": ${secret}`, headers: json };
    yield { raw: secret, headers: json };
    yield { raw: `${secret}=${secret}&client_id=${secret}`, headers: form };
    yield { raw: secret, headers: { 'content-type': `${secret}/${secret}; ${secret}="${secret}"` } };
    yield { raw: '{}', headers: { ...json, 'idempotency-key': secret, 'x-merchant-id': secret, cookie: secret } };
    yield { raw: '{}', headers: { ...json, authorization: `Bearer ${secret}` } };
  }

  // Guarantee: no name or value of a request is ever logged; a card number may be any of them.
  for (const endpoint of endpoints) {
    test(`${endpoint.id} ${endpoint.method} ${endpoint.path}`, async () => {
      for (const secret of secrets) {
        const path = endpoint.path.replaceAll(/\{\w+\}/g, secret);
        const names = Object.keys((endpoint.query as JsonSchema | undefined)?.properties ?? {});
        const query = [...names, secret].map((name) => `${name}=${secret}`).join('&');
        const asked: Asking[] = endpoint.method === 'GET' ? [{}] : [...bodiesFor(endpoint, secret)];
        for (const asking of asked) {
          await service.ask(endpoint.method, path, { token: merchant.token, ...asking });
          await service.ask(endpoint.method, `${path}?${query}`, { token: merchant.token, ...asking });
        }
        await service.ask('DELETE', `${path}?${query}`, { token: merchant.token });
      }
      assertSilent();
    });
  }

  // Guarantee: the same for payers' forms and for malformed requests.
  test('forms and broken requests', async () => {
    for (const { method, path, attacks } of await formPlaces(service, merchant)) {
      if (method !== 'POST' || attacks.length === 0) continue;
      for (const secret of secrets) {
        const body = `${secret}=${secret}&method=53&attempt=1&number=${secret}&expiry=${secret}&code=${secret}&blik=${secret}`;
        await fetch(`${service.url}${path}?${secret}=${secret}`, { method, headers: form, body, redirect: 'manual' });
        await fetch(`${service.url}${path}`, { method, headers: { 'content-type': secret }, body, redirect: 'manual' });
        await fetch(`${service.url}${path}`, { method, headers: form, body: `${secret}=${'x'.repeat(9_000)}` });
        service.world.wall.advance({ seconds: 1 });
      }
    }
    for (const secret of secrets) {
      await sendRaw(service.url, `GET /${secret}?${secret} HTTP/1.1\r\nHost: x\r\n${secret}\r\n\r\n`);
      await service.ask('POST', `/${secret}/%E0%A4%A?${secret}`, { raw: secret });
    }
    assertSilent();
  });

  // Guarantee: nor does a bug of ours log its input: the database repeats the row in its error.
  test('errors of the database', async () => {
    await service.world.db.sql
      .run`alter table transaction add constraint never check (description <> '4111111111111111') not valid`;
    const body = { amount: 1, description: number, hiddenDescription: 'mark-secret' };
    const { status } = await service.ask('POST', '/transactions', { token: merchant.token, body });
    assert.equal(status, 500);
    assertSilent();
  });
});
