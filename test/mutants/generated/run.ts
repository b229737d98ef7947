// Runs the generated mutants of pure files, two files at a time, each in a thread that is ended when a mutant never ends.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type Mutation, mutationsOf } from './mutate.ts';
import type { PureFile } from './pure-files.ts';
import type { Order, Report, WorkerData } from './worker.ts';

/** A mutant of a file, as people read it. */
export interface Change {
  readonly line: number;
  /** Without its indentation. */
  readonly before: string;
  readonly after: string;
}

export interface FileResult {
  readonly file: string;
  readonly made: number;
  readonly survivors: readonly Change[];
  readonly seconds: number;
}

/** Modules that were loaded once are never freed. */
const mutantsPerThread = 300;
const slowerAtMost = 4;
const millisecondsAtLeast = 2_000;

/** Changes nothing: a test that fails now fails because of how mutants are run. */
const nothing: Mutation = { start: 0, end: 0, text: '' };

class Thread {
  readonly #of: PureFile;
  #worker: Worker | undefined;
  #runs = 0;
  #limit = 0;

  constructor(of: PureFile) {
    this.#of = of;
  }

  /** What noticed it, if anything. */
  async failureOf(mutation: Mutation): Promise<string | undefined> {
    if (this.#runs >= mutantsPerThread) await this.close();
    const worker = this.#worker ?? (await this.#open());
    const report = await this.#ask(worker, mutation);
    if (report) return report.failure;
    await this.close();
    return 'It never ends.';
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async #open(): Promise<Worker> {
    const { file, tests } = this.#of;
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: { file, tests } satisfies WorkerData,
      stdout: true,
      stderr: true,
    });
    this.#worker = worker;
    this.#runs = 0;
    this.#limit = 60_000;
    let started = 0;
    for (const mutation of [undefined, nothing]) {
      started = performance.now();
      const report = await this.#ask(worker, mutation);
      if (report?.failure !== undefined)
        throw new Error(`The tests of ${file} fail without a mutant: ${report.failure}`);
      if (!report || report.tests === 0) throw new Error(`${file} has no tests that end.`);
    }
    this.#limit = Math.max(millisecondsAtLeast, Math.ceil(performance.now() - started) * slowerAtMost);
    return worker;
  }

  /** Undefined if it did not end in time. */
  async #ask(worker: Worker, mutation: Mutation | undefined): Promise<Report | undefined> {
    worker.postMessage({ number: this.#runs, mutation } satisfies Order);
    this.#runs += 1;
    const signal = AbortSignal.timeout(this.#limit);
    try {
      const [report] = (await once(worker, 'message', { signal })) as [Report];
      return report;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }
}

export function changeOf(source: string, { start, end, text }: Mutation): Change {
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const found = source.indexOf('\n', end);
  const to = found < 0 ? source.length : found;
  return {
    line: source.slice(0, start).split('\n').length,
    before: source.slice(from, to).trim(),
    after: (source.slice(from, start) + text + source.slice(end, to)).trim(),
  };
}

export async function runFile(of: PureFile): Promise<FileResult> {
  const started = performance.now();
  const source = readFileSync(of.file, 'utf8');
  const mutations = mutationsOf(of.file, source, of.without);
  const thread = new Thread(of);
  const survivors: Change[] = [];
  try {
    for (const mutation of mutations) {
      if ((await thread.failureOf(mutation)) === undefined) survivors.push(changeOf(source, mutation));
    }
  } finally {
    await thread.close();
  }
  const seconds = (performance.now() - started) / 1_000;
  return { file: of.file, made: mutations.length, survivors, seconds };
}
