// Mutants of payouts.

import type { Mutant } from '../mutant.ts';

export const payoutsMutants: readonly Mutant[] = [
  {
    file: 'src/payouts/store.ts',
    line: ' and entry.amount_minor < 0',
    instead: '',
    bug: 'a refund of money that is not due yet makes other money due later',
    tests: { 'test/payouts/balance.test.ts': ['a refund takes what is due'] },
  },
  {
    file: 'src/payouts/balance.ts',
    line: 'toZonedDateTimeISO(bankZone)',
    instead: "toZonedDateTimeISO('Pacific/Kiritimati')",
    bug: 'money is due on the day of another time zone',
    tests: { 'test/payouts/balance.test.ts': ['late in the evening'] },
  },
];
