// What of the balance can be paid out, and when (docs/api.md#balance); payouts (docs/api.md#payouts).

import { payoutReasons, payoutStops } from './codes/payouts.ts';
import { endpoint } from './endpoint.ts';
import {
  Amount,
  AmountOrZero,
  AmountShown,
  LocalDateTime,
  localTimePattern,
  nullable,
  optional,
  pageAnswer,
  pageQuery,
  success,
  Type,
  Ulid,
} from './schema.ts';
import { exampleLine, SettlementLine } from './settlements.ts';

const closed = { additionalProperties: false } as const;
const Day = Type.String({ format: 'date' });

export const payoutStopCodes = Object.keys(payoutStops) as (keyof typeof payoutStops)[];

const NextPayout = Type.Object(
  {
    date: nullable(Type.String({ format: 'date', description: 'The bank day; null if the schedule has none.' })),
    amount: Type.Number({ minimum: 0, description: 'How much it would be, as things stand now.' }),
    reason: nullable(
      Type.Enum([...payoutStopCodes], {
        description:
          'The rule that stops it, as things stand now; null: it comes. `not_scheduled`: there is only what you ask for.',
      }),
    ),
  },
  { additionalProperties: false, description: 'The next payout by the schedule.' },
);

export const getBalance = endpoint({
  id: 'B1',
  name: 'getBalance',
  method: 'GET',
  path: '/balance',
  tag: 'Balance',
  access: 'read',
  summary: 'Show the balance',
  description:
    'Shows the balance, and what of it can be paid out: `due` now, `notYetDue` on later days. Money is due one bank day after it was credited; what leaves the balance, such as a refund, counts at once. `nextPayout` says when the next payout of the schedule comes, how much it will be, and which rule stops it if one does.',
  responses: {
    200: Type.Object(
      {
        ...success,
        balance: Type.Object(
          {
            amount: AmountShown,
            due: AmountShown,
            notYetDue: Type.Array(Type.Object({ date: Day, amount: AmountShown }, { additionalProperties: false })),
            reserved: Type.Number({ minimum: 0, description: 'Kept as a security; 0 for every account so far.' }),
            inTransit: Type.Number({ minimum: 0, description: 'In payouts that have not arrived.' }),
            owed: Type.Number({ minimum: 0, description: 'What disputes took beyond the balance.' }),
            currency: Type.String(),
          },
          { additionalProperties: false },
        ),
        nextPayout: NextPayout,
      },
      { additionalProperties: false },
    ),
  },
  example: {
    response: {
      result: 'success',
      requestId: '3f2a9c0d81e47b56aa10',
      balance: {
        amount: 1250.5,
        due: 1040.5,
        notYetDue: [{ date: '2026-11-23', amount: 210 }],
        reserved: 0,
        inTransit: 0,
        owed: 0,
        currency: 'PLN',
      },
      nextPayout: { date: '2026-11-23', amount: 1250.5, reason: null },
    },
  },
});

export const payoutStates = ['created', 'approved', 'sent', 'paid', 'returned', 'failed', 'canceled'] as const;
export const payoutReasonCodes = Object.keys(payoutReasons) as (keyof typeof payoutReasons)[];

const wallTime = (description: string) => nullable(Type.String({ pattern: localTimePattern, description }));

const Payout = Type.Object(
  {
    payoutId: Ulid,
    status: Type.Enum([...payoutStates], {
      description:
        '`created`, then `approved` and `sent` with a batch, then `paid`; or it ends as `returned` (the bank paid it and it came back), `failed` (the bank refused it) or `canceled`.',
    }),
    amount: Type.Number({ minimum: 0, description: 'What the bank transfers.' }),
    fee: Type.Number({ minimum: 0, description: 'What it costs; it leaves the balance beside the amount.' }),
    currency: Type.String(),
    onDemand: Type.Boolean({ description: 'Whether you asked for it; otherwise it was made by the schedule.' }),
    bankAccount: Type.Object(
      {
        ending: Type.String({ description: 'The last four characters of the number.' }),
        holder: Type.String({ description: 'Whose account it is.' }),
      },
      { ...closed, description: 'Where it goes.' },
    ),
    reason: nullable(
      Type.Object(
        {
          code: Type.Enum([...payoutReasonCodes], { description: 'Why it ended.' }),
          bankCode: nullable(Type.String({ description: 'The code of the bank, if it gave one.' })),
          bankWords: nullable(Type.String({ description: 'The words of the bank, if it gave any.' })),
        },
        { ...closed, description: 'Of one that was returned, failed or was canceled.' },
      ),
    ),
    settlementId: nullable(
      Type.String({ description: 'The settlement that explains it, made some seconds after the payout.' }),
    ),
    date: Type.Object(
      {
        creation: Type.String({
          pattern: localTimePattern,
          description: 'When the money left the balance, in local time of the account.',
        }),
        approved: wallTime('When its batch was signed.'),
        sent: wallTime('When its batch went to the bank.'),
        paid: wallTime('When the bank paid it: a statement of the bank says so.'),
        ended: wallTime('When it was returned, failed or was canceled.'),
      },
      closed,
    ),
  },
  closed,
);

const exampleSuccess = { result: 'success', requestId: '3f2a9c0d81e47b56aa10' };
const exampleCreated = {
  payoutId: '01K9Z4M7Q2V5X8B1C3D6F9G0HP',
  status: 'created',
  amount: 1_040.5,
  fee: 0,
  currency: 'PLN',
  onDemand: true,
  bankAccount: { ending: '2874', holder: 'Sklep Jana sp. z o.o.' },
  reason: null,
  settlementId: null,
  date: { creation: '2026-11-20 09:12:44', approved: null, sent: null, paid: null, ended: null },
};
const examplePaid = {
  ...exampleCreated,
  status: 'paid',
  onDemand: false,
  settlementId: '01K9Z4M7Q2V5X8B1C3D6F9G0HS',
  date: {
    creation: '2026-11-20 05:00:02',
    approved: '2026-11-20 09:40:11',
    sent: '2026-11-20 09:41:30',
    paid: '2026-11-20 18:05:00',
    ended: null,
  },
};

const path = Type.Object({ payoutId: Type.String({ description: 'The ULID of the payout.' }) });
const shown = { 200: Type.Object({ ...success, payout: Payout }, closed) };

export const listPayouts = endpoint({
  id: 'B2',
  name: 'listPayouts',
  method: 'GET',
  path: '/payouts',
  tag: 'Balance',
  access: 'read',
  summary: 'List payouts',
  description:
    'Lists payouts, newest first. `dateFrom` and `dateTo` are about their creation, inclusive, in local time of the account.',
  query: Type.Object({
    ...pageQuery,
    status: optional(Type.Enum([...payoutStates])),
    dateFrom: optional(LocalDateTime),
    dateTo: optional(LocalDateTime),
  }),
  responses: {
    200: Type.Object({ ...success, payouts: Type.Array(Payout, { description: 'The page.' }), ...pageAnswer }, closed),
  },
  failures: [400],
  example: {
    query: { status: 'paid', limit: '10' },
    response: { ...exampleSuccess, payouts: [examplePaid], page: 1, limit: 10, total: 1 },
  },
});

export const getPayout = endpoint({
  id: 'B3',
  name: 'getPayout',
  method: 'GET',
  path: '/payouts/{payoutId}',
  tag: 'Balance',
  access: 'read',
  summary: 'Get a payout',
  params: path,
  responses: shown,
  failures: [404],
  example: { response: { ...exampleSuccess, payout: examplePaid } },
});

export const listPayoutLines = endpoint({
  id: 'B4',
  name: 'listPayoutLines',
  method: 'GET',
  path: '/payouts/{payoutId}/lines',
  tag: 'Balance',
  access: 'read',
  summary: 'List lines of a payout',
  description:
    'Lists what a payout consists of: the lines of its settlement, every change of the balance since the settlement before it, the oldest first; the payout is the last one. With `Accept: text/csv` all of them come as a file, as those of a settlement do. They are there some seconds after the payout; until then 409 `payout_not_settled`.',
  params: path,
  query: Type.Object(pageQuery),
  responses: {
    200: Type.Object(
      {
        ...success,
        lines: Type.Array(SettlementLine, { description: 'The page, in the order of the ledger.' }),
        ...pageAnswer,
      },
      closed,
    ),
  },
  givesCsv: true,
  failures: [400, 404, 409],
  example: {
    query: { limit: '10' },
    response: { ...exampleSuccess, lines: [exampleLine], page: 1, limit: 10, total: 2 },
  },
});

export const createPayout = endpoint({
  id: 'B5',
  name: 'createPayout',
  method: 'POST',
  path: '/payouts',
  tag: 'Balance',
  access: 'write',
  summary: 'Ask for a payout',
  description:
    'Makes a payout to your bank account: of `amount`, or with `{}` of all that is due. Its amount and fee have left the balance with this request, or nothing happens. It goes to the bank with the next batch of the operator, as those of the schedule do. Only one that you asked for may wait for a batch at a time. The body is strict: an unknown key or a null is 400.',
  body: Type.Object({ amount: optional(Amount) }, closed),
  nullsRefused: true,
  responses: shown,
  failures: [400, 403, 409, 413, 415, 422],
  example: { request: { amount: 1_040.5 }, response: { ...exampleSuccess, payout: exampleCreated } },
});

export const cancelPayout = endpoint({
  id: 'B6',
  name: 'cancelPayout',
  method: 'POST',
  path: '/payouts/{payoutId}/cancel',
  tag: 'Balance',
  access: 'write',
  summary: 'Cancel a payout',
  description:
    'Cancels a payout while it is `created`: the balance has its amount and fee again. Canceling again repeats the response. Once an operator has signed its batch it is 409 `payout_not_cancelable`.',
  params: path,
  responses: shown,
  failures: [403, 404, 409, 422],
  example: {
    response: {
      ...exampleSuccess,
      payout: {
        ...exampleCreated,
        status: 'canceled',
        reason: { code: 'canceled_by_account', bankCode: null, bankWords: null },
        date: { ...exampleCreated.date, ended: '2026-11-20 09:20:00' },
      },
    },
  },
});

export const payoutSchedules = ['manual', 'daily', 'weekdays', 'month_days'] as const;
export const bankAccountStates = ['not_verified', 'on_hold', 'verified'] as const;

const scheduleDays =
  'Of `weekdays` 1 (Monday) to 5 (Friday); of `month_days` 1 to 31, where a shorter month has its last day instead. None for `manual` and `daily`.';

const PayoutSettings = Type.Object(
  {
    schedule: Type.Enum([...payoutSchedules], {
      description:
        'When you are paid by itself: never, on each bank day, or on chosen days of the week or the month. A chosen day on which no bank is open counts for the next bank day.',
    }),
    days: Type.Array(Type.Integer(), { description: scheduleDays }),
    minimum: Type.Number({ minimum: 0, description: 'Below this there is no payout.' }),
    keepBack: Type.Number({ minimum: 0, description: 'So much stays in the balance, for example for refunds.' }),
    delayDays: Type.Integer({
      description: 'So many bank days after it was credited, money is due. Set by the operator.',
    }),
    blocked: Type.Boolean({ description: 'Whether the operator allows no payouts at the moment.' }),
    bankAccount: nullable(
      Type.Object(
        {
          ending: Type.String({ description: 'The last four characters of the number; more is never shown.' }),
          holder: Type.String({ description: 'Whose account it is.' }),
          status: Type.Enum([...bankAccountStates], {
            description: 'Whether it may be paid to: it waits for the operator, is on hold after a change, or neither.',
          }),
          holdUntil: wallTime('Until when it is on hold, in local time of the account; null: it is not.'),
        },
        {
          ...closed,
          description: 'Where payouts go; null: not given. Only a person in the panel gives or changes it.',
        },
      ),
    ),
  },
  closed,
);

const exampleSettings = {
  schedule: 'weekdays',
  days: [1, 4],
  minimum: 100,
  keepBack: 0,
  delayDays: 1,
  blocked: false,
  bankAccount: { ending: '2874', holder: 'Sklep Jana sp. z o.o.', status: 'verified', holdUntil: null },
};
const settingsShown = { 200: Type.Object({ ...success, settings: PayoutSettings }, closed) };

export const getPayoutSettings = endpoint({
  id: 'B7',
  name: 'getPayoutSettings',
  method: 'GET',
  path: '/payout-settings',
  tag: 'Balance',
  access: 'read',
  summary: 'Show payout settings',
  responses: settingsShown,
  example: { response: { ...exampleSuccess, settings: exampleSettings } },
});

export const changePayoutSettings = endpoint({
  id: 'B8',
  name: 'changePayoutSettings',
  method: 'PATCH',
  path: '/payout-settings',
  tag: 'Balance',
  access: 'write',
  summary: 'Change payout settings',
  description:
    'Changes what is given; the rest stays. `days` comes with `schedule`: without it a schedule of chosen days is 400. The body is strict: an unknown key or a null is 400. The number of the bank account is changed only by a person, in the panel.',
  body: Type.Object(
    {
      schedule: optional(Type.Enum([...payoutSchedules])),
      days: optional(
        Type.Array(Type.Integer({ minimum: 1, maximum: 31 }), {
          maxItems: 31,
          uniqueItems: true,
          description: scheduleDays,
        }),
      ),
      minimum: optional(AmountOrZero),
      keepBack: optional(AmountOrZero),
    },
    closed,
  ),
  nullsRefused: true,
  responses: settingsShown,
  failures: [400, 403, 409, 413, 415],
  example: {
    request: { schedule: 'weekdays', days: [1, 4], minimum: 100 },
    response: { ...exampleSuccess, settings: exampleSettings },
  },
});

export const payoutEndpoints = [
  getBalance,
  listPayouts,
  getPayout,
  listPayoutLines,
  createPayout,
  cancelPayout,
  getPayoutSettings,
  changePayoutSettings,
] as const;
