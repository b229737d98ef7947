// Timeouts of everything that involves the database. Each is enforced on our side, because a dead connection never
// reports an error; the server's own timeouts are shorter, so that a slow statement fails with an error that says so.

export interface TimeLimits {
  /** Acquiring a connection: a new one, or one that another caller returns. */
  readonly connect: number;
  /** Waiting for a lock (server's lock_timeout). */
  readonly lock: number;
  /** Running a statement (server's statement_timeout). */
  readonly statement: number;
  /** Waiting for the response to a statement, COPY or commit. */
  readonly answer: number;
  /** All of it: the connection, every statement of a transaction, and retries. */
  readonly whole: number;
  /** Waiting in a batch queue. */
  readonly queue: number;
}

/**
 * In milliseconds. With these a request that needs only the database is answered within 20 s, whatever the database
 * does.
 */
export const usualTimes: TimeLimits = {
  connect: 3_000,
  lock: 5_000,
  statement: 7_000,
  answer: 8_000,
  whole: 10_000,
  queue: 5_000,
};

/**
 * For commands that read the whole ledger while nobody waits for them: what was read for an hour is not lost because a busy
 * machine had no connection for a moment.
 */
export const patientTimes: TimeLimits = {
  ...usualTimes,
  connect: 60_000,
  statement: 3_600_000,
  answer: 3_610_000,
  whole: 7_200_000,
};

/** A point in time by which everything must be done. */
export class Deadline {
  readonly #at: number;

  constructor(milliseconds: number) {
    this.#at = performance.now() + milliseconds;
  }

  get left(): number {
    return this.#at - performance.now();
  }
}
