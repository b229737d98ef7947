// Loaded before every test file: a file whose tests have ended must end too. Otherwise a loop that nobody stops or a
// server that nobody closes would block the whole run forever, and node:test has no limit for that.

import { after } from 'node:test';
import { isBatch } from './closers.ts';
import './temporal-equality.ts';

const endsWithinMilliseconds = 60_000;

/** Called after the last test. */
export function mustEnd(): void {
  const watch = setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(`${process.argv[1]} goes on a minute after its last test. Left open: ${open}.\n`);
    process.exit(1);
  }, endsWithinMilliseconds);
  // The timer itself must not keep the process alive.
  watch.unref();
}

// In the test files themselves, not in the process that runs them.
if (process.env.NODE_TEST_CONTEXT && !isBatch) after(mustEnd);
