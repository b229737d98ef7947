// Accounts, for operators: P85 to P88.

import { accountStatuses } from '../accounts.ts';
import { AccountName, AmountShown, Country, Email, MerchantNumber, nullable, optional, Type, text } from '../schema.ts';
import { ownSettings, settingsAnswer, settingsExample } from './settings.ts';
import { answer, doneExample, instantShown, panelEndpoint } from './shared.ts';

export const accountKinds = ['merchant', 'partner', 'seller'] as const;

const accountRow = Type.Object(
  {
    id: Type.String(),
    merchantNumber: MerchantNumber,
    kind: Type.Enum([...accountKinds]),
    status: Type.Enum([...accountStatuses]),
    name: Type.String(),
    email: Type.String(),
    balance: AmountShown,
    createdAt: instantShown,
  },
  { additionalProperties: false },
);

export const listAccounts = panelEndpoint({
  id: 'P85',
  name: 'listAccounts',
  method: 'GET',
  path: '/panel/api/operator/accounts',
  access: 'operator',
  summary: 'List accounts',
  description: 'Accounts, newest first.',
  query: Type.Object({
    search: optional(
      Type.String({
        maxLength: 100,
        description: 'A part of the name or email address, an id, or a merchant number.',
      }),
    ),
    kind: optional(Type.Enum([...accountKinds])),
    status: optional(Type.Enum([...accountStatuses])),
    before: optional(Type.String({ maxLength: 26 })),
    limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  }),
  responses: { 200: answer({ accounts: Type.Array(accountRow), nextBefore: nullable(Type.String()) }) },
  example: {
    query: { search: 'tea' },
    response: {
      ...doneExample,
      accounts: [
        {
          id: settingsExample.id,
          merchantNumber: settingsExample.merchantNumber,
          kind: 'merchant',
          status: 'active',
          name: 'Tea shop',
          email: 'shop@example.com',
          balance: 10_000,
          createdAt: '2026-07-01T10:05:00Z',
        },
      ],
      nextBefore: null,
    },
  },
});

const cents = (maximum: number) =>
  Type.Refine(
    Type.Number({ minimum: 0, maximum, description: 'At most two decimal places.' }),
    (value) => value < 0 || value > maximum || Math.round(value * 100) / 100 === value,
    () => 'incorrect_precision',
  );

const operatorSettings = {
  ...ownSettings,
  zone: optional(text(60)),
  country: optional(Country),
  paymentPercent: optional(cents(100)),
  paymentFixed: optional(cents(100_000)),
  refundFixed: optional(cents(100_000)),
  requestsPerSecond: optional(nullable(Type.Integer({ minimum: 1, maximum: 100_000 }))),
  marketplace: optional(Type.Boolean()),
};

export const createAccount = panelEndpoint({
  id: 'P86',
  name: 'createAccount',
  method: 'POST',
  path: '/panel/api/operator/accounts',
  access: 'operator',
  summary: 'Create an account',
  description:
    'Create a merchant or partner with its first owner. The owner is invited by mail; without mail the link is in the response.',
  body: Type.Object({
    kind: Type.Enum(['merchant', 'partner']),
    name: AccountName,
    email: Email,
    ownerEmail: Email,
    ownerName: optional(text(100, 1)),
  }),
  responses: { 201: answer({ accountId: Type.String(), invitationUrl: nullable(Type.String()) }) },
  failures: [409],
  example: {
    request: { kind: 'merchant', name: 'Tea shop', email: 'shop@example.com', ownerEmail: 'anna@example.com' },
    response: { ...doneExample, accountId: settingsExample.id, invitationUrl: null },
  },
});

const accountParams = Type.Object({ accountId: Type.String() });

export const getAccount = panelEndpoint({
  id: 'P87',
  name: 'getAccount',
  method: 'GET',
  path: '/panel/api/operator/accounts/{accountId}',
  access: 'operator',
  summary: 'Get an account',
  params: accountParams,
  responses: { 200: settingsAnswer },
  failures: [404],
  example: { response: { ...doneExample, settings: settingsExample } },
});

export const changeAccount = panelEndpoint({
  id: 'P88',
  name: 'changeAccount',
  method: 'POST',
  path: '/panel/api/operator/accounts/{accountId}',
  access: 'operator',
  summary: 'Change an account',
  description: 'Fees, channels, limits, block.',
  params: accountParams,
  body: Type.Object({ ...operatorSettings, status: optional(Type.Enum([...accountStatuses])) }),
  responses: { 200: settingsAnswer },
  failures: [404],
  example: {
    request: { status: 'blocked' },
    response: { ...doneExample, settings: { ...settingsExample, status: 'blocked' } },
  },
});

export const accountEndpoints = [listAccounts, createAccount, getAccount, changeAccount];
