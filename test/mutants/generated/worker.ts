// Runs the tests of one file against one mutant after the other, in this thread. The changed file and whatever imports it
// are loaded anew for each mutant, under another query; all else is loaded once.

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import '../../support/temporal-equality.ts';
import type { Mutation } from './mutate.ts';
import { forgetRegistered, runRegistered } from './node-test.ts';

export interface WorkerData {
  readonly file: string;
  readonly tests: readonly string[];
}

/** Without a mutation: as the file is. */
export interface Order {
  readonly number: number;
  readonly mutation: Mutation | undefined;
}

export interface Report {
  readonly number: number;
  /** What noticed it. */
  readonly failure: string | undefined;
  readonly tests: number;
}

// The first counterexample is enough: looking for the smallest takes most of the time. The same draws each time.
fc.configureGlobal({ endOnFailure: true, seed: 1 });

const { file, tests } = workerData as WorkerData;
const changed = pathToFileURL(file).href;
const entries = tests.map((test) => pathToFileURL(test).href);
const source = readFileSync(file, 'utf8');
const standIn = new URL('./node-test.ts', import.meta.url).href;
const ownFolder = pathToFileURL(`${process.cwd()}/`).href;

/** Which file imports which, as seen while nothing was changed. */
const importers = new Map<string, Set<string>>();
let order: Order = { number: 0, mutation: undefined };
let reloaded = new Set<string>();

const withoutQuery = (url: string) => url.split('?', 1)[0] ?? url;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'node:test') return { url: standIn, shortCircuit: true };
    const found = next(specifier, context);
    const url = withoutQuery(found.url);
    if (!url.startsWith(ownFolder) || url.includes('/node_modules/')) return found;
    if (order.mutation === undefined && context.parentURL) remember(withoutQuery(context.parentURL), url);
    return reloaded.has(url) ? { ...found, url: `${url}?mutant=${order.number}` } : found;
  },
  load(url, context, next) {
    const { mutation } = order;
    if (mutation === undefined || withoutQuery(url) !== changed) return next(url, context);
    const text = source.slice(0, mutation.start) + mutation.text + source.slice(mutation.end);
    return { format: 'module-typescript', source: text, shortCircuit: true };
  },
});

function remember(importer: string, imported: string): void {
  const known = importers.get(imported) ?? new Set();
  importers.set(imported, known.add(importer));
}

/** The changed file, and all that lead to it. */
function affected(): Set<string> {
  const all = new Set(entries);
  const rest = [changed];
  for (let url = rest.pop(); url !== undefined; url = rest.pop()) {
    if (url === changed || !all.has(url)) rest.push(...(importers.get(url) ?? []));
    all.add(url);
  }
  return all;
}

async function run(): Promise<Report> {
  const { number } = order;
  forgetRegistered();
  try {
    for (const entry of entries) await import(number === 0 ? entry : `${entry}?mutant=${number}`);
    return { number, failure: undefined, tests: await runRegistered() };
  } catch (error) {
    return { number, failure: error instanceof Error ? error.message : String(error), tests: 0 };
  }
}

// What fails after its test has ended was noticed as well.
process.on('uncaughtException', (error) => {
  parentPort?.postMessage({ number: order.number, failure: error.message, tests: 0 } satisfies Report);
});

parentPort?.on('message', async (next: Order) => {
  order = next;
  if (next.number > 0) reloaded = affected();
  parentPort?.postMessage(await run());
});
