// A clock that a test moves.

import type { BusinessClock } from '../../src/runtime/index.ts';

export class TestClock implements BusinessClock {
  #now: Temporal.Instant;

  constructor(now = '2026-03-10T09:00:00Z') {
    this.#now = Temporal.Instant.from(now);
  }

  now(): Temporal.Instant {
    return this.#now;
  }

  momentOf(): Temporal.Instant {
    return this.#now;
  }

  advance(duration: Temporal.DurationLike): void {
    this.#now = this.#now.add(duration);
  }

  set(instant: string): void {
    this.#now = Temporal.Instant.from(instant);
  }
}
