// E1 and related endpoints (docs/decisions/0006).

import { CardPaymentData } from './cards.ts';
import { endpoint } from './endpoint.ts';
import { languages } from './languages.ts';
import { channelList, methods, shownMethod } from './methods.ts';
import {
  Amount,
  AmountShown,
  Country,
  Email,
  IpAddress,
  LocalDateTime,
  mustBe,
  nullable,
  optional,
  PayPageUrl,
  pageAnswer,
  pageQuery,
  secret,
  success,
  Type,
  text,
  Ulid,
  WebUrl,
} from './schema.ts';

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

const BlikAlias = Type.Object({ value: text(128, 1), type: Type.Enum(['UID', 'PAYID']), label: optional(text(35)) });

/** Data that pays immediately, by method. */
export const paymentData = {
  blikPaymentData: optional(
    Type.Object({
      blikToken: optional(
        Type.Refine(
          Type.String({ maxLength: 16, description: 'The six-digit BLIK code. Not needed with a registered alias.' }),
          (value) => value.length > 16 || /^\d{6}$/.test(value),
          mustBe('six_digits', {}),
        ),
      ),
      aliases: optional(
        Type.Union([BlikAlias, Type.Array(BlikAlias, { maxItems: 5 })], {
          description:
            'One alias or several. With a code they are registered when the payment succeeds; a PAYID is for recurring ' +
            'payments. Without a code the payer of a registered alias confirms in the banking app.',
        }),
      ),
    }),
  ),
  cardPaymentData: optional(CardPaymentData),
  walletPayPaymentData: optional(text(32_768, 1)),
};

const payFields = {
  groupId: optional(Type.Integer({ minimum: 1, description: `${methods.blik.groupId} for BLIK.` })),
  channelId: optional(Type.Integer({ minimum: 1, description: `${channelList}.` })),
  method: optional(Type.Enum([...paymentMethods])),
  ...paymentData,
};

const PayGiven = Type.Object(payFields);

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
    ip: optional(Type.String({ description: 'Present if it was sent.' })),
    phone: Type.String(),
    address: Type.String(),
    city: Type.String(),
    country: Type.String(),
    postalCode: Type.String(),
  },
  { additionalProperties: false },
);

export const PaymentError = Type.Object(
  {
    errorCode: Type.String(),
    errorMessage: Type.String(),
    fieldName: Type.String(),
    devMessage: Type.String(),
    docUrl: Type.String(),
  },
  { additionalProperties: false },
);

/** The channel of the payment: that of the successful attempt, else of the latest one, else the chosen one. */
export const channelOfPayment = {
  channelId: nullable(Type.String()),
  groupId: nullable(Type.String()),
};

const paymentFields = {
  errors: optional(Type.Array(PaymentError, { description: 'Present only if the last attempt was declined.' })),
  status: Type.Enum([...paymentStatuses]),
  method: nullable(Type.Enum([...paymentMethods])),
  ...channelOfPayment,
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

/** The transaction as E1 returns it. */
export const TransactionCreated = Type.Object(
  {
    ...success,
    ...transactionFields,
    payments: Type.Object(paymentFields, { additionalProperties: false }),
    transactionPaymentUrl: PayPageUrl,
  },
  { additionalProperties: false },
);

export const attemptFields = {
  attemptId: Ulid,
  status: Type.Enum(['pending', 'correct', 'declined', 'canceled', 'refunded']),
  channelId: Type.String(),
  amount: AmountShown,
  reason: nullable(Type.String()),
  paymentErrorCode: nullable(Type.String({ pattern: '^\\d+$' })),
  date: Type.Object({ creation: LocalDateTime, realization: nullable(LocalDateTime) }, { additionalProperties: false }),
};

const Attempt = Type.Object(attemptFields, { additionalProperties: false });

const paymentsWithAttempts = Type.Object(
  { ...paymentFields, attempts: Type.Array(Attempt) },
  { additionalProperties: false },
);

export const TransactionShown = Type.Object(
  { ...success, ...transactionFields, payments: paymentsWithAttempts, transactionPaymentUrl: PayPageUrl },
  { additionalProperties: false },
);

const TransactionListed = Type.Object(
  {
    ...transactionFields,
    payments: Type.Object(paymentFields, { additionalProperties: false }),
    transactionPaymentUrl: PayPageUrl,
  },
  { additionalProperties: false },
);

/** The transaction in the examples of every endpoint. */
export const exampleListed = {
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
  payments: {
    status: 'pending',
    method: 'pay_by_link',
    ...shownMethod('blik'),
    amountPaid: 0,
    date: { realization: null },
  },
  transactionPaymentUrl: 'http://127.0.0.1:3000/pay/01K9Z4M7Q2V5X8B1C3D6F9G0HJ.dGhpcyBpcyBhIGtleQ',
};

const exampleSuccess = { result: 'success', requestId: '3f2a9c0d81e47b56aa10' };

export const createTransaction = endpoint({
  id: 'E1',
  name: 'createTransaction',
  method: 'POST',
  path: '/transactions',
  tag: 'Transactions',
  access: 'write',
  summary: 'Create a transaction',
  description:
    'Redirect the payer to `transactionPaymentUrl`. `pay.channelId` or `pay.groupId` preselects the payment method. ' +
    'The final result of the payment is sent by notification.',
  body: TransactionGiven,
  responses: { 200: TransactionCreated },
  failures: [400, 403, 409, 413, 415, 422],
  example: {
    request: {
      amount: 123.45,
      description: 'Order 1024',
      hiddenDescription: 'order-1024',
      payer: { email: 'jan.nowak@example.com', name: 'Jan Nowak' },
      pay: { channelId: methods.blik.id },
    },
    response: { ...exampleSuccess, ...exampleListed },
  },
});

const transactionPath = Type.Object({ transactionId: Type.String({ description: 'The ULID that E1 returned.' }) });

export const getTransaction = endpoint({
  id: 'T1',
  name: 'getTransaction',
  method: 'GET',
  path: '/transactions/{transactionId}',
  tag: 'Transactions',
  access: 'read',
  summary: 'Get a transaction',
  description: 'Shows a transaction with its payment attempts.',
  params: transactionPath,
  responses: { 200: TransactionShown },
  failures: [404],
  example: {
    response: { ...exampleSuccess, ...exampleListed, payments: { ...exampleListed.payments, attempts: [] } },
  },
});

export const listTransactions = endpoint({
  id: 'T2',
  name: 'listTransactions',
  method: 'GET',
  path: '/transactions',
  tag: 'Transactions',
  access: 'read',
  summary: 'List transactions',
  description: 'Lists transactions, newest first. `from` and `to` are inclusive, in local time of the account.',
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

/** The transaction after an attempt: `pending` while it waits for the payer, `failed` if it was declined. */
const TransactionPaid = Type.Object(
  {
    ...success,
    result: Type.Enum(['success', 'pending', 'failed']),
    ...transactionFields,
    payments: Type.Object(paymentFields, { additionalProperties: false }),
    transactionPaymentUrl: Type.String({
      ...secret,
      description: 'If the payer must confirm elsewhere (3-D Secure, bank): that page.',
    }),
  },
  { additionalProperties: false },
);

export const payTransaction = endpoint({
  id: 'E2',
  name: 'payTransaction',
  method: 'POST',
  path: '/transactions/{transactionId}/pay',
  tag: 'Transactions',
  access: 'write',
  summary: 'Pay a transaction',
  description:
    'Pays a transaction on-site. ' +
    'Responds when the attempt is accepted or declined; the final result is sent by notification. A declined ' +
    'attempt leaves the transaction pending, and the payer may try again.',
  params: transactionPath,
  body: PayGiven,
  responses: { 200: TransactionPaid },
  failures: [400, 403, 409, 413, 415, 422],
  example: {
    request: { groupId: methods.blik.groupId, blikPaymentData: { blikToken: '777123' } },
    response: {
      ...exampleSuccess,
      ...exampleListed,
      status: 'paid',
      date: { creation: '2026-11-15 12:30:00', realization: '2026-11-15 12:30:05' },
      payments: {
        status: 'correct',
        method: 'sale',
        ...shownMethod('blik'),
        amountPaid: 123.45,
        date: { realization: '2026-11-15 12:30:05' },
      },
    },
  },
});

export const cancelTransaction = endpoint({
  id: 'T3',
  name: 'cancelTransaction',
  method: 'POST',
  path: '/transactions/{transactionId}/cancel',
  tag: 'Transactions',
  access: 'write',
  summary: 'Cancel a transaction',
  description:
    'Cancels a transaction that is not paid; it can no longer be paid. Canceling again repeats the response. A payment that succeeds anyway is refunded to the payer.',
  params: transactionPath,
  responses: { 200: TransactionShown },
  failures: [403, 409],
  example: {
    response: {
      ...exampleSuccess,
      ...exampleListed,
      status: 'canceled',
      payments: { ...exampleListed.payments, attempts: [] },
    },
  },
});

const closed = { additionalProperties: false } as const;

const ImageShown = Type.Object({ url: Type.String() }, closed);

const channelFields = {
  id: Type.String(),
  name: Type.String(),
  fullName: Type.String(),
  image: ImageShown,
  groups: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), image: ImageShown }, closed)),
  available: Type.Boolean(),
  onlinePayment: Type.Boolean(),
  instantRedirection: Type.Boolean(),
  refundable: Type.Boolean(),
  constraints: Type.Array(
    Type.Object({ field: Type.Literal('amount'), type: Type.Enum(['min', 'max']), value: Type.Number() }, closed),
  ),
};

const exampleImage = { url: `http://127.0.0.1:3000/assets/methods/${methods.blik.groupId}.svg` };

export const listChannels = endpoint({
  id: 'T4',
  name: 'listChannels',
  method: 'GET',
  path: '/transactions/channels',
  tag: 'Transactions',
  access: 'read',
  summary: 'List payment channels',
  description: 'Lists the payment channels that are enabled for the account.',
  responses: {
    200: Type.Object(
      { ...success, channels: Type.Array(Type.Object(channelFields, { additionalProperties: false })) },
      { additionalProperties: false },
    ),
  },
  example: {
    response: {
      ...exampleSuccess,
      channels: [
        {
          id: shownMethod('blik').channelId,
          name: 'BLIK',
          fullName: 'BLIK',
          image: exampleImage,
          groups: [{ id: shownMethod('blik').groupId, name: 'BLIK', image: exampleImage }],
          available: true,
          onlinePayment: true,
          instantRedirection: false,
          refundable: true,
          constraints: [
            { field: 'amount', type: 'min', value: 0.01 },
            { field: 'amount', type: 'max', value: 99_999_999_999.99 },
          ],
        },
      ],
    },
  },
});

export const BankGroup = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    img: Type.String(),
    mainChannel: Type.String(),
    availablePaymentChannels: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);

export const listBankGroups = endpoint({
  id: 'T5',
  name: 'listBankGroups',
  method: 'GET',
  path: '/transactions/bank-groups',
  tag: 'Transactions',
  access: 'read',
  summary: 'List payment groups',
  description: 'Lists the groups of the enabled channels, as payers see them.',
  responses: { 200: Type.Object({ ...success, groups: Type.Array(BankGroup) }, { additionalProperties: false }) },
  example: {
    response: {
      ...exampleSuccess,
      groups: [
        {
          id: shownMethod('blik').groupId,
          name: 'BLIK',
          img: exampleImage.url,
          mainChannel: shownMethod('blik').channelId,
          availablePaymentChannels: [shownMethod('blik').channelId],
        },
      ],
    },
  },
});
