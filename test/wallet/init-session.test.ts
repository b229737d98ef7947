// E3: merchant sessions, only from the vendor's hosts and only for registered domains.

import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { before, suite, test } from 'node:test';
import { type Config, readConfig } from '../../src/config.ts';
import { readHosts } from '../../src/outbound/index.ts';
import type { ValidationServer } from '../../src/simulators/index.ts';
import { hashOfIdentifier } from '../../src/wallet/index.ts';
import { aTransaction, checkInvariants } from '../support/payments.ts';
import { type Answer, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';
import { refusedUrls } from '../support/session-vectors.ts';
import { payWallet, walletConfig } from '../support/wallet.ts';

const domainName = 'shop.example.com';
const path = '/wallet/walletpay/init';

suite('E3 POST /wallet/walletpay/init', () => {
  let service: Service;
  let merchant: TestMerchant;
  let validationUrl: string;
  let vendor: ValidationServer;
  const logLines: string[] = [];

  before(async () => {
    const hosts = readHosts('gateway.vendor.example, cn-gateway.vendor.example:8443');
    assert.ok(!('fault' in hosts));
    service = await aService({ logLines, config: walletConfig({ hosts }) });
    merchant = await aMerchant(service);
    const simulated = service.rooms.devices?.simulated;
    validationUrl = (await simulated?.validationUrl()) ?? '';
    const server = await simulated?.server();
    assert.ok(server);
    vendor = server;
    await register(merchant);
  });

  const register = (of: TestMerchant) =>
    service.ask('POST', '/wallet/domains', { token: of.token, body: { domainName } });
  const init = (change: object = {}, { token = merchant.token, headers = {} } = {}): Promise<Answer> =>
    service.ask('POST', path, {
      token,
      headers,
      body: { domainName, displayName: 'Leaf & Cup', validationUrl, ...change },
    });
  const sessionIn = (answer: Answer) => JSON.parse(Buffer.from(answer.body.session, 'base64').toString());

  /** The addresses that this process connects to during the work, except for its own database and service. */
  async function connectionsDuring(work: () => Promise<unknown>): Promise<string[]> {
    const ours = [service.url, service.world.databaseUrl].map((url) => new URL(url).port);
    const seen: string[] = [];
    const listen = (message: unknown) => {
      const { socket } = message as { socket: Socket };
      socket.on('connectionAttempt', (address: string, port: number) => {
        if (!ours.includes(String(port))) seen.push(`${address}:${port}`);
      });
    };
    subscribe('net.client.socket', listen);
    try {
      await work();
    } finally {
      unsubscribe('net.client.socket', listen);
    }
    return seen;
  }

  // Guarantee: the session is the vendor's, for this domain and our identifier, and a device accepts it.
  test('200: a session with which the device makes a token that pays', async () => {
    const answer = await init();
    assert.equal(answer.status, 200, answer.text);
    const session = sessionIn(answer);
    const own = service.rooms.wallet.setup.own?.merchantIdentifier ?? '';
    assert.equal(session.merchantIdentifier, hashOfIdentifier(own).toString('hex').toUpperCase());
    assert.equal(session.domainName, domainName);
    assert.equal(session.displayName, 'Leaf & Cup');
    const confirmed = await service.ask('POST', '/wallet/device/payment', {
      headers: { origin: `https://${domainName}` },
      body: { session, amount: '10.01', currencyCode: 'PLN', card: 'approved' },
    });
    assert.equal(confirmed.status, 200, confirmed.text);
    const { paymentData } = confirmed.body.token;
    const id = await aTransaction(service, merchant);
    const paid = await payWallet(service, merchant, id, Buffer.from(JSON.stringify(paymentData)).toString('base64'));
    assert.equal(paid.body.status, 'paid');
    await checkInvariants(service.world);
  });

  // Guarantee: a session is valid only for the requesting page: another page's device refuses it.
  test('a session is of no use on another domain', async () => {
    const confirmed = await service.ask('POST', '/wallet/device/payment', {
      headers: { origin: 'https://other.example.com' },
      body: { session: sessionIn(await init()), amount: '10.01', currencyCode: 'PLN', card: 'approved' },
    });
    assert.deepEqual(faultsOf(confirmed), ['not_valid session']);
  });

  test('200: the case of a domain does not matter', async () => {
    assert.equal(sessionIn(await init({ domainName: 'Shop.Example.COM' })).domainName, domainName);
  });

  // Guarantee: sessions are never stored, whatever the caller sends.
  test('200: an Idempotency-Key gets a new session each time, and nothing is stored', async () => {
    const headers = { 'idempotency-key': 'session-1' };
    const [first, second] = [await init({}, { headers }), await init({}, { headers })];
    assert.notEqual(first.body.session, second.body.session);
    const stored = await service.ask('GET', '/idempotency/session-1', { token: merchant.token });
    assert.equal(stored.status, 404);
    assert.match(first.headers.get('cache-control') ?? '', /no-store/);
  });

  // Guarantee: sessions start only for the caller's own domains.
  test('403: a domain that is not registered, is removed, or is registered by another merchant', async () => {
    const refused = ['wallet_domain_not_registered domainName'];
    const other = await aMerchant(service);
    const connections = await connectionsDuring(async () => {
      for (const name of ['other.example.com', 'www.shop.example.com', `${domainName}:443`, 'x', 'https://x/'])
        assert.deepEqual(faultsOf(await init({ domainName: name })), refused, name);
      assert.deepEqual(faultsOf(await init({}, { token: other.token })), refused);
    });
    assert.deepEqual(connections, []);
    assert.equal((await register(other)).status, 201);
    assert.equal((await init({}, { token: other.token })).status, 200);
    await service.ask('DELETE', `/wallet/domains/${domainName}`, { token: other.token });
    assert.deepEqual(faultsOf(await init({}, { token: other.token })), refused);
    assert.equal((await init()).status, 200);
  });

  // Guarantee: no crafted URL makes the service connect anywhere, or even resolve a name.
  test(`400: ${refusedUrls.length} tricks of a validationUrl, without a connection`, async () => {
    const before = vendor.connections();
    const connections = await connectionsDuring(async () => {
      for (const [text] of refusedUrls) {
        const { status, body } = await init({ validationUrl: text });
        assert.equal(status, 400, text);
        assert.equal(body.errors[0].fieldName, 'validationUrl', text);
      }
      const { port } = new URL(validationUrl);
      for (const text of [
        validationUrl.replace('https:', 'http:'),
        validationUrl.replace('localhost', '127.0.0.1'),
        validationUrl.replace('localhost', 'localhost.'),
        validationUrl.replace('localhost', 'user@localhost'),
        validationUrl.replace(port, `0${port}`),
        validationUrl.replace(port, '443'),
      ])
        assert.deepEqual(faultsOf(await init({ validationUrl: text })), ['not_valid validationUrl'], text);
    });
    assert.deepEqual(connections, []);
    assert.equal(vendor.connections(), before);
    const control = await connectionsDuring(() => once(connect(vendor.port, '127.0.0.1').unref(), 'connect'));
    assert.deepEqual(control, [`127.0.0.1:${vendor.port}`], 'a connection would be seen');
  });

  test('400: missing, empty and overlong fields', async () => {
    const empty = await service.ask('POST', path, { token: merchant.token, body: {} });
    assert.deepEqual(faultsOf(empty), [
      'field_required displayName',
      'field_required domainName',
      'field_required validationUrl',
    ]);
    const long = { domainName: 'x'.repeat(260), displayName: 'x'.repeat(65), validationUrl: 'x'.repeat(2_049) };
    assert.deepEqual(faultsOf(await init(long)), [
      'too_long displayName',
      'too_long domainName',
      'too_long validationUrl',
    ]);
    assert.deepEqual(faultsOf(await init({ displayName: '', domainName: 1 })), [
      'not_string domainName',
      'too_short displayName',
    ]);
    assert.equal((await init({ displayName: 'x'.repeat(64) })).status, 200);
  });

  test('401, 403, 405: without a token, read-only, another method', async () => {
    assert.equal((await service.ask('POST', path, { body: {} })).status, 401);
    const reader = await aMerchant(service, {}, 'read_only');
    assert.equal((await init({}, { token: reader.token })).status, 403);
    const wrong = await service.ask('GET', path, { token: merchant.token });
    assert.equal(wrong.status, 405);
    assert.equal(wrong.headers.get('allow'), 'POST');
  });

  // Guarantee: whatever the vendor does, the response is 503 within the time limit and reveals nothing of the vendor's
  // response.
  for (const behavior of ['redirect', 'error', 'too_large', 'not_json', 'drop', 'hang'] as const) {
    test(`503 wallet_unavailable: the vendor's ${behavior}`, async () => {
      vendor.become(behavior);
      try {
        logLines.length = 0;
        const before = vendor.connections();
        const answer = await init();
        assert.equal(answer.status, 503);
        assert.deepEqual(faultsOf(answer), ['wallet_unavailable']);
        assert.ok(answer.headers.has('retry-after'));
        assert.ok(vendor.connections() - before <= 1, 'nothing is followed or tried again');
        assert.ok(logLines.some((line) => line.includes('the wallet vendor gave no session')));
        assert.doesNotMatch(`${answer.text}${logLines.join('')}`, /elsewhere|broken|padding|html/);
      } finally {
        vendor.become('session');
      }
      assert.equal((await init()).status, 200);
    });
  }
});

suite('E3 in live mode', () => {
  const live = (wallet: Partial<Config['wallet']>) =>
    aService({ config: { mode: 'live', wallet: { ...readConfig({ MODE: 'sandbox' }).wallet, ...wallet } } });

  // Guarantee: a service without wallet settings says so before it validates the request.
  test('503 with a Retry-After of an hour where nothing is set up', async () => {
    const service = await live({});
    const merchant = await aMerchant(service);
    const body = { domainName, displayName: 'Shop', validationUrl: 'https://gateway.vendor.example/x' };
    const answer = await service.ask('POST', path, { token: merchant.token, body });
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get('retry-after'), '3600');
    const [{ errorCode, errorMessage, devMessage }] = answer.body.errors;
    assert.equal(errorCode, 'wallet_unavailable');
    assert.equal(errorMessage, 'Wallet payments on the web are not set up here.');
    assert.match(devMessage, /operator/);
    await service.ask('POST', '/wallet/domains', { token: merchant.token, body: { domainName } });
    const check = await service.ask('POST', `/wallet/domains/${domainName}/check`, { token: merchant.token, body: {} });
    assert.deepEqual(faultsOf(check), ['wallet_unavailable']);
    const file = await service.ask('GET', '/wallet/domain-association');
    assert.equal(file.status, 404);
  });
});
