// Whether what is held for clients covers what is owed to them: P169.

import { Type } from '../schema.ts';
import { answer, doneExample, panelEndpoint } from './shared.ts';

const signed = (description: string) => Type.Number({ description });
const positive = (description: string) => Type.Number({ minimum: 0, description });

export const getSafeguarding = panelEndpoint({
  id: 'P169',
  name: 'getSafeguarding',
  method: 'GET',
  path: '/panel/api/operator/safeguarding',
  access: 'operator',
  summary: 'Get the safeguarding figure',
  description:
    'What is held for clients against what is owed to them, as of the last sealed journal: some seconds ago.',
  responses: {
    200: answer({
      safeguarding: Type.Object(
        {
          bank: signed('On the bank account of clients’ money.'),
          acquirers: signed('What acquirers owe us.'),
          held: signed('The sum of the two.'),
          accounts: signed('Owed to accounts, payouts on their way included.'),
          payers: signed('Owed to payers: refunds, disputes, and money that belongs to nobody yet.'),
          unknown: signed('What came, and nobody knows what for.'),
          owed: signed('The sum of the three.'),
          shortfall: positive('What is missing.'),
          own: positive('What is ours of what is held: fees that were not moved out yet.'),
          movable: positive('What of that is at the bank.'),
          currency: Type.String({ description: 'The currency.' }),
        },
        { additionalProperties: false, description: 'The figure.' },
      ),
    }),
  },
  example: {
    response: {
      ...doneExample,
      safeguarding: {
        bank: 12_000,
        acquirers: 5_400.5,
        held: 17_400.5,
        accounts: 17_000,
        payers: 100,
        unknown: 0,
        owed: 17_100,
        shortfall: 0,
        own: 300.5,
        movable: 300.5,
        currency: 'PLN',
      },
    },
  },
});

export const safeguardingEndpoints = [getSafeguarding] as const;
