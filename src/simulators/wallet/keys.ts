// Keys of the simulated vendor, derived from a seed: nodes that share the seed are the same vendor, with nothing
// stored.

import { createECDH, createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto';
import { bitString, explicit, objectIdentifier, octetString, oids, sequence, smallInteger } from '../../asn1/index.ts';
import { publicKeyOf } from '../../wallet/index.ts';

export interface KeyPair {
  readonly privateKey: KeyObject;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
}

/** Bytes derived from the seed for a purpose. */
export function bytesFrom(seed: Uint8Array, purpose: string, count = 32): Buffer {
  return Buffer.from(hkdfSync('sha256', seed, 'simulated wallet vendor', purpose, count));
}

/** A P-256 key (RFC 5915). One of 2^32 seeds is not a valid scalar of the curve; then this throws. */
export function keyFrom(seed: Uint8Array, purpose: string): KeyPair {
  const scalar = bytesFrom(seed, purpose);
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(scalar);
  const named = explicit(0, objectIdentifier(oids.p256));
  const der = sequence(smallInteger(1), octetString(scalar), named, explicit(1, bitString(curve.getPublicKey())));
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'sec1' });
  return { privateKey, publicKey: publicKeyOf(privateKey) };
}
