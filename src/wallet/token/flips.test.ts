// Whatever is changed in a token, it is refused, or is still the same payment.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { accepted, aToken, open } from '../../../test/support/wallet-tokens.ts';
import { Fields } from '../../asn1/fields.ts';
import { contextTag, type Element, readBer, tags } from '../../asn1/reader.ts';

interface Json {
  readonly version: string;
  readonly data: string;
  readonly signature: string;
  readonly header: Readonly<Record<string, string>>;
}

const token = aToken({ applicationData: Buffer.alloc(32, 9) });
const json: Json = JSON.parse(Buffer.from(token, 'base64').toString());
const cms = Buffer.from(json.signature, 'base64');
const expected = accepted(token);

function encoded(object: unknown): string {
  return Buffer.from(JSON.stringify(object)).toString('base64');
}

/** A part of the token as bytes, and the token with other bytes in its place. */
interface Part {
  readonly name: string;
  readonly bytes: Buffer;
  readonly with: (bytes: Buffer) => string;
}

function headerPart(name: string, encoding: 'hex' | 'base64'): Part {
  return {
    name,
    bytes: Buffer.from(json.header[name] ?? '', encoding),
    with: (bytes) => encoded({ ...json, header: { ...json.header, [name]: bytes.toString(encoding) } }),
  };
}

function cmsPart(name: string, { whole }: Element): Part {
  const at = cms.indexOf(whole);
  const replaced = (bytes: Buffer) => Buffer.concat([cms.subarray(0, at), bytes, cms.subarray(at + whole.length)]);
  return {
    name,
    bytes: whole,
    with: (bytes) => encoded({ ...json, signature: replaced(bytes).toString('base64') }),
  };
}

/** What the leaf, the intermediate and the root signed, in the container. */
function signedElements(): readonly Element[] {
  const [, wrapped] = readBer(cms).children;
  const fields = wrapped?.children[0]?.children ?? [];
  const certificates = fields.find(({ tag }) => tag === contextTag(0))?.children ?? [];
  const signer = fields.at(-1)?.children[0]?.children ?? [];
  const attributes = signer.find(({ tag }) => tag === contextTag(0));
  const bodies = certificates.map((certificate) => new Fields(certificate, tags.sequence).next(tags.sequence));
  assert.ok(attributes && bodies.length === 2);
  return [attributes, ...bodies];
}

const [attributes, leaf, intermediate] = signedElements() as [Element, Element, Element];
const signedParts: readonly Part[] = [
  headerPart('ephemeralPublicKey', 'base64'),
  headerPart('transactionId', 'hex'),
  headerPart('applicationData', 'hex'),
  {
    name: 'data',
    bytes: Buffer.from(json.data, 'base64'),
    with: (bytes) => encoded({ ...json, data: bytes.toString('base64') }),
  },
  cmsPart('signed attributes', attributes),
  cmsPart('leaf certificate', leaf),
  cmsPart('intermediate certificate', intermediate),
];

function flipped(bytes: Buffer, index: number, mask: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[index] = (copy[index] ?? 0) ^ mask;
  return copy;
}

suite('bit flips', () => {
  // Guarantee: no signed byte can be changed.
  for (const part of signedParts) {
    test(`every byte of: ${part.name}`, () => {
      assert.ok(part.bytes.length >= 32);
      assert.equal(open(part.with(part.bytes)).outcome, 'accepted');
      for (const [index] of part.bytes.entries()) {
        const result = open(part.with(flipped(part.bytes, index, 1 << (index % 8))));
        assert.notEqual(result.outcome, 'accepted', `byte ${index}`);
      }
    });
  }

  test('any bits of any signed byte', () => {
    const parts = fc.constantFrom(...signedParts);
    fc.assert(
      fc.property(parts, fc.nat(), fc.integer({ min: 1, max: 255 }), (part, index, mask) => {
        const changed = flipped(part.bytes, index % part.bytes.length, mask);
        return open(part.with(changed)).outcome !== 'accepted';
      }),
      { numRuns: 300 },
    );
  });

  // Guarantee: changing what is not signed cannot make it another payment.
  test('any byte of the whole container: refused, or the same payment', () => {
    fc.assert(
      fc.property(fc.nat(cms.length - 1), fc.integer({ min: 1, max: 255 }), (index, mask) => {
        const result = open(encoded({ ...json, signature: flipped(cms, index, mask).toString('base64') }));
        if (result.outcome !== 'accepted') return;
        assert.deepEqual(result.used, expected.used);
        assert.equal(result.payment.deviceNumber.reveal(), expected.payment.deviceNumber.reveal());
        assert.equal(result.payment.cryptogram.reveal(), expected.payment.cryptogram.reveal());
      }),
      { numRuns: 300 },
    );
  });

  // Guarantee: no input makes the verification throw.
  test('arbitrary bytes, arbitrary texts and arbitrary containers', () => {
    const bytes = fc.uint8Array({ maxLength: 600 }).map((drawn) => Buffer.from(drawn).toString('base64'));
    fc.assert(
      fc.property(fc.oneof(bytes, fc.string(), fc.jsonValue().map(encoded)), (text) => {
        assert.equal(open(text).outcome, 'malformed');
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(
        bytes,
        (signature) => signature === '' || open(encoded({ ...json, signature })).outcome === 'refused',
      ),
      { numRuns: 300 },
    );
  });
});
