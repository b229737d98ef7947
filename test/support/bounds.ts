// Loaded before every test file: one whose tests have ended must end too. What it left open, a loop that nobody stops
// or a server that nobody closes, would otherwise hold the whole run for ever, and node:test has no limit for that.

import { after } from 'node:test';

const endsWithinMilliseconds = 60_000;

// In the test files themselves, not in the process that runs them.
if (process.env.NODE_TEST_CONTEXT) {
  after(() => {
    const watch = setTimeout(() => {
      process.stderr.write(`${process.argv[1]} left something open: it goes on a minute after its last test.\n`);
      process.exit(1);
    }, endsWithinMilliseconds);
    // An open timer is no reason to wait for it.
    watch.unref();
  });
}
