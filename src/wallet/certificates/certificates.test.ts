// Signing requests, and the certificates uploaded for them.

import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { suite, test } from 'node:test';
import { isMerchantIdentifier } from '../../../contract/wallet.ts';
import { merchantIdentifier, receivedAt, vendor } from '../../../test/support/wallet-tokens.ts';
import { readPem, writePem } from '../../asn1/pem.ts';
import { tlv } from '../../asn1/writer.ts';
import {
  basicConstraints,
  type ExtensionToIssue,
  issueCertificate,
  merchantMarker,
  nameOf,
} from '../../simulators/wallet/issue.ts';
import { publicKeyHash, readCertificate } from '../x509/certificate.ts';
import { readRoots } from '../x509/roots.ts';
import { type CertificateFault, checkProcessingCertificate, hashOfIdentifier } from './check.ts';
import { keyOfRequest, makeSigningRequest } from './request.ts';

const request = makeSigningRequest(merchantIdentifier);
const requested = { merchantIdentifier, publicKey: request.publicKey };
const issued = vendor.issueProcessing(request.csr, merchantIdentifier, receivedAt) ?? '';

function check(uploaded: string, at = receivedAt) {
  return checkProcessingCertificate(uploaded, requested, at);
}

function faultsOf(result: ReturnType<typeof check>): CertificateFault[] {
  if (!('faults' in result)) return [];
  return [...result.faults];
}

/** A certificate for the requested key, with these extensions. */
function issuedWith(...extensions: readonly ExtensionToIssue[]): string {
  const { subject, privateKey } = vendor.intermediate;
  const notAfter = receivedAt.add({ hours: 24 });
  const names = { serial: Buffer.from([7]), issuer: subject, subject: nameOf('x') };
  const fields = { ...names, notBefore: receivedAt, notAfter, publicKey: request.publicKey, extensions };
  return writePem('CERTIFICATE', issueCertificate(fields, privateKey));
}

suite('signing requests', () => {
  // Guarantee: the vendor gets a request that proves possession of its key, and the private key is never printed.
  test('a request is PEM, on P-256, and proves its key', () => {
    assert.match(request.csr, /^-----BEGIN CERTIFICATE REQUEST-----\n/);
    assert.deepEqual(keyOfRequest(request.csr), request.publicKey);
    assert.equal(request.publicKey.length, 91);
    assert.equal(request.publicKeyHash, publicKeyHash(request.publicKey));
    assert.ok(!JSON.stringify(request).includes('PRIVATE'));
  });

  test('each request has a key of its own', () => {
    assert.notEqual(makeSigningRequest(merchantIdentifier).publicKeyHash, request.publicKeyHash);
  });

  test('a request that was changed proves nothing', () => {
    const der = readPem(request.csr)[0]?.der ?? Buffer.alloc(0);
    der[20] = (der[20] ?? 0) ^ 1;
    assert.equal(keyOfRequest(writePem('CERTIFICATE REQUEST', der)), undefined);
    assert.equal(keyOfRequest(issued), undefined);
    assert.equal(keyOfRequest(''), undefined);
  });

  for (const [text, is] of [
    ['merchant.com.example.shop', true],
    ['merchant', true],
    [`merchant.${'x'.repeat(246)}`, true],
    [`merchant.${'x'.repeat(247)}`, false],
    ['', false],
    ['.merchant', false],
    ['merchant..shop', false],
    ['merchant.shop ', false],
    ['merchant.łódź', false],
    ['merchant.shop\n', false],
  ] as const) {
    test(`${JSON.stringify(text.slice(0, 30))} is ${is ? 'an' : 'no'} identifier`, () => {
      assert.equal(isMerchantIdentifier(text), is);
    });
  }
});

suite('uploaded certificates', () => {
  // Guarantee: a matching certificate becomes usable, in each of the formats in which it is sent.
  for (const [name, uploaded] of [
    ['PEM', issued],
    ['PEM with text around it', `Bag Attributes\n${issued}\n`],
    ['PEM with other line breaks', issued.replaceAll('\n', '\r\n')],
    ['base64 of DER', readPem(issued)[0]?.der.toString('base64') ?? ''],
    ['base64 of DER in lines', issued.replaceAll(/-----.*-----\n/g, '')],
  ] as const) {
    test(name, () => {
      const result = check(uploaded);
      assert.ok(!('faults' in result));
      assert.equal(result.publicKeyHash, request.publicKeyHash);
      assert.deepEqual(result.merchantIdentifierHash, hashOfIdentifier(merchantIdentifier));
      assert.equal(result.expiresAt.toString(), '2028-04-04T10:11:12Z');
      assert.equal(new X509Certificate(result.pem).validTo, 'Apr  4 10:11:12 2028 GMT');
    });
  }

  // Guarantee: the hash is found in every format that vendors use.
  for (const [name, value] of [
    ['hex digits in lower case', tlv(0x0c, Buffer.from(hashOfIdentifier(merchantIdentifier).toString('hex')))],
    ['an OCTET STRING', tlv(0x04, hashOfIdentifier(merchantIdentifier))],
    ['bytes without a tag', hashOfIdentifier(merchantIdentifier)],
    ['hex digits without a tag', Buffer.from(hashOfIdentifier(merchantIdentifier).toString('hex'))],
  ] as const) {
    test(`the marker as ${name}`, () => {
      const { name: oid } = merchantMarker(Buffer.alloc(32));
      assert.deepEqual(faultsOf(check(issuedWith({ name: oid, value }))), []);
    });
  }

  // Guarantee: all mismatches are reported together.
  const otherKey = makeSigningRequest(merchantIdentifier);
  for (const [name, uploaded, faults] of [
    ['nothing', '', ['unreadable']],
    ['some text', 'certificate', ['unreadable']],
    ['a request', request.csr, ['unreadable']],
    ['too much', 'A'.repeat(40_000), ['unreadable']],
    ['cut short', `${issued.slice(0, 300)}\n-----END CERTIFICATE-----\n`, ['unreadable']],
    ['a private key along with it', `${issued}${request.privateKey.reveal()}`, ['private_key']],
    ['a chain', `${issued}${vendor.rootPem}`, ['several']],
    ['the root', vendor.rootPem, ['other_key', 'no_marker']],
    ['for another key', vendor.issueProcessing(otherKey.csr, merchantIdentifier, receivedAt) ?? '', ['other_key']],
    [
      'for another identifier',
      vendor.issueProcessing(request.csr, 'merchant.other', receivedAt) ?? '',
      ['other_identifier'],
    ],
    ['no marker', issuedWith(basicConstraints(false)), ['no_marker']],
    ['a marker of something else', issuedWith(merchantMarker(Buffer.alloc(20))), ['other_identifier']],
    [
      'for another key and identifier, in the future',
      vendor.issueProcessing(otherKey.csr, 'merchant.other', receivedAt.add({ hours: 1 })) ?? '',
      ['other_key', 'other_identifier', 'not_yet_valid'],
    ],
  ] as const) {
    test(name, () => {
      assert.deepEqual(faultsOf(check(uploaded)), faults);
    });
  }

  test('expired', () => {
    assert.deepEqual(faultsOf(check(issued, Temporal.Instant.from('2028-04-04T10:11:13Z'))), ['expired']);
  });
});

suite('reading certificates', () => {
  // Guarantee: our reader and OpenSSL read the same certificate in the same way.
  test('as OpenSSL reads them', () => {
    for (const { certificate } of [vendor.root, vendor.intermediate, vendor.leaf]) {
      const ours = readCertificate(certificate);
      const theirs = new X509Certificate(certificate);
      assert.ok(ours);
      assert.equal(ours.serial.toString('hex').toUpperCase(), theirs.serialNumber);
      assert.equal(ours.notAfterMilliseconds, theirs.validToDate.getTime());
      assert.deepEqual(ours.publicKey, theirs.publicKey.export({ type: 'spki', format: 'der' }));
    }
    assert.ok(
      new X509Certificate(vendor.leaf.certificate).checkIssued(new X509Certificate(vendor.intermediate.certificate)),
    );
  });

  // Guarantee: an unusable file of roots is reported at startup.
  test('roots that are none', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey;
    const fields = { serial: Buffer.from([1]), issuer: nameOf('x'), subject: nameOf('x') };
    const dates = { notBefore: receivedAt, notAfter: receivedAt.add({ hours: 1 }) };
    const publicKey = rsa.export({ type: 'spki', format: 'der' });
    const der = issueCertificate({ ...fields, ...dates, publicKey, extensions: [] }, vendor.root.privateKey);
    for (const [pem, fault] of [
      ['', /no certificate/],
      [writePem('CERTIFICATE', Buffer.from([0x30, 0])), /cannot be read/],
      [writePem('CERTIFICATE', der), /P-256 or P-384/],
      [writePem('CERTIFICATE', vendor.leaf.certificate), /not a certificate authority/],
      [vendor.rootPem.repeat(3), /third/],
    ] as const) {
      const roots = readRoots(pem);
      assert.ok('fault' in roots);
      assert.match(roots.fault, fault);
    }
  });
});
