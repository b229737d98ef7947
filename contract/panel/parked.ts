// What operators decide: P89 and P90.

import { historySteps, parkedKinds, parkReasons } from '../codes/parking.ts';
import { AmountShown, nullable, optional, shaped, Type } from '../schema.ts';
import { answer, done, doneExample, instantShown, messageShown, panelEndpoint } from './shared.ts';

const historyShown = Type.Array(
  Type.Object(
    {
      at: instantShown,
      step: Type.Enum([...historySteps]),
      bank: nullable(AmountShown),
      books: nullable(Type.Number()),
      booked: Type.Number({ description: 'What the step moved on the acquirer’s account in the books.' }),
    },
    { additionalProperties: false },
  ),
  { description: 'What happened to it before, oldest first; of differences from the statement.' },
);

export const listParked = panelEndpoint({
  id: 'P89',
  name: 'listParked',
  method: 'GET',
  path: '/panel/api/operator/parked',
  access: 'operator',
  summary: 'List parked items',
  description: 'What the bank could not resolve, oldest first.',
  responses: {
    200: answer({
      parked: Type.Array(
        Type.Object(
          {
            id: Type.String(),
            kind: Type.Enum([...parkedKinds]),
            amount: AmountShown,
            accountId: nullable(Type.String({ description: 'null: the bank knows it, the books do not.' })),
            accountName: nullable(Type.String({ description: 'The name of that account.' })),
            transactionId: nullable(Type.String()),
            parkedAt: instantShown,
            why: messageShown(parkReasons),
            history: historyShown,
          },
          { additionalProperties: false },
        ),
      ),
    }),
  },
  example: {
    response: {
      ...doneExample,
      parked: [
        {
          id: '01JZ8D3K7R4M5N6P7Q8R9S0T1X',
          kind: 'attempt',
          amount: 49.9,
          accountId: '01JZ8D3K7R4M5N6P7Q8R9S0T1V',
          accountName: 'Tea shop',
          transactionId: '01JZ8D3K7R4M5N6P7Q8R9S0T1Y',
          parkedAt: '2026-07-01T10:05:00Z',
          why: { code: 'no_result', parameters: {} },
          history: [],
        },
      ],
    },
  },
});

export const decideParked = panelEndpoint({
  id: 'P90',
  name: 'decideParked',
  method: 'POST',
  path: '/panel/api/operator/parked/{id}/decide',
  access: 'operator',
  summary: 'Decide a parked item',
  description:
    'captured needs the amount that the bank confirmed by other means; another amount is never booked. A refused decision ' +
    'has `why`: a code with parameters.',
  params: Type.Object({ id: Type.String() }),
  body: Type.Object({
    decision: Type.Enum(['captured', 'not_captured']),
    amount: optional(
      shaped('^\\d{1,12}\\.\\d{2}$', 'amount_with_cents', {
        description: 'Such as 49.90; required with captured.',
      }),
    ),
  }),
  responses: { 200: done },
  failures: [404],
  example: { request: { decision: 'captured', amount: '49.90' }, response: doneExample },
});

export const parkedEndpoints = [listParked, decideParked];
