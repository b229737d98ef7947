// Mints payment tokens as a device does: encrypts for the merchant's key, signs, wraps. Each stage can be tampered
// with, so that invalid tokens are made by the same code as valid ones.

import { createCipheriv, createPublicKey, diffieHellman, hash } from 'node:crypto';
import { oids } from '../../asn1/index.ts';
import type { Money } from '../../kernel/index.ts';
import type { Random } from '../../runtime/index.ts';
import { currencyNumbers, publicKeyHash, tokenKey } from '../../wallet/index.ts';
import { type SignedDataParts, signAttributes, signedDataBer, signedDataDer, tokenAttributes } from './cms.ts';
import { keyFrom } from './keys.ts';
import type { CertifiedKey, Vendor } from './vendor.ts';

export interface DeviceCard {
  readonly number: string;
  /** `YYMMDD`. */
  readonly expires: string;
}

/** What the payer confirmed, and the recipient. */
export interface TokenOrder {
  readonly amount: Money;
  readonly card: DeviceCard;
  readonly signedAt: Temporal.Instant;
  /** Of the merchant's payment-processing certificate. */
  readonly publicKey: Buffer;
  readonly merchantIdentifierHash: Buffer;
  /** 32 bytes hashed by the app; most tokens have none. */
  readonly applicationData?: Buffer;
  /** Default DER. */
  readonly encoding?: 'der' | 'ber';
  readonly random: Random;
}

export interface Payload {
  readonly [key: string]: unknown;
}

export interface Header {
  readonly [key: string]: unknown;
  readonly ephemeralPublicKey: string;
  readonly publicKeyHash: string;
  readonly transactionId: string;
}

export interface TokenObject {
  readonly [key: string]: unknown;
  readonly version: string;
  readonly data: string;
  readonly signature: string;
  readonly header: Header;
}

/** Where a token can be tampered with, in the order in which it is made. */
export interface Tampering {
  readonly order?: (order: TokenOrder) => TokenOrder;
  readonly payload?: (payload: Payload) => unknown;
  readonly plain?: (plain: Buffer) => Buffer;
  readonly ivBytes?: number;
  readonly encrypted?: (data: Buffer) => Buffer;
  readonly ephemeralPublicKey?: (publicKey: Buffer) => Buffer;
  readonly attributes?: (attributes: readonly Buffer[]) => readonly Buffer[];
  readonly signer?: CertifiedKey;
  readonly signed?: (parts: SignedDataParts) => SignedDataParts;
  readonly cms?: (cms: Buffer) => Buffer;
  readonly object?: (token: TokenObject) => unknown;
  readonly json?: (json: string) => string | Buffer;
  readonly text?: (base64: string) => string;
}

function changed<Value, Result>(value: Value, change: ((value: Value) => Result) | undefined): Value | Result {
  return change ? change(value) : value;
}

/** The token as `walletPayPaymentData`: base64 of its JSON. */
export function mintToken(vendor: Vendor, given: TokenOrder, tampering: Tampering = {}): string {
  const order = changed(given, tampering.order);
  const ephemeral = keyFrom(order.random.bytes(32), 'ephemeral key');
  const ephemeralPublicKey = changed(ephemeral.publicKey, tampering.ephemeralPublicKey);
  const shared = diffieHellman({
    privateKey: ephemeral.privateKey,
    publicKey: createPublicKey({ key: order.publicKey, format: 'der', type: 'spki' }),
  });
  const key = tokenKey(shared, order.merchantIdentifierHash);
  const data = changed(encrypt(key, plainOf(order, tampering), tampering.ivBytes ?? 16), tampering.encrypted);
  const transactionId = Buffer.from(order.random.bytes(32));
  const covered = [ephemeralPublicKey, data, transactionId, order.applicationData ?? Buffer.alloc(0)];
  const digest = hash('sha256', Buffer.concat(covered), 'buffer');
  const token: TokenObject = {
    version: 'EC_v1',
    data: data.toString('base64'),
    signature: signatureOf(vendor, order, digest, tampering).toString('base64'),
    header: {
      ephemeralPublicKey: ephemeralPublicKey.toString('base64'),
      publicKeyHash: publicKeyHash(order.publicKey),
      transactionId: transactionId.toString('hex'),
      ...(order.applicationData ? { applicationData: order.applicationData.toString('hex') } : {}),
    },
  };
  const json = changed(JSON.stringify(changed(token, tampering.object)), tampering.json);
  return changed(Buffer.from(json).toString('base64'), tampering.text);
}

function plainOf({ amount, card, random }: TokenOrder, tampering: Tampering): Buffer {
  const payload: Payload = {
    applicationPrimaryAccountNumber: card.number,
    applicationExpirationDate: card.expires,
    currencyCode: currencyNumbers[amount.currency],
    transactionAmount: Number(amount.minor),
    deviceManufacturerIdentifier: '040010030273',
    paymentDataType: '3DSecure',
    paymentData: { onlinePaymentCryptogram: Buffer.from(random.bytes(20)).toString('base64'), eciIndicator: '5' },
  };
  return changed(Buffer.from(JSON.stringify(changed(payload, tampering.payload))), tampering.plain);
}

function encrypt(key: Buffer, plain: Buffer, ivBytes: number): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(ivBytes));
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function signatureOf(vendor: Vendor, order: TokenOrder, digest: Buffer, tampering: Tampering): Buffer {
  const signer = tampering.signer ?? vendor.leaf;
  const attributes = changed(tokenAttributes(digest, order.signedAt), tampering.attributes);
  const parts: SignedDataParts = {
    type: oids.signedData,
    contentType: oids.data,
    certificates: [signer.certificate, vendor.intermediate.certificate],
    signers: [
      {
        issuer: signer.issuer,
        serial: signer.serial,
        digestAlgorithm: oids.sha256,
        signatureAlgorithm: oids.ecdsaWithSha256,
        attributes,
        signature: signAttributes(attributes, signer.privateKey),
      },
    ],
  };
  const encode = order.encoding === 'ber' ? signedDataBer : signedDataDer;
  return changed(encode(changed(parts, tampering.signed)), tampering.cms);
}
