// The bank account to which an account is paid: P175. Its state is in `GET /payout-settings`.

import { isOneLine, mustBe, Type, text } from '../schema.ts';
import { answer, doneExample, panelEndpoint } from './shared.ts';

const Holder = Type.Refine(
  Type.String({ minLength: 1, maxLength: 70, description: 'Whose account it is, as the bank knows it.' }),
  (value) => value.length > 70 || (isOneLine(value) && value.trim() !== ''),
  mustBe('one_line', {}),
);

export const giveBankAccount = panelEndpoint({
  id: 'P175',
  name: 'giveBankAccount',
  method: 'POST',
  path: '/panel/api/bank-account',
  access: 'owner',
  summary: 'Give a bank account',
  description:
    'Where payouts go from now on. It waits for an operator, and for 72 hours if it replaces another one; payouts for that one that are in no signed batch are canceled. The account and whoever gave the old and the new number get a mail.',
  body: Type.Object({
    iban: Type.String({ minLength: 1, maxLength: 60, description: 'An IBAN, or a Polish number of 26 digits.' }),
    holder: Holder,
    password: Type.String({ minLength: 1, maxLength: 200, description: 'The password of the person.' }),
    code: text(40, 1),
  }),
  responses: {
    200: answer({
      ending: Type.String({ description: 'The last four characters of the number.' }),
      holder: Type.String({ description: 'Whose account it is.' }),
    }),
  },
  failures: [403, 409, 429],
  example: {
    request: {
      iban: 'PL61109010140000071219812874',
      holder: 'Sklep Jana sp. z o.o.',
      password: 'correct horse battery staple',
      code: '123456',
    },
    response: { ...doneExample, ending: '2874', holder: 'Sklep Jana sp. z o.o.' },
  },
});

export const bankAccountEndpoints = [giveBankAccount] as const;
