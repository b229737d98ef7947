// Group commit for a SQLite file: jobs that arrive in the same turn of the event loop share a transaction, and every
// caller gets its result after the commit. A commit costs far more than a row.

import type { DatabaseSync } from 'node:sqlite';

interface Job {
  readonly run: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

const jobsAtMost = 1_000;

export class Turns {
  readonly #db: DatabaseSync;
  /** Runs first in every transaction. */
  readonly #begin: () => void;
  #queue: Job[] = [];
  #scheduled = false;

  constructor(db: DatabaseSync, begin: () => void) {
    this.#db = db;
    this.#begin = begin;
  }

  /** Runs the work in a shared transaction; resolves with its result when it is durable. */
  run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run: work, resolve, reject });
      this.#schedule();
    });
  }

  /** Runs the work immediately in its own transaction. */
  now<T>(work: () => T): T {
    this.#db.exec('begin immediate');
    try {
      this.#begin();
      const result = work();
      this.#db.exec('commit');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback');
      throw error;
    }
  }

  /** setImmediate runs after everything in the current turn. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const jobs = this.#queue.splice(0, jobsAtMost);
      if (this.#queue.length > 0) this.#schedule();
      this.#runSet(jobs);
    });
  }

  /** If a batch fails, its jobs are run one by one, so that one bad job does not affect the others. */
  #runSet(jobs: readonly Job[]): void {
    try {
      const results = this.now(() => jobs.map((job) => job.run()));
      for (const [index, job] of jobs.entries()) job.resolve(results[index] as never);
    } catch (error) {
      if (jobs.length === 1 || isLocked(error)) for (const job of jobs) job.reject(error);
      else for (const job of jobs) this.#runSet([job]);
    }
  }
}

const sqliteBusy = 5;

/** The file was locked for longer than anybody should hold it: running each job alone would only take longer. */
function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === sqliteBusy;
}
