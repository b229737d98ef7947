// Writes CMS SignedData, valid and invalid, as DER or as BER with indefinite lengths.

import { type KeyObject, sign } from 'node:crypto';
import {
  contextTag,
  type Element,
  explicit,
  integer,
  isConstructed,
  objectIdentifier,
  octetString,
  oids,
  readDer,
  sequence,
  setOf,
  smallInteger,
  tags,
  timeOf,
  tlv,
} from '../../asn1/index.ts';

export interface SignerParts {
  readonly issuer: Buffer;
  readonly serial: Buffer;
  readonly digestAlgorithm: string;
  readonly signatureAlgorithm: string;
  /** DER of each; if empty, the whole field is omitted. */
  readonly attributes: readonly Buffer[];
  readonly signature: Buffer;
}

export interface SignedDataParts {
  readonly type: string;
  readonly contentType: string;
  /** Usually detached. */
  readonly content?: Buffer;
  readonly certificates: readonly Buffer[];
  readonly signers: readonly SignerParts[];
}

export function attribute(type: string, ...values: readonly Buffer[]): Buffer {
  return sequence(objectIdentifier(type), setOf(...values));
}

/** The three attributes of a token. */
export function tokenAttributes(digest: Buffer, signedAt: Temporal.Instant): Buffer[] {
  return [
    attribute(oids.contentType, objectIdentifier(oids.data)),
    attribute(oids.signingTime, timeOf(signedAt)),
    attribute(oids.messageDigest, octetString(digest)),
  ];
}

export function signAttributes(attributes: readonly Buffer[], key: KeyObject): Buffer {
  return sign('sha256', setOf(...attributes), { key, dsaEncoding: 'der' });
}

export function signedDataDer(parts: SignedDataParts): Buffer {
  const content = parts.content ? [explicit(0, octetString(parts.content))] : [];
  const signedData = sequence(
    smallInteger(1),
    setOf(sequence(objectIdentifier(oids.sha256), tlv(tags.null))),
    sequence(objectIdentifier(parts.contentType), ...content),
    explicit(0, ...parts.certificates),
    setOf(...parts.signers.map(signerDer)),
  );
  return sequence(objectIdentifier(parts.type), explicit(0, signedData));
}

function signerDer(signer: SignerParts): Buffer {
  const attributes = signer.attributes.length > 0 ? [explicit(0, ...[...signer.attributes].sort(Buffer.compare))] : [];
  return sequence(
    smallInteger(1),
    sequence(signer.issuer, integer(signer.serial)),
    sequence(objectIdentifier(signer.digestAlgorithm), tlv(tags.null)),
    ...attributes,
    sequence(objectIdentifier(signer.signatureAlgorithm)),
    octetString(signer.signature),
  );
}

const endMark = Buffer.from([0, 0]);

/**
 * The same as BER at its loosest: indefinite lengths, octet strings in pieces, the signed attributes in another order.
 * Certificates stay as they were signed.
 */
export function signedDataBer(parts: SignedDataParts): Buffer {
  const keep = new Set(parts.certificates.map((der) => der.toString('hex')));
  return loosened(readDer(signedDataDer(parts)), keep);
}

function loosened(element: Element, keep: ReadonlySet<string>): Buffer {
  const { tag, whole, body } = element;
  if (keep.has(whole.toString('hex'))) return whole;
  if (tag === tags.octetString) {
    const middle = Math.floor(body.length / 2);
    const pieces = [body.subarray(0, middle), body.subarray(middle)].map(octetString);
    return Buffer.concat([Buffer.from([tag | 0x20, 0x80]), ...pieces, endMark]);
  }
  if (!isConstructed(tag)) return whole;
  const children = element.children.map((child) => loosened(child, keep));
  if (isAttributes(element)) children.reverse();
  return Buffer.concat([Buffer.from([tag, 0x80]), ...children, endMark]);
}

/** The only `[0]` whose elements each start with an object identifier. */
function isAttributes({ tag, children }: Element): boolean {
  return tag === contextTag(0) && children.every((child) => child.children[0]?.tag === tags.oid);
}
