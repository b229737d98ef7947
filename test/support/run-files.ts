// Runs test files, two processes at a time, in the order in which they are given: `node --test` would sort them by name.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

/** There are two cores, and the files wait for little else. */
const atOnce = 2;
const millisecondsAtMost = 120_000;
const bounds = fileURLToPath(new URL('./bounds.ts', import.meta.url));
const batch = new URL('./batch.ts', import.meta.url).href;

/** So few that the last batches end at about the same time. */
const filesAtMost = 8;

/**
 * Files that run alone: those that take long, start processes or browsers, or measure how long something takes or how
 * much memory it needs.
 */
const alone =
  /^test\/(browser|crash|prove|race|start)\/|hostile|key-returns|three-years|faults|upgrade|restore|reconcile/;

/** Consecutive files that share a process. */
function batches(files: readonly string[]): string[][] {
  const made: string[][] = [];
  let open: string[] | undefined;
  for (const file of files) {
    if (alone.test(file)) {
      made.push([file]);
    } else if (open && open.length < filesAtMost) {
      open.push(file);
    } else {
      open = [file];
      made.push(open);
    }
  }
  return made;
}

const folder = mkdtempSync(join(tmpdir(), 'grosz-batches-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The file to run: the only one of the batch, or one that runs them all. */
function entryOf(files: readonly string[], index: number): string {
  if (files.length === 1 && files[0]) return files[0];
  const entry = join(folder, `batch-${index + 1}.test.mjs`);
  const list = JSON.stringify(files);
  writeFileSync(entry, `import { runBatch } from ${JSON.stringify(batch)};\nawait runBatch(${list});\n`);
  return entry;
}

const events = run({
  files: batches(process.argv.slice(2)).map(entryOf),
  concurrency: atOnce,
  timeout: millisecondsAtMost,
  execArgv: [`--import=${bounds}`],
});
events.on('test:fail', () => {
  process.exitCode = 1;
});
events.compose(spec).pipe(process.stdout);
