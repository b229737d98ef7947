// The only place that reads the machine's time.

export interface Clock {
  now(): Temporal.Instant;
}

/** The clock of business: charges, retries, backoff, expiries. In the sandbox it can be moved forward. */
export interface BusinessClock extends Clock {
  /**
   * When something that fell due happens: now. While the sandbox's clock jumps over a long time at once, it is the due
   * time itself, so that a jump leaves the same times behind as waiting would have.
   */
  momentOf(dueAt: Temporal.Instant): Temporal.Instant;
}

/**
 * The machine's own clock, in whole milliseconds, which is what is stored. Everybody in one millisecond gets the same
 * instant, which never changes: one request asks several times, and making an instant each time was 4 % of E1.
 */
export const systemClock: BusinessClock = { now, momentOf: now };

let latest = Temporal.Instant.fromEpochMilliseconds(0);
let latestMilliseconds = 0;

function now(): Temporal.Instant {
  const milliseconds = Date.now();
  if (milliseconds !== latestMilliseconds) {
    latest = Temporal.Instant.fromEpochMilliseconds(milliseconds);
    latestMilliseconds = milliseconds;
  }
  return latest;
}
