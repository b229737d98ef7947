// What an account pays (docs/api.md#prices).

import { endpoint } from './endpoint.ts';
import { methods } from './methods.ts';
import { nullable, success, Type } from './schema.ts';

const closed = { additionalProperties: false } as const;

export const getPrices = endpoint({
  id: 'L4',
  name: 'getPrices',
  method: 'GET',
  path: '/prices',
  tag: 'Balance',
  access: 'read',
  summary: 'Show prices',
  description:
    'Shows the prices in force: for each kind that of all channels, and of channels with a price of their own. A fee is `percent` of the amount, rounded half up to the grosz, plus `fixed`, at least `minimum` and at most `maximum`, and never more than the amount.',
  responses: {
    200: Type.Object(
      {
        ...success,
        prices: Type.Array(
          Type.Object(
            {
              priceId: Type.String({ description: 'The id of the price.' }),
              kind: Type.Enum(['payment', 'refund', 'payout', 'dispute'], { description: 'What it is for.' }),
              channelId: nullable(Type.Integer({ description: 'null: every channel without a price of its own.' })),
              validFrom: Type.String({ format: 'date-time', description: 'Since when.' }),
              percent: Type.Number({ minimum: 0, description: 'Percent of the amount.' }),
              fixed: Type.Number({ minimum: 0, description: 'The fixed part.' }),
              minimum: Type.Number({ minimum: 0, description: 'The least that is taken.' }),
              maximum: nullable(Type.Number({ minimum: 0, description: 'null: none.' })),
              currency: Type.String(),
            },
            closed,
          ),
          { description: 'By kind and channel.' },
        ),
      },
      closed,
    ),
  },
  example: {
    response: {
      result: 'success',
      requestId: '3f2a9c0d81e47b56aa10',
      prices: [
        {
          priceId: '12',
          kind: 'payment',
          channelId: methods.blik.id,
          validFrom: '2026-11-01T00:00:00Z',
          percent: 1.2,
          fixed: 0.3,
          minimum: 0,
          maximum: 25,
          currency: 'PLN',
        },
      ],
    },
  },
});
