// Encrypts secrets that must be readable again (security codes, webhook secrets): AES-256-GCM with a configured key,
// whose id is stored with the ciphertext so that keys can be rotated. Values that are only compared are stored as a
// keyed hash, under a separate key derived from the same one.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Secret } from '../kernel/index.ts';
import type { Random } from './random.ts';
import { StartFault } from './start-fault.ts';

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

export interface Vault {
  /** Encrypts the text for one purpose; it decrypts only for the same purpose, so rows cannot be swapped. */
  seal(secret: Secret, purpose: string): string;
  open(sealed: string, purpose: string): Secret;
  /**
   * For comparing texts without revealing them: unlike with a plain hash, codes and card numbers cannot be guessed from
   * the tables. The same text has the same mac as long as the first key stays.
   */
  mac(text: string, purpose: string): string;
  /** The macs of a text under each key, the first one's first. */
  macs(text: string, purpose: string): string[];
  /** Whether the mac is of this text, under any of the keys. */
  isMacOf(mac: string, text: string, purpose: string): boolean;
}

export interface VaultKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** The first key encrypts; all of them decrypt. */
export function openVault(keys: readonly VaultKey[], random: Random): Vault {
  const current = keys[0];
  if (!current) throw new Error('The vault needs at least one key.');
  const byId = new Map(keys.map((key) => [key.id, key.key]));
  const macKeys = new Map(keys.map(({ id, key }) => [id, Buffer.from(hkdfSync('sha256', key, '', 'grosz mac', 32))]));

  function macUnder(id: string, text: string, purpose: string): string {
    const key = macKeys.get(id) ?? missing(id);
    return `${id}.${createHmac('sha256', key).update(`${purpose}\0${text}`).digest('base64url')}`;
  }

  return {
    seal(secret, purpose) {
      const iv = random.bytes(ivBytes);
      const sealing = createCipheriv(cipher, current.key, iv).setAAD(Buffer.from(purpose));
      const text = Buffer.concat([iv, sealing.update(secret.reveal(), 'utf8'), sealing.final(), sealing.getAuthTag()]);
      return `${current.id}.${text.toString('base64url')}`;
    },
    open(sealed, purpose) {
      const dot = sealed.indexOf('.');
      const key = byId.get(sealed.slice(0, dot)) ?? missing(sealed.slice(0, dot));
      const bytes = Buffer.from(sealed.slice(dot + 1), 'base64url');
      const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes)).setAAD(Buffer.from(purpose));
      opening.setAuthTag(bytes.subarray(-tagBytes));
      const text = Buffer.concat([opening.update(bytes.subarray(ivBytes, -tagBytes)), opening.final()]);
      return new Secret(text.toString('utf8'));
    },
    mac: (text, purpose) => macUnder(current.id, text, purpose),
    macs: (text, purpose) => keys.map(({ id }) => macUnder(id, text, purpose)),
    isMacOf(mac, text, purpose) {
      const [given, made] = [Buffer.from(mac), Buffer.from(macUnder(mac.slice(0, mac.indexOf('.')), text, purpose))];
      return given.length === made.length && timingSafeEqual(given, made);
    },
  };
}

const openedAtMost = 10_000;

/**
 * Opens secrets that are needed for every notification of an account: decrypting one costs twice as much as signing
 * with it. Cached by purpose and ciphertext, so that a new secret takes effect immediately and rows cannot be swapped.
 * Bounded; cleared when full.
 */
export function cachedOpening<T>(vault: Vault, read: (secret: Secret) => T): (sealed: string, purpose: string) => T {
  const opened = new Map<string, T>();
  return (sealed, purpose) => {
    const key = `${purpose}\0${sealed}`;
    let value = opened.get(key);
    if (value === undefined) {
      value = read(vault.open(sealed, purpose));
      if (opened.size >= openedAtMost) opened.clear();
      opened.set(key, value);
    }
    return value;
  };
}

function missing(id: string): never {
  throw new StartFault(
    `No vault key with the id ${id}, with which this database was written: set VAULT_KEYS to all keys of the service, or use its DATA_DIR/vault.key.`,
  );
}
