// How long anything may take that has to do with the database. Each limit is held on our side, because a silent
// connection never says that it is broken; the server's own limits are shorter, so that a slow statement ends with an
// error that says so.

export interface TimeLimits {
  /** Until a connection is had: a new one, or one that another caller gives back. */
  readonly connect: number;
  /** A statement waits for a lock (the server's limit). */
  readonly lock: number;
  /** A statement runs (the server's limit). */
  readonly statement: number;
  /** A statement, a COPY or a commit is answered. */
  readonly answer: number;
  /** Everything: the connection, all statements of a transaction, and what is begun again. */
  readonly whole: number;
  /** A row waits until its set is written. */
  readonly queue: number;
}

/** In milliseconds. With these a request that only needs the database is answered within 20 s, whatever the database does. */
export const usualTimes: TimeLimits = {
  connect: 3_000,
  lock: 5_000,
  statement: 7_000,
  answer: 8_000,
  whole: 10_000,
  queue: 5_000,
};

/** For a command that reads all of the books, while nothing waits for it. */
export const patientTimes: TimeLimits = {
  ...usualTimes,
  statement: 3_600_000,
  answer: 3_610_000,
  whole: 7_200_000,
};

/** A moment by which everything must be done. */
export class Deadline {
  readonly #at: number;

  constructor(milliseconds: number) {
    this.#at = performance.now() + milliseconds;
  }

  get left(): number {
    return this.#at - performance.now();
  }
}
