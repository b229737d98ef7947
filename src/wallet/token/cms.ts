// Step 3: the signature as CMS SignedData (RFC 5652), including BER with indefinite lengths.

import {
  contextTag,
  derOf,
  type Element,
  Fields,
  octets,
  oid,
  oids,
  orUndefined,
  readBer,
  stringBytes,
  tags,
} from '../../asn1/index.ts';
import { type Certificate, certificateFrom } from '../x509/certificate.ts';
import { fail } from './faults.ts';

/** How a signer identifies its certificate. */
export type SignerName =
  | { readonly issuer: Buffer; readonly serial: Buffer }
  | { readonly subjectKeyIdentifier: Buffer };

export interface Signer {
  readonly name: SignerName;
  readonly digestAlgorithm: Element;
  /** `[0] IMPLICIT SET OF Attribute`; undefined if the content was signed directly. */
  readonly attributes: Element | undefined;
  readonly signatureAlgorithm: Element;
  readonly signature: Buffer;
}

export interface SignedData {
  readonly contentType: string;
  readonly certificates: readonly Certificate[];
  readonly signer: Signer;
}

const octetStringInPieces = tags.octetString | 0x20;

export function readSignedData(bytes: Buffer): SignedData {
  const outer = orUndefined(() => readBer(bytes)) ?? fail('signature_unreadable');
  const content = orUndefined(() => signedDataOf(outer)) ?? fail('not_signed_data');
  if (content.isAttached) fail('not_detached');
  if (content.signers.length !== 1) fail('not_one_signer');
  const [signer = fail('not_one_signer')] = content.signers;
  if (content.certificates.length < 2 || content.certificates.length > 3) fail('number_of_certificates');
  return {
    contentType: content.contentType,
    certificates: content.certificates.map(
      (element) => orUndefined(() => certificateFrom(element)) ?? fail('certificate_unreadable'),
    ),
    signer: orUndefined(() => signerOf(signer)) ?? fail('signature_unreadable'),
  };
}

interface Parts {
  readonly contentType: string;
  readonly isAttached: boolean;
  readonly certificates: readonly Element[];
  readonly signers: readonly Element[];
}

function signedDataOf(outer: Element): Parts {
  const info = new Fields(outer, tags.sequence);
  if (oid(info.next(tags.oid)) !== oids.signedData) fail('not_signed_data');
  const wrapped = new Fields(info.next(contextTag(0)), contextTag(0));
  info.end();
  const fields = new Fields(wrapped.next(tags.sequence), tags.sequence);
  wrapped.end();
  fields.next(tags.integer);
  fields.next(tags.set);
  const content = new Fields(fields.next(tags.sequence), tags.sequence);
  const contentType = oid(content.next(tags.oid));
  const isAttached = content.nextAny() !== undefined;
  const certificates = fields.nextIf(contextTag(0))?.children ?? [];
  // Revocation lists are ignored.
  fields.nextIf(contextTag(1));
  const signers = fields.next(tags.set).children;
  fields.end();
  return { contentType, isAttached, certificates, signers };
}

function signerOf(element: Element): Signer {
  const fields = new Fields(element, tags.sequence);
  fields.next(tags.integer);
  const name = signerNameOf(fields.next(tags.sequence, 0x80, contextTag(0)));
  const digestAlgorithm = fields.next(tags.sequence);
  const attributes = fields.nextIf(contextTag(0));
  const signatureAlgorithm = fields.next(tags.sequence);
  const signature = octets(fields.next(tags.octetString, octetStringInPieces));
  // Unsigned attributes cannot be trusted.
  fields.nextIf(contextTag(1));
  fields.end();
  return { name, digestAlgorithm, attributes, signatureAlgorithm, signature };
}

function signerNameOf(element: Element): SignerName {
  if (element.tag !== tags.sequence) return { subjectKeyIdentifier: stringBytes(element) };
  const fields = new Fields(element, tags.sequence);
  const issuer = derOf(fields.next(tags.sequence));
  const serial = fields.next(tags.integer).body;
  fields.end();
  return { issuer, serial };
}
