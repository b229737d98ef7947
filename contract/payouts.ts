// What of the balance can be paid out, and when (docs/api.md#balance).

import { endpoint } from './endpoint.ts';
import { AmountShown, success, Type } from './schema.ts';

const Day = Type.String({ format: 'date' });

export const getBalance = endpoint({
  id: 'B1',
  name: 'getBalance',
  method: 'GET',
  path: '/balance',
  tag: 'Balance',
  access: 'read',
  summary: 'Show the balance',
  description:
    'Shows the balance, and what of it can be paid out: `due` now, `notYetDue` on later days. Money is due one bank day after it was credited; what leaves the balance, such as a refund, counts at once.',
  responses: {
    200: Type.Object(
      {
        ...success,
        balance: Type.Object(
          {
            amount: AmountShown,
            due: AmountShown,
            notYetDue: Type.Array(Type.Object({ date: Day, amount: AmountShown }, { additionalProperties: false })),
            inTransit: Type.Number({ minimum: 0, description: 'In payouts that have not arrived.' }),
            owed: Type.Number({ minimum: 0, description: 'What disputes took beyond the balance.' }),
            currency: Type.String(),
          },
          { additionalProperties: false },
        ),
      },
      { additionalProperties: false },
    ),
  },
  example: {
    response: {
      result: 'success',
      requestId: '3f2a9c0d81e47b56aa10',
      balance: {
        amount: 1250.5,
        due: 1040.5,
        notYetDue: [{ date: '2026-11-23', amount: 210 }],
        inTransit: 0,
        owed: 0,
        currency: 'PLN',
      },
    },
  },
});
