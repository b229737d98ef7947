// Recurring payments, R1 to R8 (docs/decisions/0014).

import { endpoint } from './endpoint.ts';
import {
  Amount,
  AmountShown,
  Country,
  Email,
  isInstant,
  mustBe,
  nullable,
  optional,
  pageAnswer,
  pageQuery,
  success,
  Type,
  text,
  Ulid,
  WebUrl,
} from './schema.ts';

export const recurringStatuses = ['active', 'finished', 'failed', 'canceled'] as const;
export const paymentStatuses = ['pending', 'correct', 'failed', 'canceled'] as const;
export const failureReasons = [
  'insufficient funds',
  'instrument invalid',
  'instrument rejected',
  'payer rejected',
  'internal error',
] as const;
export const retriesAtMost = 30;

const instantShape = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})$/;

/** ISO 8601 date-time with its offset. */
const DateTimeWithOffset = Type.Refine(
  Type.String({ maxLength: 40, description: 'ISO 8601 date-time with UTC offset.' }),
  (value) => instantShape.test(value) && isInstant(value.toUpperCase()),
  mustBe('instant_before', { year: 9999 }),
);

export const InstrumentGiven = Type.Object({
  paymentType: Type.Enum(['card_token', 'blik_payid']),
  value: text(256, 1),
  blik: optional(
    Type.Object({
      model: optional(Type.Enum(['A', 'M', 'O'])),
      noDelay: optional(Type.Boolean({ description: '`true` only for models A and O.' })),
    }),
  ),
});

const retryMonthsAtMost = 1_200;

const RetryInterval = Type.Refine(
  Type.Object(
    {
      value: Type.Integer({ minimum: 1, maximum: 100_000 }),
      unit: Type.Enum(['minutes', 'days', 'months']),
    },
    { description: `At most ${retryMonthsAtMost} months.` },
  ),
  ({ value, unit }) => unit !== 'months' || value <= retryMonthsAtMost,
  mustBe('months_at_most', { limit: retryMonthsAtMost }),
);

export const RecurringGiven = Type.Object({
  id: Ulid,
  description: text(128, 1),
  hiddenDescription: optional(text(255)),
  payer: Type.Object({
    email: Email,
    name: text(255, 1),
    phone: optional(text(32)),
    address: optional(text(255)),
    code: optional(text(32)),
    city: optional(text(128)),
    country: optional(Country),
    taxId: optional(text(32)),
  }),
  schedule: Type.Object({
    amount: Amount,
    currency: Type.Enum(['PLN']),
    firstChargeDate: DateTimeWithOffset,
    interval: Type.Integer({ minimum: 1, maximum: 10_000 }),
    intervalType: Type.Enum(['days', 'months']),
    chargeCount: optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'If null or absent: until canceled.' }),
    ),
    retryIntervals: optional(
      Type.Array(RetryInterval, {
        maxItems: retriesAtMost,
        description: 'Default: one retry a day, 14 times. [] means none.',
      }),
    ),
  }),
  paymentInstrument: InstrumentGiven,
  callbackUrl: WebUrl,
});

/** Exactly these fields; `reason` only if the last attempt failed. */
export const Recurring = Type.Object(
  {
    id: Ulid,
    description: Type.String(),
    hiddenDescription: Type.String(),
    status: Type.Enum([...recurringStatuses]),
    payer: Type.Object({ email: Type.String(), name: Type.String() }, { additionalProperties: false }),
    schedule: Type.Object(
      {
        amount: AmountShown,
        currency: Type.String(),
        interval: Type.Integer(),
        intervalType: Type.Enum(['days', 'months']),
        chargeCount: nullable(Type.Integer()),
      },
      { additionalProperties: false },
    ),
    paymentInstrument: Type.Object(
      { paymentType: Type.Enum(['card_token', 'blik_payid']) },
      { additionalProperties: false },
    ),
    callbackUrl: Type.String(),
    reason: optional(Type.Enum([...failureReasons])),
  },
  { additionalProperties: false },
);

const dateShown = Type.String({ description: 'ISO 8601 with offset.' });

export const RecurringDates = Type.Object(
  {
    first: dateShown,
    next: nullable(Type.String({ description: 'ISO 8601 with offset. Null: nothing more comes.' })),
    past: Type.Array(
      Type.Object(
        {
          date: dateShown,
          iterationCount: Type.Integer(),
          iterationAttemptCount: nullable(Type.Integer({ description: 'Null: no attempt was made on this date.' })),
          status: Type.Enum([...paymentStatuses, 'passed'], {
            description: '`passed`: the date passed while the recurring payment had failed, and was not charged.',
          }),
        },
        { additionalProperties: false },
      ),
      { description: 'The latest attempts, and dates that were passed over; newest first.' },
    ),
  },
  { additionalProperties: false },
);

/** As R2, with its dates. */
export const RecurringListed = Type.Object(
  { ...Recurring.properties, dates: RecurringDates },
  { additionalProperties: false },
);

const exampleDates = {
  first: '2026-12-01T10:00:00+01:00',
  next: '2027-01-01T10:00:00+01:00',
  past: [{ date: '2026-12-01T10:00:00+01:00', iterationCount: 1, iterationAttemptCount: 1, status: 'correct' }],
};

const exampleId = '01K9Z4M7Q2V5X8B1C3D6F9G0HJ';

const exampleRecurring = {
  id: exampleId,
  description: 'Monthly box',
  hiddenDescription: 'subscription-77',
  status: 'active',
  payer: { email: 'jan.nowak@example.com', name: 'Jan Nowak' },
  schedule: { amount: 49.9, currency: 'PLN', interval: 1, intervalType: 'months', chargeCount: null },
  paymentInstrument: { paymentType: 'card_token' },
  callbackUrl: 'https://shop.example.com/recurring',
};

const recurringPath = Type.Object({ recurringId: Type.String({ description: 'The ULID that you sent to R1.' }) });

export const createRecurring = endpoint({
  id: 'R1',
  name: 'createRecurring',
  method: 'POST',
  path: '/recurring',
  tag: 'Recurring',
  access: 'write',
  summary: 'Create a recurring payment',
  description:
    'Creates a recurring payment. Idempotent by `id`: 201 for the first request, 200 for the same data again, 409 for different data.',
  body: RecurringGiven,
  responses: { 201: Recurring, 200: Recurring },
  failures: [400, 403, 409, 413, 415, 422],
  example: {
    request: {
      id: exampleId,
      description: 'Monthly box',
      hiddenDescription: 'subscription-77',
      payer: { email: 'jan.nowak@example.com', name: 'Jan Nowak' },
      schedule: {
        amount: 49.9,
        currency: 'PLN',
        firstChargeDate: '2026-12-01T10:00:00+01:00',
        interval: 1,
        intervalType: 'months',
      },
      paymentInstrument: { paymentType: 'card_token', value: 'fail-1-insufficient-funds' },
      callbackUrl: 'https://shop.example.com/recurring',
    },
    response: exampleRecurring,
  },
});

export const getRecurring = endpoint({
  id: 'R2',
  name: 'getRecurring',
  method: 'GET',
  path: '/recurring/{recurringId}',
  tag: 'Recurring',
  access: 'read',
  summary: 'Get a recurring payment',
  params: recurringPath,
  responses: { 200: Recurring },
  example: { response: exampleRecurring },
});

const RecurringAttempt = Type.Object(
  {
    transactionId: Ulid,
    createdAt: Type.String({ description: 'ISO 8601 with offset.' }),
    status: Type.Enum([...paymentStatuses]),
    iterationCount: Type.Integer(),
    iterationAttemptCount: Type.Integer(),
    reason: nullable(Type.Enum([...failureReasons])),
  },
  { additionalProperties: false },
);

export const listRecurringAttempts = endpoint({
  id: 'R3',
  name: 'listRecurringAttempts',
  method: 'GET',
  path: '/recurring/{recurringId}/transactions',
  tag: 'Recurring',
  access: 'read',
  summary: 'List charge attempts',
  description:
    'Lists the attempts of a recurring payment, oldest first. ' +
    'Without `page` and `limit` it returns all attempts, up to 10,000. If there are more it returns 400 `too_many`: use ' +
    '`page` and `limit`.',
  params: recurringPath,
  query: Type.Object({
    page: optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    limit: optional(Type.Integer({ minimum: 1, maximum: 100 })),
  }),
  responses: { 200: Type.Object({ items: Type.Array(RecurringAttempt) }, { additionalProperties: false }) },
  failures: [400],
  example: {
    response: {
      items: [
        {
          transactionId: '01K9Z4M7Q3W6Y9C2D4E7G0H1JK',
          createdAt: '2026-12-01T10:00:00+01:00',
          status: 'failed',
          iterationCount: 1,
          iterationAttemptCount: 1,
          reason: 'insufficient funds',
        },
      ],
    },
  },
});

export const retryRecurring = endpoint({
  id: 'R4',
  name: 'retryRecurring',
  method: 'POST',
  path: '/recurring/{recurringId}/retry',
  tag: 'Recurring',
  access: 'write',
  summary: 'Retry a failed charge',
  description:
    'Retries the last failed attempt immediately, outside the schedule; at most 30 times for each charge, counted apart ' +
    'from the scheduled retries. A retry that fails changes neither schedule nor status: the scheduled retries stay where ' +
    'they are. A success ends them.',
  params: recurringPath,
  responses: { 201: Recurring },
  failures: [403, 406],
  example: { response: { ...exampleRecurring, reason: 'insufficient funds' } },
});

export const cancelRecurring = endpoint({
  id: 'R5',
  name: 'cancelRecurring',
  method: 'POST',
  path: '/recurring/{recurringId}/cancel',
  tag: 'Recurring',
  access: 'write',
  summary: 'Cancel a recurring payment',
  description:
    'Cancels all future charges and retries; past charges are not affected. An active or failed one becomes `canceled`; ' +
    '409 if it is finished. A charge that only waits for the payer is canceled at the bank; any other in progress ' +
    'finishes. Both are reported.',
  params: recurringPath,
  responses: { 200: Recurring },
  failures: [403, 409],
  example: { response: { ...exampleRecurring, status: 'canceled' } },
});

export const changeInstrument = endpoint({
  id: 'R6',
  name: 'changePaymentInstrument',
  method: 'POST',
  path: '/recurring/{recurringId}/payment_instrument',
  tag: 'Recurring',
  access: 'write',
  summary: 'Replace the payment instrument',
  description:
    'Replaces the payment instrument for all later charges and retries. It restores a failed recurring payment: `active` ' +
    'again, the failed charge is tried at once and gets all its retries anew; dates that passed meanwhile are not charged ' +
    'and count as passed. 409 if it is finished or canceled.',
  params: recurringPath,
  body: Type.Object({ paymentInstrument: InstrumentGiven }),
  responses: { 201: Recurring },
  failures: [400, 403, 409, 413, 415, 422],
  example: {
    request: {
      paymentInstrument: { paymentType: 'blik_payid', value: 'alias-42', blik: { model: 'A', noDelay: true } },
    },
    response: { ...exampleRecurring, paymentInstrument: { paymentType: 'blik_payid' } },
  },
});

export const getRecurringSchedule = endpoint({
  id: 'R7',
  name: 'getRecurringSchedule',
  method: 'GET',
  path: '/recurring/{recurringId}/schedule',
  tag: 'Recurring',
  access: 'read',
  summary: 'Get the charge schedule',
  description: 'Lists upcoming charges and retries, each with its rule.',
  params: recurringPath,
  query: Type.Object({ limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 12 })) }),
  responses: {
    200: Type.Object(
      {
        id: Ulid,
        status: Type.Enum([...recurringStatuses]),
        dates: RecurringDates,
        items: Type.Array(
          Type.Object(
            {
              date: Type.String({ description: 'ISO 8601 with offset.' }),
              kind: Type.Enum(['charge', 'retry']),
              iterationCount: Type.Integer(),
              iterationAttemptCount: Type.Integer(),
              rule: Type.String(),
              condition: nullable(Type.String({ description: 'What must happen first; null if nothing.' })),
            },
            { additionalProperties: false },
          ),
        ),
        /** Why nothing (more) will come. */
        end: nullable(Type.String()),
      },
      { additionalProperties: false },
    ),
  },
  failures: [400],
  example: {
    response: {
      id: exampleId,
      status: 'active',
      dates: {
        first: '2027-01-31T10:00:00+01:00',
        next: '2027-02-28T10:00:00+01:00',
        past: [{ date: '2027-01-31T10:00:00+01:00', iterationCount: 1, iterationAttemptCount: 1, status: 'correct' }],
      },
      items: [
        {
          date: '2027-02-28T10:00:00+01:00',
          kind: 'charge',
          iterationCount: 2,
          iterationAttemptCount: 1,
          rule: 'Charge 2: every month from 31 January 2027; the 31st clamped to 28 February.',
          condition: null,
        },
      ],
      end: null,
    },
  },
});

export const listRecurring = endpoint({
  id: 'R8',
  name: 'listRecurring',
  method: 'GET',
  path: '/recurring',
  tag: 'Recurring',
  access: 'read',
  summary: 'List recurring payments',
  description:
    'Newest first, each as in R2 and with its dates: the first, the next, and the latest 12 of the past. `payerEmail` is ' +
    'compared without regard to case, `hiddenDescription` exactly.',
  query: Type.Object({
    ...pageQuery,
    status: optional(Type.Enum([...recurringStatuses])),
    payerEmail: optional(text(254, 1)),
    hiddenDescription: optional(text(255, 1)),
  }),
  responses: {
    200: Type.Object({ ...success, list: Type.Array(RecurringListed), ...pageAnswer }, { additionalProperties: false }),
  },
  failures: [400],
  example: {
    query: { status: 'active' },
    response: {
      result: 'success',
      requestId: '3f2a9c0d81e47b56aa10',
      list: [{ ...exampleRecurring, dates: exampleDates }],
      page: 1,
      limit: 35,
      total: 1,
    },
  },
});

export const recurringEndpoints = [
  createRecurring,
  getRecurring,
  listRecurringAttempts,
  retryRecurring,
  cancelRecurring,
  changeInstrument,
  getRecurringSchedule,
  listRecurring,
] as const;
