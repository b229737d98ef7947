// The only place that reads the machine's time.

export interface Clock {
  now(): Temporal.Instant;
}

/** The clock of business times: charges, retries, backoff, expiry. In the sandbox it can be moved forward. */
export interface BusinessClock extends Clock {
  /**
   * The time at which something due happens: now. While the sandbox clock jumps, it is the due time itself, so that a
   * jump leaves the same timestamps as waiting would have.
   */
  momentOf(dueAt: Temporal.Instant): Temporal.Instant;
}

/**
 * The system clock in whole milliseconds, the precision that is stored. All calls within a millisecond share one
 * immutable instant: a request reads the clock several times, and creating an instant each time was 4 % of E1.
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
