// What the settings of wallet payments name: read as a whole, or a reason not to start.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { receivedAt, vendor } from '../../test/support/wallet-tokens.ts';
import { readConfig } from '../config.ts';
import { openLog, StartFault } from '../runtime/index.ts';
import { makeSigningRequest } from './certificates/request.ts';
import { readSetup } from './setup.ts';

const folder = mkdtempSync(join(tmpdir(), 'grosz-wallet-'));
after(() => rmSync(folder, { recursive: true }));

const identifier = 'merchant.com.example.pay';

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function processing(of = identifier, at = receivedAt): string {
  const { csr, privateKey } = makeSigningRequest(identifier);
  return `${privateKey.reveal()}${vendor.issueProcessing(csr, of, at)}`;
}

const identity = vendor.issueIdentity(identifier, receivedAt);
const expired = vendor.issueIdentity(identifier, receivedAt.subtract({ hours: 24 * 800 }));
const identityText = `${identity.privateKey.reveal()}${identity.certificate}`;

const whole = {
  MODE: 'sandbox',
  WALLET_ROOTS: file('roots.pem', vendor.rootPem),
  WALLET_TLS_CA: file('ca.pem', vendor.rootPem),
  WALLET_VALIDATION_HOSTS: 'gateway.vendor.example',
  WALLET_MERCHANT_IDENTIFIER: identifier,
  WALLET_PROCESSING: file('processing.pem', processing()),
  WALLET_IDENTITY: file('identity.pem', identityText),
  WALLET_ASSOCIATION: file('association', 'the file'),
};

const wall = { now: () => receivedAt };
const lines: string[] = [];
const log = openLog({ level: 'info' }, { write: (line) => void lines.push(line) });
const read = (change: Readonly<Record<string, string>> = {}, clock = wall) =>
  readSetup({ config: readConfig({ ...whole, ...change }), wall: clock, log });

suite('the settings of wallet payments', () => {
  // Guarantee: a certificate that has expired costs the wallet on the web, not every other way to pay.
  for (const [name, change] of [
    ['processing', { WALLET_PROCESSING: file('p3', processing(identifier, receivedAt.subtract({ hours: 24 * 800 }))) }],
    ['identity', { WALLET_IDENTITY: file('i3', expired.privateKey.reveal() + expired.certificate) }],
  ] as const) {
    test(`an expired certificate (${name}): started without wallet payments on the web`, async () => {
      lines.length = 0;
      const { own, roots, expired } = await read(change);
      assert.equal(own, undefined);
      assert.deepEqual(
        expired.map(({ certificateId }) => certificateId),
        [name === 'processing' ? 'service' : 'identity'],
      );
      assert.equal(roots.length, 1);
      assert.match(lines.join(''), /"level":50.*has expired.*wallet payments on the web are off/);
    });
  }

  // Guarantee: what an operator configures is used as it is.
  test('are read from their files', async () => {
    const { roots, hosts, tlsCa, own } = await read();
    assert.equal(roots.length, 1);
    assert.deepEqual(hosts(), [{ host: 'gateway.vendor.example', port: 443 }]);
    assert.equal(tlsCa, vendor.rootPem);
    assert.equal(own?.merchantIdentifier, identifier);
    assert.equal(own.association.toString(), 'the file');
    assert.equal(own.expiresAt.toString(), '2028-04-04T10:11:12Z');
    assert.doesNotMatch(JSON.stringify(own.identity), /PRIVATE/);
  });

  test('are not needed', async () => {
    const { roots, hosts, tlsCa, own } = await readSetup({ config: readConfig({ MODE: 'sandbox' }), wall, log });
    assert.deepEqual([roots, hosts(), tlsCa, own], [[], [], undefined, undefined]);
  });

  // Guarantee: a service that could not take payments does not start, and says which file is wrong and how.
  const absent = join(folder, 'absent');
  const key = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
  const locked = key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' }).toString();
  const otherKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const certificateOf = (text: string) => text.slice(text.indexOf('-----BEGIN CERTIFICATE'));
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    ...(['WALLET_ROOTS', 'WALLET_TLS_CA', 'WALLET_PROCESSING', 'WALLET_IDENTITY', 'WALLET_ASSOCIATION'] as const).map(
      (name) =>
        [`${name}: no such file`, { [name]: absent }, new RegExp(`^${name}: .*absent cannot be read\\.$`)] as const,
    ),
    ['roots: a folder', { WALLET_ROOTS: folder }, /^WALLET_ROOTS: .* cannot be read\.$/],
    ['roots: no certificate', { WALLET_ROOTS: file('r1', 'hello') }, /^WALLET_ROOTS: .*r1 is not usable\. /],
    [
      'roots: no root',
      { WALLET_ROOTS: file('r2', certificateOf(processing())) },
      /^WALLET_ROOTS: .*r2 is not usable\. /,
    ],
    ['TLS roots: no certificate', { WALLET_TLS_CA: file('c1', 'hello') }, /^WALLET_TLS_CA: .*c1 /],
    [
      'another key',
      { WALLET_PROCESSING: file('p1', otherKey + certificateOf(processing())) },
      /^WALLET_PROCESSING: .*p1 is not usable\. The certificate is for another key/,
    ],
    [
      'another identifier',
      { WALLET_PROCESSING: file('p2', processing('merchant.other')) },
      /^WALLET_PROCESSING: .*p2 is not usable\. The certificate was issued for another merchant identifier\.$/,
    ],
    [
      'a certificate of the future',
      { WALLET_PROCESSING: file('p4', processing(identifier, receivedAt.add({ hours: 1 }))) },
      /not valid yet/,
    ],
    [
      'no key',
      { WALLET_PROCESSING: file('p5', certificateOf(processing())) },
      /^WALLET_PROCESSING must be a PEM file with/,
    ],
    ['no certificate', { WALLET_PROCESSING: file('p6', otherKey) }, /^WALLET_PROCESSING must be a PEM file with/],
    [
      'a passphrase',
      { WALLET_PROCESSING: file('p7', locked + certificateOf(processing())) },
      /^WALLET_PROCESSING: the private key cannot be read\. It must not have a passphrase\.$/,
    ],
    ['two keys', { WALLET_IDENTITY: file('i1', otherKey + identityText) }, /^WALLET_IDENTITY must be a PEM file with/],
    [
      'an identity for another key',
      { WALLET_IDENTITY: file('i2', otherKey + identity.certificate) },
      /^WALLET_IDENTITY: .*i2 is not usable\. The first certificate is for another key\.$/,
    ],
    [
      'an identity that is no certificate',
      { WALLET_IDENTITY: file('i4', `${otherKey}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`) },
      /^WALLET_IDENTITY: .*i4 is not usable\. The certificate cannot be read\.$/,
    ],
    ['an empty association file', { WALLET_ASSOCIATION: file('a1', '\n') }, /^WALLET_ASSOCIATION: .*a1 is empty\.$/],
  ];
  for (const [name, change, sentence] of cases) {
    test(name, async () => {
      await assert.rejects(read(change), (error) => {
        assert.ok(error instanceof StartFault, String(error));
        assert.match(error.message, sentence);
        assert.doesNotMatch(error.message, /BEGIN|secret/);
        return true;
      });
    });
  }
});
