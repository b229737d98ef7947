// W5 to W8: payment-processing certificates of mobile apps, and the tokens that they open.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { readText, readTextOrNull } from '../../src/database/index.ts';
import { openVendor } from '../../src/simulators/index.ts';
import { aTransaction, checkInvariants } from '../support/payments.ts';
import { tickAll } from '../support/rooms.ts';
import {
  type Answer,
  aMerchant,
  aNode,
  aService,
  faultsOf,
  type Service,
  serve,
  type TestMerchant,
} from '../support/service.ts';
import { aCertificate, aMobileToken, aRequest, payWallet, uploadCertificate, walletConfig } from '../support/wallet.ts';

const path = '/wallet/certificates';
const identifier = 'merchant.com.example.shop';

suite('wallet certificates', () => {
  let service: Service;
  let merchant: TestMerchant;
  const logLines: string[] = [];

  before(async () => {
    service = await aService({ logLines, config: walletConfig() });
    merchant = await aMerchant(service);
  });

  const request = (of: TestMerchant, merchantIdentifier: unknown = identifier, headers = {}) =>
    service.ask('POST', path, { token: of.token, headers, body: { merchantIdentifier } });
  const revoke = (of: TestMerchant, id: string, at = service) =>
    at.ask('POST', `${path}/${id}/revoke`, { token: of.token, body: {} });
  const list = async (of: TestMerchant) => (await service.ask('GET', path, { token: of.token })).body.certificates;
  const vendor = () => {
    const simulated = service.rooms.devices?.simulated;
    assert.ok(simulated);
    return simulated.vendor;
  };
  const now = () => service.world.wall.now();
  const sealed = (id: string) =>
    service.world.db.sql.one((row) => readTextOrNull(row, 'private_sealed'))`
      select private_sealed from wallet_certificate where id = ${id}`;
  async function pay(of: TestMerchant, token: string, at = service): Promise<Answer> {
    return payWallet(at, of, await aTransaction(service, of), token);
  }
  const refused = ['payment_failed walletPayPaymentData'];

  suite('W5 POST /wallet/certificates', () => {
    test('201: a request for a key that stays here', async () => {
      const { status, body } = await request(merchant);
      assert.equal(status, 201);
      assert.deepEqual([body.status, body.merchantIdentifier, body.expiresAt], ['requested', identifier, null]);
      assert.match(body.csr, /^-----BEGIN CERTIFICATE REQUEST-----\n/);
      assert.doesNotMatch(JSON.stringify(body), /PRIVATE/);
      assert.doesNotMatch((await sealed(body.certificateId)) ?? '', /PRIVATE/);
    });

    // Guarantee: a repeat gets the same request, so that the certificate fits whichever answer arrived.
    test('201: an idempotency key gets the same csr', async () => {
      const headers = { 'idempotency-key': 'csr-1' };
      const [first, second] = [
        await request(merchant, identifier, headers),
        await request(merchant, identifier, headers),
      ];
      assert.deepEqual(second.body, first.body);
      const other = await request(merchant);
      assert.notEqual(other.body.csr, first.body.csr);
    });

    test('400: what is not a merchant identifier', async () => {
      for (const value of ['merchant..shop', '.shop', 'a b', 'merchant/shop', 'sklep.ż', 'merchant.shop.'])
        assert.deepEqual(faultsOf(await request(merchant, value)), ['not_valid merchantIdentifier'], value);
      assert.deepEqual(faultsOf(await request(merchant, '')), ['too_short merchantIdentifier']);
      assert.deepEqual(faultsOf(await request(merchant, 'x'.repeat(256))), ['too_long merchantIdentifier']);
      assert.deepEqual(faultsOf(await request(merchant, 7)), ['not_string merchantIdentifier']);
    });

    // Guarantee: an account has at most 20 that are not revoked, however many are requested at once, on two nodes.
    test('400 too_many: 20 at most, also by 26 at once', async () => {
      const own = await aMerchant(service);
      const node = await serve(await aNode(service.world));
      const answers = await Promise.all(
        Array.from({ length: 26 }, (_, index) =>
          (index % 2 ? node : service).ask('POST', path, {
            token: own.token,
            body: { merchantIdentifier: identifier },
          }),
        ),
      );
      const failed = answers.filter(({ status }) => status !== 201);
      assert.equal(failed.length, 6);
      for (const answer of failed) assert.deepEqual(faultsOf(answer), ['too_many merchantIdentifier']);
      const [{ certificateId }] = await list(own);
      await revoke(own, certificateId);
      assert.equal((await request(own)).status, 201, 'a revoked one makes room');
      assert.equal((await list(own)).length, 21);
    });

    test('401 and 403: without a token, read-only', async () => {
      assert.equal((await service.ask('POST', path, { body: {} })).status, 401);
      const reader = await aMerchant(service, {}, 'read_only');
      assert.equal((await request(reader)).status, 403);
      assert.equal((await service.ask('GET', path, { token: reader.token })).status, 200);
    });
  });

  suite('W6 POST /wallet/certificates/{certificateId}/certificate', () => {
    // Guarantee: the vendor's certificate becomes active, in PEM or in base64 of DER, and its tokens pay.
    for (const form of ['PEM', 'base64 of DER'] as const) {
      test(`200: a certificate as ${form} is active, and its token pays`, async () => {
        const { id, csr } = await aRequest(service, merchant);
        const issued = await service.ask('POST', '/sandbox/wallet/certificates', {
          token: merchant.token,
          body: { csr, merchantIdentifier: identifier },
        });
        assert.equal(issued.status, 200, issued.text);
        const pem: string = issued.body.certificate;
        const sent = form === 'PEM' ? pem : pem.replaceAll(/-----.*-----/g, '');
        const { status, body } = await uploadCertificate(service, merchant, id, sent);
        assert.equal(status, 200);
        assert.equal(body.status, 'active');
        assert.ok(body.validFrom <= now().toString() && body.expiresAt > now().toString());
        const { walletPayPaymentData } = (
          await service.ask('POST', '/sandbox/wallet/tokens', {
            token: merchant.token,
            body: { amount: 10.01, merchantIdentifier: identifier },
          })
        ).body;
        assert.equal((await pay(merchant, walletPayPaymentData)).body.status, 'paid');
        await revoke(merchant, id);
        await checkInvariants(service.world);
      });
    }

    // Guarantee: whatever does not fit is named, all of it at once, and nothing changes.
    test('400: every mismatch is named', async () => {
      const { id, csr } = await aRequest(service, merchant);
      const other = await aRequest(service, merchant);
      const issue = (from: string, of = identifier, at = now()) => vendor().issueProcessing(from, of, at) ?? '';
      const identity = vendor().issueIdentity('merchant.other', now());
      const cases: readonly (readonly [string, string, readonly RegExp[]])[] = [
        ['another key', issue(other.csr), [/another key/]],
        ['another identifier', issue(csr, 'merchant.other'), [/another merchant identifier/]],
        ['not valid yet', issue(csr, identifier, now().add({ hours: 24 })), [/not valid yet/]],
        ['expired', issue(csr, identifier, now().subtract({ hours: 24 * 800 })), [/has expired/]],
        [
          'everything',
          issue(other.csr, 'merchant.other', now().add({ hours: 1 })),
          [/another key/, /another merchant identifier/, /not valid yet/],
        ],
        ['several', issue(csr) + issue(csr), [/several certificates/]],
        ['a private key', identity.privateKey.reveal() + issue(csr), [/private key/]],
        ['no marker', vendor().rootPem, [/another key/, /names no merchant identifier/]],
        ['the request itself', csr, [/not a certificate/]],
        ['text', 'hello world', [/not a certificate/]],
        ['zeros', Buffer.alloc(2_000).toString('base64'), [/not a certificate/]],
      ];
      for (const [name, certificate, sentences] of cases) {
        const answer = await uploadCertificate(service, merchant, id, certificate);
        assert.equal(answer.status, 400, name);
        const messages = answer.body.errors.map(({ errorMessage }: { errorMessage: string }) => errorMessage);
        assert.equal(messages.length, sentences.length, `${name}: ${messages}`);
        for (const [index, sentence] of sentences.entries()) assert.match(messages[index], sentence, name);
        assert.deepEqual([...new Set(faultsOf(answer))], ['not_valid certificate']);
      }
      const found = (await list(merchant)).find((one: { certificateId: string }) => one.certificateId === id);
      assert.equal(found.status, 'requested');
      assert.deepEqual(faultsOf(await uploadCertificate(service, merchant, id, 'x'.repeat(32_769))), [
        'too_long certificate',
      ]);
    });

    test('404: a certificate of another account, and one that does not exist', async () => {
      const other = await aMerchant(service);
      const { id, csr } = await aRequest(service, merchant);
      const certificate = vendor().issueProcessing(csr, identifier, now()) ?? '';
      const answers = [
        await uploadCertificate(service, other, id, certificate),
        await uploadCertificate(service, merchant, '01K9Z4M7Q2V5X8B1C3D6F9G0HJ', certificate),
        await uploadCertificate(service, merchant, 'x', certificate),
        await revoke(other, id),
        await revoke(merchant, 'x'),
      ];
      assert.deepEqual(
        answers.map(({ status }) => status),
        answers.map(() => 404),
      );
      assert.deepEqual(await list(other), []);
    });

    test('400: a revoked one takes no certificate', async () => {
      const { id, csr } = await aRequest(service, merchant);
      await revoke(merchant, id);
      const certificate = vendor().issueProcessing(csr, identifier, now()) ?? '';
      const answer = await uploadCertificate(service, merchant, id, certificate);
      assert.match(answer.body.errors[0].errorMessage, /revoked/);
    });
  });

  // Guarantee: a certificate is replaced without a moment in which tokens are refused.
  test('rotation: tokens for the old and the new one pay, until the old one is revoked', async () => {
    const own = await aMerchant(service);
    const old = await aCertificate(service, own);
    assert.equal((await pay(own, aMobileToken(service, old))).body.status, 'paid');
    service.world.wall.advance({ seconds: 1 });
    const next = await aCertificate(service, own);
    assert.equal((await pay(own, aMobileToken(service, old))).body.status, 'paid');
    assert.equal((await pay(own, aMobileToken(service, next))).body.status, 'paid');
    const late = aMobileToken(service, old);
    await revoke(own, old.id);
    assert.deepEqual(faultsOf(await pay(own, late)), refused);
    assert.equal((await pay(own, aMobileToken(service, next))).body.status, 'paid');
    assert.deepEqual(
      (await list(own)).map(({ status }: { status: string }) => status),
      ['active', 'revoked'],
      'newest first',
    );
    await checkInvariants(service.world);
  });

  // Guarantee: a revocation destroys the key, and holds on every node at once.
  test('W8 200: revoking destroys the key, and its tokens are refused everywhere', async () => {
    const own = await aMerchant(service);
    const held = await aCertificate(service, own);
    const node = await serve(await aNode(service.world));
    assert.equal((await pay(own, aMobileToken(service, held), node)).body.status, 'paid');
    const { status, body } = await revoke(own, held.id);
    assert.deepEqual([status, body.status], [200, 'revoked']);
    assert.equal(await sealed(held.id), null);
    for (const at of [service, node])
      assert.deepEqual(faultsOf(await pay(own, aMobileToken(service, held), at)), refused);
    const again = await revoke(own, held.id, node);
    assert.deepEqual({ ...again.body, requestId: '' }, { ...body, requestId: '' });
    const minted = await service.ask('POST', '/sandbox/wallet/tokens', {
      token: own.token,
      body: { amount: 10.01, merchantIdentifier: identifier },
    });
    assert.equal(minted.status, 404);
  });

  // Guarantee: a certificate is of one account, even if another has the same identifier.
  test('a token for the certificate of another account is refused', async () => {
    const [one, two] = [await aMerchant(service), await aMerchant(service)];
    const [held, others] = [await aCertificate(service, one), await aCertificate(service, two)];
    assert.deepEqual(faultsOf(await pay(two, aMobileToken(service, held))), refused);
    assert.deepEqual(faultsOf(await pay(one, aMobileToken(service, others))), refused);
    assert.equal((await pay(one, aMobileToken(service, held))).body.status, 'paid');
  });

  // Guarantee: whoever issues certificates decides nothing about tokens: those must chain to a configured root.
  test('a token of a vendor that is not configured is refused', async () => {
    const own = await aMerchant(service);
    const held = await aCertificate(service, own);
    const { devices } = service.rooms;
    assert.ok(devices);
    const { simulated } = devices;
    const other = { ...simulated, vendor: openVendor(Buffer.from('another vendor')) };
    const stranger = {
      ...service,
      rooms: { ...service.rooms, devices: { ...devices, simulated: other } },
    };
    assert.deepEqual(faultsOf(await pay(own, aMobileToken(stranger, held))), refused);
  });

  // Guarantee: an upload and a revocation at the same time end revoked, without a key.
  test('upload and revocation at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, csr } = await aRequest(service, merchant);
      const certificate = vendor().issueProcessing(csr, identifier, now()) ?? '';
      const [uploaded, revoked] = await Promise.all([
        uploadCertificate(service, merchant, id, certificate),
        revoke(merchant, id),
      ]);
      assert.ok(uploaded.status === 200 || uploaded.status === 400, uploaded.text);
      assert.equal(revoked.status, 200);
      const status = await service.world.db.sql.one((row) => readText(row, 'status'))`
        select status from wallet_certificate where id = ${id}`;
      assert.deepEqual([status, await sealed(id)], ['revoked', null]);
    }
  });

  // Guarantee: operators learn of an end 30 days ahead, in the log once a day and in the metrics.
  test('a certificate that expires within 30 days is in the log and in /metrics', async () => {
    const metric = async () => {
      const { text } = await service.ask('GET', '/metrics');
      return Number(/^grosz_wallet_certificates_expiring (\d+)$/m.exec(text)?.[1]);
    };
    const warned = () => logLines.filter((line) => line.includes('a wallet certificate expires soon'));
    const own = await aMerchant(service);
    const months = now().toZonedDateTimeISO('UTC').subtract({ months: 25 });
    const before = await metric();
    await aCertificate(service, own, { validFrom: months.add({ days: 40 }).toInstant() });
    assert.equal(await metric(), before);
    const soon = await aCertificate(service, own, { validFrom: months.add({ days: 10 }).toInstant() });
    assert.equal(await metric(), before + 1);
    service.world.wall.advance({ hours: 25 });
    logLines.length = 0;
    await tickAll(service.world);
    const lines = warned().map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ certificateId, merchantId }) => [certificateId, merchantId]),
      [[soon.id, own.id]],
    );
    service.world.wall.advance({ hours: 1 });
    await tickAll(service.world);
    assert.equal(warned().length, 1, 'once a day');
    service.world.wall.advance({ hours: 24 });
    await tickAll(service.world);
    assert.equal(warned().length, 2);
  });

  // Guarantee: the figure is right however many there are.
  test('/metrics counts more expiring certificates than are ever listed', async () => {
    const metric = async () =>
      Number(/^grosz_wallet_certificates_expiring (\d+)$/m.exec((await service.ask('GET', '/metrics')).text)?.[1]);
    const before = await metric();
    const own = await aMerchant(service);
    await service.world.db.sql.run`
      insert into wallet_certificate (id, merchant_id, merchant_identifier, status, csr, public_key, public_key_hash,
                                      private_sealed, certificate, valid_from_at, expires_at, created_at)
      select '01K9Z4M7Q2V5X8B1C3D6' || lpad(n::text, 6, '0'), ${own.id}, 'many', 'active', '', '', 'many ' || n, '', '',
             ${now()}, ${now().add({ hours: 24 })}, ${now()} from generate_series(1, 1200) as n`;
    assert.equal(await metric(), before + 1_200);
    await service.world.db.sql.run`delete from wallet_certificate where merchant_identifier = 'many'`;
  });

  // Guarantee: after its end a certificate opens nothing.
  test('an expired certificate opens no token', async () => {
    const own = await aMerchant(service);
    const held = await aCertificate(service, own);
    service.world.wall.advance({ hours: 24 * 800 });
    const { body } = await service.ask('POST', '/oauth/auth', {
      body: { client_id: own.clientId, client_secret: own.clientSecret },
    });
    const later = { ...own, token: body.access_token };
    assert.deepEqual(faultsOf(await pay(later, aMobileToken(service, held))), refused);
  });
});
