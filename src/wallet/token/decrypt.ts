// Steps 11 to 14: our key, the shared secret, the derived key, and the plaintext.

import { createDecipheriv, diffieHellman, hash, type KeyObject } from 'node:crypto';
import { publicKeyOn } from '../x509/keys.ts';
import type { Envelope } from './envelope.ts';
import { fail } from './faults.ts';

/** A payment-processing certificate whose tokens are currently accepted. */
export interface LiveCertificate {
  readonly certificateId: string;
  /** SHA-256 of its SubjectPublicKeyInfo, in base64, which identifies the key in tokens. */
  readonly publicKeyHash: string;
  readonly privateKey: KeyObject;
  /** 32 bytes. */
  readonly merchantIdentifierHash: Uint8Array;
}

const tagBytes = 16;
const initializationVector = Buffer.alloc(16);

export interface Decrypted {
  readonly certificateId: string;
  /** Contains the number and the cryptogram: to be wiped after reading. */
  readonly plain: Buffer;
}

export function decrypt(envelope: Envelope, certificates: readonly LiveCertificate[]): Decrypted {
  const ours = certificates.find(({ publicKeyHash }) => publicKeyHash === envelope.publicKeyHash);
  if (!ours) return fail('unknown_key');
  const publicKey = publicKeyOn(envelope.ephemeralPublicKey, 'P-256') ?? fail('ephemeral_key');
  const shared = diffieHellman({ privateKey: ours.privateKey, publicKey });
  const key = tokenKey(shared, ours.merchantIdentifierHash);
  shared.fill(0);
  const plain = openData(key, envelope.data);
  key.fill(0);
  return plain ? { certificateId: ours.certificateId, plain } : fail('decryption');
}

/** The concatenation KDF of NIST SP 800-56A with SHA-256, in one round, with the vendor's algorithm and party names. */
export function tokenKey(shared: Uint8Array, merchantIdentifierHash: Uint8Array): Buffer {
  if (merchantIdentifierHash.length !== 32) throw new Error('The hash of a merchant identifier has 32 bytes.');
  const round = Buffer.from([0, 0, 0, 1]);
  const info = Buffer.from('\x0did-aes256-GCMApple', 'latin1');
  return hash('sha256', Buffer.concat([round, shared, info, merchantIdentifierHash]), 'buffer');
}

function openData(key: Buffer, data: Buffer): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, initializationVector, { authTagLength: tagBytes });
  decipher.setAuthTag(data.subarray(-tagBytes));
  const plain = decipher.update(data.subarray(0, -tagBytes));
  try {
    decipher.final();
    return plain;
  } catch {
    plain.fill(0);
    return undefined;
  }
}
