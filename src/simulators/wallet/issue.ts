// Issues certificates (RFC 5280).

import { hash, type KeyObject, sign } from 'node:crypto';
import { isIP } from 'node:net';
import {
  bitString,
  explicit,
  integer,
  objectIdentifier,
  octetString,
  oids,
  sequence,
  setOf,
  smallInteger,
  tags,
  timeOf,
  tlv,
  utf8String,
} from '../../asn1/index.ts';

export interface ExtensionToIssue {
  readonly name: string;
  readonly critical?: boolean;
  readonly value: Buffer;
}

export interface CertificateToIssue {
  readonly serial: Uint8Array;
  /** Names, as DER. */
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly notBefore: Temporal.Instant;
  readonly notAfter: Temporal.Instant;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly extensions: readonly ExtensionToIssue[];
}

const ecdsaWithSha256 = sequence(objectIdentifier(oids.ecdsaWithSha256));

/** The certificate as DER, signed by the issuer's key. */
export function issueCertificate(certificate: CertificateToIssue, issuerKey: KeyObject): Buffer {
  const signed = sequence(
    explicit(0, smallInteger(2)),
    integer(certificate.serial),
    ecdsaWithSha256,
    certificate.issuer,
    sequence(timeOf(certificate.notBefore), timeOf(certificate.notAfter)),
    certificate.subject,
    certificate.publicKey,
    explicit(3, sequence(...certificate.extensions.map(extensionDer))),
  );
  const signature = sign('sha256', signed, { key: issuerKey, dsaEncoding: 'der' });
  return sequence(signed, ecdsaWithSha256, bitString(signature));
}

function extensionDer({ name, critical = false, value }: ExtensionToIssue): Buffer {
  const flag = critical ? [tlv(tags.boolean, Buffer.from([0xff]))] : [];
  return sequence(objectIdentifier(name), ...flag, octetString(value));
}

export function nameOf(commonName: string, ...more: readonly (readonly [type: string, text: string])[]): Buffer {
  const parts = [[oids.commonName, commonName] as const, ...more];
  return sequence(...parts.map(([type, text]) => setOf(sequence(objectIdentifier(type), utf8String(text)))));
}

/** Whether the certificate may issue others. */
export function basicConstraints(isAuthority: boolean): ExtensionToIssue {
  const value = sequence(...(isAuthority ? [tlv(tags.boolean, Buffer.from([0xff]))] : []));
  return { name: oids.basicConstraints, critical: true, value };
}

/** Key usage with one bit: signing certificates, or signing anything else. */
export function keyUsage(use: 'certificates' | 'signatures'): ExtensionToIssue {
  const value = tlv(tags.bitString, Buffer.from(use === 'certificates' ? [2, 0x04] : [7, 0x80]));
  return { name: oids.keyUsage, critical: true, value };
}

/** A marker without content, like the vendor's. */
export function marker(name: string): ExtensionToIssue {
  return { name, value: tlv(tags.null) };
}

export function merchantMarker(identifierHash: Buffer): ExtensionToIssue {
  return { name: oids.merchantMarker, value: utf8String(identifierHash.toString('hex').toUpperCase()) };
}

export function extendedUse(use: string): ExtensionToIssue {
  return { name: oids.extendedKeyUsage, value: sequence(objectIdentifier(use)) };
}

export function subjectKeyIdentifier(publicKey: Buffer): ExtensionToIssue {
  return { name: oids.subjectKeyIdentifier, value: octetString(keyIdentifierOf(publicKey)) };
}

export function authorityKeyIdentifier(publicKey: Buffer): ExtensionToIssue {
  return { name: oids.authorityKeyIdentifier, value: sequence(tlv(0x80, keyIdentifierOf(publicKey))) };
}

/** Twenty bytes that identify a key; RFC 7093 allows the beginning of a SHA-256. */
export function keyIdentifierOf(publicKey: Buffer): Buffer {
  return hash('sha256', publicKey, 'buffer').subarray(0, 20);
}

/** The host names and IPv4 addresses of a server's certificate. */
export function alternativeNames(hosts: readonly string[]): ExtensionToIssue {
  const names = hosts.map((host) =>
    isIP(host) === 4 ? tlv(0x87, Buffer.from(host.split('.').map(Number))) : tlv(0x82, Buffer.from(host)),
  );
  return { name: oids.subjectAlternativeName, value: sequence(...names) };
}
