// Runs the mutants of the table, two groups at a time, each in its own copy of the project. Only the tests that they name
// run: that takes seconds.

import { ensureChromium } from '../support/chromium.ts';
import { openTestServer } from '../support/server.ts';
import { groupsOf, reachOf } from './groups.ts';
import { type Mutant, movedFrom, mutated, type TestNames } from './mutant.ts';
import { runTests, type TestRun } from './run-tests.ts';
import { Scratch } from './scratch.ts';

export type Verdict =
  | { readonly kind: 'noticed' | 'endless'; readonly by: readonly string[]; readonly seconds: number }
  | { readonly kind: 'survived' | 'moved'; readonly why: string };

const atOnce = 2;

/** A change that is in the database before the tests begin. */
const hasOwnServer = ({ file }: Mutant) => file.startsWith('sql/');

/** Of the tests that the mutant names, those that ran. */
const ownOf = ({ tests }: Mutant, run: TestRun) =>
  run.tests.filter(({ file, name }) => {
    const names = tests[file];
    return names !== undefined && (names.length === 0 || names.includes(name));
  });

function verdictOf(mutant: Mutant, run: TestRun): Verdict {
  const own = ownOf(mutant, run);
  const by = [...new Set(own.filter(({ isPassed }) => !isPassed).map(({ name }) => name))];
  if (by.length > 0) return { kind: 'noticed', by, seconds: run.seconds };
  // A test that waits for what never comes has noticed it, but says nothing: it should have a limit.
  if (!run.isOver) return { kind: 'endless', by: [], seconds: run.seconds };
  return {
    kind: 'survived',
    why: own.length === 0 ? `no test ran:\n${run.output.slice(0, 2_000)}` : 'its tests passed',
  };
}

/** One run of all their tests. */
async function judge(mutants: readonly Mutant[], scratch: Scratch, serverUrl: string): Promise<Map<Mutant, Verdict>> {
  const verdicts = new Map<Mutant, Verdict>();
  const texts = new Map<string, string>();
  const tests: Record<string, readonly string[]> = {};
  for (const mutant of mutants) {
    const text = scratch.read(mutant.file);
    const why = movedFrom(text, mutant);
    if (why !== undefined) verdicts.set(mutant, { kind: 'moved', why });
    else {
      texts.set(mutant.file, mutated(text, mutant));
      Object.assign(tests, mutant.tests);
    }
  }
  if (texts.size === 0) return verdicts;
  const url = mutants.some(hasOwnServer) ? undefined : serverUrl;
  const run = await scratch.whileChanged(texts, () => runTests(scratch.folder, tests, url));
  // One of them never ended: what the tests of the others say is seen without it.
  if (!run.isOver && texts.size > 1) return judgeAlone(mutants, scratch, serverUrl);
  for (const mutant of mutants) if (!verdicts.has(mutant)) verdicts.set(mutant, verdictOf(mutant, run));
  return verdicts;
}

async function judgeAlone(
  mutants: readonly Mutant[],
  scratch: Scratch,
  serverUrl: string,
): Promise<Map<Mutant, Verdict>> {
  const verdicts = new Map<Mutant, Verdict>();
  for (const mutant of mutants) {
    for (const [one, verdict] of await judge([mutant], scratch, serverUrl)) verdicts.set(one, verdict);
  }
  return verdicts;
}

/** Every test that the mutants name, once. */
function namesOf(mutants: readonly Mutant[]): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const { tests } of mutants) {
    for (const [file, own] of Object.entries(tests)) {
      names.set(file, new Set([...(names.get(file) ?? []), ...own]));
    }
  }
  return names;
}

/** Does something with each, `atOnce` at a time, each with a copy of its own. */
async function inCopies<T>(items: readonly T[], run: (item: T, scratch: Scratch) => Promise<void>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: Math.min(atOnce, items.length) }, async () => {
      const scratch = new Scratch();
      try {
        for (const item of rest) await run(item, scratch);
      } finally {
        scratch.remove();
      }
    }),
  );
}

/** Tests that do not exist, or fail without a mutant. */
async function faultsOf(names: Map<string, Set<string>>, serverUrl: string): Promise<string[]> {
  const faults: string[] = [];
  await inCopies([...names], async ([file, own], scratch) => {
    const tests: TestNames = { [file]: [...own] };
    const run = await runTests(scratch.folder, tests, serverUrl);
    const ran = new Set(run.tests.map(({ name }) => name));
    faults.push(
      ...run.tests.filter(({ isPassed }) => !isPassed).map(({ name }) => `${file} fails without a mutant: ${name}`),
      ...[...own].filter((name) => !ran.has(name)).map((name) => `${file} has no test ${name}`),
    );
    if (ran.size === 0) faults.push(`${file}: no test ran\n${run.output}`);
  });
  return faults;
}

export interface TableResult {
  readonly faults: readonly string[];
  readonly verdicts: ReadonlyMap<Mutant, Verdict>;
}

export async function runTable(
  mutants: readonly Mutant[],
  told: (mutant: Mutant, verdict: Verdict) => void,
): Promise<TableResult> {
  const names = namesOf(mutants);
  if ([...names.keys()].some((file) => file.startsWith('test/browser/'))) ensureChromium();
  const postgres = await openTestServer();
  try {
    const faults = await faultsOf(names, postgres.url);
    const verdicts = new Map<Mutant, Verdict>();
    const known = new Map([...names.keys()].map((test) => [test, reachOf(test)]));
    const groups = groupsOf(mutants, (test) => known.get(test));
    await inCopies(groups, async (group, scratch) => {
      for (const [mutant, verdict] of await judge(group, scratch, postgres.url)) {
        verdicts.set(mutant, verdict);
        told(mutant, verdict);
      }
    });
    return { faults, verdicts };
  } finally {
    await postgres.stop();
  }
}
