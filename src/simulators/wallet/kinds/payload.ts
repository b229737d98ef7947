// Steps 11 to 15: tokens for other recipients, that do not decrypt, or that pay something else.

import { generateKeyPairSync } from 'node:crypto';
import { bitString, sequence } from '../../../asn1/index.ts';
import { publicKeyHash } from '../../../wallet/index.ts';
import { keyFrom } from '../keys.ts';
import type { Payload, Tampering } from '../mint.ts';
import { type BadKind, flipped, headerAfterwards, kind } from './kind.ts';

function payload(change: (payload: Payload) => Readonly<Record<string, unknown>>): Tampering {
  return { payload: (given) => ({ ...given, ...change(given) }) };
}

const amountOf = ({ transactionAmount }: Payload) => Number(transactionAmount);

/** The compressed point of a key. */
function compressed(publicKey: Buffer): Buffer {
  const x = publicKey.subarray(-64, -32);
  const isOdd = ((publicKey.at(-1) ?? 0) & 1) === 1;
  const algorithm = publicKey.subarray(2, -68);
  return sequence(algorithm, bitString(Buffer.concat([Buffer.from([isOdd ? 3 : 2]), x])));
}

const keyKinds: readonly BadKind[] = [
  kind("for another merchant's key", 'unknown_key', ({ seed }) => ({
    order: (order) => ({ ...order, publicKey: keyFrom(seed, 'another merchant').publicKey }),
  })),
  kind(
    'unknown public key hash',
    'unknown_key',
    headerAfterwards(() => ({
      publicKeyHash: publicKeyHash(Buffer.from('unknown')),
    })),
  ),
  kind(
    'public key hash empty',
    'unknown_key',
    headerAfterwards(() => ({ publicKeyHash: '' })),
  ),
  kind('ephemeral key on another curve', 'ephemeral_key', {
    ephemeralPublicKey: () =>
      generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).publicKey.export({ type: 'spki', format: 'der' }),
  }),
  kind('ephemeral key of RSA', 'ephemeral_key', {
    ephemeralPublicKey: () =>
      generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({ type: 'spki', format: 'der' }),
  }),
  kind('ephemeral point not on the curve', 'ephemeral_key', { ephemeralPublicKey: (key) => flipped(key, -1) }),
  kind('ephemeral point compressed', 'ephemeral_key', { ephemeralPublicKey: compressed }),
  kind('ephemeral key that is none', 'ephemeral_key', { ephemeralPublicKey: () => Buffer.from('no key') }),
];

const cipherKinds: readonly BadKind[] = [
  kind('encrypted for another merchant identifier', 'decryption', {
    order: (order) => ({ ...order, merchantIdentifierHash: Buffer.alloc(32, 1) }),
  }),
  kind('encrypted with another ephemeral key', 'decryption', ({ seed }) => ({
    ephemeralPublicKey: () => keyFrom(seed, 'another ephemeral key').publicKey,
  })),
  kind('encrypted text damaged', 'decryption', { encrypted: (data) => flipped(data, 0) }),
  kind('tag damaged', 'decryption', { encrypted: (data) => flipped(data, -1) }),
  kind('tag cut short', 'decryption', { encrypted: (data) => data.subarray(0, -4) }),
  kind('nonce of 12 bytes', 'decryption', { ivBytes: 12 }),
];

const paymentKinds: readonly BadKind[] = [
  kind('payload that is no JSON', 'payload_unreadable', { plain: () => Buffer.from('4111111111111111') }),
  kind('payload with an amount twice', 'payload_unreadable', {
    plain: (given) => Buffer.from(given.toString().replace('{', '{"transactionAmount":1,')),
  }),
  kind('payload that is a list', 'payload_unreadable', { payload: (given) => [given] }),
  kind(
    'one hundredth more',
    'amount',
    payload((given) => ({ transactionAmount: amountOf(given) + 1 })),
  ),
  kind(
    'one hundredth less',
    'amount',
    payload((given) => ({ transactionAmount: amountOf(given) - 1 })),
  ),
  kind(
    'a hundred times more',
    'amount',
    payload((given) => ({ transactionAmount: amountOf(given) * 100 })),
  ),
  kind(
    'amount as text',
    'amount',
    payload((given) => ({ transactionAmount: String(given.transactionAmount) })),
  ),
  kind(
    'no amount',
    'amount',
    payload(() => ({ transactionAmount: undefined })),
  ),
  kind(
    'other currency',
    'currency',
    payload(() => ({ currencyCode: '978' })),
  ),
  kind(
    'no currency',
    'currency',
    payload(() => ({ currencyCode: undefined })),
  ),
  kind(
    'card expired',
    'card_expired',
    payload(() => ({ applicationExpirationDate: '200131' })),
  ),
  kind(
    'expiry that is no date',
    'payload_unreadable',
    payload(() => ({ applicationExpirationDate: '991340' })),
  ),
  kind(
    'no number',
    'payload_unreadable',
    payload(() => ({ applicationPrimaryAccountNumber: undefined })),
  ),
  kind(
    'third network',
    'network',
    payload(() => ({ applicationPrimaryAccountNumber: '374245455400126' })),
  ),
  kind(
    'number below the second range of its network',
    'network',
    payload(() => ({
      applicationPrimaryAccountNumber: '2220990000000003',
    })),
  ),
  kind(
    'number of too many digits',
    'network',
    payload(() => ({
      applicationPrimaryAccountNumber: '41111111111111111111',
    })),
  ),
  kind(
    'no cryptogram',
    'cryptogram_missing',
    payload(() => ({ paymentData: { eciIndicator: '5' } })),
  ),
  kind(
    'cryptogram empty',
    'cryptogram_missing',
    payload(() => ({ paymentData: { onlinePaymentCryptogram: '' } })),
  ),
  kind(
    'no payment data',
    'cryptogram_missing',
    payload(() => ({ paymentData: null })),
  ),
  kind(
    'chip data',
    'cryptogram_missing',
    payload(() => ({ paymentDataType: 'EMV', paymentData: { emvData: 'AAAA' } })),
  ),
];

export const payloadKinds: readonly BadKind[] = [...keyKinds, ...cipherKinds, ...paymentKinds];
