// Sending notifications again: one, or all that were given up.

import { isUlid, periodOf, refuse } from '../kernel/index.ts';
import type { World } from '../world.ts';
import { resendDelivery, resendExhausted } from './delivery/store.ts';
import { findEvent } from './store.ts';

const resentAtOnce = 10_000;

type ResendWorld = Pick<World, 'db' | 'clock'>;

/** Begins a fresh round for one event, due at once; answers when. Another account's event is not found. */
export async function resend(world: ResendWorld, accountId: string, eventId: string): Promise<Temporal.Instant> {
  const event = isUlid(eventId) ? await findEvent(world.db.sql, accountId, eventId) : undefined;
  if (!event) return refuse('not_found');
  if (event.url === null) refuse('not_valid', 'eventId', 'This event has no address to send it to.');
  const now = world.clock.now();
  await resendDelivery(world.db.sql, accountId, eventId, now);
  return now;
}

export interface ResendWish {
  readonly from?: string;
  readonly to?: string;
}

/** Begins a fresh round for exhausted events, oldest first, a bounded number in one call. */
export async function resendAll(
  world: ResendWorld,
  caller: { readonly id: string; readonly zone: string },
  wish: ResendWish,
): Promise<{ count: number; hasMore: boolean }> {
  const { from, to } = periodOf(wish, caller.zone);
  const now = world.clock.now();
  const count = await resendExhausted(world.db.sql, caller.id, from, to, resentAtOnce, now);
  return { count, hasMore: count === resentAtOnce };
}
