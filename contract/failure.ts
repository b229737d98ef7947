// The envelope of every error response (docs/api.md#errors).

import { decisionFaults } from './codes/parking.ts';
import { allocationFaults } from './codes/statements.ts';
import { valueRules } from './codes/values.ts';
import { messageShown } from './panel/shared.ts';
import { Type } from './schema.ts';

const fields = {
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
  error: Type.Optional(Type.String({ description: 'POST /oauth/auth only: the OAuth 2.0 error code.' })),
  error_description: Type.Optional(Type.String({ description: 'POST /oauth/auth only.' })),
};

export const Failure = Type.Object(fields, { additionalProperties: false });

/** Of the panel: also in codes, for the language of its reader. */
export const PanelFailure = Type.Object(
  {
    ...fields,
    rules: Type.Optional(
      Type.Record(Type.String(), messageShown(valueRules), { description: 'What values must be, by field.' }),
    ),
    why: Type.Optional(messageShown({ ...decisionFaults, ...allocationFaults })),
  },
  { additionalProperties: false },
);
