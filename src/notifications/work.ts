// What the engine asks about deliveries. The sender itself is fed or drained by it.

import type { World } from '../world.ts';
import { countDue, findNextTryAt } from './delivery/store.ts';

/** How many deliveries are due and since when, for the metrics. */
export function dueDeliveries(world: Pick<World, 'db' | 'clock'>) {
  return countDue(world.db.sql, world.clock.now());
}

/** When the next try falls due, for a clock that is moved; null when nothing is pending. */
export function nextDeliveryAt(world: Pick<World, 'db'>): Promise<Temporal.Instant | null> {
  return findNextTryAt(world.db.sql);
}
