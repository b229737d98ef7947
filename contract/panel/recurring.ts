// Recurring payments on screen: the list, and what comes. P44, P45 and P112.

import { type ScheduleRule, scheduleConditions, scheduleEnds, scheduleRules } from '../codes/schedule.ts';
import { AmountShown, nullable, optional, Type, Ulid } from '../schema.ts';
import { answer, beforeQuery, doneExample, instantShown, messageShown, panelEndpoint } from './shared.ts';

const closed = { additionalProperties: false } as const;
const statuses = ['active', 'finished', 'failed', 'canceled'] as const;

const recurringFields = {
  recurringId: Ulid,
  description: Type.String(),
  hiddenDescription: Type.String(),
  payerEmail: Type.String(),
  amount: AmountShown,
  currency: Type.String(),
};

const ruleShown = {
  /** Why then. */
  rule: messageShown(scheduleRules),
  condition: Type.Union([messageShown(scheduleConditions), Type.Null()], {
    description: 'What must happen first; null if nothing.',
  }),
};
const ruleExample: { rule: ScheduleRule; condition: null } = {
  rule: {
    code: 'charge',
    parameters: {
      number: 2,
      total: null,
      interval: 1,
      unit: 'months',
      from: '2026-06-30',
      clampedTo: null,
      skippedTime: null,
      movedTo: null,
    },
  },
  condition: null,
};

const recurringExample = {
  recurringId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
  description: 'Tea every month',
  hiddenDescription: 'plan-7',
  payerEmail: 'jan.nowak@example.com',
  amount: 49,
  currency: 'PLN',
};

export const recurringCalendar = panelEndpoint({
  id: 'P44',
  name: 'getRecurringCalendar',
  method: 'GET',
  path: '/panel/api/recurring/calendar',
  access: 'read',
  summary: 'Get the charge calendar',
  description:
    'What recurring payments will do in the next days, and why. ' +
    'In order of the next charge or retry; each recurring payment with everything that comes of it in these days, at most ' +
    '20 dates. Those whose charge is in progress come when it has ended.',
  query: Type.Object({
    days: optional(
      Type.Integer({
        minimum: 1,
        maximum: 366,
        default: 32,
        description: 'With today; 32 always have the next charge of a monthly one that was charged today.',
      }),
    ),
    after: beforeQuery.before,
    limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  }),
  responses: {
    200: answer({
      recurring: Type.Array(
        Type.Object(
          {
            ...recurringFields,
            dates: Type.Array(
              Type.Object(
                {
                  at: instantShown,
                  kind: Type.Enum(['charge', 'retry']),
                  iteration: Type.Integer(),
                  attempt: Type.Integer(),
                  ...ruleShown,
                },
                closed,
              ),
            ),
          },
          closed,
        ),
      ),
      nextAfter: nullable(Type.String()),
    }),
  },
  failures: [400],
  example: {
    query: { days: '32' },
    response: {
      ...doneExample,
      recurring: [
        {
          ...recurringExample,
          dates: [
            {
              at: '2026-07-31T08:00:00Z',
              kind: 'charge',
              iteration: 2,
              attempt: 1,
              ...ruleExample,
            },
          ],
        },
      ],
      nextAfter: null,
    },
  },
});

export const getComing = panelEndpoint({
  id: 'P112',
  name: 'getComing',
  method: 'GET',
  path: '/panel/api/recurring/{recurringId}/coming',
  access: 'read',
  summary: 'Get what comes',
  description: 'The charges and retries of a recurring payment that come, each with its rule.',
  params: Type.Object({ recurringId: Type.String({ description: 'The ULID that was sent to R1.' }) }),
  query: Type.Object({ limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 12 })) }),
  responses: {
    200: answer({
      items: Type.Array(
        Type.Object(
          {
            at: instantShown,
            kind: Type.Enum(['charge', 'retry']),
            iteration: Type.Integer(),
            attempt: Type.Integer(),
            ...ruleShown,
          },
          closed,
        ),
      ),
      end: nullable(messageShown(scheduleEnds)),
      passed: Type.Array(instantShown, { description: 'Latest dates that were passed over, oldest first.' }),
    }),
  },
  failures: [400, 404],
  example: {
    response: {
      ...doneExample,
      items: [{ at: '2026-07-31T08:00:00Z', kind: 'charge', iteration: 2, attempt: 1, ...ruleExample }],
      end: null,
      passed: [],
    },
  },
});

export const listRecurring = panelEndpoint({
  id: 'P45',
  name: 'listRecurring',
  method: 'GET',
  path: '/panel/api/recurring',
  access: 'read',
  summary: 'List recurring payments',
  description:
    'Recurring payments, newest first. ' +
    'One request looks through a bounded number of them: a page may be short, or empty, although there is more; ask again ' +
    'with `nextBefore` until it is null.',
  query: Type.Object({
    status: optional(Type.Enum([...statuses])),
    ...beforeQuery,
    limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  }),
  responses: {
    200: answer({
      recurring: Type.Array(
        Type.Object(
          {
            ...recurringFields,
            status: Type.Enum([...statuses]),
            createdAt: instantShown,
            endedAt: nullable(instantShown),
            firstChargeAt: instantShown,
            interval: Type.Integer(),
            intervalType: Type.Enum(['days', 'months']),
            chargeCount: nullable(Type.Integer({ description: 'Null: until it is canceled.' })),
            iteration: Type.Integer({ description: 'The open or next one.' }),
            attempts: Type.Integer({ description: 'Made in the open iteration.' }),
            nextAt: nullable(instantShown),
            inProgress: nullable(Type.String({ description: 'The transaction of the charge in progress.' })),
            lastState: nullable(Type.Enum(['correct', 'failed'])),
            lastReason: nullable(Type.String()),
            instrument: Type.Enum(['card_token', 'blik_payid']),
          },
          closed,
        ),
      ),
      nextBefore: nullable(Type.String()),
    }),
  },
  failures: [400],
  example: {
    query: { status: 'active' },
    response: {
      ...doneExample,
      recurring: [
        {
          ...recurringExample,
          status: 'active',
          createdAt: '2026-06-30T08:00:00Z',
          endedAt: null,
          firstChargeAt: '2026-06-30T08:00:00Z',
          interval: 1,
          intervalType: 'months',
          chargeCount: null,
          iteration: 2,
          attempts: 0,
          nextAt: '2026-07-31T08:00:00Z',
          inProgress: null,
          lastState: 'correct',
          lastReason: null,
          instrument: 'card_token',
        },
      ],
      nextBefore: null,
    },
  },
});

export const panelRecurringEndpoints = [recurringCalendar, getComing, listRecurring];
