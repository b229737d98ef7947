// The first screen: how business goes, and what needs attention. P30 and P31.

import { parkReasons } from '../codes/parking.ts';
import { nullable, optional, Type } from '../schema.ts';
import { answer, daysShown, doneExample, instantShown, messageShown, panelEndpoint, SignedAmount } from './shared.ts';

export const overviewPeriods = ['7d', '30d', '90d', '12m'] as const;

const counted = Type.Integer({ minimum: 0 });
const amount = Type.Number({ minimum: 0 });

const totals = Type.Object(
  {
    ...daysShown,
    volume: Type.Number({ minimum: 0, description: 'What payers paid in these days.' }),
    payments: counted,
    refunded: Type.Number({ minimum: 0, description: 'Of the refunds made in these days.' }),
    refunds: counted,
    returned: Type.Number({
      minimum: 0,
      description: 'Of refunds that came back, because the payer did not get them.',
    }),
    refundsReturned: counted,
    refundedNet: Type.Number({
      minimum: 0,
      description: 'What payers got back: of the refunds of these days, less what came back in them.',
    }),
    fees: Type.Number({ description: 'For payments and refunds, less fees that came back.' }),
    created: Type.Object(
      { total: counted, pending: counted, paid: counted, canceled: counted },
      { additionalProperties: false, description: 'Transactions created in these days, by what became of them.' },
    ),
    successRate: nullable(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'Of the transactions created in these days and finished, those that were paid; in percent.',
      }),
    ),
    balance: Type.Number({ description: 'At the end of the last day.' }),
  },
  { additionalProperties: false },
);

const point = Type.Object(
  {
    ...daysShown,
    volume: amount,
    payments: counted,
    refunded: amount,
    refunds: counted,
    balance: SignedAmount,
  },
  { additionalProperties: false },
);

const change = nullable(
  Type.Number({ description: 'In percent of the period before; null if there was nothing to compare with.' }),
);

const totalsExample = {
  from: '2026-06-25',
  to: '2026-07-01',
  volume: 1234.5,
  payments: 17,
  refunded: 10,
  refunds: 1,
  returned: 0,
  refundsReturned: 0,
  refundedNet: 10,
  fees: 19.52,
  created: { total: 20, pending: 1, paid: 17, canceled: 2 },
  successRate: 89.5,
  balance: 5_204.98,
};

export const getOverview = panelEndpoint({
  id: 'P30',
  name: 'getOverview',
  method: 'GET',
  path: '/panel/api/overview',
  access: 'read',
  summary: 'Get the overview',
  description:
    'How business goes, compared with the period before. ' +
    'Days are those of the account’s time zone; the last one is today. Sums are kept, and follow payments within seconds.',
  query: Type.Object({ period: optional(Type.Enum([...overviewPeriods], { default: '30d' })) }),
  responses: {
    200: answer({
      period: Type.Enum([...overviewPeriods]),
      current: totals,
      before: totals,
      change: Type.Object(
        { volume: change, payments: change, refunded: change, successRate: change },
        { additionalProperties: false },
      ),
      points: Type.Array(point, { description: 'For the charts: a point for each day, or month in 12 months.' }),
      pointsBefore: Type.Array(point, { description: 'The same of the period before.' }),
      currency: Type.String(),
    }),
  },
  example: {
    query: { period: '7d' },
    response: {
      ...doneExample,
      period: '7d',
      current: totalsExample,
      before: { ...totalsExample, from: '2026-06-18', to: '2026-06-24' },
      change: { volume: 0, payments: 0, refunded: 0, successRate: 0 },
      points: [
        { from: '2026-07-01', to: '2026-07-01', volume: 120, payments: 2, refunded: 0, refunds: 0, balance: 5_204.98 },
      ],
      pointsBefore: [],
      currency: 'PLN',
    },
  },
});

export const attentionKinds = [
  'failing_endpoint',
  'exhausted_notifications',
  'expiring_certificate',
  'parked_payment',
  'parked_surplus',
  'parked_charge',
  'parked_refund',
  'refund_came_back',
  'dispute_to_answer',
  'low_balance',
  'no_second_factor',
] as const;

export const getAttention = panelEndpoint({
  id: 'P31',
  name: 'getAttention',
  method: 'GET',
  path: '/panel/api/attention',
  access: 'read',
  summary: 'Get what needs attention',
  description:
    'failing_endpoint: the last notification to `subject` failed. exhausted_notifications: they are no longer repeated; ' +
    'resend them. expiring_certificate: a wallet certificate ends within 30 days. parked_…: the bank’s result is ' +
    'unclear, and the operator decides. refund_came_back: the payer does not have it, it is in the balance again. dispute_to_answer: the acquirer takes evidence until then, if it has said so. low_balance: it does not cover what was refunded in the last 7 days. ' +
    'no_second_factor: people of the account sign in with a password only; told to owners.',
  responses: {
    200: answer({
      items: Type.Array(
        Type.Object(
          {
            kind: Type.Enum([...attentionKinds]),
            severity: Type.Enum(['warning', 'critical']),
            subject: nullable(Type.String({ description: 'The address, the certificate or the transaction.' })),
            count: Type.Integer({ minimum: 1, maximum: 100 }),
            since: nullable(instantShown),
            until: nullable(instantShown),
            amount: nullable(Type.Number({ description: 'What is in doubt, or what the balance should cover.' })),
            why: nullable(messageShown(parkReasons)),
            error: nullable(Type.String({ description: 'Of the last notification: the code of its fault.' })),
            merchantIdentifier: nullable(Type.String({ description: 'Of the certificate.' })),
            reason: nullable(
              Type.String({ description: 'Of the dispute, in the words of the acquirer; may be empty.' }),
            ),
          },
          { additionalProperties: false },
        ),
      ),
    }),
  },
  example: {
    response: {
      ...doneExample,
      items: [
        {
          kind: 'failing_endpoint',
          severity: 'warning',
          subject: 'https://shop.example',
          count: 3,
          since: '2026-07-01T10:00:00Z',
          until: null,
          amount: null,
          why: null,
          error: 'wrong_status',
          merchantIdentifier: null,
          reason: null,
        },
      ],
    },
  },
});

export const overviewEndpoints = [getOverview, getAttention];
