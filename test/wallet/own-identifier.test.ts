// A live service with the settings for payments on the web: the files of a vendor, and nothing of the simulator.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { money, Secret } from '../../src/kernel/index.ts';
import { mintToken, openVendor, startValidationServer, type ValidationServer } from '../../src/simulators/index.ts';
import { hashOfIdentifier, makeSigningRequest, type SigningRequest } from '../../src/wallet/index.ts';
import { TestClock } from '../support/clock.ts';
import { aTransaction, checkInvariants } from '../support/payments.ts';
import { tickAll } from '../support/rooms.ts';
import {
  aFolder,
  aMerchant,
  aService,
  atEnd,
  aWorld,
  faultsOf,
  type Service,
  serve,
  type TestMerchant,
  type WorldOptions,
} from '../support/service.ts';
import { payWallet } from '../support/wallet.ts';

const identifier = 'merchant.com.example.pay';

suite('a live service with its own identifier', () => {
  const vendor = openVendor(Buffer.from('a vendor of the tests'));
  const logLines: string[] = [];
  let service: Service;
  let merchant: TestMerchant;
  let request: SigningRequest;
  let server: ValidationServer;
  let config: NonNullable<WorldOptions['config']>;

  before(async () => {
    const clock = new TestClock();
    const folder = await aFolder();
    const file = async (name: string, content: string) => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    // Both end in ten days.
    const validFrom = clock.now().toZonedDateTimeISO('UTC').subtract({ months: 25 }).add({ days: 10 }).toInstant();
    request = makeSigningRequest(identifier);
    const identity = vendor.issueIdentity(identifier, validFrom);
    server = await startValidationServer({ vendor, clock, random: { bytes: (count) => new Uint8Array(count) } });
    atEnd(() => server.close());
    const { wallet } = readConfig({
      MODE: 'sandbox',
      WALLET_ROOTS: await file('roots.pem', vendor.rootPem),
      WALLET_TLS_CA: await file('ca.pem', vendor.rootPem),
      WALLET_VALIDATION_HOSTS: server.host,
      WALLET_MERCHANT_IDENTIFIER: identifier,
      WALLET_PROCESSING: await file(
        'processing.pem',
        request.privateKey.reveal() + vendor.issueProcessing(request.csr, identifier, validFrom),
      ),
      WALLET_IDENTITY: await file('identity.pem', identity.privateKey.reveal() + identity.certificate),
      WALLET_ASSOCIATION: await file('association', 'the association file of the vendor'),
    });
    const metricsToken = new Secret('a-token-of-some-length');
    const callbackPolicy = { allowHttp: false, allowPrivate: false };
    config = { mode: 'live', wallet, callbackPolicy, metricsToken };
    service = await aService({ logLines, config });
    merchant = await aMerchant(service);
  });

  const aWebToken = () =>
    mintToken(vendor, {
      amount: money(1_001n, 'PLN'),
      card: { number: '4111111111111111', expires: '391231' },
      signedAt: service.world.wall.now(),
      publicKey: request.publicKey,
      merchantIdentifierHash: hashOfIdentifier(identifier),
      random: service.world.random,
    });

  // Guarantee: tokens made on the web for the configured identifier pay; the association file is the configured one.
  test('a web token pays, and the association file is served', async () => {
    const token = aWebToken();
    const { body } = await service.ask('GET', '/transactions/channels', { token: merchant.token });
    assert.equal(body.channels.find(({ id }: { id: string }) => id === '75').available, true);
    const paid = await payWallet(service, merchant, await aTransaction(service, merchant), token);
    assert.equal(paid.body.status, 'paid', paid.text);
    const file = await service.ask('GET', '/wallet/domain-association');
    assert.deepEqual([file.status, file.text], [200, 'the association file of the vendor']);
    await checkInvariants(service.world);
  });

  // Guarantee: a configured host that leads to a private address is not connected to.
  test('E3 503: the address guard holds for the vendor too', async () => {
    const domainName = 'shop.example.com';
    await service.ask('POST', '/wallet/domains', { token: merchant.token, body: { domainName } });
    const validationUrl = `https://${server.host}/paymentservices/startSession`;
    const answer = await service.ask('POST', '/wallet/walletpay/init', {
      token: merchant.token,
      body: { domainName, displayName: 'Shop', validationUrl },
    });
    assert.deepEqual(faultsOf(answer), ['wallet_unavailable']);
    assert.equal(server.connections(), 0);
    // Because of its address: its port is as configured.
    const logged = logLines
      .map((line) => JSON.parse(line))
      .find(({ msg }) => msg === 'the wallet vendor gave no session');
    assert.equal(logged.fault, 'address_not_public');
  });

  // Guarantee: operators are warned of the service's own certificates, and the log has nothing of their keys.
  test('the ends of its own certificates are in the log and in /metrics', async () => {
    service.world.wall.advance({ hours: 25 });
    logLines.length = 0;
    await tickAll(service.world);
    const lines = logLines.filter((line) => line.includes('a wallet certificate expires soon'));
    assert.deepEqual(
      lines.map((line) => {
        const { level: _level, time: _time, msg: _msg, ...fields } = JSON.parse(line);
        return fields;
      }),
      ['service', 'identity'].map((certificateId) => ({
        certificateId,
        merchantId: null,
        merchantIdentifier: identifier,
        expiresAt: '2026-03-20T09:00:00Z',
      })),
    );
    const { text } = await service.ask('GET', '/metrics', { token: 'a-token-of-some-length' });
    assert.match(text, /^grosz_wallet_certificates_expiring 2$/m);
  });

  // Guarantee: the service's own certificate ends for it as those of merchants end for them, also while it runs.
  test('400: a web token after the end of the certificate', async () => {
    const pay = async () => {
      const { body } = await service.ask('POST', '/oauth/auth', {
        body: { client_id: merchant.clientId, client_secret: merchant.clientSecret },
      });
      const own = { ...merchant, token: body.access_token };
      return payWallet(service, own, await aTransaction(service, own), aWebToken());
    };
    // It has a minute left.
    const left = service.world.wall.now().until(Temporal.Instant.from('2026-03-20T08:59:00Z'));
    service.world.wall.advance({ seconds: left.total('seconds') });
    assert.equal((await pay()).body.status, 'paid');
    service.world.wall.advance({ minutes: 1 });
    logLines.length = 0;
    assert.deepEqual(faultsOf(await pay()), ['payment_failed walletPayPaymentData']);
    const refused = logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a wallet token was refused');
    assert.deepEqual(
      refused.map(({ reason }) => reason),
      ['unknown_key'],
    );
  });

  // Guarantee: a restart after the end does not silence the alert.
  test('a node that starts with expired certificates still counts them, and warns of them', async () => {
    const world = await aWorld({ logLines, config });
    world.wall.advance({ hours: 24 * 11 });
    const restarted = await serve(world);
    logLines.length = 0;
    await tickAll(restarted.world);
    assert.equal(logLines.filter((line) => line.includes('a wallet certificate expires soon')).length, 2);
    const { text } = await restarted.ask('GET', '/metrics', { token: 'a-token-of-some-length' });
    assert.match(text, /^grosz_wallet_certificates_expiring 2$/m);
  });
});
