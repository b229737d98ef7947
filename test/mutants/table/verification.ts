// Mutants of verification: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const verificationMutants: readonly Mutant[] = [
  {
    file: 'src/verification/open.ts',
    line: 'if (runs) return { run: last, isOurs: false };',
    instead: '',
    bug: 'two runs of verify go over the same books at once',
    tests: { 'test/panel/operator.test.ts': ['P92, P93: the books are verified in the background'] },
  },
  {
    file: 'src/verification/run.ts',
    line: 'problems.push(...((await attempt(name, () => verify({ ...verifying, since: changed, books, report }))) ?? []));',
    instead: 'await attempt(name, () => verify({ ...verifying, since: changed, books, report }));',
    bug: 'verify tells only what is wrong in the ledger, nothing of the rooms',
    tests: { 'src/verification/run.test.ts': ['tells what the ledger and the rooms find'] },
  },
  {
    file: 'src/verification/run.ts',
    line: 'if (read && problems.length === 0)',
    instead: 'if (read && read.found.length === 0)',
    bug: 'how far the books were right is kept although a room found something wrong',
    tests: { 'src/verification/run.test.ts': ['keeps how far they were right only if nothing is wrong'] },
  },
  {
    file: 'src/verification/run.ts',
    line: 'since: since && sinceOf(since.subtract(overlap), []),',
    instead: 'since: since && sinceOf(since, []),',
    bug: 'what was open when the last run began is never verified by those of what changed',
    tests: { 'src/verification/run.test.ts': ['a run of what changed'] },
  },
  {
    file: 'src/verification/run.ts',
    line: 'const books = since ? undefined : read?.books;',
    instead: 'const books = read?.books;',
    bug: 'a run of what changed compares its sums with those of everything',
    tests: { 'src/verification/run.test.ts': ['a run of what changed'] },
  },
  {
    file: 'src/verification/run.ts',
    line: 'if (error instanceof DatabaseAway) throw error;',
    instead: 'throw error;',
    bug: 'one row that cannot be read hides everything else that is wrong',
    tests: { 'test/verification/unreadable.test.ts': ['each damage is named'] },
  },
  {
    file: 'src/verification/store.ts',
    line: 'select * from verify_run where started_at <= ${latest} order by id desc limit 1`;',
    instead: 'select * from verify_run where ${latest} is not null order by id desc limit 1`;',
    bug: 'a run of the future keeps the books from being verified',
    tests: { 'test/verification/unreadable.test.ts': ['a run of the future'] },
  },
];
