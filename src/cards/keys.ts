// The only module that decrypts card data. The result stays in memory, as secrets, on its way to the acquirer.

import { constants, createPrivateKey, generateKeyPair, type KeyObject, privateDecrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { howToEncrypt } from '../../contract/cards.ts';
import { refuse, Secret } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import {
  type CardForm,
  type CardFormFault,
  cardFaults,
  cardFromFields,
  isPlain,
  type PlainCard,
  readPlainCard,
} from './rules.ts';
import { insertKey, listKeys, lockKeys } from './store.ts';

const purpose = (id: string) => `card key ${id}`;

interface OpenKey {
  readonly id: string;
  readonly publicPem: string;
  readonly privateKey: KeyObject;
}

export interface CardKeys {
  readonly keyId: string;
  readonly publicPem: string;
  /** Decrypts card data sent by a browser or a merchant; anything unreadable is a fault of the field. */
  decrypt(encrypted: string, field: string): PlainCard;
  /** The card from the pay page's form, or what is wrong with each field. */
  readForm(form: CardForm, now: Temporal.Instant): PlainCard | readonly CardFormFault[];
}

type KeyTools = Pick<Tools, 'db' | 'vault' | 'ids' | 'wall'>;

/** Opens the keys, creating the first one if there is none; all nodes share them through the database. */
export async function openCardKeys(tools: KeyTools): Promise<CardKeys> {
  const rows = await tools.db.atomic(async (sql) => {
    const present = await listKeys(sql);
    if (present.length > 0) return present;
    await lockKeys(sql);
    const made = await listKeys(sql);
    if (made.length > 0) return made;
    const key = await makeKey(tools);
    await insertKey(sql, key);
    return [key];
  });
  const keys = rows.map((row): OpenKey => {
    const privatePem = tools.vault.open(row.privateSealed, purpose(row.id)).reveal();
    return { id: row.id, publicPem: row.publicPem, privateKey: createPrivateKey(privatePem) };
  });
  const [current] = keys;
  if (!current) throw new Error('There is no card key.');
  return {
    keyId: current.id,
    publicPem: current.publicPem,
    decrypt: (encrypted, field) => decryptWith(keys, encrypted) ?? refuseUnreadable(encrypted, field),
    readForm(form, now) {
      const card = form.encrypted === '' ? cardFromFields(form) : decryptWith(keys, form.encrypted);
      if (!card) return [{ field: 'number', why: 'invalid' }];
      const faults = cardFaults(card, now);
      return faults.length > 0 ? faults : card;
    },
  };
}

/** What was sent is never repeated: it may be a card. */
function refuseUnreadable(sent: string, field: string): never {
  const message = isPlain(sent) ? 'The card data is not encrypted.' : 'The card data could not be read.';
  return refuse('not_valid', field, message, howToEncrypt);
}

async function makeKey(tools: KeyTools) {
  const id = tools.ids.ulid();
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const privateSealed = tools.vault.seal(new Secret(privateKey), purpose(id));
  return { id, publicPem: publicKey, privateSealed, createdAt: tools.wall.now() };
}

/**
 * Browsers use OAEP; older clients use PKCS#1 v1.5. For invalid v1.5 padding the runtime returns random bytes instead
 * of an error, so that neither timing nor result reveals anything.
 */
const paddings = [
  { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
  { padding: constants.RSA_PKCS1_PADDING },
];

/** As in the contract. */
const encryptedLengthAtMost = 2_048;

function decryptWith(keys: readonly OpenKey[], encrypted: string): PlainCard | undefined {
  if (encrypted.length > encryptedLengthAtMost || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(encrypted)) return undefined;
  const bytes = Buffer.from(encrypted, 'base64');
  for (const key of keys.filter(({ privateKey }) => fits(privateKey, bytes))) {
    for (const padding of paddings) {
      const card = tryDecrypt(key.privateKey, padding, bytes);
      if (card) return card;
    }
  }
  return undefined;
}

/** Ciphertext is as long as the key. Anything else was not encrypted for it, and decrypting takes milliseconds. */
function fits(key: KeyObject, bytes: Buffer): boolean {
  return bytes.length * 8 === key.asymmetricKeyDetails?.modulusLength;
}

function tryDecrypt(key: KeyObject, padding: (typeof paddings)[number], bytes: Buffer): PlainCard | undefined {
  try {
    return readPlainCard(privateDecrypt({ key, ...padding }, bytes).toString('latin1'));
  } catch {
    return undefined;
  }
}
