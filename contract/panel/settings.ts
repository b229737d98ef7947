// The settings of an account: P75 to P80.

import { methods } from '../methods.ts';
import { AccountName, AmountShown, Email, MerchantNumber, nullable, optional, Type, text, WebUrl } from '../schema.ts';
import { answer, doneExample, instantShown, panelEndpoint } from './shared.ts';

const settingsShown = Type.Object(
  {
    id: Type.String(),
    merchantNumber: MerchantNumber,
    kind: Type.Enum(['merchant', 'partner', 'seller']),
    status: Type.Enum(['active', 'blocked']),
    name: Type.String(),
    email: Type.String(),
    phone: Type.String(),
    taxId: Type.String(),
    zone: Type.String(),
    country: Type.String(),
    url: Type.String(),
    notificationUrl: nullable(Type.String()),
    declineNotifications: Type.Boolean(),
    moneyUrl: nullable(Type.String()),
    settlementMails: Type.Boolean(),
    channels: Type.Array(
      Type.Object(
        { id: Type.Integer(), name: Type.String(), enabled: Type.Boolean() },
        { additionalProperties: false },
      ),
    ),
    fees: Type.Object(
      { paymentPercent: Type.Number(), paymentFixed: AmountShown, refundFixed: AmountShown },
      { additionalProperties: false },
    ),
    requestsPerSecond: Type.Integer(),
    marketplace: Type.Boolean(),
  },
  { additionalProperties: false },
);
export const settingsExample = {
  id: '01JZ8D3K7R4M5N6P7Q8R9S0T1W',
  merchantNumber: 100_001,
  kind: 'merchant',
  status: 'active',
  name: 'Tea shop',
  email: 'shop@example.com',
  phone: '',
  taxId: '',
  zone: 'Europe/Warsaw',
  country: 'PL',
  url: 'https://shop.example.com',
  notificationUrl: 'https://shop.example.com/notify',
  declineNotifications: false,
  moneyUrl: null,
  settlementMails: true,
  channels: [{ id: methods.blik.id, name: methods.blik.name, enabled: true }],
  fees: { paymentPercent: 1, paymentFixed: 0.25, refundFixed: 1 },
  requestsPerSecond: 100,
  marketplace: false,
};
export const settingsAnswer = answer({ settings: settingsShown });

/** What an owner may change; fees, limits and status are the operator's. */
export const ownSettings = {
  name: optional(AccountName),
  email: optional(Email),
  phone: optional(text(32)),
  taxId: optional(text(32)),
  url: optional(Type.Union([WebUrl, Type.Literal('')])),
  notificationUrl: optional(nullable(WebUrl)),
  declineNotifications: optional(
    Type.Boolean({ description: 'Whether each declined attempt is told by a notification with `tr_status=FALSE`.' }),
  ),
  moneyUrl: optional(nullable(WebUrl)),
  settlementMails: optional(Type.Boolean({ description: 'Whether each settlement is told by a mail to the account.' })),
  channels: optional(
    Type.Array(Type.Integer({ minimum: 1 }), {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description: 'Ids of the payment channels that payers see.',
    }),
  ),
};

export const getSettings = panelEndpoint({
  id: 'P75',
  name: 'getSettings',
  method: 'GET',
  path: '/panel/api/settings',
  access: 'read',
  summary: 'Get account settings',
  responses: { 200: settingsAnswer },
  example: { response: { ...doneExample, settings: settingsExample } },
});

export const changeSettings = panelEndpoint({
  id: 'P76',
  name: 'changeSettings',
  method: 'POST',
  path: '/panel/api/settings',
  access: 'owner',
  summary: 'Change account settings',
  description: 'What is not given stays. All nodes follow within a second.',
  body: Type.Object(ownSettings),
  responses: { 200: settingsAnswer },
  example: {
    request: { url: 'https://shop.example.com' },
    response: { ...doneExample, settings: settingsExample },
  },
});

const posShown = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    url: Type.String(),
    notificationUrl: nullable(Type.String()),
    main: Type.Boolean(),
    active: Type.Boolean(),
    verified: Type.Boolean({ description: 'Checked by the operator; in the sandbox every one is.' }),
    createdAt: instantShown,
  },
  { additionalProperties: false },
);
const posExample = {
  id: '01JZ8D3K7R4M5N6P7Q8R9S0T1X',
  name: 'Tea shop',
  url: 'https://shop.example.com',
  notificationUrl: null,
  main: true,
  active: true,
  verified: true,
  createdAt: '2026-07-01T10:05:00Z',
};

export const listPos = panelEndpoint({
  id: 'P77',
  name: 'listPos',
  method: 'GET',
  path: '/panel/api/pos',
  access: 'read',
  summary: 'List points of sale',
  responses: { 200: answer({ pos: Type.Array(posShown) }) },
  example: { response: { ...doneExample, pos: [posExample] } },
});

export const createPos = panelEndpoint({
  id: 'P78',
  name: 'createPos',
  method: 'POST',
  path: '/panel/api/pos',
  access: 'owner',
  summary: 'Add a point of sale',
  body: Type.Object({ name: text(100, 1), url: WebUrl, notificationUrl: optional(nullable(WebUrl)) }),
  responses: { 201: answer({ pos: posShown }) },
  example: {
    request: { name: 'Second shop', url: 'https://second.example.com' },
    response: { ...doneExample, pos: { ...posExample, main: false } },
  },
});

export const changePos = panelEndpoint({
  id: 'P79',
  name: 'changePos',
  method: 'POST',
  path: '/panel/api/pos/{posId}',
  access: 'owner',
  summary: 'Change a point of sale',
  description: 'In live mode a new URL needs the operator’s check again. The main one stays active.',
  params: Type.Object({ posId: Type.String() }),
  body: Type.Object({
    name: optional(text(100, 1)),
    url: optional(WebUrl),
    notificationUrl: optional(nullable(WebUrl)),
    active: optional(Type.Boolean()),
  }),
  responses: { 200: answer({ pos: posShown }) },
  failures: [404],
  example: { request: { active: false }, response: { ...doneExample, pos: { ...posExample, active: false } } },
});

export const settingsEndpoints = [getSettings, changeSettings, listPos, createPos, changePos];
