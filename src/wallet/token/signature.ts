// Steps 7 to 10: who signed what, and when.

import { hash } from 'node:crypto';
import {
  contextTag,
  derOf,
  type Element,
  Fields,
  octets,
  oid,
  oids,
  orUndefined,
  readDer,
  tags,
  time,
} from '../../asn1/index.ts';
import { type Certificate, verifies } from '../x509/certificate.ts';
import type { TrustedLeaf } from './chain.ts';
import type { SignedData, SignerName } from './cms.ts';
import type { Envelope } from './envelope.ts';
import { fail, type TokenFaultReason } from './faults.ts';

const driftAtMostMilliseconds = 300_000;

/** Checks who signed the token, what the signature covers, and when it was made. */
export function checkSignature(
  envelope: Envelope,
  signed: SignedData,
  leaf: TrustedLeaf,
  receivedAt: Temporal.Instant,
): void {
  const { signer } = signed;
  if (!names(signer.name, leaf.certificate)) fail('signer_not_leaf');
  if (!isAlgorithm(signer.digestAlgorithm, oids.sha256, ['', '0500'])) fail('digest_algorithm');
  if (!isAlgorithm(signer.signatureAlgorithm, oids.ecdsaWithSha256, [''])) fail('signature_algorithm');
  const attributes = orUndefined(() => attributesOf(signer.attributes)) ?? fail('content_type');
  const contentType = oneValue(attributes, oids.contentType, oid, 'content_type');
  if (contentType !== oids.data || signed.contentType !== oids.data) fail('content_type');
  const messageDigest = oneValue(attributes, oids.messageDigest, octets, 'message_digest_missing');
  const signedAtMilliseconds = oneValue(attributes, oids.signingTime, time, 'signing_time_missing');
  if (!fingerprintOf(envelope).equals(messageDigest)) fail('message_digest');
  // The signature covers the DER encoding with the tag of a SET, however the attributes were sent.
  const covered = signer.attributes ? derOf(signer.attributes, tags.set) : fail('content_type');
  if (!verifies('sha256', covered, leaf.key, signer.signature)) fail('signature');
  const ageMilliseconds = receivedAt.epochMilliseconds - signedAtMilliseconds;
  if (ageMilliseconds > driftAtMostMilliseconds) fail('signed_too_early');
  if (ageMilliseconds < -driftAtMostMilliseconds) fail('signed_too_late');
}

/** SHA-256 of what the signature covers. */
export function fingerprintOf({ ephemeralPublicKey, data, transactionId, applicationData }: Envelope): Buffer {
  return hash('sha256', Buffer.concat([ephemeralPublicKey, data, transactionId, applicationData]), 'buffer');
}

function names(name: SignerName, certificate: Certificate): boolean {
  if ('issuer' in name) return name.issuer.equals(certificate.issuer) && name.serial.equals(certificate.serial);
  const extension = certificate.extensions.get(oids.subjectKeyIdentifier);
  const identifier = extension && orUndefined(() => octets(readDer(extension.value)));
  return identifier?.equals(name.subjectKeyIdentifier) ?? false;
}

/** Whether it is this algorithm, with one of these parameters (as hex digits; empty if there are none). */
function isAlgorithm(element: Element, expected: string, parameters: readonly string[]): boolean {
  const [name, parameter, ...others] = element.children;
  if (!name || others.length > 0 || orUndefined(() => oid(name)) !== expected) return false;
  return parameters.includes(parameter?.whole.toString('hex') ?? '');
}

interface Attribute {
  readonly type: string;
  readonly values: readonly Element[];
}

function attributesOf(element: Element | undefined): Attribute[] {
  if (element?.tag !== contextTag(0)) return [];
  return element.children.map((child) => {
    const fields = new Fields(child, tags.sequence);
    const type = oid(fields.next(tags.oid));
    const { children: values } = fields.next(tags.set);
    fields.end();
    return { type, values };
  });
}

/** The single value of the attribute, which must occur exactly once. */
function oneValue<T>(
  attributes: readonly Attribute[],
  type: string,
  read: (value: Element) => T,
  reason: TokenFaultReason,
): T {
  const [found, ...others] = attributes.filter((attribute) => attribute.type === type);
  const [value] = found?.values ?? [];
  if (!value || others.length > 0 || found?.values.length !== 1) return fail(reason);
  return orUndefined(() => read(value)) ?? fail(reason);
}
