// Which mutants may be tried together. Tests of one must not reach the file of another: only then does a test that fails
// tell whose bug it noticed. Tests beside pure code reach only what they import; those that open the service reach
// everything, and their mutants are tried alone.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Mutant } from './mutant.ts';

const imports = /^(?:import|export)\b[^'"]*['"](\.{1,2}\/[^'"]+)['"]|\bimport\(['"](\.{1,2}\/[^'"]+)['"]\)/gm;

/** What leaves the process that runs the test, or shares a database. */
const reachesMore = /['"]node:(?:child_process|worker_threads)['"]|['"][./]*\/(?:test\/)?support\//;

const together = 8;

/** The files that a test loads; undefined if it may reach any. */
export function reachOf(test: string, read = (file: string) => readFileSync(file, 'utf8')): Set<string> | undefined {
  const all = new Set([test]);
  for (const file of all) {
    const text = read(file);
    if (reachesMore.test(text)) return undefined;
    for (const [, one, other] of text.matchAll(imports)) all.add(join(dirname(file), one ?? other ?? ''));
  }
  return all;
}

interface Group {
  readonly mutants: Mutant[];
  readonly tests: Set<string>;
  readonly reached: Set<string>;
}

/** Each mutant in one group, in their order; those of a group have different files and different test files. */
export function groupsOf(mutants: readonly Mutant[], reach: (test: string) => Set<string> | undefined): Mutant[][] {
  const groups: Group[] = [];
  const alone: Mutant[][] = [];
  for (const mutant of mutants) {
    const tests = Object.keys(mutant.tests);
    const reached = tests.map((test) => reach(test));
    if (reached.some((files) => files === undefined)) {
      alone.push([mutant]);
      continue;
    }
    const files = new Set(reached.flatMap((some) => [...(some ?? [])]));
    const group = groups.find(
      ({ mutants: members, tests: known, reached: others }) =>
        members.length < together &&
        tests.every((test) => !known.has(test)) &&
        !others.has(mutant.file) &&
        members.every(({ file }) => !files.has(file)),
    );
    if (!group) {
      groups.push({ mutants: [mutant], tests: new Set(tests), reached: files });
      continue;
    }
    group.mutants.push(mutant);
    for (const test of tests) group.tests.add(test);
    for (const file of files) group.reached.add(file);
  }
  return [...groups.map((group) => group.mutants), ...alone];
}
