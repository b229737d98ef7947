// Notifications as events: reading them in order, resending them, the delivery log (docs/decisions/0012).

import { endpoint } from './endpoint.ts';
import { LocalDateTime, nullable, optional, secretFields, success, Type, Ulid } from './schema.ts';

export const eventTypes = [
  'transaction',
  'recurring',
  'marketplace',
  'refund',
  'dispute',
  'settlement',
  'payout',
] as const;
export const deliveryStatuses = ['pending', 'delivered', 'exhausted', 'no_address'] as const;

const Instant = Type.String({ format: 'date-time' });
const Position = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const Event = Type.Object(
  {
    eventId: Ulid,
    position: Type.Integer({ minimum: 1, description: 'Position in the order of all events.' }),
    type: Type.Enum([...eventTypes]),
    subjectId: Type.String({ description: 'The id of the subject, for example the transaction.' }),
    url: nullable(Type.String({ description: 'The notification URL, null if none was given.' })),
    createdAt: Instant,
    contentType: Type.String(),
    payload: Type.String({
      ...secretFields('card_token'),
      description:
        'The body, byte for byte as it is sent; for read-only credentials without the value of `card_token`.',
    }),
    status: Type.Enum([...deliveryStatuses]),
    tries: Type.Integer({ minimum: 0 }),
    nextTryAt: nullable(Instant),
    deliveredAt: nullable(Instant),
  },
  { additionalProperties: false },
);

const exampleSuccess = { result: 'success', requestId: '3f2a9c0d81e47b56aa10' };
const exampleId = '01K9Z4M7Q2V5X8B1C3D6F9G0HJ';

export const listEvents = endpoint({
  id: 'N1',
  name: 'listEvents',
  method: 'GET',
  path: '/events',
  tag: 'Notifications',
  access: 'read',
  summary: 'List events',
  description:
    'Reads all notifications in order, without gaps. ' +
    'Start with `after=0` and continue with the `after` of each response. An event never appears before a position that ' +
    'was already read, so nothing is missed. Positions count the events of all accounts, so yours may have gaps. With ' +
    '`type` a page may have fewer events than `limit`, even none, while `hasMore` is true: 2,000 are looked at for each. ' +
    '`order=desc` is for looking at the newest; only `asc` misses nothing.',
  query: Type.Object({
    after: optional(Position),
    limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 35 })),
    type: optional(Type.Enum([...eventTypes], { description: 'Only events of this type.' })),
    transactionId: optional(Ulid),
    order: optional(
      Type.Enum(['asc', 'desc'], {
        default: 'asc',
        description: '`desc`: newest first; `after` of a response then leads to older ones.',
      }),
    ),
  }),
  responses: {
    200: Type.Object(
      { ...success, events: Type.Array(Event), after: Position, hasMore: Type.Boolean() },
      { additionalProperties: false },
    ),
  },
  failures: [400],
  example: {
    query: { after: '0', limit: '10' },
    response: {
      ...exampleSuccess,
      events: [
        {
          eventId: exampleId,
          position: 17,
          type: 'recurring',
          subjectId: '01K9Z4M7Q1T4W7A0B2C5E8F9GH',
          url: 'https://shop.example.com/notifications',
          createdAt: '2026-11-15T11:30:00Z',
          contentType: 'application/json',
          payload: '{"recurringId":"01K9Z4M7Q1T4W7A0B2C5E8F9GH"}',
          status: 'delivered',
          tries: 1,
          nextTryAt: null,
          deliveredAt: '2026-11-15T11:30:00.120Z',
        },
      ],
      after: 17,
      hasMore: false,
    },
  },
});

const eventPath = Type.Object({ eventId: Type.String({ description: 'The ULID, as in `webhook-id`.' }) });
const Pending = Type.Object(
  { ...success, eventId: Ulid, status: Type.Literal('pending'), nextTryAt: Instant },
  { additionalProperties: false },
);

export const resendEvent = endpoint({
  id: 'N2',
  name: 'resendEvent',
  method: 'POST',
  path: '/events/{eventId}/resend',
  tag: 'Notifications',
  access: 'write',
  summary: 'Resend an event',
  description: 'Resends a notification. A new round of attempts starts immediately, with the same `webhook-id`.',
  params: eventPath,
  body: Type.Object({}),
  responses: { 200: Pending },
  failures: [400, 403, 404],
  example: {
    request: {},
    response: { ...exampleSuccess, eventId: exampleId, status: 'pending', nextTryAt: '2026-11-15T11:30:00Z' },
  },
});

export const resendEvents = endpoint({
  id: 'N3',
  name: 'resendEvents',
  method: 'POST',
  path: '/events/resend',
  tag: 'Notifications',
  access: 'write',
  summary: 'Resend exhausted events',
  description:
    'Resends all exhausted notifications. ' +
    '`from` and `to` are inclusive, in local time of the account, and apply to the creation of the event. Oldest first, ' +
    'at most 10,000 per call; while `hasMore` is true, call again.',
  body: Type.Object({
    status: Type.Enum(['exhausted']),
    from: optional(LocalDateTime),
    to: optional(LocalDateTime),
  }),
  responses: {
    200: Type.Object(
      { ...success, count: Type.Integer({ minimum: 0 }), hasMore: Type.Boolean() },
      { additionalProperties: false },
    ),
  },
  failures: [400, 403],
  example: {
    request: { status: 'exhausted', from: '2026-11-14 00:00:00' },
    response: { ...exampleSuccess, count: 12, hasMore: false },
  },
});

const Delivery = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    at: Instant,
    status: nullable(Type.Integer({ description: 'The HTTP status, null without a response.' })),
    error: nullable(Type.String({ description: 'Why the delivery failed, null if it succeeded.' })),
    detail: nullable(
      Type.String({
        description: 'What was expected and the beginning of what came, if a response came that does not confirm.',
      }),
    ),
    milliseconds: Type.Integer({ minimum: 0 }),
    answer: Type.String({ description: 'The first 1 KB of the response.' }),
  },
  { additionalProperties: false },
);

export const listDeliveries = endpoint({
  id: 'N4',
  name: 'listDeliveries',
  method: 'GET',
  path: '/events/{eventId}/deliveries',
  tag: 'Notifications',
  access: 'read',
  summary: 'List delivery attempts',
  description: 'Lists every delivery attempt of a notification, oldest first.',
  params: eventPath,
  responses: {
    200: Type.Object({ ...success, eventId: Ulid, deliveries: Type.Array(Delivery) }, { additionalProperties: false }),
  },
  failures: [404],
  example: {
    response: {
      ...exampleSuccess,
      eventId: exampleId,
      deliveries: [
        {
          number: 1,
          at: '2026-11-15T11:30:00Z',
          status: 503,
          error: 'wrong_status',
          detail: 'Expected status 200 and the body TRUE; got status 503 and the body "Down for maintenance".',
          milliseconds: 41,
          answer: 'Down for maintenance',
        },
        {
          number: 2,
          at: '2026-11-15T11:30:05.2Z',
          status: 200,
          error: null,
          detail: null,
          milliseconds: 38,
          answer: 'TRUE',
        },
      ],
    },
  },
});

export const eventEndpoints = [listEvents, resendEvent, resendEvents, listDeliveries] as const;
