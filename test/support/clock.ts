// A clock that a test moves.

import type { BusinessClock } from '../../src/runtime/index.ts';

export class TestClock implements BusinessClock {
  #now: Temporal.Instant;
  /** The latest it ever was: some tests move it back. */
  latest: Temporal.Instant;

  constructor(now = '2026-03-10T09:00:00Z') {
    this.#now = Temporal.Instant.from(now);
    this.latest = this.#now;
  }

  now(): Temporal.Instant {
    return this.#now;
  }

  momentOf(): Temporal.Instant {
    return this.#now;
  }

  advance(duration: Temporal.DurationLike): void {
    this.#go(this.#now.add(duration));
  }

  set(instant: string): void {
    this.#go(Temporal.Instant.from(instant));
  }

  #go(to: Temporal.Instant): void {
    this.#now = to;
    if (Temporal.Instant.compare(to, this.latest) > 0) this.latest = to;
  }
}
