// Public keys on the two curves that the vendor uses. Only uncompressed points on named curves are accepted: explicit
// curve parameters would let the sender choose how long a check takes and how safe it is.

import { createPublicKey, type KeyObject } from 'node:crypto';
import { objectIdentifier, oids, sequence } from '../../asn1/index.ts';

export type Curve = 'P-256' | 'P-384';

const coordinateBytes: Readonly<Record<Curve, number>> = { 'P-256': 32, 'P-384': 48 };

/** Everything in a SubjectPublicKeyInfo before the two coordinates. */
const prefixes = {
  'P-256': prefixOf(oids.p256, 32),
  'P-384': prefixOf(oids.p384, 48),
} as const;

function prefixOf(curve: string, bytes: number): Buffer {
  const algorithm = sequence(objectIdentifier(oids.ecPublicKey), objectIdentifier(curve));
  const point = Buffer.from([0x03, 2 * bytes + 2, 0x00, 0x04]);
  const length = algorithm.length + point.length + 2 * bytes;
  return Buffer.concat([Buffer.from([0x30, length]), algorithm, point]);
}

/** The curve of a SubjectPublicKeyInfo; undefined unless it is an uncompressed point on one of ours. */
export function curveOf(publicKey: Buffer): Curve | undefined {
  return (['P-256', 'P-384'] as const).find((curve) => {
    const prefix = prefixes[curve];
    return (
      publicKey.length === prefix.length + 2 * coordinateBytes[curve] &&
      publicKey.subarray(0, prefix.length).equals(prefix)
    );
  });
}

/** The key, if it is on one of these curves and its point is on the curve. */
export function publicKeyOn(publicKey: Buffer, ...curves: readonly Curve[]): KeyObject | undefined {
  const curve = curveOf(publicKey);
  if (!curve || !curves.includes(curve)) return undefined;
  try {
    return createPublicKey({ key: publicKey, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

const rememberedAtMost = 32;
const remembered = new Map<string, KeyObject>();

/**
 * Like `publicKeyOn`, but cached, for keys from verified certificates. The vendor signs all tokens with a few of them,
 * and verifying with a cached key took a third less. Untrusted keys must not be passed: they could fill the cache.
 */
export function knownKeyOn(publicKey: Buffer, ...curves: readonly Curve[]): KeyObject | undefined {
  const name = `${curves.join()} ${publicKey.toString('base64')}`;
  const known = remembered.get(name);
  if (known) return known;
  const key = publicKeyOn(publicKey, ...curves);
  if (remembered.size >= rememberedAtMost) remembered.clear();
  if (key) remembered.set(name, key);
  return key;
}
