// The simulated wallet vendor: its certificate authorities, and what it issues to merchants. Everything except ECDSA
// signatures, which are randomized, depends only on the seed.

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { oids, writePem } from '../../asn1/index.ts';
import { Secret } from '../../kernel/index.ts';
import { hashOfIdentifier, keyOfRequest } from '../../wallet/index.ts';
import {
  alternativeNames,
  authorityKeyIdentifier,
  basicConstraints,
  type ExtensionToIssue,
  extendedUse,
  issueCertificate,
  keyUsage,
  marker,
  merchantMarker,
  nameOf,
  subjectKeyIdentifier,
} from './issue.ts';
import { bytesFrom, type KeyPair, keyFrom } from './keys.ts';

/** A key with its certificate: an authority, or the signer of tokens. */
export interface CertifiedKey extends KeyPair {
  readonly subject: Buffer;
  readonly serial: Buffer;
  readonly issuer: Buffer;
  readonly certificate: Buffer;
}

export interface IssuedIdentity {
  /** PKCS#8 in PEM. */
  readonly privateKey: Secret;
  /** PEM, with the authority that issued it. */
  readonly certificate: string;
}

export interface Vendor {
  readonly seed: Uint8Array;
  readonly root: CertifiedKey;
  /** Issues the signers of tokens. */
  readonly intermediate: CertifiedKey;
  /** Signs tokens and merchant sessions. */
  readonly leaf: CertifiedKey;
  /** For `WALLET_ROOTS` and `WALLET_TLS_CA`. */
  readonly rootPem: string;
  /** The payment-processing certificate for a request of ours (PEM); undefined if the request is not valid. */
  issueProcessing(csr: string, merchantIdentifier: string, validFrom: Temporal.Instant): string | undefined;
  /** Key and certificate with which a merchant's backend requests sessions. */
  issueIdentity(merchantIdentifier: string, validFrom: Temporal.Instant): IssuedIdentity;
  /** Key and certificate of a server of the vendor. */
  issueServer(hosts: readonly string[], validFrom: Temporal.Instant): IssuedIdentity;
}

/** The vendor's own certificates are valid for as long as anyone may use the sandbox. */
export const vendorValidity = {
  notBefore: Temporal.Instant.from('2024-01-01T00:00:00Z'),
  notAfter: Temporal.Instant.from('2074-01-01T00:00:00Z'),
} as const;

const organization = [oids.organization, 'Simulated wallet vendor'] as const;

export function openVendor(seed: Uint8Array): Vendor {
  const root = makeCertifiedKey(seed, 'Simulated Wallet Root CA', undefined, authorityExtensions());
  const intermediate = makeCertifiedKey(seed, 'Simulated Wallet Integration CA', root, [
    ...authorityExtensions(),
    marker(oids.intermediateMarker),
  ]);
  const leaf = makeCertifiedKey(seed, 'simulated-wallet-token-signer', intermediate, [
    basicConstraints(false),
    keyUsage('signatures'),
    marker(oids.leafMarker),
  ]);
  const developer = makeCertifiedKey(seed, 'Simulated Wallet Developer CA', root, authorityExtensions());
  return {
    seed,
    root,
    intermediate,
    leaf,
    rootPem: writePem('CERTIFICATE', root.certificate),
    issueProcessing: (csr, merchantIdentifier, validFrom) => {
      const publicKey = keyOfRequest(csr);
      return publicKey && issueProcessing(developer, publicKey, merchantIdentifier, validFrom);
    },
    issueIdentity: (merchantIdentifier, validFrom) =>
      issueIdentity(developer, merchantIdentifier, validFrom, [
        extendedUse(oids.clientAuth),
        merchantMarker(hashOfIdentifier(merchantIdentifier)),
      ]),
    issueServer: (hosts, validFrom) =>
      issueIdentity(developer, hosts[0] ?? '', validFrom, [extendedUse(oids.serverAuth), alternativeNames(hosts)]),
  };
}

function authorityExtensions(): ExtensionToIssue[] {
  return [basicConstraints(true), keyUsage('certificates')];
}

/** A holder of the vendor; without an issuer it is self-signed. The options are for what must be refused. */
export function makeCertifiedKey(
  seed: Uint8Array,
  name: string,
  issuer: CertifiedKey | undefined,
  extensions: readonly ExtensionToIssue[],
  options: { readonly validity?: typeof vendorValidity; readonly signedBy?: KeyObject; readonly issuer?: Buffer } = {},
): CertifiedKey {
  const pair = keyFrom(seed, name);
  const subject = nameOf(name, organization);
  const serial = serialFrom(seed, name);
  const issuerName = options.issuer ?? issuer?.subject ?? subject;
  const certificate = issueCertificate(
    {
      serial,
      issuer: issuerName,
      subject,
      ...(options.validity ?? vendorValidity),
      publicKey: pair.publicKey,
      extensions: [
        ...extensions,
        subjectKeyIdentifier(pair.publicKey),
        authorityKeyIdentifier(issuer?.publicKey ?? pair.publicKey),
      ],
    },
    options.signedBy ?? issuer?.privateKey ?? pair.privateKey,
  );
  return { ...pair, subject, serial, issuer: issuerName, certificate };
}

/** Positive, and unlikely to repeat. */
function serialFrom(seed: Uint8Array, name: string): Buffer {
  const serial = bytesFrom(seed, `serial of ${name}`, 16);
  serial[0] = 0x40 | ((serial[0] ?? 0) & 0x3f);
  return serial;
}

/** Like the real vendor's processing certificates: 25 months. */
const merchantMonths = 25;

function monthsLater(instant: Temporal.Instant): Temporal.Instant {
  return instant.toZonedDateTimeISO('UTC').add({ months: merchantMonths }).toInstant();
}

function issueProcessing(
  authority: CertifiedKey,
  publicKey: Buffer,
  merchantIdentifier: string,
  validFrom: Temporal.Instant,
): string {
  const der = issueCertificate(
    {
      serial: serialFrom(publicKey, `${merchantIdentifier} ${validFrom}`),
      issuer: authority.subject,
      subject: nameOf(`Wallet payment processing: ${merchantIdentifier}`.slice(0, 64), [
        oids.userId,
        merchantIdentifier,
      ]),
      notBefore: validFrom,
      notAfter: monthsLater(validFrom),
      publicKey,
      extensions: [
        basicConstraints(false),
        merchantMarker(hashOfIdentifier(merchantIdentifier)),
        authorityKeyIdentifier(authority.publicKey),
      ],
    },
    authority.privateKey,
  );
  return writePem('CERTIFICATE', der);
}

function issueIdentity(
  authority: CertifiedKey,
  name: string,
  validFrom: Temporal.Instant,
  extensions: readonly ExtensionToIssue[],
): IssuedIdentity {
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' });
  const der = issueCertificate(
    {
      serial: serialFrom(publicKey, 'identity'),
      issuer: authority.subject,
      subject: nameOf(name.slice(0, 64), [oids.userId, name]),
      notBefore: validFrom,
      notAfter: monthsLater(validFrom),
      publicKey,
      extensions: [
        basicConstraints(false),
        keyUsage('signatures'),
        ...extensions,
        authorityKeyIdentifier(authority.publicKey),
      ],
    },
    authority.privateKey,
  );
  return {
    privateKey: new Secret(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    certificate: `${writePem('CERTIFICATE', der)}${writePem('CERTIFICATE', authority.certificate)}`,
  };
}
