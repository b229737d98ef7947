// Settlements: what happened to a balance between two moments, without gaps (docs/api.md#settlements).

import { endpoint } from './endpoint.ts';
import { localTimePattern, nullable, optional, pageAnswer, pageQuery, shaped, success, Type, Ulid } from './schema.ts';

const closed = { additionalProperties: false } as const;
const Signed = (description: string) => Type.Number({ description });

const wallTime = (description: string) => Type.String({ pattern: localTimePattern, description });

const Settlement = Type.Object(
  {
    settlementId: Ulid,
    number: Type.Integer({ minimum: 1, description: 'From 1, without gaps.' }),
    reason: Type.Enum(['payout', 'month', 'command'], {
      description:
        'Why it was made: it explains a payout; a month ended without a payout; or the operator asked for it.',
    }),
    payoutId: nullable(Type.String({ description: 'The payout that it explains, which is its last line.' })),
    opening: Signed('The balance that the settlement before it ended with; 0 for the first.'),
    amount: Signed('What was paid, less refunds and disputes.'),
    fee: Signed('Fees; negative.'),
    commission: Signed('Commissions: paid to the partner, or got by it.'),
    other: Signed('Everything else, such as payouts.'),
    closing: Signed('The sum of opening, amount, fee, commission and other.'),
    currency: Type.String(),
    lines: Type.Integer({ minimum: 1, description: 'How many lines it has.' }),
    date: Type.Object(
      {
        first: wallTime('When its first line was booked, in local time of the account.'),
        last: wallTime('When its last line was booked.'),
        creation: wallTime('When it was made.'),
      },
      closed,
    ),
  },
  closed,
);

export const SettlementLine = Type.Object(
  {
    journalId: Ulid,
    date: wallTime('When it was booked, in local time of the account.'),
    kind: Type.String({
      description:
        'What happened: `payment`, `refund`, `refund_returned`, `refund_came_back`, `dispute`, `dispute_returned`, `opening` and others. Take a kind that you do not know for what it is: a change of the balance by `net`.',
    }),
    transactionId: nullable(Type.String({ description: 'The transaction that it is about.' })),
    transactionTitle: nullable(Type.String({ description: 'The title of the transaction.' })),
    hiddenDescription: nullable(Type.String({ description: 'Of the transaction; for a seller, of its parts of it.' })),
    isOwn: Type.Boolean({ description: 'Whether the transaction is one of the account, and not of its partner.' }),
    reference: nullable(Type.String({ description: 'The id of the refund, dispute or payout that it is about.' })),
    amount: Signed('Of the payment, refund or dispute, signed as the account sees it.'),
    fee: Signed('The fee; negative if it was taken.'),
    commission: Signed('The commission: paid to the partner, or got by it.'),
    other: Signed('Any other change.'),
    net: Signed('The change of the balance: the sum of the four before it.'),
  },
  closed,
);

const exampleId = '01K9Z4M7Q2V5X8B1C3D6F9G0HS';
const exampleSuccess = { result: 'success', requestId: '3f2a9c0d81e47b56aa10' };
const exampleSettlement = {
  settlementId: exampleId,
  number: 7,
  reason: 'month',
  payoutId: null,
  opening: 1_040.5,
  amount: 210,
  fee: -3.15,
  commission: 0,
  other: 0,
  closing: 1_247.35,
  currency: 'PLN',
  lines: 2,
  date: { first: '2026-11-20 09:12:44', last: '2026-11-20 15:03:10', creation: '2026-12-01 13:00:02' },
};

export const exampleLine = {
  journalId: '01K9Z4M7Q2V5X8B1C3D6F9G0HK',
  date: '2026-11-20 09:12:44',
  kind: 'payment',
  transactionId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
  transactionTitle: 'TR-7X2M-Q4K9ZP1',
  hiddenDescription: 'order-1024',
  isOwn: true,
  reference: null,
  amount: 100,
  fee: -1.5,
  commission: 0,
  other: 0,
  net: 98.5,
};

const settlementOf = shaped('^[0-7][0-9A-HJKMNP-TV-Z]{25}$', 'id', {
  description: 'Only the one that explains this payout.',
});
const described = Type.Object(Settlement.properties, { ...closed, description: 'The settlement.' });

const path = Type.Object({ settlementId: Type.String({ description: 'The ULID of the settlement.' }) });

export const listSettlements = endpoint({
  id: 'L1',
  name: 'listSettlements',
  method: 'GET',
  path: '/settlements',
  tag: 'Balance',
  access: 'read',
  summary: 'List settlements',
  description:
    'Lists settlements, newest first. A settlement has every change of the balance between two moments: it begins where the one before it ended, so that none is missing and none is there twice.',
  query: Type.Object({ ...pageQuery, payoutId: optional(settlementOf) }),
  responses: {
    200: Type.Object(
      { ...success, settlements: Type.Array(Settlement, { description: 'The page.' }), ...pageAnswer },
      closed,
    ),
  },
  failures: [400],
  example: {
    query: { limit: '10' },
    response: { ...exampleSuccess, settlements: [exampleSettlement], page: 1, limit: 10, total: 7 },
  },
});

export const getSettlement = endpoint({
  id: 'L2',
  name: 'getSettlement',
  method: 'GET',
  path: '/settlements/{settlementId}',
  tag: 'Balance',
  access: 'read',
  summary: 'Get a settlement',
  params: path,
  responses: { 200: Type.Object({ ...success, settlement: described }, closed) },
  failures: [404],
  example: { response: { ...exampleSuccess, settlement: exampleSettlement } },
});

export const listSettlementLines = endpoint({
  id: 'L3',
  name: 'listSettlementLines',
  method: 'GET',
  path: '/settlements/{settlementId}/lines',
  tag: 'Balance',
  access: 'read',
  summary: 'List lines of a settlement',
  description:
    'Lists the lines of a settlement, the oldest first. With `Accept: text/csv` all of them come as a file, in UTF-8 with a byte order mark, separated by commas, with the names of the fields as headings; `X-Total-Rows` says how many. Text that a spreadsheet program would take for a formula begins with an apostrophe.',
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
  failures: [400, 404],
  example: {
    query: { limit: '10' },
    response: {
      ...exampleSuccess,
      lines: [exampleLine],
      page: 1,
      limit: 10,
      total: 2,
    },
  },
});

export const settlementEndpoints = [listSettlements, getSettlement, listSettlementLines] as const;
