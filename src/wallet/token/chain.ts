// Steps 4 to 6: from a pinned root through the intermediate certificate to the leaf that signs tokens.

import type { KeyObject } from 'node:crypto';
import { oids } from '../../asn1/index.ts';
import {
  allowsUse,
  type Certificate,
  isAuthority,
  isSignedBy,
  isUnderstood,
  isValidAt,
  keyUses,
} from '../x509/certificate.ts';
import { knownKeyOn } from '../x509/keys.ts';
import type { TrustedRoot } from '../x509/roots.ts';
import { fail, type TokenFaultReason } from './faults.ts';

export interface TrustedLeaf {
  readonly certificate: Certificate;
  readonly key: KeyObject;
}

/** The extensions that this file checks; any other critical extension is refused. */
const looked = new Set<string>([oids.basicConstraints, oids.keyUsage, oids.leafMarker, oids.intermediateMarker]);

/** The leaf of a token, if it chains to a pinned root at this time. A third certificate is checked for markers only. */
export function trustLeaf(
  certificates: readonly Certificate[],
  roots: readonly TrustedRoot[],
  at: Temporal.Instant,
): TrustedLeaf {
  const leaf = onlyWith(oids.leafMarker, certificates, 'leaf_marker');
  const intermediate = onlyWith(oids.intermediateMarker, certificates, 'intermediate_marker');
  if (leaf === intermediate) fail('intermediate_marker');
  const named = roots.filter(({ certificate }) => certificate.subject.equals(intermediate.issuer));
  if (named.length === 0) fail('root_not_pinned');
  const intermediateKey = trustIntermediate(intermediate, named, at);
  return { certificate: leaf, key: trustedLeafKey(leaf, intermediate, intermediateKey, at) };
}

function onlyWith(marker: string, certificates: readonly Certificate[], reason: TokenFaultReason): Certificate {
  const [found, ...others] = certificates.filter(({ extensions }) => extensions.has(marker));
  return found && others.length === 0 ? found : fail(reason);
}

/** Several roots may have the same name while the vendor replaces one. */
function trustIntermediate(intermediate: Certificate, roots: readonly TrustedRoot[], at: Temporal.Instant): KeyObject {
  const signers = roots.filter(({ key }) => isSignedBy(intermediate, key));
  if (signers.length === 0) fail('intermediate_not_signed_by_root');
  if (!signers.some(({ certificate }) => isValidAt(certificate, at))) fail('root_not_valid_now');
  if (!isAuthority(intermediate) || !allowsUse(intermediate, keyUses.keyCertSign)) fail('intermediate_not_authority');
  if (!isUnderstood(intermediate, looked)) fail('critical_extension');
  if (!isValidAt(intermediate, at)) fail('intermediate_not_valid_now');
  return knownKeyOn(intermediate.publicKey, 'P-256', 'P-384') ?? fail('intermediate_key');
}

function trustedLeafKey(
  leaf: Certificate,
  intermediate: Certificate,
  intermediateKey: KeyObject,
  at: Temporal.Instant,
): KeyObject {
  if (!leaf.issuer.equals(intermediate.subject) || !isSignedBy(leaf, intermediateKey))
    fail('leaf_not_signed_by_intermediate');
  // An unreadable extension does not prove that it is not an authority.
  if (isAuthority(leaf) !== false) fail('leaf_is_authority');
  if (!isUnderstood(leaf, looked)) fail('critical_extension');
  if (!isValidAt(leaf, at)) fail('leaf_not_valid_now');
  if (!allowsUse(leaf, keyUses.digitalSignature)) fail('leaf_key');
  return knownKeyOn(leaf.publicKey, 'P-256') ?? fail('leaf_key');
}
