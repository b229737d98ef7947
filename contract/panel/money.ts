// Money on screen: the balance, the ledger, statements, and files with them. P34 to P39.

import { nullable, optional, Type, Ulid } from '../schema.ts';
import {
  answer,
  beforeQuery,
  dayGiven,
  daysShown,
  doneExample,
  instantShown,
  panelEndpoint,
  SignedAmount,
} from './shared.ts';
import { transactionFilters } from './transactions.ts';

const closed = { additionalProperties: false } as const;

export const moveKinds = [
  'payment',
  'refund',
  'refund_returned',
  'dispute',
  'dispute_returned',
  'opening',
  'other',
] as const;
export const exportFormats = ['csv', 'json'] as const;

export const getBalance = panelEndpoint({
  id: 'P34',
  name: 'getBalance',
  method: 'GET',
  path: '/panel/api/balance',
  access: 'read',
  summary: 'Get the balance',
  responses: {
    200: answer({
      at: instantShown,
      balance: Type.Number({ minimum: 0, description: 'What refunds can be paid from.' }),
      payoutTransit: Type.Number({ minimum: 0, description: 'On its way to the bank account.' }),
      owed: Type.Number({ minimum: 0, description: 'What disputes took and the balance did not cover.' }),
      currency: Type.String(),
    }),
  },
  example: {
    response: {
      ...doneExample,
      at: '2026-07-01T10:00:00Z',
      balance: 5_204.98,
      payoutTransit: 0,
      owed: 0,
      currency: 'PLN',
    },
  },
});

const moveFields = {
  journalId: Type.String(),
  at: instantShown,
  kind: Type.Enum([...moveKinds]),
  transactionId: nullable(Type.String()),
  title: nullable(Type.String()),
  hiddenDescription: nullable(
    Type.String({ description: 'Of the transaction; for a seller of a marketplace, of its parts of it.' }),
  ),
  isOwn: Type.Boolean({
    description:
      'Whether the transaction is one of the account: a seller of a marketplace cannot open that of its partner.',
  }),
  reason: nullable(Type.String({ description: 'Of a dispute, in the words of the acquirer; empty if it gave none.' })),
  amount: Type.Number({
    description: 'Of the payment, refund or dispute; for a partner 0, except what it bears of a dispute.',
  }),
  fee: SignedAmount,
  commission: Type.Number({ description: 'Paid to the partner, or got by it.' }),
  other: SignedAmount,
  net: Type.Number({ description: 'The change of the balance: the sum of the four before it.' }),
  volume: Type.Number({
    minimum: 0,
    description:
      'What the payer paid or got back; for a partner of all sellers. Of a dispute, what the account bears of it: beyond `amount` it is owed.',
  }),
};

const moveExample = {
  journalId: '01K9Z4M7Q2V5X8B1C3D6F9G0HK',
  at: '2026-07-01T10:00:00Z',
  kind: 'payment',
  transactionId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
  title: 'TR-7X2M-Q4K9ZP1',
  hiddenDescription: 'order-1024',
  isOwn: true,
  reason: null,
  amount: 100,
  fee: -1.5,
  commission: 0,
  other: 0,
  net: 98.5,
  volume: 100,
};

const ledgerFilters = {
  kind: optional(Type.Enum([...moveKinds])),
  from: optional(dayGiven),
  to: optional(dayGiven),
};

export const listLedger = panelEndpoint({
  id: 'P35',
  name: 'listLedger',
  method: 'GET',
  path: '/panel/api/ledger',
  access: 'read',
  summary: 'List balance entries',
  description:
    'What moved the balance, newest first. ' +
    'Amounts are signed as the account sees them: what it gets is positive. Follows payments within seconds.',
  query: Type.Object({
    ...ledgerFilters,
    ...beforeQuery,
    limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  }),
  responses: {
    200: answer({ moves: Type.Array(Type.Object(moveFields, closed)), nextBefore: nullable(Type.String()) }),
  },
  failures: [400],
  example: { query: { kind: 'payment' }, response: { ...doneExample, moves: [moveExample], nextBefore: null } },
});

const sums = {
  payments: SignedAmount,
  paymentFees: SignedAmount,
  refunds: SignedAmount,
  refundFees: SignedAmount,
  refundsReturned: Type.Number({ description: 'Refunds that the payer did not get, with their fees.' }),
  commissions: SignedAmount,
  disputes: Type.Number({ description: 'What disputes took, and gave back when they were won.' }),
  other: SignedAmount,
};

const statementRow = Type.Object(
  {
    ...daysShown,
    opening: SignedAmount,
    ...sums,
    closing: Type.Number({ description: 'The opening balance and everything between.' }),
    paymentCount: Type.Integer(),
    refundCount: Type.Integer(),
  },
  closed,
);

const statementExample = {
  from: '2026-06-01',
  to: '2026-06-30',
  opening: 5_000,
  payments: 300,
  paymentFees: -4.5,
  refunds: -30,
  refundFees: -1,
  refundsReturned: 0,
  commissions: 0,
  disputes: 0,
  other: 0,
  closing: 5_264.5,
  paymentCount: 3,
  refundCount: 1,
};

const statementQuery = {
  by: optional(Type.Enum(['day', 'month'], { default: 'day' })),
  from: dayGiven,
  to: dayGiven,
};

export const getStatements = panelEndpoint({
  id: 'P36',
  name: 'getStatements',
  method: 'GET',
  path: '/panel/api/statements',
  access: 'read',
  summary: 'Get statements',
  description:
    'Statements by day or month. At most 400 days, or ten years of months. Signed, so that each row adds up from left to right.',
  query: Type.Object(statementQuery),
  responses: { 200: answer({ rows: Type.Array(statementRow), total: statementRow, currency: Type.String() }) },
  failures: [400],
  example: {
    query: { by: 'month', from: '2026-06-01', to: '2026-06-30' },
    response: { ...doneExample, rows: [statementExample], total: statementExample, currency: 'PLN' },
  },
});

const files =
  'Streamed; `X-Total-Rows` says how many rows come. CSV is UTF-8 with a byte order mark, as spreadsheet programs of the ' +
  'user’s language expect it: Polish with semicolons and decimal commas, English with commas and decimal points. Text ' +
  'that a program would take for a formula begins with an apostrophe.';

const format = optional(Type.Enum([...exportFormats], { default: 'csv' }));
const file = Type.String({ description: 'The file.' });

export const exportLedger = panelEndpoint({
  id: 'P37',
  name: 'exportLedger',
  method: 'GET',
  path: '/panel/api/ledger/export',
  access: 'read',
  summary: 'Export the ledger',
  description: `The ledger as a file, oldest first. ${files}`,
  query: Type.Object({ format, ...ledgerFilters }),
  responses: { 200: file },
  streams: ['text/csv', 'application/json'],
  failures: [400],
  example: { query: { format: 'csv', from: '2026-06-01', to: '2026-06-30' }, response: '' },
});

export const exportTransactions = panelEndpoint({
  id: 'P38',
  name: 'exportTransactions',
  method: 'GET',
  path: '/panel/api/transactions/export',
  access: 'read',
  summary: 'Export transactions',
  description:
    'Transactions as a file. ' +
    `With the filters of the search. ${files} By days and status only, they come oldest first. With other filters they ` +
    'are looked for as in the search: newest first, and without X-Total-Rows, because nobody knows how many there are.',
  query: Type.Object({ format, ...transactionFilters }),
  responses: { 200: file },
  streams: ['text/csv', 'application/json'],
  failures: [400],
  example: { query: { format: 'csv', from: '2026-06-01', to: '2026-06-30' }, response: '' },
});

export const exportStatements = panelEndpoint({
  id: 'P39',
  name: 'exportStatements',
  method: 'GET',
  path: '/panel/api/statements/export',
  access: 'read',
  summary: 'Export statements',
  description: `Statements as a file. ${files}`,
  query: Type.Object({ format, ...statementQuery }),
  responses: { 200: file },
  streams: ['text/csv', 'application/json'],
  failures: [400],
  example: { query: { by: 'day', from: '2026-06-01', to: '2026-06-30' }, response: '' },
});

export const exportSettlementLines = panelEndpoint({
  id: 'P150',
  name: 'exportSettlementLines',
  method: 'GET',
  path: '/panel/api/settlement-lines/export',
  access: 'read',
  summary: 'Export a settlement',
  description: `The lines of a settlement as a file, oldest first. ${files}`,
  query: Type.Object({ format, settlementId: Ulid }),
  responses: { 200: file },
  streams: ['text/csv', 'application/json'],
  failures: [400, 404],
  example: { query: { format: 'csv', settlementId: '01K9Z4M7Q2V5X8B1C3D6F9G0HS' }, response: '' },
});

export const moneyEndpoints = [
  getBalance,
  listLedger,
  getStatements,
  exportLedger,
  exportTransactions,
  exportStatements,
  exportSettlementLines,
];
