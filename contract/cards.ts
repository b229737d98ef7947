// Card data on the wire: always encrypted for the service's public key (docs/decisions/0016).

import { endpoint } from './endpoint.ts';
import { fixKeyword, mustBe, optional, success, Type } from './schema.ts';

/** What to do with card data that cannot be read. */
export const howToEncrypt =
  'Encrypt number|MM/YY|code with the key of GET /cards/public-key (RSA-OAEP with SHA-256), and send it as base64.';

/** Of a saved card. */
export const cardTokenLengthAtMost = 64;

/** Tokens that were issued before the limit keep working. */
const longToken = /^card_[0-9a-f]{64}$/;

/** Whether it is as long as a card token may be. */
export function isCardToken(value: string): boolean {
  return value.length <= cardTokenLengthAtMost || longToken.test(value);
}

export const CardToken = Type.Refine(
  Type.String({ maxLength: 69, description: 'At most 64 characters.' }),
  isCardToken,
  mustBe('at_most_characters', { limit: cardTokenLengthAtMost }),
);

export const CardPaymentData = Type.Object({
  card: optional(
    Type.String({
      maxLength: 2_048,
      [fixKeyword]: howToEncrypt,
      description:
        'Base64 of `number|MM/YY|code` encrypted with the public key of GET /cards/public-key, RSA-OAEP with SHA-256 (or PKCS#1 v1.5).',
    }),
  ),
  token: optional(CardToken),
  save: optional(Type.Boolean({ description: 'Save the card: the notification has a token for later payments.' })),
});

export const getCardKey = endpoint({
  id: 'C1',
  name: 'getCardKey',
  method: 'GET',
  path: '/cards/public-key',
  tag: 'Cards',
  access: 'none',
  summary: 'Get the card key',
  description:
    'Returns the public key for encrypting card data. 400 `card_numbers_not_taken` if no acquirer takes card numbers: ' +
    'payers then enter cards only on the pay page.',
  responses: {
    200: Type.Object(
      { ...success, keyId: Type.String(), algorithm: Type.Literal('RSA-OAEP-256'), publicKey: Type.String() },
      { additionalProperties: false },
    ),
  },
  failures: [400],
  example: {
    response: {
      result: 'success',
      requestId: '3f2a9c0d81e47b56aa10',
      keyId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
      algorithm: 'RSA-OAEP-256',
      publicKey: '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqh...\n-----END PUBLIC KEY-----\n',
    },
  },
});
