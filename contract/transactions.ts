// E1 and what surrounds it (interface 2.1, 2.2, 4; decisions 4).

import { endpoint } from './endpoint.ts';
import {
  Amount,
  AmountShown,
  Country,
  Email,
  IpAddress,
  LocalDateTime,
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

export const languages = ['pl', 'en', 'de', 'fr', 'it', 'es', 'uk', 'ru'] as const;
export const transactionStatuses = ['pending', 'paid', 'refund', 'canceled'] as const;
export const paymentStatuses = ['pending', 'correct', 'declined'] as const;
export const paymentMethods = ['pay_by_link', 'transfer', 'sale'] as const;

const PayerGiven = Type.Object({
  email: optional(Email),
  name: optional(text(255)),
  phone: optional(text(32)),
  address: optional(text(255)),
  code: optional(text(32)),
  city: optional(text(128)),
  country: optional(Country),
  taxId: optional(text(32)),
  ip: optional(IpAddress),
  userAgent: optional(text(512)),
});

const PayGiven = Type.Object({
  groupId: optional(Type.Integer({ minimum: 1 })),
  channelId: optional(Type.Integer({ minimum: 1, description: '75 for the wallet channel.' })),
  method: optional(Type.Enum([...paymentMethods])),
});

const CallbacksGiven = Type.Object({
  payerUrls: optional(Type.Object({ success: optional(WebUrl), error: optional(WebUrl) })),
  notification: optional(Type.Object({ url: optional(WebUrl), email: optional(Email) })),
});

export const TransactionGiven = Type.Object({
  amount: Amount,
  description: text(128, 1),
  currency: optional(Type.Enum(['PLN'])),
  hiddenDescription: optional(text(255)),
  lang: optional(Type.Enum([...languages])),
  payer: optional(PayerGiven),
  pay: optional(PayGiven),
  callbacks: optional(CallbacksGiven),
});

const Payer = Type.Object(
  {
    payerId: Type.String(),
    email: Type.String(),
    name: Type.String(),
    ip: optional(Type.String({ description: 'Present when it was sent.' })),
    phone: Type.String(),
    address: Type.String(),
    city: Type.String(),
    country: Type.String(),
    postalCode: Type.String(),
  },
  { additionalProperties: false },
);

const paymentFields = {
  status: Type.Enum([...paymentStatuses]),
  method: nullable(Type.Enum([...paymentMethods])),
  amountPaid: AmountShown,
  date: Type.Object({ realization: nullable(LocalDateTime) }, { additionalProperties: false }),
};

const transactionFields = {
  transactionId: Ulid,
  title: Type.String({ pattern: '^TR-[A-Z0-9]{4}-[A-Z0-9]{7}$' }),
  posId: Ulid,
  status: Type.Enum([...transactionStatuses]),
  date: Type.Object({ creation: LocalDateTime, realization: nullable(LocalDateTime) }, { additionalProperties: false }),
  amount: AmountShown,
  currency: Type.String(),
  description: Type.String(),
  hiddenDescription: Type.String(),
  payer: Payer,
};

/** Interface 2.1, field for field. */
export const TransactionCreated = Type.Object(
  {
    ...success,
    ...transactionFields,
    payments: Type.Object(paymentFields, { additionalProperties: false }),
    transactionPaymentUrl: Type.String(),
  },
  { additionalProperties: false },
);

const paymentsWithAttempts = Type.Object(
  { ...paymentFields, attempts: Type.Array(Type.Object({})) },
  { additionalProperties: false },
);

export const TransactionShown = Type.Object(
  { ...success, ...transactionFields, payments: paymentsWithAttempts, transactionPaymentUrl: Type.String() },
  { additionalProperties: false },
);

const TransactionListed = Type.Object(
  {
    ...transactionFields,
    payments: Type.Object(paymentFields, { additionalProperties: false }),
    transactionPaymentUrl: Type.String(),
  },
  { additionalProperties: false },
);

const exampleListed = {
  transactionId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
  title: 'TR-7X2M-Q4K9ZP1',
  posId: '01K9Z4M7Q1T4W7A0B2C5E8F9GH',
  status: 'pending',
  date: { creation: '2026-11-15 12:30:00', realization: null },
  amount: 123.45,
  currency: 'PLN',
  description: 'Order 1024',
  hiddenDescription: 'order-1024',
  payer: {
    payerId: '3RT5Q0V8W2X4Y6Z8A0B2C4D6E8',
    email: 'jan.nowak@example.com',
    name: 'Jan Nowak',
    phone: '',
    address: '',
    city: '',
    country: 'PL',
    postalCode: '',
  },
  payments: { status: 'pending', method: 'pay_by_link', amountPaid: 0, date: { realization: null } },
  transactionPaymentUrl: 'http://127.0.0.1:3000/pay/01K9Z4M7Q2V5X8B1C3D6F9G0HJ.dGhpcyBpcyBhIGtleQ',
};

const exampleSuccess = { result: 'success', requestId: '3f2a9c0d81e47b56aa10' };

export const createTransaction = endpoint({
  id: 'E1',
  method: 'POST',
  path: '/transactions',
  tag: 'Transactions',
  access: 'write',
  summary: 'Creates a transaction.',
  description:
    'Redirect the payer to `transactionPaymentUrl`. With `pay.channelId` or `pay.groupId` the payment method is ' +
    'chosen already. The final result of the payment comes by notification.',
  body: TransactionGiven,
  responses: { 200: TransactionCreated },
  failures: [400, 403, 409, 413, 415, 422],
  example: {
    request: {
      amount: 123.45,
      description: 'Order 1024',
      hiddenDescription: 'order-1024',
      payer: { email: 'jan.nowak@example.com', name: 'Jan Nowak' },
      pay: { channelId: 64 },
    },
    response: { ...exampleSuccess, ...exampleListed },
  },
});

const transactionPath = Type.Object({ transactionId: Type.String({ description: 'The ULID that E1 answered.' }) });

export const getTransaction = endpoint({
  id: 'T1',
  method: 'GET',
  path: '/transactions/{transactionId}',
  tag: 'Transactions',
  access: 'read',
  summary: 'Shows one transaction with the attempts to pay it.',
  params: transactionPath,
  responses: { 200: TransactionShown },
  failures: [404],
  example: {
    response: { ...exampleSuccess, ...exampleListed, payments: { ...exampleListed.payments, attempts: [] } },
  },
});

export const listTransactions = endpoint({
  id: 'T2',
  method: 'GET',
  path: '/transactions',
  tag: 'Transactions',
  access: 'read',
  summary: 'Lists transactions, newest first.',
  description: '`from` and `to` are inclusive, in local time of the account.',
  query: Type.Object({
    ...pageQuery,
    from: optional(LocalDateTime),
    to: optional(LocalDateTime),
    status: optional(Type.Enum([...transactionStatuses])),
  }),
  responses: {
    200: Type.Object(
      {
        ...success,
        transactions: Type.Object({ list: Type.Array(TransactionListed) }, { additionalProperties: false }),
        ...pageAnswer,
      },
      { additionalProperties: false },
    ),
  },
  failures: [400],
  example: {
    query: { limit: '10', status: 'pending' },
    response: { ...exampleSuccess, transactions: { list: [exampleListed] }, page: 1, limit: 10, total: 1 },
  },
});
