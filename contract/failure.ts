// The envelope of every error response (docs/decisions.md 2).

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
    error: Type.Optional(Type.String({ description: 'POST /oauth/auth only: the OAuth 2.0 error code.' })),
    error_description: Type.Optional(Type.String({ description: 'POST /oauth/auth only.' })),
  },
  { additionalProperties: false },
);
