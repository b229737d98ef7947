// Mutants of our own accounts at banks.

import type { Mutant } from '../mutant.ts';

const lost = 'test/batches/lost.test.ts';

export const treasuryMutants: readonly Mutant[] = [
  {
    file: 'src/treasury/store.ts',
    line: 'set holder = excluded.holder, profile = excluded.profile, given_by = excluded.given_by, given_at = excluded.given_at',
    instead: 'set holder = bank_account.holder',
    bug: 'an account whose statements were imported first never pays',
    tests: { [lost]: ['is given, and opened'] },
  },
  {
    file: 'src/treasury/account.ts',
    line: 'ibanFault(iban) === undefined ? iban : undefined;',
    instead: 'true ? iban : undefined;',
    bug: 'an account with a mistyped number is opened, and its files are refused by the bank',
    tests: { [lost]: ['is given, and opened'] },
  },
];
