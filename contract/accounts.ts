// The sellers of a partner, and the points of sale of its marketplace (docs/decisions/0025).

import { endpoint } from './endpoint.ts';
import { methods } from './methods.ts';
import {
  AccountName,
  AmountShown,
  Email,
  MerchantNumber,
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

const timestamps = Type.Object(
  { create: Type.String({ format: 'date-time' }), modification: Type.String({ format: 'date-time' }) },
  { additionalProperties: false },
);

/** At most two decimal places; 0 is allowed. */
const Fee = Type.Refine(
  Type.Number({ minimum: 0, maximum: 100_000, description: 'Decimal, at most two places.' }),
  (value) => value < 0 || value > 100_000 || Math.round(value * 100) / 100 === value,
  () => 'incorrect_precision',
);

const Percent = Type.Refine(
  Type.Number({ minimum: 0, maximum: 100, description: 'Percent of the payment, at most two places.' }),
  (value) => value < 0 || value > 100 || Math.round(value * 100) / 100 === value,
  () => 'incorrect_precision',
);

export const accountStatuses = ['active', 'blocked'] as const;

const sellerFields = {
  name: AccountName,
  email: Email,
  phone: optional(text(32)),
  taxId: optional(text(32)),
  website: optional(WebUrl),
  channels: optional(
    Type.Array(Type.Integer({ minimum: 1 }), {
      maxItems: 20,
      uniqueItems: true,
      description: 'Ids of the payment channels of the seller; all of them if not given.',
    }),
  ),
  fees: optional(
    Type.Object({
      paymentPercent: optional(Percent),
      paymentFixed: optional(Fee),
      refundFixed: optional(Fee),
    }),
  ),
};

const shownFields = {
  id: Ulid,
  merchantNumber: MerchantNumber,
  name: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  taxId: Type.String(),
  website: Type.String(),
  status: Type.Enum([...accountStatuses]),
  balance: AmountShown,
  currency: Type.String(),
  posId: Ulid,
  channels: Type.Array(Type.String({ description: 'Id of a payment channel.' })),
  fees: Type.Object(
    { paymentPercent: Type.Number(), paymentFixed: AmountShown, refundFixed: AmountShown },
    { additionalProperties: false },
  ),
  date: timestamps,
};

const SellerShown = Type.Object({ ...success, ...shownFields }, { additionalProperties: false });
const sellerParams = Type.Object({ accountId: Type.String({ description: 'The id of a seller.' }) });
const requestId = '3f2a9c0d81e47b56aa10';

const exampleChannels: readonly number[] = [methods.card.id, methods.blik.id, methods.wallet.id];

const exampleSeller = {
  id: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
  merchantNumber: 100_004,
  name: 'Green Tea Ltd',
  email: 'office@greentea.example',
  phone: '+48 600 100 200',
  taxId: '5213017228',
  website: 'https://greentea.example',
  status: 'active',
  balance: 1250.5,
  currency: 'PLN',
  posId: '01K9Z4M7Q3W6Y9C2D4E7G0H1JK',
  channels: exampleChannels.map(String),
  fees: { paymentPercent: 1.2, paymentFixed: 0.25, refundFixed: 1 },
  date: { create: '2026-11-02T09:15:00Z', modification: '2026-11-02T09:15:00Z' },
};

const forPartners = 'For accounts in the partner program with the marketplace function enabled; others get 403.';

export const listSellers = endpoint({
  id: 'M0a',
  name: 'listSellers',
  method: 'GET',
  path: '/accounts',
  tag: 'Marketplace',
  access: 'read',
  summary: 'List sellers',
  description: `Lists the sellers of the marketplace with their balances. ${forPartners}`,
  query: Type.Object({ ...pageQuery, status: optional(Type.Enum([...accountStatuses])) }),
  responses: {
    200: Type.Object(
      {
        ...success,
        list: Type.Array(Type.Object(shownFields, { additionalProperties: false })),
        ...pageAnswer,
      },
      { additionalProperties: false },
    ),
  },
  failures: [400, 403],
  example: {
    query: { page: '1', limit: '35' },
    response: { result: 'success', requestId, list: [exampleSeller], page: 1, limit: 35, total: 1 },
  },
});

export const listPointsOfSale = endpoint({
  id: 'M0b',
  name: 'listPointsOfSale',
  method: 'GET',
  path: '/accounts/pos',
  tag: 'Marketplace',
  access: 'read',
  summary: 'List points of sale',
  description: `Lists the points of sale of the marketplace. ${forPartners} Only an active and verified point of sale can be named in a marketplace transaction.`,
  responses: {
    200: Type.Object(
      {
        ...success,
        list: Type.Array(
          Type.Object(
            {
              posId: Ulid,
              accountId: Ulid,
              name: Type.String(),
              url: Type.String(),
              notificationUrl: nullable(Type.String()),
              date: timestamps,
              settings: Type.Object(
                {
                  isTestMode: Type.Boolean(),
                  isActive: Type.Boolean(),
                  isVerified: Type.Boolean(),
                  isMain: Type.Boolean({ description: 'The one that standard transactions get.' }),
                },
                { additionalProperties: false },
              ),
            },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: false },
    ),
  },
  failures: [403],
  example: {
    response: {
      result: 'success',
      requestId,
      list: [
        {
          posId: '01K9Z4M7Q3W6Y9C2D4E7G0H1JK',
          accountId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
          name: 'Tea market',
          url: 'https://market.example',
          notificationUrl: null,
          date: exampleSeller.date,
          settings: { isTestMode: false, isActive: true, isVerified: true, isMain: true },
        },
      ],
    },
  },
});

export const createSeller = endpoint({
  id: 'A3',
  name: 'createSeller',
  method: 'POST',
  path: '/accounts',
  tag: 'Marketplace',
  access: 'write',
  summary: 'Create a seller',
  description: `Creates a seller of the marketplace. ${forPartners} The seller gets a point of sale and a balance of its own.`,
  bodyBytesAtMost: 8_192,
  body: Type.Object(sellerFields),
  responses: { 201: SellerShown },
  failures: [400, 403, 409, 413, 415, 422],
  example: {
    request: { name: exampleSeller.name, email: exampleSeller.email, channels: exampleChannels },
    response: { result: 'success', requestId, ...exampleSeller },
  },
});

export const getSeller = endpoint({
  id: 'A4',
  name: 'getSeller',
  method: 'GET',
  path: '/accounts/{accountId}',
  tag: 'Marketplace',
  access: 'read',
  summary: 'Get a seller',
  description: `Shows a seller of the marketplace. ${forPartners}`,
  params: sellerParams,
  responses: { 200: SellerShown },
  failures: [403],
  example: { response: { result: 'success', requestId, ...exampleSeller } },
});

export const changeSeller = endpoint({
  id: 'A5',
  name: 'changeSeller',
  method: 'POST',
  path: '/accounts/{accountId}',
  tag: 'Marketplace',
  access: 'write',
  summary: 'Change a seller',
  description:
    'Changes a seller: what is given changes, the rest stays. ' +
    `${forPartners} With \`status: "blocked"\` the seller takes no new payments and its credentials stop working; ` +
    'refunds of earlier payments continue.',
  params: sellerParams,
  bodyBytesAtMost: 8_192,
  body: Type.Object({
    ...sellerFields,
    name: optional(sellerFields.name),
    email: optional(sellerFields.email),
    status: optional(Type.Enum([...accountStatuses])),
  }),
  responses: { 200: SellerShown },
  failures: [400, 403, 409, 413, 415, 422],
  example: {
    request: { status: 'blocked' },
    response: { result: 'success', requestId, ...exampleSeller, status: 'blocked' },
  },
});

export const sellerEndpoints = [listSellers, listPointsOfSale, createSeller, getSeller, changeSeller] as const;
