// E4 to E7 (docs/decisions/0010), and holding, releasing and canceling a refund.

import { CardToken } from './cards.ts';
import { endpoint } from './endpoint.ts';
import { shownMethod } from './methods.ts';
import {
  Amount,
  AmountShown,
  LocalDateTime,
  nullable,
  optional,
  pageAnswer,
  pageQuery,
  success,
  Type,
  text,
  Ulid,
} from './schema.ts';
import { exampleListed, TransactionCreated } from './transactions.ts';

export const refundStatuses = [
  'New',
  'Pending',
  'Cancel',
  'Hold',
  'Done',
  'Processed',
  'BLIK_pending',
  'BLIK_processed',
  'BLIK_incorrect',
] as const;
export const refundContexts = ['transactional', 'card'] as const;

/**
 * `{}` refunds everything that is left, `{amount}` a part. No other keys: a misspelled `amount` must never become a
 * full refund.
 */
export const RefundGiven = Type.Object({ amount: optional(Amount) }, { additionalProperties: false });

const recordFields = {
  refundId: Ulid,
  status: Type.Enum([...refundStatuses]),
  amount: AmountShown,
  currency: Type.String(),
  date: Type.Object(
    {
      schedule: LocalDateTime,
      processed: nullable(LocalDateTime),
    },
    { additionalProperties: false },
  ),
};

const RefundRecord = Type.Object(recordFields, { additionalProperties: false });

const linkedFields = {
  ...recordFields,
  transactionId: Ulid,
  transactionTitle: Type.String(),
};

const RefundListed = Type.Object(linkedFields, { additionalProperties: false });

export const RefundShown = Type.Object({ ...success, ...linkedFields }, { additionalProperties: false });

const TransactionWithRefunds = Type.Object(
  {
    ...TransactionCreated.properties,
    refundsList: Type.Array(RefundRecord, { description: 'The refunds of this page, newest first.' }),
    refundsNoAccountList: Type.Array(RefundRecord, {
      description: 'Refunds without a target account. Always empty: money goes back the way it came.',
    }),
    refundsCardsList: Type.Array(RefundRecord, { description: 'Those of `refundsList` that go back to a card.' }),
    ...pageAnswer,
  },
  { additionalProperties: false },
);

const exampleSuccess = { result: 'success', requestId: '3f2a9c0d81e47b56aa10' };
const transactionId = '01K9Z4M7Q2V5X8B1C3D6F9G0HJ';
const refundId = '01K9Z5A3R4W7Y0Z2B4D6F8H1JK';
const exampleRecord = {
  refundId,
  status: 'New',
  amount: 30,
  currency: 'PLN',
  date: { schedule: '2026-11-16 09:15:00', processed: null },
};
const exampleLinked = { ...exampleRecord, transactionId, transactionTitle: 'TR-7X2M-Q4K9ZP1' };
const exampleTransaction = {
  ...exampleSuccess,
  ...exampleListed,
  status: 'paid',
  date: { creation: '2026-11-15 12:30:00', realization: '2026-11-15 12:30:05' },
  payments: {
    status: 'correct',
    method: 'pay_by_link',
    ...shownMethod('card'),
    amountPaid: 123.45,
    date: { realization: '2026-11-15 12:30:05' },
  },
  refundsList: [exampleRecord],
  refundsNoAccountList: [],
  refundsCardsList: [],
  page: 1,
  limit: 35,
  total: 1,
};

const transactionPath = Type.Object({ transactionId: Type.String({ description: 'The ULID that E1 returned.' }) });
const refundPath = Type.Object({ refundId: Type.String({ description: 'The ULID that E4 returned.' }) });

export const createRefund = endpoint({
  id: 'E4',
  name: 'createRefund',
  method: 'POST',
  path: '/transactions/{transactionId}/refunds',
  tag: 'Refunds',
  access: 'write',
  summary: 'Refund a transaction',
  description:
    'Refunds a paid transaction, in full with `{}` or in part with `{amount}`. ' +
    'Amount and fee are taken from the balance with this request, or nothing happens. `{}` refunds what is left and sets ' +
    'the status of the transaction to `refund`; `{amount}` does not change it, even if partial refunds add up to the full ' +
    'amount. The body is strict: an unknown key or a null is 400. The refund is sent to the bank a few seconds later; ' +
    'until then it can be held or canceled.',
  params: transactionPath,
  body: RefundGiven,
  nullsRefused: true,
  responses: { 200: TransactionWithRefunds },
  failures: [400, 403, 409, 413, 415, 422],
  example: { request: { amount: 30 }, response: exampleTransaction },
});

const timeQuery = { from: optional(LocalDateTime), to: optional(LocalDateTime) };

export const listTransactionRefunds = endpoint({
  id: 'E5',
  name: 'listTransactionRefunds',
  method: 'GET',
  path: '/transactions/{transactionId}/refunds',
  tag: 'Refunds',
  access: 'read',
  summary: "List a transaction's refunds",
  description:
    'Lists the refunds of one transaction, newest first. `from` and `to` are inclusive, in local time of the account.',
  params: transactionPath,
  query: Type.Object({ ...pageQuery, ...timeQuery }),
  responses: { 200: TransactionWithRefunds },
  failures: [400],
  example: { query: { limit: '35' }, response: exampleTransaction },
});

export const listRefunds = endpoint({
  id: 'E6',
  name: 'listRefunds',
  method: 'GET',
  path: '/refunds',
  tag: 'Refunds',
  access: 'read',
  summary: 'List refunds',
  description:
    'Lists refunds, newest first. ' +
    '`from` and `to` are inclusive, in local time of the account. `context` is `card` for refunds to cards, ' +
    '`transactional` for all others. `token` (a card token) needs `context=card`.',
  query: Type.Object({
    ...pageQuery,
    ...timeQuery,
    payerEmail: optional(text(254)),
    transactionTitle: optional(text(64)),
    context: optional(Type.Enum([...refundContexts])),
    token: optional(CardToken),
  }),
  responses: {
    200: Type.Object(
      {
        ...success,
        transactions: Type.Object({ list: Type.Array(RefundListed) }, { additionalProperties: false }),
        ...pageAnswer,
      },
      { additionalProperties: false },
    ),
  },
  failures: [400],
  example: {
    query: { context: 'transactional', limit: '10' },
    response: { ...exampleSuccess, transactions: { list: [exampleLinked] }, page: 1, limit: 10, total: 1 },
  },
});

export const getRefund = endpoint({
  id: 'E7',
  name: 'getRefund',
  method: 'GET',
  path: '/refunds/{refundId}',
  tag: 'Refunds',
  access: 'read',
  summary: 'Get a refund',
  params: refundPath,
  responses: { 200: RefundShown },
  failures: [404],
  example: { response: { ...exampleSuccess, ...exampleLinked } },
});

export const holdRefund = endpoint({
  id: 'F1',
  name: 'holdRefund',
  method: 'POST',
  path: '/refunds/{refundId}/hold',
  tag: 'Refunds',
  access: 'write',
  summary: 'Hold a refund',
  description:
    'Holds a refund that has not been sent to the bank. Its status becomes `Hold` until it is released or canceled. Holding again repeats the response.',
  params: refundPath,
  responses: { 200: RefundShown },
  failures: [403, 409, 422],
  example: { response: { ...exampleSuccess, ...exampleLinked, status: 'Hold' } },
});

export const releaseRefund = endpoint({
  id: 'F2',
  name: 'releaseRefund',
  method: 'POST',
  path: '/refunds/{refundId}/release',
  tag: 'Refunds',
  access: 'write',
  summary: 'Release a held refund',
  description:
    'Releases a held refund: it is sent to the bank. ' +
    'Its status becomes `New` (BLIK: `BLIK_pending`) again. Releasing one that is not held repeats the response.',
  params: refundPath,
  responses: { 200: RefundShown },
  failures: [403, 409, 422],
  example: { response: { ...exampleSuccess, ...exampleLinked } },
});

export const cancelRefund = endpoint({
  id: 'F3',
  name: 'cancelRefund',
  method: 'POST',
  path: '/refunds/{refundId}/cancel',
  tag: 'Refunds',
  access: 'write',
  summary: 'Cancel a refund',
  description:
    'Cancels a refund while it is `New` or `Hold`; amount and fee return to the balance. ' +
    'The transaction of a full refund is `paid` again. Canceling again repeats the response. A refund that was sent to the ' +
    'bank can no longer be canceled: 409.',
  params: refundPath,
  responses: { 200: RefundShown },
  failures: [403, 409, 422],
  example: { response: { ...exampleSuccess, ...exampleLinked, status: 'Cancel' } },
});

export const refundEndpoints = [
  createRefund,
  listTransactionRefunds,
  listRefunds,
  getRefund,
  holdRefund,
  releaseRefund,
  cancelRefund,
];
