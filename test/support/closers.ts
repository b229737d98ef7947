// What a test file opened, closed at its end.

import { after } from 'node:test';

const closers: (() => unknown)[] = [];

/** Closes what was opened, in reverse order. Automatic in a test file. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

/** Whether this process runs several files (test/support/run-files.ts); hooks of the root would run after the first. */
export const isBatch = /\bbatch-\d+\.test\.mjs$/.test(process.argv[1] ?? '');

// Registered here, at the root: an `after` inside a `before` would run as soon as that hook ends.
if (process.env.NODE_TEST_CONTEXT && !isBatch) after(closeAll);

/** Closes something when the test file ends, in reverse order. */
export function atEnd(close: () => unknown): void {
  closers.push(close);
}
