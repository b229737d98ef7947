// Steps 7 to 10: signatures by others, over something else, or at another time.

import { sign } from 'node:crypto';
import { explicit, objectIdentifier, octetString, oids, tags, tlv } from '../../../asn1/index.ts';
import { attribute, type SignerParts, signAttributes } from '../cms.ts';
import { bytesFrom, keyFrom } from '../keys.ts';
import type { Tampering } from '../mint.ts';
import { type BadKind, flipped, headerAfterwards, kind } from './kind.ts';

/** Changes what the container says about its signer, after signing. */
function signer(change: (signer: SignerParts) => Partial<SignerParts>): Tampering {
  return {
    signed: (parts) => ({ ...parts, signers: parts.signers.map((one) => ({ ...one, ...change(one) })) }),
  };
}

const isOf = (type: string) => (der: Buffer) => der.includes(objectIdentifier(type));

function without(type: string): Tampering {
  return { attributes: (list) => list.filter((der) => !isOf(type)(der)) };
}

/** The attribute of this type instead of, or in addition to, the right one. */
function instead(type: string, ...values: readonly Buffer[]): Tampering {
  return { attributes: (list) => [...list.filter((der) => !isOf(type)(der)), attribute(type, ...values)] };
}

function besides(type: string, ...values: readonly Buffer[]): Tampering {
  return { attributes: (list) => [...list, attribute(type, ...values)] };
}

function signedAfter(duration: Temporal.DurationLike): Tampering {
  return { order: (order) => ({ ...order, signedAt: order.signedAt.add(duration) }) };
}

const digestOfNothing = octetString(Buffer.alloc(32));
const someTime = tlv(tags.utcTime, Buffer.from('250101000000Z'));
const base64Flipped = (text: string, at: number) => flipped(Buffer.from(text, 'base64'), at).toString('base64');
const hexFlipped = (text: unknown) => flipped(Buffer.from(String(text), 'hex'), 0).toString('hex');
const withApplicationData: Tampering['order'] = (order) => ({
  ...order,
  applicationData: bytesFrom(order.publicKey, 'application data'),
});

const signerKinds: readonly BadKind[] = [
  kind('signed by the intermediate', 'signer_not_leaf', (vendor) => ({
    signer: vendor.intermediate,
    signed: (parts) => ({ ...parts, certificates: [vendor.leaf.certificate, vendor.intermediate.certificate] }),
  })),
  kind(
    'signer with another serial number',
    'signer_not_leaf',
    signer(({ serial }) => ({ serial: flipped(serial, -1) })),
  ),
  kind('signer with another issuer', 'signer_not_leaf', ({ root }) => signer(() => ({ issuer: root.subject }))),
  kind(
    'digest by SHA-1',
    'digest_algorithm',
    signer(() => ({ digestAlgorithm: oids.sha1 })),
  ),
  kind(
    'signature algorithm with SHA-1',
    'signature_algorithm',
    signer(() => ({ signatureAlgorithm: oids.ecdsaWithSha1 })),
  ),
  kind(
    'signature algorithm with SHA-384',
    'signature_algorithm',
    signer(() => ({
      signatureAlgorithm: oids.ecdsaWithSha384,
    })),
  ),
  kind(
    'no signed attributes',
    'content_type',
    signer(() => ({ attributes: [] })),
  ),
  kind('no content type', 'content_type', without(oids.contentType)),
  kind('content type twice', 'content_type', besides(oids.contentType, objectIdentifier(oids.data))),
  kind('other content type', 'content_type', instead(oids.contentType, objectIdentifier(oids.signedData))),
  kind('other content type in the container', 'content_type', {
    signed: (parts) => ({ ...parts, contentType: oids.signedData }),
  }),
  kind('no message digest', 'message_digest_missing', without(oids.messageDigest)),
  kind('message digest twice', 'message_digest_missing', besides(oids.messageDigest, digestOfNothing)),
  kind(
    'message digest with two values',
    'message_digest_missing',
    instead(oids.messageDigest, digestOfNothing, octetString(Buffer.alloc(32, 1))),
  ),
  kind('no signing time', 'signing_time_missing', without(oids.signingTime)),
  kind('signing time twice', 'signing_time_missing', besides(oids.signingTime, someTime)),
  kind(
    'signing time with an offset',
    'signing_time_missing',
    instead(oids.signingTime, tlv(tags.utcTime, Buffer.from('2501010000+0100'))),
  ),
  kind(
    'signing time on the 31st of February',
    'signing_time_missing',
    instead(oids.signingTime, tlv(tags.utcTime, Buffer.from('250231000000Z'))),
  ),
];

const coverKinds: readonly BadKind[] = [
  kind('message digest of something else', 'message_digest', instead(oids.messageDigest, digestOfNothing)),
  kind('data changed', 'message_digest', { object: (token) => ({ ...token, data: base64Flipped(token.data, 0) }) }),
  kind('data made longer', 'message_digest', {
    object: (token) => ({
      ...token,
      data: Buffer.concat([Buffer.from(token.data, 'base64'), Buffer.alloc(1)]).toString('base64'),
    }),
  }),
  kind(
    'ephemeral key changed',
    'message_digest',
    headerAfterwards(({ ephemeralPublicKey }) => ({
      ephemeralPublicKey: base64Flipped(ephemeralPublicKey, -1),
    })),
  ),
  kind(
    'transaction id changed',
    'message_digest',
    headerAfterwards(({ transactionId }) => ({
      transactionId: hexFlipped(transactionId),
    })),
  ),
  kind(
    'application data added',
    'message_digest',
    headerAfterwards(() => ({ applicationData: '00'.repeat(32) })),
  ),
  kind('application data removed', 'message_digest', {
    order: withApplicationData,
    ...headerAfterwards(() => ({ applicationData: undefined })),
  }),
  kind('application data changed', 'message_digest', {
    order: withApplicationData,
    ...headerAfterwards(({ applicationData }) => ({ applicationData: hexFlipped(applicationData) })),
  }),
  kind('signed by another key', 'signature', ({ seed }) =>
    signer(({ attributes }) => ({
      signature: signAttributes(attributes, keyFrom(seed, 'another signer').privateKey),
    })),
  ),
  kind('signed with the tag of the field', 'signature', ({ leaf }) =>
    signer(({ attributes }) => ({
      signature: sign('sha256', explicit(0, ...[...attributes].sort(Buffer.compare)), leaf.privateKey),
    })),
  ),
  kind(
    'signature damaged',
    'signature',
    signer(({ signature }) => ({ signature: flipped(signature, -1) })),
  ),
  kind(
    'signature that is no DER',
    'signature',
    signer(() => ({ signature: Buffer.alloc(64, 7) })),
  ),
  kind(
    'signature empty',
    'signature',
    signer(() => ({ signature: Buffer.alloc(0) })),
  ),
  kind(
    'signature of two zeros',
    'signature',
    signer(() => ({ signature: Buffer.from('3006020100020100', 'hex') })),
  ),
  kind(
    'signing time changed',
    'signature',
    signer(({ attributes }) => ({
      attributes: attributes.map((der) => (isOf(oids.signingTime)(der) ? attribute(oids.signingTime, someTime) : der)),
    })),
  ),
  kind(
    'attribute added',
    'signature',
    signer(({ attributes }) => ({
      attributes: [...attributes, attribute('2a0304', tlv(tags.null))],
    })),
  ),
];

const timeKinds: readonly BadKind[] = [
  kind('signed 301 seconds ago', 'signed_too_early', signedAfter({ seconds: -301 })),
  kind('signed a year ago', 'signed_too_early', signedAfter({ hours: -8_760 })),
  kind('signed 301 seconds from now', 'signed_too_late', signedAfter({ seconds: 301 })),
];

export const signatureKinds: readonly BadKind[] = [...signerKinds, ...coverKinds, ...timeKinds];
