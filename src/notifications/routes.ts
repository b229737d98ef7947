import { listDeliveries, listEvents, resendEvent, resendEvents } from '../../contract/events.ts';
import { type Caller, on, onChecked, type Route } from '../http/index.ts';
import { isUlid, type Period, periodOf, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { explainAnswer } from './delivery/rules.ts';
import { readEvents } from './read.ts';
import { isResendable, resend, resendAll } from './resend.ts';
import { type EventRow, findEvent, listTries, type TryRow } from './store.ts';

const success = 'success' as const;

/** What these routes need to know about a caller; accounts adds the rest. */
export interface EventCaller extends Caller {
  readonly zone: string;
}

export function notificationRoutes<C extends EventCaller>(tools: Tools): Route<C>[] {
  const { sql } = tools.db;
  return [
    on<typeof listEvents, C>(listEvents, async ({ caller, query, requestId }) => {
      const { after = 0, limit = 35, type, transactionId, order } = query;
      const page = await readEvents(tools, caller.id, {
        after,
        limit,
        type,
        transactionId,
        newestFirst: order === 'desc',
      });
      return { result: success, requestId, ...page, events: page.events.map(serializeEvent) };
    }),
    onChecked<typeof resendEvents, C, Period>(resendEvents, {
      check: ({ caller, body }) => periodOf(body, caller.zone),
      handle: async ({ caller, requestId, run, checked }) => {
        return { result: success, requestId, ...(await resendAll(tools, caller.id, await checked(), run.once)) };
      },
    }),
    onChecked<typeof resendEvent, C, boolean>(resendEvent, {
      check: ({ caller, params }) => isResendable(tools, caller.id, params.eventId),
      handle: async ({ caller, params: { eventId }, requestId, run, checked }) => {
        if (!(await checked())) refuse('not_found');
        const nextTryAt = await resend(tools, caller.id, eventId, run.once);
        return { result: success, requestId, eventId, status: 'pending' as const, nextTryAt };
      },
    }),
    on<typeof listDeliveries, C>(listDeliveries, async ({ caller, params, requestId }) => {
      const { eventId } = params;
      const event = isUlid(eventId) ? await findEvent(sql, caller.id, eventId) : undefined;
      if (!event) refuse('not_found');
      const tries = await listTries(sql, eventId);
      return {
        result: success,
        requestId,
        eventId,
        deliveries: tries.map((row) => serializeTry(event.contentType, row)),
      };
    }),
  ];
}

function serializeTry(contentType: string, { number, at, status, error, milliseconds, answer }: TryRow) {
  const detail = explainAnswer(contentType, error, status, answer);
  return { number, at: at.toString(), status, error, detail, milliseconds, answer };
}

function serializeEvent(event: EventRow) {
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
