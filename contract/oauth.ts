// Access tokens (docs/decisions/0001).

import { endpoint } from './endpoint.ts';
import { optional, Type, text } from './schema.ts';

const Token = {
  issued_at: Type.Integer({ description: 'Unix seconds.' }),
  scope: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  client_id: Type.String(),
};

const exampleClient = '01K9Z4M7Q2V5X8B1C3D6F9G0HJ-01K9Z4M7Q3W6Y9C2D4E7G0H1JK';

export const authorize = endpoint({
  id: 'A1',
  name: 'createAccessToken',
  method: 'POST',
  path: '/oauth/auth',
  tag: 'Access',
  access: 'none',
  idempotent: false,
  summary: 'Get an access token',
  description:
    'Issues an access token for a client id and its secret. ' +
    'Accepts a form, JSON, multipart, or HTTP Basic without a body. The credential (full or read-only) decides what the ' +
    'token may do, not `scope`, which comes back as it was asked for; `GET /oauth/tokeninfo` has what it may do. The token is valid for two hours.',
  bodyKinds: ['form', 'json', 'multipart'],
  bodyBytesAtMost: 8_192,
  body: Type.Object({
    client_id: optional(text(100)),
    client_secret: optional(text(200)),
    grant_type: optional(Type.Enum(['client_credentials'])),
    scope: optional(text(200)),
  }),
  responses: { 200: Type.Object({ ...Token, access_token: Type.String() }, { additionalProperties: false }) },
  failures: [400, 413, 415],
  example: {
    request: { client_id: exampleClient, client_secret: 'the secret, shown once when it was made' },
    response: {
      issued_at: 1_794_700_800,
      scope: 'read',
      token_type: 'Bearer',
      expires_in: 7200,
      client_id: exampleClient,
      access_token: 'Zk3v5mW0b1Jt8qYxR2uN7cE4hLpQ9sDfGaTiXoVyKrM',
    },
  },
});

export const tokenInfo = endpoint({
  id: 'A2',
  name: 'getTokenInfo',
  method: 'GET',
  path: '/oauth/tokeninfo',
  tag: 'Access',
  access: 'read',
  summary: 'Inspect the token',
  description: 'Shows the owner, permissions and expiry of the token.',
  responses: {
    200: Type.Object(
      {
        ...Token,
        scope: Type.String({ description: 'What the token may do: `read`, `read write`, or `read write operator`.' }),
        access: Type.Enum(['full', 'read_only']),
      },
      { additionalProperties: false },
    ),
  },
  example: {
    response: {
      issued_at: 1_794_700_800,
      scope: 'read write',
      token_type: 'Bearer',
      expires_in: 7103,
      client_id: exampleClient,
      access: 'full',
    },
  },
});
