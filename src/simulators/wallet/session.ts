// Merchant sessions: the vendor's response when a merchant's backend asks whether a domain may show the payment sheet.

import { hash } from 'node:crypto';
import { oids } from '../../asn1/index.ts';
import { readJson } from '../../http/index.ts';
import type { Random } from '../../runtime/index.ts';
import type { TrustedRoot } from '../../wallet/index.ts';
import { checkSignature, hashOfIdentifier, readSignedData, TokenFault, trustLeaf } from '../../wallet/index.ts';
import { signAttributes, signedDataDer, tokenAttributes } from './cms.ts';
import type { Vendor } from './vendor.ts';

/** What the backend sends. */
export interface SessionRequest {
  readonly merchantIdentifier: string;
  readonly displayName: string;
  readonly initiative: string;
  readonly initiativeContext: string;
}

export interface MerchantSession {
  readonly epochTimestamp: number;
  readonly expiresAt: number;
  readonly merchantSessionIdentifier: string;
  readonly nonce: string;
  /** SHA-256 of the identifier, as hex digits in capitals. */
  readonly merchantIdentifier: string;
  readonly domainName: string;
  readonly displayName: string;
  readonly initiative: string;
  readonly initiativeContext: string;
  /** CMS over the other fields, as hex digits. */
  readonly signature: string;
  readonly retries: number;
}

const minutesValid = 5;
const textsOf = ['merchantIdentifier', 'displayName', 'initiative', 'initiativeContext'] as const;

/** Parses the request; undefined if it is not one. */
export function readSessionRequest(body: string): SessionRequest | undefined {
  let value: unknown;
  try {
    value = readJson(body);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  const isText = (name: string) => typeof fields[name] === 'string' && fields[name] !== '';
  return textsOf.every(isText) && fields.initiative === 'web' ? (fields as unknown as SessionRequest) : undefined;
}

/** A session for the request, signed by the vendor's leaf. */
export function signSession(
  vendor: Vendor,
  request: SessionRequest,
  at: Temporal.Instant,
  random: Random,
): MerchantSession {
  const hexOf = (bytes: number) => Buffer.from(random.bytes(bytes)).toString('hex');
  const unsigned = {
    epochTimestamp: at.epochMilliseconds,
    expiresAt: at.add({ minutes: minutesValid }).epochMilliseconds,
    merchantSessionIdentifier: `SSH${hexOf(16).toUpperCase()}`,
    nonce: hexOf(4),
    merchantIdentifier: hashOfIdentifier(request.merchantIdentifier).toString('hex').toUpperCase(),
    domainName: request.initiativeContext,
    displayName: request.displayName,
    initiative: request.initiative,
    initiativeContext: request.initiativeContext,
    retries: 0,
  };
  const digest = hash('sha256', JSON.stringify(unsigned), 'buffer');
  const attributes = tokenAttributes(digest, at);
  const { leaf, intermediate } = vendor;
  const signature = signedDataDer({
    type: oids.signedData,
    contentType: oids.data,
    certificates: [leaf.certificate, intermediate.certificate],
    signers: [
      {
        issuer: leaf.issuer,
        serial: leaf.serial,
        digestAlgorithm: oids.sha256,
        signatureAlgorithm: oids.ecdsaWithSha256,
        attributes,
        signature: signAttributes(attributes, leaf.privateKey),
      },
    ],
  });
  return { ...unsigned, signature: signature.toString('hex') };
}

/** Whether the vendor signed this session and it is still valid: what a device checks before it shows the sheet. */
export function isOwnSession(session: MerchantSession, roots: readonly TrustedRoot[], at: Temporal.Instant): boolean {
  const { signature, ...unsigned } = session;
  if (typeof signature !== 'string' || !(session.expiresAt > at.epochMilliseconds)) return false;
  const nothing = Buffer.alloc(0);
  // The steps of a token, for a text that is not encrypted.
  const covered = {
    ephemeralPublicKey: nothing,
    publicKeyHash: '',
    transactionId: nothing,
    applicationData: nothing,
    data: Buffer.from(JSON.stringify(unsigned)),
    signature: Buffer.from(signature, 'hex'),
  };
  try {
    const signed = readSignedData(covered.signature);
    checkSignature(covered, signed, trustLeaf(signed.certificates, roots, at), at);
    return true;
  } catch (error) {
    if (error instanceof TokenFault) return false;
    throw error;
  }
}
