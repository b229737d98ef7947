// Runs tests of a scratch copy, by their names, and tells which failed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { later } from '../../src/runtime/index.ts';
import type { TestNames } from './mutant.ts';
import type { Reported } from './reporter.ts';

export interface TestRun {
  /** Single tests, with their files. */
  readonly tests: readonly Reported[];
  /** False: it was ended, because a test waited for something that never came. */
  readonly isOver: boolean;
  readonly output: string;
  readonly seconds: number;
}

const millisecondsAtMost = 180_000;

const escaped = (name: string) => name.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Several files in one process: a suite each (test/support/batch.ts). */
function entryOf(folder: string, files: readonly string[]): string {
  if (files.length === 1 && files[0]) return join(folder, files[0]);
  const entry = join(folder, 'batch-1.test.mjs');
  const list = JSON.stringify(files);
  writeFileSync(entry, `import { runBatch } from './test/support/batch.ts';\nawait runBatch(${list});\n`);
  return entry;
}

/** In one process. Without a server's address it has its own PostgreSQL, for changes of the schema. */
export async function runTests(folder: string, names: TestNames, serverUrl: string | undefined): Promise<TestRun> {
  const started = performance.now();
  const all = Object.values(names);
  // A file without names runs as a whole. So do several: of suites that are awaited, a pattern ends the run after the first.
  const patterns = all.length === 1 ? all.flat() : [];
  const args = [
    '--no-warnings',
    `--import=${join(folder, 'test/support/bounds.ts')}`,
    `--test-reporter=${join(folder, 'test/mutants/reporter.ts')}`,
    '--test-reporter-destination=stdout',
    ...patterns.map((name) => `--test-name-pattern=/^${escaped(name)}$/`),
    entryOf(folder, Object.keys(names)),
  ];
  const child = spawn(process.execPath, serverUrl ? args : [join(folder, 'test/mutants/own-server.ts'), ...args], {
    cwd: folder,
    // With a context, the hooks of test files close what they opened.
    env: {
      ...process.env,
      NODE_TEST_CONTEXT: 'mutants',
      NODE_COMPILE_CACHE: join(folder, '.cache'),
      ...(serverUrl && { TEST_DATABASE_URL: serverUrl }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own group: tests start processes, which must end with it.
    detached: true,
  });
  let isOver = true;
  const forgetLimit = later(millisecondsAtMost, () => {
    isOver = false;
    endGroup(child.pid);
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  forgetLimit();
  // A file without a test of that name leaves what it started before its tests.
  endGroup(child.pid);
  const tests = output.split('\n').flatMap((line) => reportedIn(line, folder));
  return { tests, isOver, output: output + errors, seconds: (performance.now() - started) / 1_000 };
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader) process.kill(-leader, 'SIGKILL');
  } catch {
    // Nobody of it is left.
  }
}

function reportedIn(line: string, folder: string): Reported[] {
  if (!line.startsWith('{"file":')) return [];
  try {
    const reported = JSON.parse(line) as Reported;
    return reported.isSuite ? [] : [{ ...reported, file: relative(folder, reported.file) }];
  } catch {
    return [];
  }
}
