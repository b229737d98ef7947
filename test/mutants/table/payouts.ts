// Mutants of payouts.

import type { Mutant } from '../mutant.ts';

const run = 'test/payouts/run.test.ts';
const steps = 'test/payouts/steps.test.ts';

export const payoutsMutants: readonly Mutant[] = [
  {
    file: 'src/payouts/store/held.ts',
    line: ' and entry.amount_minor < 0',
    instead: '',
    bug: 'a refund of money that is not due yet makes other money due later',
    tests: { 'test/payouts/balance.test.ts': ['a refund takes what is due'] },
  },
  {
    file: 'src/payouts/store/held.ts',
    line: 'const count = first.until(today).days + 2;',
    instead: 'const count = first.until(today).days + 1;',
    bug: 'money that another node credited today is shown as due a day too early',
    tests: { 'test/payouts/balance.test.ts': ['a credit of tomorrow, by a clock that is ahead'] },
  },
  {
    file: 'src/payouts/store/held.ts',
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
  {
    file: 'sql/0021_payouts.sql',
    line: 'and place.hold_until <= new_rows.created_at and place.replaced_at is null) is not true limit 1;',
    instead: 'and place.replaced_at is null) is not true limit 1;',
    bug: 'a stolen session is paid at once to the number of the thief',
    tests: { [steps]: ['a number that is changed'] },
  },
  {
    file: 'sql/0021_payouts.sql',
    line: "where (new_rows.state = 'created' and place.verified_at <= new_rows.created_at",
    instead: "where (new_rows.state = 'created'",
    bug: 'a payout goes to a number that nobody has verified',
    tests: { [steps]: ['not verified'] },
  },
  {
    file: 'sql/0021_payouts.sql',
    line: "create unique index payout_on_demand on payout (account_id) where run_id is null and state = 'created';",
    instead: "create index payout_on_demand on payout (account_id) where run_id is null and state = 'created';",
    bug: 'a request that is repeated makes a second payout',
    tests: { [steps]: ['two on demand'] },
  },
  {
    file: 'src/payouts/place.ts',
    line: 'holdUntil: before ? now.add(holdAfterChange) : now,',
    instead: 'holdUntil: now,',
    bug: 'a changed number is paid without 72 hours in which the owner can object',
    tests: { [steps]: ['a number that is changed'] },
  },
  {
    file: 'src/payouts/place.ts',
    line: 'if (before.givenBy === by) return refuse(verifiedByGiver);',
    instead: '',
    bug: 'whoever gave a number verifies it',
    tests: { [steps]: ['verified by whoever gave it, or another one'] },
  },
  {
    file: 'src/payouts/place.ts',
    line: 'if (!before || (id !== undefined && before.id !== id)) return refuse(bankAccountMissing);',
    instead: 'if (!before) return refuse(bankAccountMissing);',
    bug: 'an operator verifies another number than the one on the screen',
    tests: { [steps]: ['verified by whoever gave it, or another one'] },
  },
  {
    file: 'src/payouts/signed.ts',
    line: 'signed ? signed.rows !== rows || signed.digest !== digest || !isSumOurs(tools, signed) : rows > 0n,',
    instead: 'signed ? signed.rows !== rows || !isSumOurs(tools, signed) : rows > 0n,',
    bug: 'terms that were put back as they once were are not noticed',
    tests: { [steps]: ['terms as they once were'] },
  },
  {
    file: 'src/payouts/step.ts',
    line: "fail: { from: ['sent'], to: 'failed', journal: payoutReturnedJournal },",
    instead: "fail: { from: ['sent'], to: 'failed' },",
    bug: 'the money of a payout that the bank refused stays in transit',
    tests: { [steps]: ['approve, send, fail: failed'] },
  },
  {
    file: 'src/payouts/verify.ts',
    line: 'return openNumberOf(vault, payout).reveal() === openNumber(vault, place).reveal();',
    instead: 'return true;',
    bug: 'nobody notices that a payout goes to another number than that of the account',
    tests: { [steps]: ['another number of ours'] },
  },
  {
    file: 'src/payouts/run.ts',
    line: 'await updateRun(sql, { ...run, reached, payouts: run.payouts + planned.length, totalMinor, endedAt: null });',
    instead: '',
    bug: 'a run begins again with the first account for ever',
    tests: { [run]: ['in every page of 1, while it is written'] },
  },
  {
    file: 'src/payouts/run.ts',
    line: 'const candidates = await lockCandidates(sql, run.reached, page);',
    instead: "const candidates = await lockCandidates(sql, '', page);",
    bug: 'a run that goes on begins with the first account',
    tests: { [run]: ['in every page of 2, while it is written'] },
  },
  {
    file: 'src/payouts/rules.ts',
    line: 'return free > 0n ? least(dueMinor, free) : 0n;',
    instead: 'return dueMinor;',
    bug: 'what is to stay in the balance is paid out',
    tests: { [run]: ['who is not paid, and why'] },
  },
  {
    file: 'src/payouts/rules.ts',
    line: "if (arePayoutsBlocked) return stop('payouts_blocked');",
    instead: '',
    bug: 'an account that an operator has blocked is paid',
    tests: { [run]: ['who is not paid, and why'] },
  },
  {
    file: 'src/payouts/store/run.ts',
    line: 'and entry.journal_id >= owner.first_id and entry.amount_minor < 0',
    instead: 'and entry.journal_id > owner.first_id and entry.amount_minor > 0',
    bug: 'a run pays what is not due yet',
    tests: { [run]: ['pays once, by itself'] },
  },
];
