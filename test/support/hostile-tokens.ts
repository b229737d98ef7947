// Tokens that are made to cost time.

import { oids } from '../../src/asn1/oids.ts';
import { explicit, objectIdentifier, octetString, sequence, setOf, smallInteger, tlv } from '../../src/asn1/writer.ts';
import { attribute } from '../../src/simulators/wallet/cms.ts';
import type { Tampering, TokenOrder } from '../../src/simulators/wallet/mint.ts';
import type { TokenFaultReason } from '../../src/wallet/token/faults.ts';

/** Twice base64 makes 18 KB out of 32. */
const signatureBytes = 17_500;

function repeated(hex: string): Buffer {
  const once = Buffer.from(hex, 'hex');
  return Buffer.alloc(signatureBytes - (signatureBytes % once.length), once);
}

type Mint = (change: Partial<TokenOrder>, tampering: Tampering) => string;

function signedDataWith(certificates: Buffer): Buffer {
  const content = sequence(objectIdentifier(oids.data));
  const inner = sequence(smallInteger(1), setOf(), content, explicit(0, certificates), setOf(sequence()));
  return sequence(objectIdentifier(oids.signedData), explicit(0, inner));
}

/** Attributes without end, rightly signed, which only the holder of a real token could send. */
function manyAttributes(mint: Mint): string {
  const more = Array.from({ length: 250 }, (_, index) =>
    attribute('2a0304', octetString(Buffer.from([index, index, index]))),
  );
  return mint({ encoding: 'ber' }, { attributes: (list) => [...list, ...more] });
}

const text = (json: string) => Buffer.from(json).toString('base64');

/** Each with the reason for which it is refused, if the token that it is made from would be accepted. */
export function hostileTokens(
  mint: Mint,
): readonly (readonly [name: string, token: string, reason: TokenFaultReason | 'accepted'])[] {
  const withSignature = (signature: Buffer) => mint({}, { cms: () => signature });
  return [
    ['indefinite lengths, nested', withSignature(repeated('3080')), 'signature_unreadable'],
    ['strings in pieces, nested', withSignature(repeated('2480')), 'signature_unreadable'],
    ['definite lengths, nested', withSignature(repeated('30834450')), 'signature_unreadable'],
    ['zeros', withSignature(Buffer.alloc(signatureBytes)), 'signature_unreadable'],
    ['a length of four gigabytes', withSignature(Buffer.from('3084ffffffff', 'hex')), 'signature_unreadable'],
    [
      'a length of a hundred bytes',
      withSignature(Buffer.from(`30e4${'ff'.repeat(100)}`, 'hex')),
      'signature_unreadable',
    ],
    ['thousands of empty elements', withSignature(sequence(repeated('0500'))), 'signature_unreadable'],
    ['thousands of certificates', withSignature(signedDataWith(repeated('3000'))), 'signature_unreadable'],
    [
      'a thousand certificates',
      withSignature(signedDataWith(Buffer.alloc(2_000, '3000', 'hex'))),
      'number_of_certificates',
    ],
    ['one very long object identifier', withSignature(sequence(tlv(6, repeated('ff')))), 'not_signed_data'],
    ['identifiers of many bytes', withSignature(repeated('bfff')), 'signature_unreadable'],
    ['many attributes, rightly signed', manyAttributes(mint), 'accepted'],
    ['JSON nested', text('['.repeat(12_000) + ']'.repeat(12_000)), 'unexpected_keys'],
    ['JSON of quotation marks', text(`{${'"":"",'.repeat(4_000)}"":""}`), 'unexpected_keys'],
    [
      'JSON of many keys',
      text(JSON.stringify(Object.fromEntries(Array.from({ length: 2_000 }, (_, key) => [key, 0])))),
      'unexpected_keys',
    ],
    ['base64 that is too long', 'A'.repeat(2_000_000), 'too_large'],
  ];
}
