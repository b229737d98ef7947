// Mutants of what accounts see and do of payouts.

import type { Mutant } from '../mutant.ts';

const api = 'test/payouts/api.test.ts';
const settings = 'test/payouts/settings.test.ts';
const tell = 'test/payouts/tell.test.ts';
const bankAccount = 'test/panel/bank-account.test.ts';
const balance = 'test/payouts/balance.test.ts';

export const payoutsApiMutants: readonly Mutant[] = [
  {
    file: 'src/payouts/ask.ts',
    line: 'if (await hasWaiting(sql, accountId)) return refuse(payoutWaiting);',
    instead: '',
    bug: 'a second request for a payout ends in an error of the database',
    tests: { [api]: ['a second one'] },
  },
  {
    file: 'src/payouts/holdings.ts',
    line: 'altered: altered.get(one.accountId),',
    instead: 'altered: undefined,',
    bug: 'who writes another number into the database asks for a payout to it',
    tests: { [api]: ['rows that somebody else wrote'] },
  },
  {
    file: 'src/payouts/ask.ts',
    line: "if (canceled.length === 0 && (await find(sql)).state !== 'canceled') refuse(payoutNotCancelable);",
    instead: '',
    bug: 'a payout that two people have signed seems to be canceled',
    tests: { [api]: ['afterwards'] },
  },
  {
    file: 'src/payouts/rules.ts',
    line: 'if (payableMinor > 0n && askedMinor !== undefined && askedMinor > payableMinor) return { payableMinor };',
    instead: '',
    bug: 'more is paid on demand than is due',
    tests: { [api]: ['an amount', 'what stops it'] },
  },
  {
    file: 'src/payouts/store/payouts.ts',
    line: 'select * from payout where id = ${id} and account_id is not distinct from ${accountId}`;',
    instead: 'select * from payout where id = ${id}`;',
    bug: 'a merchant sees and cancels payouts of another one',
    tests: { [api]: ['401, 403 and 404'] },
  },
  {
    file: 'src/batches/approve.ts',
    line: 'if (approved.length !== seen.payouts) refuse(batchChanged);',
    instead: '',
    bug: 'a payout that its account cancels just then is in a signed batch',
    tests: { [api]: ['cancel against the second signature'] },
  },
  {
    file: 'src/payouts/balance.ts',
    line: 'const from = isRunOver ? today.add({ days: 1 }) : today;',
    instead: 'const from = today;',
    bug: 'a payout is promised for a day whose run is over',
    tests: { [balance]: ['the next payout'] },
  },
  {
    file: 'src/payouts/settings.ts',
    line: 'if (known && !areTermsOurs(tools, known)) refuse(stopFailures.terms_altered);',
    instead: '',
    bug: 'an account is told that its settings are a matter of operators',
    tests: { [settings]: ['rows that somebody else wrote'] },
  },
  {
    file: 'src/payouts/settings.ts',
    line: "if (days === undefined) return [{ code: 'field_required', field: 'days' }];",
    instead: '',
    bug: 'a schedule without days ends in an error of the database',
    tests: { [settings]: ['400'] },
  },
  {
    file: 'src/payouts/tell.ts',
    line: 'if (url === null) return [];',
    instead: '',
    bug: 'a payout is an event for a program that does not know such events',
    tests: { [tell]: ['nobody who did not ask for it'] },
  },
  {
    file: 'src/payouts/tell.ts',
    line: 'const addresses = [account.email, place.givenBy, ...(before ? [before.givenBy] : [])].filter(isAddress);',
    instead: 'const addresses = [place.givenBy];',
    bug: 'only the thief is told that a bank account was changed',
    tests: { [tell]: ['a changed number'] },
  },
  {
    file: 'src/panel/bank-account/routes.ts',
    line: 'const { email: givenBy } = await confirmOwner(identity.tools, confirmation, id);',
    instead: 'const givenBy = confirmation.email;',
    bug: 'whoever has a session sends the payouts of its account to another number',
    tests: { [bankAccount]: ['refused'] },
  },
  {
    file: 'src/identity/session/confirm.ts',
    line: "if (user.role !== 'owner' || user.accountId !== accountId || user.blockedAt) refuse('access_denied');",
    instead: '',
    bug: 'an operator who looks at an account says where its money goes, in the name of nobody there',
    tests: { [bankAccount]: ['who may not'] },
  },
];
