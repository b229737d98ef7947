// Input that is made to cost time. Bounds are compared with what a good token costs, because machines differ: a good
// token costs about a millisecond, and the rule is that nothing of 32 KB costs more than twenty.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { oids } from '../asn1/oids.ts';
import { Asn1Fault, readBer } from '../asn1/reader.ts';
import { explicit, objectIdentifier, octetString, sequence, setOf, smallInteger, tlv } from '../asn1/writer.ts';
import { accepted, aToken, open } from '../test-wallet.ts';
import { attribute } from '../vendor/cms.ts';
import { tokenCharactersAtMost } from './envelope.ts';
import type { TokenFaultReason } from './faults.ts';

const goodToken = aToken();

/** Twice base64 makes 18 KB out of 32. */
const signatureBytes = 17_500;

function repeated(hex: string): Buffer {
  const once = Buffer.from(hex, 'hex');
  return Buffer.alloc(signatureBytes - (signatureBytes % once.length), once);
}

function withSignature(signature: Buffer): string {
  return aToken({}, { cms: () => signature });
}

function signedDataWith(certificates: Buffer): Buffer {
  const content = sequence(objectIdentifier(oids.data));
  const inner = sequence(smallInteger(1), setOf(), content, explicit(0, certificates), setOf(sequence()));
  return sequence(objectIdentifier(oids.signedData), explicit(0, inner));
}

/** Attributes without end, rightly signed, which only the holder of a real token could send. */
function manyAttributes(): string {
  const more = Array.from({ length: 250 }, (_, index) =>
    attribute('2a0304', octetString(Buffer.from([index, index, index]))),
  );
  return aToken({ encoding: 'ber' }, { attributes: (list) => [...list, ...more] });
}

const text = (json: string) => Buffer.from(json).toString('base64');

const hostile: readonly (readonly [name: string, token: string, reason: TokenFaultReason | 'accepted'])[] = [
  ['indefinite lengths, nested', withSignature(repeated('3080')), 'signature_unreadable'],
  ['strings in pieces, nested', withSignature(repeated('2480')), 'signature_unreadable'],
  ['definite lengths, nested', withSignature(repeated('30834450')), 'signature_unreadable'],
  ['zeros', withSignature(Buffer.alloc(signatureBytes)), 'signature_unreadable'],
  ['a length of four gigabytes', withSignature(Buffer.from('3084ffffffff', 'hex')), 'signature_unreadable'],
  ['a length of a hundred bytes', withSignature(Buffer.from(`30e4${'ff'.repeat(100)}`, 'hex')), 'signature_unreadable'],
  ['thousands of empty elements', withSignature(sequence(repeated('0500'))), 'signature_unreadable'],
  ['thousands of certificates', withSignature(signedDataWith(repeated('3000'))), 'signature_unreadable'],
  [
    'a thousand certificates',
    withSignature(signedDataWith(Buffer.alloc(2_000, '3000', 'hex'))),
    'number_of_certificates',
  ],
  ['one very long object identifier', withSignature(sequence(tlv(6, repeated('ff')))), 'not_signed_data'],
  ['identifiers of many bytes', withSignature(repeated('bfff')), 'signature_unreadable'],
  ['many attributes, rightly signed', manyAttributes(), 'accepted'],
  ['JSON nested', text('['.repeat(12_000) + ']'.repeat(12_000)), 'unexpected_keys'],
  ['JSON of quotation marks', text(`{${'"":"",'.repeat(4_000)}"":""}`), 'unexpected_keys'],
  [
    'JSON of many keys',
    text(JSON.stringify(Object.fromEntries(Array.from({ length: 2_000 }, (_, key) => [key, 0])))),
    'unexpected_keys',
  ],
  ['base64 that is too long', 'A'.repeat(2_000_000), 'too_large'],
];

/** Processor milliseconds, the least of several runs: what others do on the machine only adds. */
function cost(token: string): number {
  const times = Array.from({ length: 7 }, () => {
    const before = process.cpuUsage();
    open(token);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

suite('hostile input', () => {
  // Guarantee: a stranger's 32 KB cannot hold up the payments of others.
  for (const [name, token, reason] of hostile) {
    test(name, () => {
      const result = open(token);
      assert.equal(result.outcome === 'accepted' ? 'accepted' : result.reason, reason);
      if (reason !== 'too_large') assert.ok(token.length <= tokenCharactersAtMost, `${token.length} characters`);
      for (let warmUp = 0; warmUp < 5; warmUp += 1) accepted(goodToken);
      const allowed = 10 * cost(goodToken);
      const seen = cost(token);
      assert.ok(seen <= allowed, `${seen} ms, and ${allowed} are allowed`);
    });
  }

  // Guarantee: the bounds are what stops the reader, not the size of the input.
  test('the reader stops at its bounds', () => {
    const bounds = { depth: 4, elements: 10 };
    assert.throws(() => readBer(Buffer.from('30803080308030803080', 'hex'), bounds), Asn1Fault);
    assert.throws(() => readBer(sequence(Buffer.alloc(20, '0500', 'hex')), bounds), Asn1Fault);
    assert.equal(readBer(sequence(Buffer.alloc(18, '0500', 'hex')), bounds).children.length, 9);
  });

  for (const [name, hex] of [
    ['nothing', ''],
    ['an identifier alone', '30'],
    ['a primitive element of indefinite length', '0480000000'],
    ['an end mark that is none', '30800001'],
    ['an end mark outside', '30020000'],
    ['no end mark', '30800500'],
    ['a child longer than its parent', '300305040000'],
    ['bytes behind the end', '0500ff'],
  ] as const) {
    test(`the reader refuses ${name}`, () => {
      assert.throws(() => readBer(Buffer.from(hex, 'hex')), Asn1Fault);
    });
  }
});
