// Mutants of cards: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const cardsMutants: readonly Mutant[] = [
  {
    file: 'src/cards/store.ts',
    line: 'select * from card_token where token = ${token} and merchant_id = ${merchantId} and active_at is not null`;',
    instead: 'select * from card_token where token = ${token} and active_at is not null`;',
    bug: 'a merchant charges the saved card of another',
    tests: {
      'test/recurring/instruments.test.ts': [
        'R1 with a token of another merchant: 400',
        'R6 with a token of another merchant: 400, and the instrument stays',
      ],
    },
  },
  {
    file: 'src/cards/store.ts',
    line: 'select * from card_token where token = ${token} and merchant_id = ${merchantId} and active_at is not null`;',
    instead: 'select * from card_token where token = ${token} and merchant_id = ${merchantId}`;',
    bug: 'the token of a card whose payment failed can be charged',
    tests: { 'test/transactions/pay-transaction.test.ts': ['400: the token of a card whose payment failed'] },
  },
];
