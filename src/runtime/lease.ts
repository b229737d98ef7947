// Work that only one process does at a time, under a lease that it extends while it works and that ends with it.

import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { laterIfAlive } from './loop.ts';

/** A process that has not extended its lease for this long counts as dead; one that is known to be dead, at once. */
const length = Temporal.Duration.from({ seconds: 45 });
const extendedEveryMilliseconds = 10_000;
/** Clocks of nodes may differ. */
const clockSkew = Temporal.Duration.from({ minutes: 5 });

export interface Leased {
  readonly leaseUntil: Temporal.Instant;
  /** Its process; null if that does not report that it is alive. */
  readonly nodeId: string | null;
}

/** When a lease that is taken now ends. */
export function leaseFrom(wall: Clock): Temporal.Instant {
  return wall.now().add(length);
}

/** Whether nobody works on it any more. */
export function hasDied(
  { nodes, wall }: { readonly nodes: { isDead(id: string): boolean }; readonly wall: Clock },
  { nodeId, leaseUntil }: Leased,
): boolean {
  if (nodeId !== null && nodes.isDead(nodeId)) return true;
  const now = wall.now();
  return Temporal.Instant.compare(leaseUntil, now) < 0 || isOverlong(leaseUntil, now);
}

/** No process takes so long a lease, whatever its clock: it was written by hand. */
export function isOverlong(leaseUntil: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(leaseUntil, now.add(length).add(clockSkew)) > 0;
}

/** Extends the lease while `work` runs, however long it takes. `extend` resolves to false if another process took it over. */
export async function whileLeased<T>(
  { wall, log }: { readonly wall: Clock; readonly log: Pick<Log, 'warn'> },
  extend: (leaseUntil: Temporal.Instant) => Promise<boolean>,
  work: () => Promise<T>,
): Promise<T> {
  let cancel: () => void = () => undefined;
  const schedule = () => {
    cancel = laterIfAlive(extendedEveryMilliseconds, () => void renew());
  };
  const renew = async () => {
    const isOurs = await extend(leaseFrom(wall)).catch((error: unknown) => {
      log.warn({ err: error }, 'a lease could not be extended');
      return true;
    });
    if (isOurs) schedule();
  };
  schedule();
  try {
    return await work();
  } finally {
    cancel();
  }
}
