// Resends notifications: one, or all exhausted ones.

import type { Once } from '../http/index.ts';
import { isUlid, type Period, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { resendDelivery, resendExhausted } from './delivery/store.ts';
import { findEvent } from './store.ts';

const resentAtOnce = 10_000;

type ResendWorld = Pick<Tools, 'db' | 'clock'>;

/** Whether the account has this event; refuses one without a URL. */
export async function isResendable(tools: ResendWorld, accountId: string, eventId: string): Promise<boolean> {
  const event = isUlid(eventId) ? await findEvent(tools.db.sql, accountId, eventId) : undefined;
  if (event?.url === null) refuse('not_valid', 'eventId', 'This event has no notification URL.');
  return event !== undefined;
}

/** Starts a new round of attempts for one event, due immediately; returns when. */
export function resend(tools: ResendWorld, accountId: string, eventId: string, once: Once): Promise<string> {
  return once(async (sql) => {
    const now = tools.clock.now();
    await resendDelivery(sql, accountId, eventId, now);
    return now.toString();
  });
}

/** Starts a new round of attempts for exhausted events, oldest first, a bounded number per call. */
export async function resendAll(
  tools: ResendWorld,
  accountId: string,
  { from, to }: Period,
  once: Once,
): Promise<{ count: number; hasMore: boolean }> {
  const count = await once((sql) => resendExhausted(sql, accountId, { from, to }, resentAtOnce, tools.clock.now()));
  return { count, hasMore: count === resentAtOnce };
}
