// Steps 1 and 2: the JSON around the token, and the encodings inside it.

import { strictBase64 } from '../../asn1/index.ts';
import { fail, type TokenFaultReason } from './faults.ts';

export interface Envelope {
  /** SubjectPublicKeyInfo of the device's key for this token, not checked yet. */
  readonly ephemeralPublicKey: Buffer;
  readonly publicKeyHash: string;
  readonly transactionId: Buffer;
  /** Empty if there is none. */
  readonly applicationData: Buffer;
  /** Encrypted, with its tag at the end. */
  readonly data: Buffer;
  readonly signature: Buffer;
}

export const tokenCharactersAtMost = 32 * 1_024;

/** Empty plaintext plus the AES-GCM tag would be 16 bytes. */
const dataBytesAtLeast = 17;

const outerKeys = ['data', 'header', 'signature', 'version'];
const headerKeys = ['ephemeralPublicKey', 'publicKeyHash', 'transactionId'];
const headerKeysWithData = ['applicationData', ...headerKeys];

type Texts = Readonly<Record<string, string>>;

export function readEnvelope(encoded: string): Envelope {
  if (encoded.length > tokenCharactersAtMost) fail('too_large');
  const json = utf8(strictBase64(encoded) ?? fail('not_base64'));
  const outer = objectOf(parse(json), [outerKeys]);
  const header = textsOf(objectOf(outer.header, [headerKeys, headerKeysWithData]));
  const texts = textsOf({ version: outer.version, data: outer.data, signature: outer.signature });
  // Every key and every string has two quotation marks, and no accepted string contains one: more of them mean a
  // duplicate key, of which the parser keeps only one.
  const strings = outerKeys.length + Object.keys(texts).length + 2 * Object.keys(header).length;
  if (json.split('"').length - 1 !== 2 * strings) fail('unexpected_keys');
  if (texts.version !== 'EC_v1') fail('version');
  return {
    ephemeralPublicKey: base64Of(header, 'ephemeralPublicKey', 'ephemeral_key_not_base64'),
    publicKeyHash: header.publicKeyHash ?? '',
    data: dataOf(texts),
    signature: base64Of(texts, 'signature', 'signature_not_base64'),
    transactionId: hexOf(header.transactionId, 'transaction_id_not_hex'),
    applicationData:
      header.applicationData === undefined
        ? Buffer.alloc(0)
        : hexOf(header.applicationData, 'application_data_not_hex'),
  };
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return fail('not_json');
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return fail('not_json');
  }
}

/** An object with exactly the keys of one of the lists. */
function objectOf(value: unknown, lists: readonly (readonly string[])[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail('unexpected_keys');
  const keys = Object.keys(value).sort().join();
  if (!lists.some((list) => list.join() === keys)) fail('unexpected_keys');
  return value as Record<string, unknown>;
}

function textsOf(object: Readonly<Record<string, unknown>>): Texts {
  if (!Object.values(object).every((value) => typeof value === 'string')) fail('not_text');
  return object as Texts;
}

function base64Of(texts: Texts, key: string, reason: TokenFaultReason): Buffer {
  return strictBase64(texts[key] ?? '') ?? fail(reason);
}

function dataOf(texts: Texts): Buffer {
  const data = base64Of(texts, 'data', 'data_not_base64');
  return data.length < dataBytesAtLeast ? fail('data_too_short') : data;
}

/** 32 bytes, as hex digits in either case. */
function hexOf(text: string | undefined, reason: TokenFaultReason): Buffer {
  return /^[0-9a-f]{64}$/i.test(text ?? '') ? Buffer.from(text ?? '', 'hex') : fail(reason);
}
