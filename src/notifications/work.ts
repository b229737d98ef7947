// What the engine needs to know about deliveries; the sender itself is fed or drained.

import type { Tools } from '../tools.ts';
import { countDue, findNextTryAt } from './delivery/store.ts';

/** How many deliveries are due and since when, for the metrics. */
export function dueDeliveries(tools: Pick<Tools, 'db' | 'clock'>) {
  return countDue(tools.db.sql, tools.clock.now());
}

/** When the next attempt is due, for moving the sandbox clock; null if nothing is pending. */
export function nextDeliveryAt(tools: Pick<Tools, 'db'>): Promise<Temporal.Instant | null> {
  return findNextTryAt(tools.db.sql);
}
