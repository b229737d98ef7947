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
    line: 'problems.push(...found.flatMap((ofPart) => ofPart ?? []));',
    instead: '',
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
  {
    file: 'src/verification/store.ts',
    line: 'and (later.since_at is null or later.since_at <= wrong.since_at',
    instead: 'and (later.since_at is not null or later.since_at is null',
    bug: 'an hourly run clears what a run of everything found in an old row',
    tests: {
      'test/verification/standing.test.ts': [
        'in an old row: an hourly run does not make it right',
        'among what changed: a run of as much makes it right',
      ],
    },
  },
  {
    file: 'src/verification/store.ts',
    line: "and not exists (select from jsonb_array_elements(later.problems) problem where problem ->> 'code' = any(${unread}))",
    instead: '',
    bug: 'a run that could not read a part clears what was found there',
    tests: { 'test/verification/standing.test.ts': ['a run that did not read everything'] },
  },
  {
    file: 'src/verification/store.ts',
    line: 'and (later.started_by = ${commandLine} or not exists (',
    instead: 'and (true or not exists (',
    bug: 'a worker clears that a chain is not what was noted elsewhere',
    tests: { 'test/verification/standing.test.ts': ['a chain that is not what was noted'] },
  },
  {
    file: 'src/verification/store.ts',
    line: 'and not exists (select from (${standing(latest)}) standing where standing.id < verify_run.id)',
    instead: '',
    bug: 'the books count as right while something found wrong stands',
    tests: {
      'test/verification/standing.test.ts': [
        'in an old row: an hourly run does not make it right',
        'among what changed: a run of as much makes it right',
      ],
    },
  },
  {
    file: 'src/verification/store.ts',
    line: 'where next_since is null or next_since > reached order by reached limit 1`;',
    instead: 'order by reached desc limit 1`;',
    bug: 'what happened between two runs of what changed is never verified',
    tests: { 'test/verification/standing.test.ts': ['a run of the last minute leaves a gap'] },
  },
  {
    file: 'src/verification/store.ts',
    line: 'select count(distinct problem)::integer as count',
    instead: 'select 0 as count, count(distinct problem)',
    bug: 'the metric of wrong rows is always zero',
    tests: { 'test/verification/standing.test.ts': ['counts what is wrong'] },
  },
  {
    file: 'src/verification/open.ts',
    line: "return right ? wall.now().since(right).total('seconds') : -1;",
    instead: 'return 0;',
    bug: 'the metric of the age of right books is always zero',
    tests: { 'test/verification/standing.test.ts': ['counts what is wrong'] },
  },
  {
    file: 'src/command/verify.ts',
    line: 'if (since) await objectToOlder(rooms);',
    instead: '',
    bug: 'the command calls books right that are known to be wrong',
    tests: { 'test/verification/standing.test.ts': ['the command'] },
  },
  {
    file: 'src/ledger/store.ts',
    line: 'where coalesce(booked.minor, 0) <> coalesce(expected.minor, 0) order by account`;',
    instead: 'where false order by account`;',
    bug: 'sums of accounts are never wrong',
    tests: {
      'test/verification/damages.test.ts': [
        'the sums of banking say it too',
        'the sums of refunds say it too',
        'the sums of disputes say it too',
        'the sums of reconciliation say it too',
      ],
    },
  },
  {
    file: 'src/ledger/checkpoint.ts',
    line: "if (!isSigned(vault, checkpoint)) return { reached: start, found: [{ code: 'checkpoint_changed', parameters: {} }] };",
    instead: '',
    bug: 'whoever writes to the database makes up where verify goes on, and with which sums',
    tests: { 'test/verification/damages.test.ts': ['each is noticed by the schema, or by verify with its sentence'] },
  },
  {
    file: 'src/database/verifying.ts',
    line: 'const keys = [...new Set(await changed(sql, since))];',
    instead: 'const keys: string[] = [];',
    bug: 'a run of what changed looks at nothing',
    tests: {
      'test/verification/standing.test.ts': ['in a new row: an hourly run names it, and the next one finds it gone'],
    },
  },
];
