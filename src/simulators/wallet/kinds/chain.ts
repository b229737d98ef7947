// Steps 3 to 6: containers that are not a signature, and certificates that must not be trusted.

import { generateKeyPairSync } from 'node:crypto';
import { oids, sequence, tags, tlv } from '../../../asn1/index.ts';
import type { SignedDataParts } from '../cms.ts';
import { basicConstraints, type ExtensionToIssue, issueCertificate, keyUsage, marker } from '../issue.ts';
import type { Tampering } from '../mint.ts';
import { type CertifiedKey, makeCertifiedKey, openVendor, type Vendor, vendorValidity } from '../vendor.ts';
import { type BadKind, flipped, kind } from './kind.ts';

const authority = [basicConstraints(true), keyUsage('certificates')];
const intermediateMarks = [...authority, marker(oids.intermediateMarker)];
const leafMarks = [basicConstraints(false), keyUsage('signatures'), marker(oids.leafMarker)];
const unknownCritical: ExtensionToIssue = { name: '2a0304', critical: true, value: tlv(tags.null) };
const past = { ...vendorValidity, notAfter: Temporal.Instant.from('2024-02-01T00:00:00Z') };
const future = { ...vendorValidity, notBefore: Temporal.Instant.from('2073-01-01T00:00:00Z') };

type Options = Parameters<typeof makeCertifiedKey>[4];

function signed(change: (parts: SignedDataParts) => Partial<SignedDataParts>): Tampering {
  return { signed: (parts) => ({ ...parts, ...change(parts) }) };
}

function withCertificates(...certificates: readonly Buffer[]): Tampering {
  return signed(() => ({ certificates }));
}

/** Another leaf under the vendor's intermediate certificate. */
function leafOf(vendor: Vendor, extensions: readonly ExtensionToIssue[], options: Options = {}): CertifiedKey {
  return makeCertifiedKey(vendor.seed, 'another leaf', vendor.intermediate, extensions, options);
}

/** A token of a leaf with these extensions, otherwise valid. */
function badLeaf(extensions: readonly ExtensionToIssue[], options: Options = {}): (vendor: Vendor) => Tampering {
  return (vendor) => ({ signer: leafOf(vendor, extensions, options) });
}

/** A token of a good leaf under an intermediate certificate with these extensions. */
function badIntermediate(
  extensions: readonly ExtensionToIssue[],
  options: (vendor: Vendor) => Options = () => ({}),
): (vendor: Vendor) => Tampering {
  return (vendor) => {
    const other = makeCertifiedKey(vendor.seed, 'another intermediate', vendor.root, extensions, options(vendor));
    return under(other, makeCertifiedKey(vendor.seed, 'another leaf', other, leafMarks));
  };
}

function under(intermediate: CertifiedKey, leaf: CertifiedKey, ...more: readonly Buffer[]): Tampering {
  return { signer: leaf, ...withCertificates(leaf.certificate, intermediate.certificate, ...more) };
}

/** A vendor that is not pinned. */
function stranger(vendor: Vendor): Vendor {
  return openVendor(Buffer.concat([vendor.seed, Buffer.from('stranger')]));
}

/** The same holder with a key on another curve. */
function onCurve(
  certified: CertifiedKey,
  issuer: CertifiedKey,
  namedCurve: string,
  extensions: readonly ExtensionToIssue[],
): CertifiedKey {
  const pair = generateKeyPairSync('ec', { namedCurve });
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' });
  const { serial, subject } = certified;
  const fields = { serial, subject, issuer: issuer.subject, ...vendorValidity, publicKey, extensions };
  const certificate = issueCertificate(fields, issuer.privateKey);
  return { ...certified, privateKey: pair.privateKey, publicKey, certificate };
}

const containerKinds: readonly BadKind[] = [
  kind('signature of random bytes', 'signature_unreadable', { cms: (cms) => Buffer.alloc(cms.length, 0x5a) }),
  kind('signature of zeros', 'signature_unreadable', { cms: () => Buffer.alloc(4_096) }),
  kind('signature cut short', 'signature_unreadable', { cms: (cms) => cms.subarray(0, -1) }),
  kind('bytes behind the signature', 'signature_unreadable', {
    cms: (cms) => Buffer.concat([cms, Buffer.from([5, 0])]),
  }),
  kind('length beyond the end', 'signature_unreadable', { cms: () => Buffer.from('30847fffffff0201', 'hex') }),
  kind('nested a thousand deep', 'signature_unreadable', { cms: () => Buffer.from('3080'.repeat(1_000), 'hex') }),
  kind(
    'enveloped data',
    'not_signed_data',
    signed(() => ({ type: oids.envelopedData })),
  ),
  kind('an empty sequence', 'not_signed_data', { cms: () => sequence() }),
  kind(
    'content attached',
    'not_detached',
    signed(() => ({ content: Buffer.from('content') })),
  ),
  kind(
    'no signer',
    'not_one_signer',
    signed(() => ({ signers: [] })),
  ),
  kind(
    'two signers',
    'not_one_signer',
    signed(({ signers }) => ({ signers: [...signers, ...signers] })),
  ),
  kind('no certificate', 'number_of_certificates', withCertificates()),
  kind('leaf certificate alone', 'number_of_certificates', ({ leaf }) => withCertificates(leaf.certificate)),
  kind('four certificates', 'number_of_certificates', ({ leaf, intermediate, root }) =>
    withCertificates(leaf.certificate, intermediate.certificate, root.certificate, root.certificate),
  ),
  kind('certificate that is none', 'certificate_unreadable', ({ leaf }) =>
    withCertificates(leaf.certificate, sequence(sequence())),
  ),
  kind('certificate with an extension twice', 'certificate_unreadable', badLeaf([...leafMarks, ...leafMarks])),
];

const markerKinds: readonly BadKind[] = [
  kind('leaf without its marker', 'leaf_marker', badLeaf([basicConstraints(false)])),
  kind('two leaves', 'leaf_marker', (vendor) =>
    withCertificates(vendor.leaf.certificate, vendor.intermediate.certificate, leafOf(vendor, leafMarks).certificate),
  ),
  kind('intermediate without its marker', 'intermediate_marker', badIntermediate(authority)),
  kind('two intermediates', 'intermediate_marker', ({ leaf, intermediate }) =>
    withCertificates(leaf.certificate, intermediate.certificate, intermediate.certificate),
  ),
  kind('both markers on one certificate', 'intermediate_marker', (vendor) => {
    const both = leafOf(vendor, [...leafMarks, marker(oids.intermediateMarker)]);
    return { signer: both, ...withCertificates(both.certificate, vendor.root.certificate) };
  }),
];

const trustKinds: readonly BadKind[] = [
  kind('chain of a stranger', 'root_not_pinned', (vendor) => {
    const other = openVendorNamedApart(vendor);
    return under(other.intermediate, other.leaf, other.root.certificate);
  }),
  kind('intermediate that signed itself', 'root_not_pinned', ({ seed }) => {
    const self = makeCertifiedKey(seed, 'another intermediate', undefined, intermediateMarks);
    return under(self, makeCertifiedKey(seed, 'another leaf', self, leafMarks));
  }),
  kind('root of the same name in the token', 'intermediate_not_signed_by_root', (vendor) => {
    const other = stranger(vendor);
    return under(other.intermediate, other.leaf, other.root.certificate);
  }),
  kind('intermediate damaged', 'intermediate_not_signed_by_root', ({ leaf, intermediate }) =>
    withCertificates(leaf.certificate, flipped(intermediate.certificate, -1)),
  ),
  kind(
    'intermediate that is no authority',
    'intermediate_not_authority',
    badIntermediate([basicConstraints(false), marker(oids.intermediateMarker)]),
  ),
  kind(
    'intermediate without basic constraints',
    'intermediate_not_authority',
    badIntermediate([marker(oids.intermediateMarker)]),
  ),
  kind(
    'intermediate that may not sign certificates',
    'intermediate_not_authority',
    badIntermediate([basicConstraints(true), keyUsage('signatures'), marker(oids.intermediateMarker)]),
  ),
  kind(
    'intermediate expired',
    'intermediate_not_valid_now',
    badIntermediate(intermediateMarks, () => ({
      validity: past,
    })),
  ),
  kind(
    'intermediate not valid yet',
    'intermediate_not_valid_now',
    badIntermediate(intermediateMarks, () => ({
      validity: future,
    })),
  ),
  kind(
    'intermediate with an unknown critical extension',
    'critical_extension',
    badIntermediate([...intermediateMarks, unknownCritical]),
  ),
  kind('leaf signed by another key', 'leaf_not_signed_by_intermediate', (vendor) => ({
    signer: leafOf(vendor, leafMarks, { signedBy: stranger(vendor).intermediate.privateKey }),
  })),
  kind('leaf signed by itself', 'leaf_not_signed_by_intermediate', (vendor) => {
    const self = makeCertifiedKey(vendor.seed, 'another leaf', undefined, leafMarks, {
      issuer: vendor.intermediate.subject,
    });
    return { signer: self };
  }),
  kind('leaf signed by the root', 'leaf_not_signed_by_intermediate', ({ seed, root }) => ({
    signer: makeCertifiedKey(seed, 'another leaf', root, leafMarks),
  })),
  kind('leaf that names another issuer', 'leaf_not_signed_by_intermediate', (vendor) => ({
    signer: leafOf(vendor, leafMarks, { issuer: vendor.root.subject }),
  })),
  kind('leaf that is an authority', 'leaf_is_authority', badLeaf([...authority, marker(oids.leafMarker)])),
  kind('leaf expired', 'leaf_not_valid_now', badLeaf(leafMarks, { validity: past })),
  kind('leaf not valid yet', 'leaf_not_valid_now', badLeaf(leafMarks, { validity: future })),
  kind('leaf with an unknown critical extension', 'critical_extension', badLeaf([...leafMarks, unknownCritical])),
  kind(
    'leaf that may not sign',
    'leaf_key',
    badLeaf([basicConstraints(false), keyUsage('certificates'), marker(oids.leafMarker)]),
  ),
  kind('leaf on P-384', 'leaf_key', ({ leaf, intermediate }) => ({
    signer: onCurve(leaf, intermediate, 'secp384r1', leafMarks),
  })),
  kind('intermediate on P-521', 'intermediate_key', ({ leaf, intermediate, root }) =>
    withCertificates(leaf.certificate, onCurve(intermediate, root, 'secp521r1', intermediateMarks).certificate),
  ),
];

/** Another vendor, whose root has a different name. */
function openVendorNamedApart(vendor: Vendor): Pick<Vendor, 'root' | 'intermediate' | 'leaf'> {
  const seed = Buffer.concat([vendor.seed, Buffer.from('named apart')]);
  const root = makeCertifiedKey(seed, 'Some Other Root CA', undefined, authority);
  const intermediate = makeCertifiedKey(seed, 'Some Other Intermediate CA', root, intermediateMarks);
  return { root, intermediate, leaf: makeCertifiedKey(seed, 'some other leaf', intermediate, leafMarks) };
}

export const chainKinds: readonly BadKind[] = [...containerKinds, ...markerKinds, ...trustKinds];
