// The marketplace (docs/decisions/0025): one payment split over the sellers of a partner. Amounts are whole cents.

import { endpoint } from './endpoint.ts';
import { isLanguage, languages } from './languages.ts';
import { shownMethod } from './methods.ts';
import { refundStatuses } from './refunds.ts';
import {
  Country,
  Email,
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
} from './schema.ts';
import {
  attemptFields,
  BankGroup,
  channelOfPayment,
  PaymentError,
  paymentData,
  paymentStatuses,
  transactionStatuses,
} from './transactions.ts';

/** Below 10^11 as a decimal (docs/decisions/0003). */
export const centsAtMost = 9_999_999_999_999;
export const childrenAtMost = 100;
export const productsAtMost = 1_000;
/** Room for children and products. */
const bodyBytes = 1_048_576;
const quantityAtMost = 1_000_000_000;
const languageCodes = languages.map((language) => language.toUpperCase()).join(', ');

const Cents = Type.Integer({ minimum: 1, maximum: centsAtMost, description: 'In cents: 123.45 is 12345.' });
const CentsOrZero = Type.Integer({ minimum: 0, maximum: centsAtMost, description: 'In cents: 123.45 is 12345.' });
const CentsShown = Type.Integer({ description: 'In cents.' });

const Quantity = Type.Refine(
  Type.Number({
    exclusiveMinimum: 0,
    maximum: quantityAtMost,
    description: 'May be fractional, with at most six decimal places.',
  }),
  (value) => value <= 0 || value > quantityAtMost || Math.round(value * 1_000_000) / 1_000_000 === value,
  mustBe('decimal_places_at_most', { limit: 6 }),
);

const productFields = {
  externalId: text(255, 1),
  name: optional(text(255)),
  quantity: Quantity,
  unitPrice: CentsOrZero,
};

const ChildGiven = Type.Object({
  amount: Cents,
  description: text(128, 1),
  hiddenDescription: optional(text(255)),
  commission: optional(
    Type.Integer({
      minimum: 0,
      maximum: centsAtMost,
      description: 'What the partner takes of this child, in cents; at most its amount less the fee of the seller.',
    }),
  ),
  merchant: Type.Object({ id: Ulid }),
  products: Type.Array(Type.Object(productFields), {
    maxItems: productsAtMost,
    description: 'The cart. It is not compared with the amount, and may be empty.',
  }),
});

export const callbackTypes = { success: 1, error: 2, notification: 3, email: 4 } as const;

export const MarketplaceGiven = Type.Object({
  currency: Type.Enum(['PLN']),
  description: text(128, 1),
  hiddenDescription: optional(text(255)),
  languageCode: optional(
    Type.Refine(
      Type.String({
        maxLength: 8,
        description: `The language of the pay page and the mail, in any case: ${languageCodes}.`,
      }),
      (value) => value.length > 8 || isLanguage(value.toLowerCase()),
      mustBe('one_of', { values: languageCodes }),
    ),
  ),
  preSelectedChannelId: optional(
    Type.Integer({
      minimum: 1,
      description: 'The payment method, if the payer chose it: one of availablePaymentChannels of M4.',
    }),
  ),
  pos: Type.Object({ id: Ulid }),
  billingAddress: Type.Object({
    email: Email,
    name: text(255, 1),
    phone: optional(text(32)),
    street: optional(text(128)),
    houseNo: optional(text(32)),
    flatNo: optional(text(32)),
    postalCode: optional(text(32)),
    city: optional(text(128)),
    country: optional(Country),
  }),
  childTransactions: Type.Array(ChildGiven, { minItems: 1, maxItems: childrenAtMost }),
  transactionCallbacks: optional(
    Type.Array(Type.Object({ type: Type.Integer({ minimum: 1, maximum: 4 }), value: text(2_048, 1) }), {
      maxItems: 4,
      description: '1: URL after success, 2: URL after an error, 3: notification URL, 4: email address.',
    }),
  ),
  transactionEmails: optional(
    Type.Object({
      transactionCreated: optional(
        Type.Boolean({ description: 'Whether the payer gets a mail about the new transaction. Default true.' }),
      ),
    }),
  ),
});

const exampleSuccess = { result: 'success', requestId: '3f2a9c0d81e47b56aa10' };
const transactionId = '01K9Z4M7Q2V5X8B1C3D6F9G0HJ';
const title = 'TR-7X2M-Q4K9ZP1';
const childId = '01K9Z4M7Q3W6Y9C2D4E7G0H1JK';
const sellerId = '01K9Z4M7Q0S3V6Z9A1B4D7E8FG';
const paymentUrl = 'http://127.0.0.1:3000/pay/01K9Z4M7Q2V5X8B1C3D6F9G0HJ.dGhpcyBpcyBhIGtleQ';
const exampleProduct = { externalId: 'tea-1', name: 'Tea', quantity: 0.25, unitPrice: 4000 };

export const createMarketplaceTransaction = endpoint({
  id: 'M1',
  name: 'createMarketplaceTransaction',
  method: 'POST',
  path: '/marketplace/v1/transaction',
  tag: 'Marketplace',
  access: 'write',
  summary: 'Create a marketplace transaction',
  description:
    'Creates a transaction that is split over sellers. ' +
    'Its amount is the sum of its children, at least one and at most 100. Redirect the payer to `paymentUrl`; the payer ' +
    'also gets it by mail. Not paid within a month, it is canceled.',
  body: MarketplaceGiven,
  bodyBytesAtMost: bodyBytes,
  responses: {
    200: Type.Object(
      { ...success, transactionId: Ulid, title: Type.String(), paymentUrl: PayPageUrl },
      { additionalProperties: false },
    ),
  },
  failures: [400, 403, 409, 413, 415, 422],
  example: {
    request: {
      currency: 'PLN',
      description: 'Order 1024',
      hiddenDescription: 'order-1024',
      languageCode: 'EN',
      pos: { id: '01K9Z4M7Q1T4W7A0B2C5E8F9GH' },
      billingAddress: { email: 'jan.nowak@example.com', name: 'Jan Nowak' },
      childTransactions: [
        {
          amount: 1000,
          description: 'Tea',
          merchant: { id: sellerId },
          commission: 50,
          products: [exampleProduct],
        },
      ],
    },
    response: { ...exampleSuccess, transactionId, title, paymentUrl },
  },
});

const transactionPath = Type.Object({ transactionId: Type.String({ description: 'The ULID that M1 returned.' }) });

const PaymentsShown = Type.Object(
  {
    status: Type.Enum([...paymentStatuses]),
    ...channelOfPayment,
    errors: optional(Type.Array(PaymentError, { description: 'Present only if the last attempt was declined.' })),
  },
  { additionalProperties: false },
);

export const payMarketplaceTransaction = endpoint({
  id: 'M2',
  name: 'payMarketplaceTransaction',
  method: 'POST',
  path: '/marketplace/v1/transaction/{transactionId}/pay',
  tag: 'Marketplace',
  access: 'write',
  summary: 'Pay a marketplace transaction',
  description:
    'Pays a marketplace transaction on-site. ' +
    'Send the data of one method: BLIK, card (encrypted or saved token) or wallet. Responds when the attempt is accepted ' +
    'or declined; the final result is sent by notification.',
  params: transactionPath,
  body: Type.Object(paymentData),
  responses: {
    200: Type.Object(
      {
        ...success,
        result: Type.Enum(['success', 'pending', 'failed']),
        transactionId: Ulid,
        title: Type.String(),
        status: Type.Enum([...transactionStatuses]),
        payments: PaymentsShown,
        paymentUrl: Type.String({
          ...secret,
          description: 'If the payer must confirm elsewhere (3-D Secure): that page. Otherwise the pay page.',
        }),
      },
      { additionalProperties: false },
    ),
  },
  failures: [400, 403, 404, 409, 413, 415, 422],
  example: {
    request: { blikPaymentData: { blikToken: '777123' } },
    response: {
      ...exampleSuccess,
      transactionId,
      title,
      status: 'paid',
      payments: { status: 'correct', ...shownMethod('blik') },
      paymentUrl,
    },
  },
});

const RefundChildGiven = Type.Object(
  {
    id: optional(Ulid),
    merchantId: optional(Ulid),
    amount: optional(Cents),
    products: optional(
      Type.Array(Type.Object(productFields, { additionalProperties: false }), {
        minItems: 1,
        maxItems: productsAtMost,
      }),
    ),
  },
  { additionalProperties: false },
);

/** No other keys: a misspelled one must never become a full refund. */
export const MarketplaceRefundGiven = Type.Object(
  { childTransactions: optional(Type.Array(RefundChildGiven, { maxItems: childrenAtMost })) },
  { additionalProperties: false },
);

const RefundPreview = Type.Object(
  {
    childTransactions: Type.Array(
      Type.Object(
        {
          id: Ulid,
          merchantId: Ulid,
          amount: CentsShown,
          fee: CentsShown,
          commissionReturned: CentsShown,
        },
        { additionalProperties: false },
      ),
    ),
    balances: Type.Array(
      Type.Object(
        { merchantId: Ulid, before: CentsShown, after: CentsShown },
        { additionalProperties: false, description: 'Of the sellers concerned, and of the partner.' },
      ),
    ),
  },
  { additionalProperties: false },
);

export const refundMarketplaceTransaction = endpoint({
  id: 'M3',
  name: 'refundMarketplaceTransaction',
  method: 'POST',
  path: '/marketplace/v1/transaction/{transactionId}/refund',
  tag: 'Marketplace',
  access: 'write',
  summary: 'Refund a marketplace transaction',
  description:
    'Refunds a marketplace transaction: all of it, by amount or by products. ' +
    '`{}` refunds what is left of every child; so do an empty body and an empty `childTransactions`. Otherwise each item of ' +
    '`childTransactions` names a child by `id`, or all children of a seller by `merchantId`, with either `amount` or `products`. Amounts and fees leave the balances of all ' +
    'sellers concerned, or nothing happens. `dryRun=true` shows what would happen, and moves nothing.',
  params: transactionPath,
  query: Type.Object(
    { dryRun: optional(Type.Enum(['true', 'false'], { description: 'true: only show what would happen.' })) },
    { additionalProperties: false },
  ),
  body: MarketplaceRefundGiven,
  bodyBytesAtMost: bodyBytes,
  nullsRefused: true,
  responses: {
    200: Type.Object(
      {
        ...success,
        transactionId: Ulid,
        amount: Type.Integer({ description: 'Refunded by this call, in cents.' }),
        refundId: optional(Ulid),
        preview: optional(RefundPreview),
      },
      { additionalProperties: false },
    ),
  },
  failures: [400, 403, 404, 409, 413, 415, 422],
  example: {
    request: { childTransactions: [{ id: childId, products: [exampleProduct] }] },
    response: { ...exampleSuccess, transactionId, amount: 1000, refundId: '01K9Z5A3R4W7Y0Z2B4D6F8H1JK' },
  },
});

export const listMarketplaceBankGroups = endpoint({
  id: 'M4',
  name: 'listMarketplaceBankGroups',
  method: 'GET',
  path: '/marketplace/v1/bank-groups',
  tag: 'Marketplace',
  access: 'read',
  summary: 'List common payment methods',
  description:
    'Lists the payment methods that all given sellers have in common. ' +
    'Name every seller of the transaction in one call: repeat `merchantId[]`, or write `merchantId[0]`, `merchantId[1]` ' +
    'and so on. Sellers of other partners are named in `unassociatedMerchants` of the 403.',
  query: Type.Object({
    merchantId: Type.Array(Ulid, { minItems: 1, maxItems: 100, description: 'Ids of sellers.' }),
  }),
  responses: {
    200: Type.Object(
      {
        ...success,
        groups: Type.Array(BankGroup),
      },
      { additionalProperties: false },
    ),
  },
  failures: [400, 403],
  example: {
    query: { 'merchantId[]': '01K9Z4M7Q2V5X8B1C3D6F9G0HJ' },
    response: {
      result: 'success',
      requestId: '3f2a9c0d81e47b56aa10',
      groups: [
        {
          id: shownMethod('blik').groupId,
          name: 'BLIK',
          img: `https://pay.example.com/assets/methods/${shownMethod('blik').groupId}.svg`,
          mainChannel: shownMethod('blik').channelId,
          availablePaymentChannels: [shownMethod('blik').channelId],
        },
      ],
    },
  },
});

export const cancelMarketplaceTransaction = endpoint({
  id: 'M5',
  name: 'cancelMarketplaceTransaction',
  method: 'POST',
  path: '/marketplace/v1/transaction/{transactionId}/cancel',
  tag: 'Marketplace',
  access: 'write',
  summary: 'Cancel a marketplace transaction',
  description:
    'Cancels a marketplace transaction that is not paid; it can no longer be paid. A payment in progress is canceled at the bank, or its money is returned to the payer.',
  params: transactionPath,
  responses: {
    200: Type.Object(
      { ...success, transactionId: Ulid, status: Type.Literal('canceled') },
      { additionalProperties: false },
    ),
  },
  failures: [403, 404, 409],
  example: { response: { ...exampleSuccess, transactionId, status: 'canceled' } },
});

const headFields = {
  transactionId: Ulid,
  title: Type.String(),
  posId: Ulid,
  status: Type.Enum([...transactionStatuses]),
  date: Type.Object({ creation: LocalDateTime, realization: nullable(LocalDateTime) }, { additionalProperties: false }),
  amount: CentsShown,
  currency: Type.String(),
  description: Type.String(),
  hiddenDescription: Type.String(),
  billingAddress: Type.Object({ email: Type.String(), name: Type.String() }, { additionalProperties: false }),
  paymentUrl: PayPageUrl,
};

const ProductShown = Type.Object(
  {
    externalId: Type.String(),
    name: Type.String(),
    quantity: Type.Number(),
    unitPrice: CentsShown,
    refundedQuantity: Type.Number(),
  },
  { additionalProperties: false },
);

const ChildShown = Type.Object(
  {
    id: Ulid,
    merchant: Type.Object({ id: Ulid }, { additionalProperties: false }),
    amount: CentsShown,
    description: Type.String(),
    hiddenDescription: Type.String(),
    fee: CentsShown,
    commission: CentsShown,
    refunded: CentsShown,
    commissionReturned: CentsShown,
    products: Type.Array(ProductShown),
  },
  { additionalProperties: false },
);

const AttemptShown = Type.Object({ ...attemptFields, amount: CentsShown }, { additionalProperties: false });

const RefundOfShown = Type.Object(
  {
    refundId: Ulid,
    status: Type.Enum([...refundStatuses]),
    amount: CentsShown,
    fee: CentsShown,
    date: Type.Object({ schedule: LocalDateTime, processed: nullable(LocalDateTime) }, { additionalProperties: false }),
    childTransactions: Type.Array(
      Type.Object(
        {
          id: Ulid,
          merchantId: Ulid,
          amount: CentsShown,
          fee: CentsShown,
          commissionReturned: CentsShown,
          products: Type.Array(
            Type.Object(
              { externalId: Type.String(), quantity: Type.Number(), unitPrice: CentsShown },
              { additionalProperties: false },
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

const exampleHead = {
  transactionId,
  title,
  posId: '01K9Z4M7Q1T4W7A0B2C5E8F9GH',
  status: 'pending',
  date: { creation: '2026-11-15 12:30:00', realization: null },
  amount: 1000,
  currency: 'PLN',
  description: 'Order 1024',
  hiddenDescription: 'order-1024',
  billingAddress: { email: 'jan.nowak@example.com', name: 'Jan Nowak' },
  paymentUrl,
};

export const getMarketplaceTransaction = endpoint({
  id: 'M6',
  name: 'getMarketplaceTransaction',
  method: 'GET',
  path: '/marketplace/v1/transaction/{transactionId}',
  tag: 'Marketplace',
  access: 'read',
  summary: 'Get a marketplace transaction',
  description: 'Shows a marketplace transaction with its children, products, attempts and refunds.',
  params: transactionPath,
  responses: {
    200: Type.Object(
      {
        ...success,
        ...headFields,
        childTransactions: Type.Array(ChildShown),
        payments: Type.Object(
          { ...PaymentsShown.properties, attempts: Type.Array(AttemptShown) },
          { additionalProperties: false },
        ),
        refunds: Type.Array(RefundOfShown, {
          description: 'The latest 100, newest first; fewer if they have tens of thousands of products. E5 lists all.',
        }),
      },
      { additionalProperties: false },
    ),
  },
  failures: [403, 404],
  example: {
    response: {
      ...exampleSuccess,
      ...exampleHead,
      childTransactions: [
        {
          id: childId,
          merchant: { id: sellerId },
          amount: 1000,
          description: 'Tea',
          hiddenDescription: '',
          fee: 15,
          commission: 50,
          refunded: 0,
          commissionReturned: 0,
          products: [{ ...exampleProduct, refundedQuantity: 0 }],
        },
      ],
      payments: { status: 'pending', channelId: null, groupId: null, attempts: [] },
      refunds: [],
    },
  },
});

export const listMarketplaceTransactions = endpoint({
  id: 'M7',
  name: 'listMarketplaceTransactions',
  method: 'GET',
  path: '/marketplace/v1/transaction',
  tag: 'Marketplace',
  access: 'read',
  summary: 'List marketplace transactions',
  description:
    'Lists marketplace transactions, newest first. `from` and `to` are inclusive, in local time of the account. `merchantId` is that of a seller.',
  query: Type.Object({
    ...pageQuery,
    from: optional(LocalDateTime),
    to: optional(LocalDateTime),
    status: optional(Type.Enum([...transactionStatuses])),
    merchantId: optional(
      Type.Array(Ulid, { minItems: 1, maxItems: 100, description: 'Of these sellers, spelled as in M4.' }),
    ),
    hiddenDescription: optional(text(255, 1)),
  }),
  responses: {
    200: Type.Object(
      {
        ...success,
        list: Type.Array(
          Type.Object(
            { ...headFields, children: Type.Integer({ description: 'How many child transactions it has.' }) },
            { additionalProperties: false },
          ),
        ),
        ...pageAnswer,
      },
      { additionalProperties: false },
    ),
  },
  failures: [400, 403],
  example: {
    query: { limit: '10', status: 'pending' },
    response: { ...exampleSuccess, list: [{ ...exampleHead, children: 1 }], page: 1, limit: 10, total: 1 },
  },
});

export const marketplaceEndpoints = [
  createMarketplaceTransaction,
  payMarketplaceTransaction,
  refundMarketplaceTransaction,
  listMarketplaceBankGroups,
  cancelMarketplaceTransaction,
  getMarketplaceTransaction,
  listMarketplaceTransactions,
] as const;
