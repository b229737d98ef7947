// The only place that reads the machine's time.

export interface Clock {
  now(): Temporal.Instant;
}

/** The machine's own clock, in whole milliseconds, which is what is stored. */
export const systemClock: Clock = {
  now: () => Temporal.Instant.fromEpochMilliseconds(Date.now()),
};
