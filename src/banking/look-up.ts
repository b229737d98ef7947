// Lookups of unknown results: claimed in batches under a lease, asked by key outside any database transaction.

import type { BusinessClock } from '../runtime/index.ts';

const atOnce = 200;

/**
 * How long a lookup keeps other nodes away. Lookups are idempotent, so the lease may be shorter than a slow bank takes;
 * if the process dies, the next lookup comes after it.
 */
const lease = Temporal.Duration.from({ seconds: 15 });

/** Claims due items, passes them on to be looked up and settled, and returns how many there were. */
export async function askDue<Row>(
  clock: BusinessClock,
  claim: (now: Temporal.Instant, leaseUntil: Temporal.Instant, atMost: number) => Promise<readonly Row[]>,
  ask: (due: readonly Row[], now: Temporal.Instant) => Promise<unknown>,
): Promise<number> {
  const now = clock.now();
  const due = await claim(now, now.add(lease), atOnce);
  if (due.length > 0) await ask(due, now);
  return due.length;
}
