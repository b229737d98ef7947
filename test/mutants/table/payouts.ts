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
    file: 'src/payouts/store.ts',
    line: 'const count = first.until(today).days + 2;',
    instead: 'const count = first.until(today).days + 1;',
    bug: 'money that another node credited today is shown as due a day too early',
    tests: { 'test/payouts/balance.test.ts': ['a credit of tomorrow, by a clock that is ahead'] },
  },
  {
    file: 'src/payouts/store.ts',
    line: 'const untilId = index + 1 === count ? afterAllIds : idFrom(day.add({ days: 1 }), zone);',
    instead: 'const untilId = idFrom((index + 1 === count ? day : day.add({ days: 1 })), zone);',
    bug: 'money that was credited after midnight, by a clock that is ahead, is due at once',
    tests: { 'test/payouts/balance.test.ts': ['a credit of tomorrow, by a clock that is ahead'] },
  },
  {
    file: 'src/payouts/balance.ts',
    line: 'toZonedDateTimeISO(bankZone)',
    instead: "toZonedDateTimeISO('Pacific/Kiritimati')",
    bug: 'money is due on the day of another time zone',
    tests: { 'test/payouts/balance.test.ts': ['late in the evening'] },
  },
];
