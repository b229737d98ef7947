// Secrets that we must be able to read again (security codes, webhook secrets) are stored sealed: AES-256-GCM under a
// key from configuration, with the key's id beside the text so that keys can be changed one after another.

import { createCipheriv, createDecipheriv } from 'node:crypto';
import { Secret } from '../kernel/index.ts';
import type { Random } from './random.ts';

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

export interface Vault {
  /** Seals the text for one purpose; it opens only for the same purpose, so rows cannot be swapped. */
  seal(secret: Secret, purpose: string): string;
  open(sealed: string, purpose: string): Secret;
}

export interface VaultKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** The first key seals; all of them open. */
export function openVault(keys: readonly VaultKey[], random: Random): Vault {
  const current = keys[0];
  if (!current) throw new Error('The vault needs at least one key.');
  const byId = new Map(keys.map((key) => [key.id, key.key]));
  return {
    seal(secret, purpose) {
      const iv = random.bytes(ivBytes);
      const sealing = createCipheriv(cipher, current.key, iv).setAAD(Buffer.from(purpose));
      const text = Buffer.concat([iv, sealing.update(secret.reveal(), 'utf8'), sealing.final(), sealing.getAuthTag()]);
      return `${current.id}.${text.toString('base64url')}`;
    },
    open(sealed, purpose) {
      const dot = sealed.indexOf('.');
      const key = byId.get(sealed.slice(0, dot));
      if (!key) throw new Error(`No vault key with the id ${sealed.slice(0, dot)}.`);
      const bytes = Buffer.from(sealed.slice(dot + 1), 'base64url');
      const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes)).setAAD(Buffer.from(purpose));
      opening.setAuthTag(bytes.subarray(-tagBytes));
      const text = Buffer.concat([opening.update(bytes.subarray(ivBytes, -tagBytes)), opening.final()]);
      return new Secret(text.toString('utf8'));
    },
  };
}
