// Runs test files, three processes at a time, in the order in which they are given: `node --test` would sort them by name.
// Next to them run those that mostly wait. With options of Node, each file has a process of its own.

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { PassThrough } from 'node:stream';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { recordDurations, recordedDurations, secondsOf } from './tiers.ts';

/** One more than there are cores: each process waits much of its time, for PostgreSQL, a browser or a second to pass. */
const atOnce = 3;
const millisecondsAtMost = 480_000;
const bounds = fileURLToPath(new URL('./bounds.ts', import.meta.url));
const batch = new URL('./batch.ts', import.meta.url).href;

/**
 * A batch is full when it has so many files that also take so many seconds together: loading the service and warming it up
 * takes longer than many files do, and the last batches should end at about the same time. Files with a browser share it,
 * and take long.
 */
const full = { browser: { files: 3, seconds: 0 }, other: { files: 8, seconds: 60 } };

/**
 * Files that run alone: those that take long, start processes, or measure how long something takes or how much memory it
 * needs.
 */
const alone =
  /^test\/((crash|prove|race|start)\/|.*(hostile|key-returns|three-years|faults|upgrade|restore\.|reconcile\.))/;

/** Files that wait for real time and hardly compute: they run next to the others, one at a time. */
const waiting =
  /^test\/(browser\/pay-network|crash\/(frozen|locked-row|silence|workers)|platform\/pooler|wallet\/init-session)\.test\.ts$/;

/** Files that share a process, in their order. */
function batches(files: readonly string[]): string[][] {
  const made: string[][] = [];
  const open: { browser?: string[]; other?: string[] } = {};
  const recorded = recordedDurations();
  const isFull = (batch: readonly string[], limit: { readonly files: number; readonly seconds: number }) =>
    batch.length >= limit.files && batch.reduce((sum, file) => sum + secondsOf(file, recorded), 0) >= limit.seconds;
  for (const file of files) {
    const kind = file.startsWith('test/browser/') ? 'browser' : 'other';
    const batch = alone.test(file) ? [] : (open[kind] ?? []);
    if (batch.length === 0) made.push(batch);
    batch.push(file);
    if (!alone.test(file)) open[kind] = isFull(batch, full[kind]) ? [] : batch;
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

const lanes = (files: readonly string[], concurrency: number) =>
  run({ files: [...files], concurrency, timeout: millisecondsAtMost, execArgv: [`--import=${bounds}`, ...options] });

const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
const given = process.argv.slice(2).filter((argument) => !options.includes(argument));
const others = given.filter((file) => !waiting.test(file));
const waits = given.filter((file) => waiting.test(file));
const single = options.length > 0;
const streams = [
  ...(others.length > 0 ? [single ? lanes(others, 1) : lanes(batches(others).map(entryOf), atOnce)] : []),
  ...(waits.length > 0 ? [lanes(waits, 1)] : []),
];

const roundTenths = (seconds: number) => Math.round(seconds * 10) / 10;

/** How long each file took: as a suite of its batch, or all that it ran if it was alone. */
const durations: Record<string, number> = {};

/** The events of all, as they come. */
const events = new PassThrough({ objectMode: true });
for (const stream of streams) {
  stream.on('test:pass', ({ name, file, nesting, details }) => {
    if (nesting > 0) return;
    const path = file && relative(process.cwd(), file);
    const timed = [name, path].find((one) => one && given.includes(one));
    if (timed) durations[timed] = roundTenths((durations[timed] ?? 0) + details.duration_ms / 1000);
  });
  stream.on('test:fail', () => {
    process.exitCode = 1;
  });
  stream.pipe(events, { end: false });
}
Promise.all(streams.map((stream) => once(stream, 'end'))).then(() => {
  if (process.env.TEST_RECORD && process.exitCode === undefined) recordDurations(durations);
  events.end();
});
events.compose(spec).pipe(process.stdout);
