// Checks an uploaded payment-processing certificate against its request.

import { hash } from 'node:crypto';
import { oids, orUndefined, readDer, readPem, stringBytes, tags, writePem } from '../../asn1/index.ts';
import { type Certificate, publicKeyHash, readCertificate } from '../x509/certificate.ts';

export type CertificateFault =
  | 'unreadable'
  | 'private_key'
  | 'several'
  | 'other_key'
  | 'no_marker'
  | 'other_identifier'
  | 'not_yet_valid'
  | 'expired';

export interface ProcessingCertificate {
  readonly pem: string;
  readonly publicKeyHash: string;
  readonly merchantIdentifierHash: Buffer;
  readonly validFromAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
}

export interface CertificateFaults {
  /** All mismatches. */
  readonly faults: readonly CertificateFault[];
}

/** What the certificate was requested for. */
export interface Requested {
  readonly merchantIdentifier: string;
  /** SubjectPublicKeyInfo of the request. */
  readonly publicKey: Uint8Array;
}

const charactersAtMost = 32 * 1_024;

/** Checks key, marker and dates; `uploaded` is PEM, or base64 of DER. */
export function checkProcessingCertificate(
  uploaded: string,
  requested: Requested,
  at: Temporal.Instant,
): ProcessingCertificate | CertificateFaults {
  const der = derOfUpload(uploaded);
  if (!Buffer.isBuffer(der)) return faultsOf(der);
  const certificate = readCertificate(der);
  if (!certificate) return faultsOf('unreadable');
  const faults = [
    ...(certificate.publicKey.equals(requested.publicKey) ? [] : ['other_key' as const]),
    ...markerFaults(certificate, requested.merchantIdentifier),
    ...dateFaults(certificate, at),
  ];
  if (faults.length > 0) return faultsOf(...faults);
  return {
    pem: writePem('CERTIFICATE', certificate.der),
    publicKeyHash: publicKeyHash(certificate.publicKey),
    merchantIdentifierHash: hashOfIdentifier(requested.merchantIdentifier),
    validFromAt: Temporal.Instant.fromEpochMilliseconds(certificate.notBeforeMilliseconds),
    expiresAt: Temporal.Instant.fromEpochMilliseconds(certificate.notAfterMilliseconds),
  };
}

function derOfUpload(uploaded: string): Buffer | CertificateFault {
  if (uploaded.length > charactersAtMost) return 'unreadable';
  if (!uploaded.includes('-----BEGIN')) {
    const text = uploaded.replaceAll(/\s/g, '');
    return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : 'unreadable';
  }
  const blocks = readPem(uploaded);
  if (blocks.some(({ label }) => label.includes('PRIVATE KEY'))) return 'private_key';
  const [certificate, ...others] = blocks.filter(({ label }) => label === 'CERTIFICATE');
  if (!certificate) return 'unreadable';
  return others.length > 0 ? 'several' : certificate.der;
}

/** SHA-256 of the merchant identifier, as the vendor uses it in certificates and in the key of tokens. */
export function hashOfIdentifier(merchantIdentifier: string): Buffer {
  return hash('sha256', merchantIdentifier, 'buffer');
}

function markerFaults(certificate: Certificate, merchantIdentifier: string): CertificateFault[] {
  const marker = certificate.extensions.get(oids.merchantMarker);
  if (!marker) return ['no_marker'];
  const found = markedHash(marker.value);
  return found?.equals(hashOfIdentifier(merchantIdentifier)) ? [] : ['other_identifier'];
}

/**
 * The hash in the marker. The vendor writes its hex digits as a UTF8String; 32 bytes in an OCTET STRING, and both
 * without a tag, are accepted too. That is harmless: it must equal the hash that we compute.
 */
function markedHash(value: Buffer): Buffer | undefined {
  const element = orUndefined(() => readDer(value));
  const isString = element && (element.tag === tags.utf8String || element.tag === tags.octetString);
  const bytes = isString ? stringBytes(element) : value;
  if (bytes.length === 32) return bytes;
  const text = bytes.toString('latin1');
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
}

function dateFaults(certificate: Certificate, at: Temporal.Instant): CertificateFault[] {
  const { epochMilliseconds } = at;
  if (certificate.notBeforeMilliseconds > epochMilliseconds) return ['not_yet_valid'];
  return certificate.notAfterMilliseconds < epochMilliseconds ? ['expired'] : [];
}

/** What is said about each. */
export const certificateRules = {
  unreadable: 'certificate_unreadable',
  private_key: 'certificate_with_private_key',
  several: 'certificates_several',
  other_key: 'certificate_of_other_key',
  no_marker: 'certificate_without_identifier',
  other_identifier: 'certificate_of_other_identifier',
  not_yet_valid: 'certificate_not_yet_valid',
  expired: 'certificate_expired',
} as const satisfies Readonly<Record<CertificateFault, string>>;

function faultsOf(...faults: readonly CertificateFault[]): CertificateFaults {
  return { faults };
}
