import { listDeliveries, listEvents, resendEvent, resendEvents } from '../../contract/events.ts';
import { isUlid, refuse } from '../kernel/index.ts';
import { type Caller, on, type Route } from '../platform/index.ts';
import type { World } from '../world.ts';
import { readEvents } from './read.ts';
import { resend, resendAll } from './resend.ts';
import { type EventRow, findEvent, listTries } from './store.ts';

const success = 'success' as const;

/** What these routes must know of a caller; accounts adds the rest. */
export interface EventCaller extends Caller {
  readonly zone: string;
}

export function notificationRoutes<C extends EventCaller>(world: World): Route<C>[] {
  const { sql } = world.db;
  return [
    on<typeof listEvents, C>(listEvents, async ({ caller, query, requestId }) => {
      const page = await readEvents(world, caller.id, query.after ?? 0, query.limit ?? 35);
      return { result: success, requestId, ...page, events: page.events.map(writeEvent) };
    }),
    on<typeof resendEvents, C>(resendEvents, async ({ caller, body, requestId }) => {
      return { result: success, requestId, ...(await resendAll(world, caller, body)) };
    }),
    on<typeof resendEvent, C>(resendEvent, async ({ caller, params, requestId }) => {
      const nextTryAt = await resend(world, caller.id, params.eventId);
      const status = 'pending' as const;
      return { result: success, requestId, eventId: params.eventId, status, nextTryAt: nextTryAt.toString() };
    }),
    on<typeof listDeliveries, C>(listDeliveries, async ({ caller, params, requestId }) => {
      const { eventId } = params;
      const event = isUlid(eventId) ? await findEvent(sql, caller.id, eventId) : undefined;
      if (!event) refuse('not_found');
      const tries = await listTries(sql, eventId);
      const deliveries = tries.map((one) => ({ ...one, at: one.at.toString() }));
      return { result: success, requestId, eventId, deliveries };
    }),
  ];
}

function writeEvent(event: EventRow) {
  return {
    eventId: event.id,
    position: Number(event.position),
    type: event.type,
    subjectId: event.subjectId,
    url: event.url,
    createdAt: event.createdAt.toString(),
    contentType: event.contentType,
    payload: event.body,
    status: event.status,
    tries: event.tries,
    nextTryAt: event.nextTryAt?.toString() ?? null,
    deliveredAt: event.deliveredAt?.toString() ?? null,
  };
}
