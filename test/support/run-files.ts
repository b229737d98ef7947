// Runs test files, two at a time, in the order in which they are given: `node --test` would sort them by name.

import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

/** There are two cores, and the files wait for little else. */
const atOnce = 2;
const millisecondsAtMost = 120_000;
const bounds = fileURLToPath(new URL('./bounds.ts', import.meta.url));

const events = run({
  files: process.argv.slice(2),
  concurrency: atOnce,
  timeout: millisecondsAtMost,
  execArgv: [`--import=${bounds}`],
});
events.on('test:fail', () => {
  process.exitCode = 1;
});
events.compose(spec).pipe(process.stdout);
