// What a test file opened, closed at its end.

import { after, afterEach, beforeEach, type SuiteContext, type TestContext } from 'node:test';

const closers: (() => unknown)[] = [];
const closersOfProcess: (() => Promise<unknown>)[] = [];

interface Around {
  before(): unknown;
  after(context: TestContext | SuiteContext): unknown;
}

const aroundEach: Around[] = [];

/** Closes what was opened, in reverse order, all of it even if something fails. Automatic in a test file. */
export async function closeAll(): Promise<void> {
  const faults: unknown[] = [];
  for (const close of closers.splice(0).reverse()) {
    try {
      await close();
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length > 0) throw faults[0];
}

/** Closes what the files of a process share. Automatic in a test file that runs alone. */
export async function closeProcess(): Promise<void> {
  for (const close of closersOfProcess.splice(0).reverse()) await close();
}

/** Whether this process runs several files (test/support/run-files.ts); hooks of the root would run after the first. */
export const isBatch = /\bbatch-\d+\.test\.mjs$/.test(process.argv[1] ?? '');

// Registered here, at the root: an `after` inside a `before` would run as soon as that hook ends.
if (process.env.NODE_TEST_CONTEXT && !isBatch) after(closeAll);

/** Closes something when the test file ends, in reverse order. */
export function atEnd(close: () => unknown): void {
  closers.push(close);
}

/** Closes something when all files of this process have ended. To be called while a module is loaded. */
export function atEndOfProcess(close: () => Promise<unknown>): void {
  if (isBatch) closersOfProcess.push(close);
  else after(async () => void (await close()));
}

/** Does something before and after every test. To be called while a module is loaded. */
export function aroundTests(around: Around): void {
  aroundEach.push(around);
  if (!isBatch) hooksOfTests();
}

/** The hooks of a file: modules of test/support are loaded only once for all files of a process. */
export function hooksOfTests(): void {
  beforeEach(async () => {
    for (const around of aroundEach) await around.before();
  });
  afterEach(async (context) => {
    for (const around of aroundEach) await around.after(context);
  });
}
