// Creates the root certificate and the certificates that it issues. Lifetimes are by the wall clock.

import { type webcrypto, X509Certificate } from 'node:crypto';

/** Loaded only when a certificate is created, once in years: the library and its polyfill are slow to load. */
async function loadX509() {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2_048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

const rootName = 'CN=Grosz root, O=Grosz';
const notificationsName = 'CN=Grosz notifications, O=Grosz';
const rootYears = 10;
const leafYears = 2;
/** So that receivers whose clocks are slow do not reject a new certificate. */
const backdated = { hours: 1 };

export type MakeKeys = () => Promise<webcrypto.CryptoKeyPair>;

export const makeRsaKeys: MakeKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

export interface KeyWithCertificate {
  /** PKCS #8 as PEM. */
  readonly privateKeyPem: string;
  readonly certificatePem: string;
}

/** A self-signed root. */
export async function makeRoot(makeKeys: MakeKeys, serial: string, now: Temporal.Instant): Promise<KeyWithCertificate> {
  const x509 = await loadX509();
  const keys = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial,
    name: rootName,
    ...validity(now, rootYears),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { privateKeyPem: await exportPrivate(keys.privateKey), certificatePem: certificate.toString('pem') };
}

/** The certificate that signs notifications, issued by the root. */
export async function makeLeaf(
  makeKeys: MakeKeys,
  root: KeyWithCertificate,
  serial: string,
  now: Temporal.Instant,
): Promise<KeyWithCertificate> {
  const x509 = await loadX509();
  const keys = await makeKeys();
  const issuer = new x509.X509Certificate(root.certificatePem);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial,
    subject: notificationsName,
    issuer: issuer.subject,
    ...validity(now, leafYears),
    publicKey: keys.publicKey,
    signingKey: await importPrivate(root.privateKeyPem),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return { privateKeyPem: await exportPrivate(keys.privateKey), certificatePem: certificate.toString('pem') };
}

/** Whether the certificate expires before `at`. */
export function endsBefore(certificatePem: string, at: Temporal.Instant): boolean {
  return new X509Certificate(certificatePem).validToDate.getTime() < at.epochMilliseconds;
}

function validity(now: Temporal.Instant, years: number): { notBefore: Date; notAfter: Date } {
  const end = now.toZonedDateTimeISO('UTC').add({ years }).toInstant();
  return {
    notBefore: new Date(now.subtract(backdated).epochMilliseconds),
    notAfter: new Date(end.epochMilliseconds),
  };
}

async function exportPrivate(key: CryptoKey): Promise<string> {
  const bytes = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${bytes.replace(/.{64}/g, '$&\n').trimEnd()}\n-----END PRIVATE KEY-----\n`;
}

function importPrivate(pem: string): Promise<CryptoKey> {
  const bytes = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  return crypto.subtle.importKey('pkcs8', bytes, algorithm, true, ['sign']);
}
