// Mutants of blocked payouts.

import type { Mutant } from '../mutant.ts';

const run = 'test/payouts/run.test.ts';
const steps = 'test/payouts/steps.test.ts';

export const payoutBlocksMutants: readonly Mutant[] = [
  {
    file: 'src/payouts/store/verify.ts',
    line: "and payout.created_at < coalesce(block.released_at, 'infinity')",
    instead: 'and payout.created_at < block.released_at',
    bug: 'what is made while an account is blocked is found only after it was released',
    tests: { [steps]: ['made while it was blocked'] },
  },
  {
    file: 'src/payouts/store/verify.ts',
    line: 'or block.blocked_at < payout.approved_at',
    instead: 'or false and block.blocked_at < payout.approved_at',
    bug: 'what is signed while an account is blocked is not found',
    tests: { [steps]: ['made while it was blocked'] },
  },
  {
    file: 'src/payouts/store/verify.ts',
    line: 'and (terms.blocked_at, terms.blocked_by) is distinct from (block.blocked_at, block.blocked_by)',
    instead: 'and false',
    bug: 'a block that was ended behind the service is not found',
    tests: { [steps]: ['a block that was ended'] },
  },
  {
    file: 'src/payouts/store/verify.ts',
    line: 'where logged.times > coalesce(kept.times, 0)',
    instead: 'where logged.times > kept.times',
    bug: 'blocks that were put back as they once were are not found',
    tests: { 'test/payouts/run.test.ts': ['verify, block and release'] },
  },
  {
    file: 'src/payouts/signed.ts',
    line: 'const agree = terms && areTermsOurs(tools, terms) && (terms.blockedAt !== null) === isBlocked;',
    instead: 'const agree = terms && areTermsOurs(tools, terms);',
    bug: 'who puts terms back as they were before a block is paid',
    tests: { [run]: ['terms from before a block'] },
  },
];
