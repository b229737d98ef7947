// What waits for time: one kind of due work of a room, which the engine runs.

import type { Waiting } from './db/index.ts';

/** `run` does a bounded set and returns how many items it did; 0 means that nothing is due. */
export interface Work {
  readonly name: string;
  run(): Promise<number>;
  /** Where `run` only begins the work: does all that is due and waits for it. For a clock that jumps, and for tests. */
  readonly settle?: () => Promise<number>;
  /**
   * How many items a full run does, where nobody waits for them: after a run that did fewer its loop rests, and what comes
   * meanwhile is done together.
   */
  readonly setSize?: number;
  /** How long its loop rests when nothing is due, when that is not as long as usual. */
  readonly everyMilliseconds?: number;
  /** How much is due and since when, for the metrics. */
  readonly waiting?: () => Promise<Waiting>;
  /** When the next item falls due by the business clock, for a clock that jumps; null when none will. */
  readonly nextAt?: () => Promise<Temporal.Instant | null>;
}
