// The envelope of every error response (docs/api.md#errors).

import { Type } from './schema.ts';

export const Failure = Type.Object(
  {
    result: Type.Literal('failed'),
    requestId: Type.String({ pattern: '^[0-9a-f]{20}$' }),
    errors: Type.Array(
      Type.Object(
        {
          errorCode: Type.String(),
          errorMessage: Type.String(),
          fieldName: Type.String(),
          devMessage: Type.String(),
          docUrl: Type.String(),
        },
        { additionalProperties: false },
      ),
      { minItems: 1 },
    ),
    violations: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'Marketplace only, status 400: a message per field.' }),
    ),
    reasons: Type.Optional(
      Type.Array(Type.String(), { description: 'Marketplace only, other statuses: why the request was refused.' }),
    ),
    unassociatedMerchants: Type.Optional(
      Type.Array(Type.String(), { description: 'Marketplace only, status 403: sellers that are not yours.' }),
    ),
    why: Type.Optional(
      Type.Object(
        { code: Type.String(), parameters: Type.Record(Type.String(), Type.Unknown()) },
        { additionalProperties: false, description: 'Operators only: why a decision is not possible.' },
      ),
    ),
    error: Type.Optional(Type.String({ description: 'POST /oauth/auth only: the OAuth 2.0 error code.' })),
    error_description: Type.Optional(Type.String({ description: 'POST /oauth/auth only.' })),
  },
  { additionalProperties: false },
);
