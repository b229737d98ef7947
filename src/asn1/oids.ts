// The object identifiers of certificates and tokens, as hex digits of their encoding.

import { oidBody } from './writer.ts';

const hexOf = (dotted: string) => oidBody(dotted).toString('hex');

export const oids = {
  commonName: hexOf('2.5.4.3'),
  organization: hexOf('2.5.4.10'),
  userId: hexOf('0.9.2342.19200300.100.1.1'),
  basicConstraints: hexOf('2.5.29.19'),
  keyUsage: hexOf('2.5.29.15'),
  extendedKeyUsage: hexOf('2.5.29.37'),
  subjectKeyIdentifier: hexOf('2.5.29.14'),
  authorityKeyIdentifier: hexOf('2.5.29.35'),
  subjectAlternativeName: hexOf('2.5.29.17'),
  clientAuth: hexOf('1.3.6.1.5.5.7.3.2'),
  serverAuth: hexOf('1.3.6.1.5.5.7.3.1'),
  ecPublicKey: hexOf('1.2.840.10045.2.1'),
  p256: hexOf('1.2.840.10045.3.1.7'),
  p384: hexOf('1.3.132.0.34'),
  ecdsaWithSha1: hexOf('1.2.840.10045.4.1'),
  ecdsaWithSha256: hexOf('1.2.840.10045.4.3.2'),
  ecdsaWithSha384: hexOf('1.2.840.10045.4.3.3'),
  sha1: hexOf('1.3.14.3.2.26'),
  sha256: hexOf('2.16.840.1.101.3.4.2.1'),
  data: hexOf('1.2.840.113549.1.7.1'),
  signedData: hexOf('1.2.840.113549.1.7.2'),
  envelopedData: hexOf('1.2.840.113549.1.7.3'),
  contentType: hexOf('1.2.840.113549.1.9.3'),
  messageDigest: hexOf('1.2.840.113549.1.9.4'),
  signingTime: hexOf('1.2.840.113549.1.9.5'),
  /** Marks the vendor's certificates that sign payment tokens. */
  leafMarker: hexOf('1.2.840.113635.100.6.29'),
  /** Marks the authority that issues them. */
  intermediateMarker: hexOf('1.2.840.113635.100.6.2.14'),
  /** Contains the hash of the merchant identifier, in payment-processing certificates. */
  merchantMarker: hexOf('1.2.840.113635.100.6.32'),
} as const;
