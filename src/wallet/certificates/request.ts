// Certificate signing requests: a P-256 key, and the text that the merchant gives to the vendor.

import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import {
  bitString,
  bits,
  contextTag,
  explicit,
  Fields,
  objectIdentifier,
  oid,
  oids,
  orUndefined,
  readDer,
  readPem,
  sequence,
  setOf,
  smallInteger,
  tags,
  utf8String,
  writePem,
} from '../../asn1/index.ts';
import { Secret } from '../../kernel/index.ts';
import { publicKeyHash, verifies } from '../x509/certificate.ts';
import { publicKeyOn } from '../x509/keys.ts';

export interface SigningRequest {
  /** PEM, for the vendor. */
  readonly csr: string;
  /** PKCS#8 in PEM, for the vault. */
  readonly privateKey: Secret;
  /** SubjectPublicKeyInfo: the certificate must have the same. */
  readonly publicKey: Buffer;
  readonly publicKeyHash: string;
}

/** Generates a key pair and its request. */
export function makeSigningRequest(merchantIdentifier: string): SigningRequest {
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' });
  return {
    csr: writePem('CERTIFICATE REQUEST', requestFor(merchantIdentifier, publicKey, pair.privateKey)),
    privateKey: new Secret(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    publicKey,
    publicKeyHash: publicKeyHash(publicKey),
  };
}

/** X.520 limits a common name to this many characters; the vendor uses the identifier in its own form, not this. */
const commonNameCharacters = 64;

/** PKCS #10 (RFC 2986), as DER. */
function requestFor(merchantIdentifier: string, publicKey: Buffer, privateKey: KeyObject): Buffer {
  const commonName = utf8String(merchantIdentifier.slice(0, commonNameCharacters));
  const subject = sequence(setOf(sequence(objectIdentifier(oids.commonName), commonName)));
  const info = sequence(smallInteger(0), subject, publicKey, explicit(0));
  const signature = sign('sha256', info, { key: privateKey, dsaEncoding: 'der' });
  return sequence(info, sequence(objectIdentifier(oids.ecdsaWithSha256)), bitString(signature));
}

/** The public key of a request; undefined if it is not a request or does not prove possession of its key. */
export function keyOfRequest(csr: string): Buffer | undefined {
  const [block, ...others] = readPem(csr);
  if (block?.label !== 'CERTIFICATE REQUEST' || others.length > 0) return undefined;
  return orUndefined(() => {
    const outer = new Fields(readDer(block.der), tags.sequence);
    const info = outer.next(tags.sequence);
    const algorithm = oid(new Fields(outer.next(tags.sequence), tags.sequence).next(tags.oid));
    const signature = bits(outer.next(tags.bitString));
    outer.end();
    const fields = new Fields(info, tags.sequence);
    fields.next(tags.integer);
    fields.next(tags.sequence);
    const publicKey = fields.next(tags.sequence).whole;
    fields.next(contextTag(0));
    fields.end();
    const key = publicKeyOn(publicKey, 'P-256');
    const isProven = algorithm === oids.ecdsaWithSha256 && key && verifies('sha256', info.whole, key, signature);
    return isProven ? publicKey : undefined;
  });
}

/** SubjectPublicKeyInfo of a private key, as DER. */
export function publicKeyOf(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
}
