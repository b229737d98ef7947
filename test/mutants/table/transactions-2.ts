// Mutants of transactions: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const transactionsMutants2: readonly Mutant[] = [
  {
    file: 'src/transactions/store/refundable.ts',
    line:
      'select from transaction where id = any(${ids}::text[]) and (merchant_id = any(${merchantIds}::text[])) is true\n' +
      '     order by id for no key update`;',
    instead:
      'select from transaction where id = any(${ids}::text[]) and (merchant_id = any(${merchantIds}::text[])) is true`;',
    bug: 'refunds of one transaction do not take turns',
    tests: { 'test/race/refunds.test.ts': ['everything twice'] },
  },
  {
    file: 'src/transactions/store/transactions.ts',
    line: 'and created_at <= ${before}',
    instead: 'and true',
    bug: 'transactions of the same six hours expire too early',
    tests: { 'test/transactions/expiry.test.ts': ['with counts not added yet', 'with counts added up'] },
  },
  {
    file: 'src/transactions/store/lists.ts',
    line: 'and (${status}::text is null or status = ${status}::text)) as counted',
    instead: ') as counted',
    bug: 'the total of a list with a status counts all',
    tests: {
      'test/transactions/list-many-transactions.test.ts': [
        '200: 120 lists, some changes added',
        '200: 120 lists, all changes added',
      ],
    },
  },
];
