// The only place that reads the machine's time.

export interface Clock {
  now(): Temporal.Instant;
}

/**
 * The machine's own clock, in whole milliseconds, which is what is stored. Everybody in one millisecond gets the same
 * instant, which never changes: one request asks several times, and making an instant each time was 4 % of E1.
 */
export const systemClock: Clock = { now };

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
