// A certificate, parsed from DER. Parsing trusts nothing: callers decide what must sign what.

import { hash, type KeyObject, verify } from 'node:crypto';
import {
  Asn1Fault,
  bits,
  contextTag,
  type Element,
  Fields,
  oid,
  oids,
  orUndefined,
  readDer,
  tags,
  time,
} from '../../asn1/index.ts';

export interface Extension {
  readonly critical: boolean;
  readonly value: Buffer;
}

export interface Certificate {
  readonly der: Buffer;
  /** What the issuer signed. */
  readonly signed: Buffer;
  /** Content of the serial number, as sent. */
  readonly serial: Buffer;
  /** Names as DER, compared byte for byte. */
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly notBeforeMilliseconds: number;
  readonly notAfterMilliseconds: number;
  /** SubjectPublicKeyInfo, as DER. */
  readonly publicKey: Buffer;
  /** Object identifier of the signature's algorithm. */
  readonly signatureAlgorithm: string;
  readonly signature: Buffer;
  /** By object identifier. */
  readonly extensions: ReadonlyMap<string, Extension>;
}

const extensionsAtMost = 64;

/** Parses a version 3 certificate; throws `Asn1Fault` if it is not one. */
export function certificateFrom(element: Element): Certificate {
  if (!element.isDer) throw new Asn1Fault('A certificate is DER.');
  const outer = new Fields(element, tags.sequence);
  const signed = outer.next(tags.sequence);
  const algorithm = outer.next(tags.sequence);
  const signature = bits(outer.next(tags.bitString));
  outer.end();
  const fields = new Fields(signed, tags.sequence);
  const version = fields.next(contextTag(0));
  if (version.body.toString('hex') !== '020102') throw new Asn1Fault('A certificate of another version.');
  const serial = fields.next(tags.integer).body;
  if (!fields.next(tags.sequence).whole.equals(algorithm.whole)) throw new Asn1Fault('Two signature algorithms.');
  const issuer = fields.next(tags.sequence).whole;
  const validity = new Fields(fields.next(tags.sequence), tags.sequence);
  const notBeforeMilliseconds = time(validity.next(tags.utcTime, tags.generalizedTime));
  const notAfterMilliseconds = time(validity.next(tags.utcTime, tags.generalizedTime));
  validity.end();
  const subject = fields.next(tags.sequence).whole;
  const publicKey = fields.next(tags.sequence).whole;
  fields.nextIf(0x81);
  fields.nextIf(0x82);
  const listed = fields.nextIf(contextTag(3));
  fields.end();
  return {
    der: element.whole,
    signed: signed.whole,
    serial,
    issuer,
    subject,
    notBeforeMilliseconds,
    notAfterMilliseconds,
    publicKey,
    signatureAlgorithm: algorithmOf(algorithm),
    signature,
    extensions: listed ? extensionsFrom(listed) : new Map(),
  };
}

/** A certificate from its DER, or undefined. */
export function readCertificate(der: Buffer): Certificate | undefined {
  return orUndefined(() => certificateFrom(readDer(der)));
}

/** These algorithms have no parameters; with parameters they are not what they claim to be. */
function algorithmOf(element: Element): string {
  const fields = new Fields(element, tags.sequence);
  const algorithm = oid(fields.next(tags.oid));
  return fields.nextAny() ? `${algorithm} with parameters` : algorithm;
}

function extensionsFrom(listed: Element): Map<string, Extension> {
  const outer = new Fields(listed, contextTag(3));
  const list = outer.next(tags.sequence).children;
  outer.end();
  if (list.length > extensionsAtMost) throw new Asn1Fault('Too many extensions.');
  const found = new Map<string, Extension>();
  for (const element of list) {
    const fields = new Fields(element, tags.sequence);
    const name = oid(fields.next(tags.oid));
    const critical = fields.nextIf(tags.boolean);
    const value = fields.next(tags.octetString).body;
    fields.end();
    if (found.has(name)) throw new Asn1Fault('An extension twice.');
    found.set(name, { critical: critical !== undefined && critical.body[0] !== 0, value });
  }
  return found;
}

export function isValidAt(certificate: Certificate, at: Temporal.Instant): boolean {
  const { epochMilliseconds } = at;
  // The last second is included.
  return (
    certificate.notBeforeMilliseconds <= epochMilliseconds &&
    epochMilliseconds < certificate.notAfterMilliseconds + 1_000
  );
}

/** Whether it may issue certificates; undefined if the extension cannot be read. */
export function isAuthority(certificate: Certificate): boolean | undefined {
  const extension = certificate.extensions.get(oids.basicConstraints);
  if (!extension) return false;
  return orUndefined(() => {
    const fields = new Fields(readDer(extension.value), tags.sequence);
    const said = fields.nextIf(tags.boolean);
    fields.nextIf(tags.integer);
    fields.end();
    return said !== undefined && said.body[0] !== 0;
  });
}

/** Bits of the key usage, counted from the first bit of the first byte. */
export const keyUses = { digitalSignature: 0x80, keyCertSign: 0x04 } as const;

/** Whether the key may be used like this. A certificate without key usage allows everything. */
export function allowsUse(certificate: Certificate, use: number): boolean {
  const extension = certificate.extensions.get(oids.keyUsage);
  if (!extension) return true;
  const element = orUndefined(() => readDer(extension.value));
  return element?.tag === tags.bitString && ((element.body[1] ?? 0) & use) !== 0;
}

/** Whether we check every extension that the issuer marked as critical. */
export function isUnderstood(certificate: Certificate, looked: ReadonlySet<string>): boolean {
  return certificate.extensions.entries().every(([name, { critical }]) => !critical || looked.has(name));
}

const digests: Readonly<Record<string, string>> = {
  [oids.ecdsaWithSha256]: 'sha256',
  [oids.ecdsaWithSha384]: 'sha384',
};

/** Whether the key signed it. Names and dates are checked elsewhere. */
export function isSignedBy(certificate: Certificate, key: KeyObject): boolean {
  const digest = digests[certificate.signatureAlgorithm];
  return digest !== undefined && verifies(digest, certificate.signed, key, certificate.signature);
}

/** Verifies an ECDSA signature in DER. What OpenSSL cannot read is invalid. */
export function verifies(digest: string, signed: Buffer, key: KeyObject, signature: Buffer): boolean {
  try {
    return verify(digest, signed, { key, dsaEncoding: 'der' }, signature);
  } catch {
    return false;
  }
}

/** The vendor's identifier of a key: SHA-256 of its SubjectPublicKeyInfo, in base64. */
export function publicKeyHash(publicKey: Uint8Array): string {
  return hash('sha256', publicKey, 'base64');
}
