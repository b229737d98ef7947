// Background work: one kind of due work of a room, run by the engine.

/** How much is due, and since when. */
export interface Waiting {
  readonly due: number;
  readonly oldestAt: Temporal.Instant | null;
}

/** `run` does a bounded batch and returns how many items it did; 0 means that nothing is due. */
export interface Work<Name extends string = string> {
  readonly name: Name;
  run(): Promise<number>;
  /**
   * If `run` only starts the work: does everything that is due and waits for it. For moving the sandbox clock, and for
   * tests.
   */
  readonly drain?: () => Promise<number>;
  /**
   * The size of a full batch, for work that nobody waits for: after a smaller batch the loop rests, and what arrives
   * meanwhile is done together.
   */
  readonly setSize?: number;
  /** How long the loop rests when nothing is due, if not the default. */
  readonly everyMilliseconds?: number;
  /** How much is due and since when, for the metrics. */
  readonly waiting?: () => Promise<Waiting>;
  /** When the next item is due by the business clock, for moving the sandbox clock; null if none will be. */
  readonly nextAt?: () => Promise<Temporal.Instant | null>;
}
