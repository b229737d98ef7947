// For operators of the installation: P85 to P94, P110 and P111.

import { findings } from '../codes/findings.ts';
import { parkedKinds, parkReasons, statementFaults } from '../codes/parking.ts';
import { workNames } from '../codes/works.ts';
import {
  AccountName,
  AmountShown,
  Country,
  Email,
  MerchantNumber,
  nullable,
  optional,
  shaped,
  Type,
  text,
} from '../schema.ts';
import { ownSettings, settingsAnswer, settingsExample } from './settings.ts';
import { answer, done, doneExample, instantShown, messageShown, panelEndpoint } from './shared.ts';

const accountRow = Type.Object(
  {
    id: Type.String(),
    merchantNumber: MerchantNumber,
    kind: Type.Enum(['merchant', 'partner', 'seller']),
    status: Type.Enum(['active', 'blocked']),
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
        description: 'The beginning of the name or email address, an id, or a merchant number.',
      }),
    ),
    kind: optional(Type.Enum(['merchant', 'partner', 'seller'])),
    status: optional(Type.Enum(['active', 'blocked'])),
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
  body: Type.Object({ ...operatorSettings, status: optional(Type.Enum(['active', 'blocked'])) }),
  responses: { 200: settingsAnswer },
  failures: [404],
  example: {
    request: { status: 'blocked' },
    response: { ...doneExample, settings: { ...settingsExample, status: 'blocked' } },
  },
});

export const listParked = panelEndpoint({
  id: 'P89',
  name: 'listParked',
  method: 'GET',
  path: '/panel/api/operator/parked',
  access: 'operator',
  summary: 'List parked items',
  description: 'What the bank could not resolve.',
  responses: {
    200: answer({
      parked: Type.Array(
        Type.Object(
          {
            id: Type.String(),
            kind: Type.Enum([...parkedKinds]),
            amount: AmountShown,
            parkedAt: instantShown,
            why: messageShown(parkReasons),
          },
          { additionalProperties: false },
        ),
      ),
    }),
  },
  example: {
    response: {
      ...doneExample,
      parked: [
        {
          id: '01JZ8D3K7R4M5N6P7Q8R9S0T1X',
          kind: 'attempt',
          amount: 49.9,
          parkedAt: '2026-07-01T10:05:00Z',
          why: { code: 'no_result', parameters: {} },
        },
      ],
    },
  },
});

export const decideParked = panelEndpoint({
  id: 'P90',
  name: 'decideParked',
  method: 'POST',
  path: '/panel/api/operator/parked/{id}/decide',
  access: 'operator',
  summary: 'Decide a parked item',
  description:
    'captured needs the amount that the bank confirmed by other means; another amount is never booked. A refused decision ' +
    'has `why`: a code with parameters.',
  params: Type.Object({ id: Type.String() }),
  body: Type.Object({
    decision: Type.Enum(['captured', 'not_captured']),
    amount: optional(
      shaped('^\\d{1,12}\\.\\d{2}$', 'Must be an amount with two decimal places, such as 49.90.', {
        description: 'Such as 49.90; required with captured.',
      }),
    ),
  }),
  responses: { 200: done },
  failures: [404],
  example: { request: { decision: 'captured', amount: '49.90' }, response: doneExample },
});

export const listWorks = panelEndpoint({
  id: 'P91',
  name: 'listWorks',
  method: 'GET',
  path: '/panel/api/operator/works',
  access: 'operator',
  summary: 'List background work',
  description: 'Background work: depth and lag.',
  responses: {
    200: answer({
      works: Type.Array(
        Type.Object(
          {
            name: Type.Enum([...workNames]),
            due: nullable(Type.Integer({ description: 'null: it is not counted.' })),
            lagSeconds: nullable(Type.Number()),
          },
          { additionalProperties: false },
        ),
      ),
    }),
  },
  example: { response: { ...doneExample, works: [{ name: 'send_notifications', due: 0, lagSeconds: 0 }] } },
});

const verifyShown = Type.Object(
  {
    startedAt: instantShown,
    endedAt: nullable(instantShown),
    problems: Type.Array(messageShown(findings)),
    journals: nullable(Type.Integer()),
    entries: nullable(Type.Integer()),
    startedBy: Type.String(),
  },
  { additionalProperties: false },
);
const verifyExample = {
  startedAt: '2026-07-01T10:05:00Z',
  endedAt: '2026-07-01T10:05:09Z',
  problems: [],
  journals: 1200,
  entries: 3600,
  startedBy: 'olga@example.com',
};

export const getVerify = panelEndpoint({
  id: 'P92',
  name: 'getVerify',
  method: 'GET',
  path: '/panel/api/operator/verify',
  access: 'operator',
  summary: 'Get the last verification',
  description: 'The last verification of the books.',
  responses: { 200: answer({ last: nullable(verifyShown) }) },
  example: { response: { ...doneExample, last: verifyExample } },
});

export const startVerify = panelEndpoint({
  id: 'P93',
  name: 'startVerify',
  method: 'POST',
  path: '/panel/api/operator/verify',
  access: 'operator',
  summary: 'Verify the books now',
  description: 'Runs in the background, one at a time; P92 shows the result.',
  responses: { 200: answer({ last: verifyShown }) },
  example: { response: { ...doneExample, last: { ...verifyExample, endedAt: null, journals: null, entries: null } } },
});

export const listNodes = panelEndpoint({
  id: 'P94',
  name: 'listNodes',
  method: 'GET',
  path: '/panel/api/operator/nodes',
  access: 'operator',
  summary: 'List processes',
  description: 'Processes that use the database.',
  responses: {
    200: answer({
      nodes: Type.Array(
        Type.Object(
          {
            name: Type.String(),
            address: Type.String(),
            connections: Type.Integer(),
            since: instantShown,
          },
          { additionalProperties: false },
        ),
      ),
      version: Type.String(),
      databaseVersion: Type.String(),
      databaseBytes: Type.Integer(),
    }),
  },
  example: {
    response: {
      ...doneExample,
      nodes: [{ name: 'serve host:1234', address: '', connections: 8, since: '2026-07-01T10:05:00Z' }],
      version: '0.1.0',
      databaseVersion: '18.4',
      databaseBytes: 73_400_320,
    },
  },
});

const reconciliationShown = Type.Object(
  {
    from: instantShown,
    to: instantShown,
    startedAt: instantShown,
    endedAt: nullable(instantShown),
    state: Type.Enum(['running', 'agreed', 'differs', 'incomplete'], {
      description:
        'differs: new differences were found; they are parked; or the statement repeats lines. incomplete: it could not be read whole.',
    }),
    captures: Type.Integer({ description: 'Captures in the statement.' }),
    captured: AmountShown,
    refunds: Type.Integer({ description: 'Refunds in the statement.' }),
    refunded: AmountShown,
    payouts: Type.Integer({ description: 'Payouts in the statement.' }),
    paidOut: AmountShown,
    told: Type.Integer({ description: 'Results passed on to payments and refunds that waited for them.' }),
    found: Type.Integer({ description: 'New differences.' }),
    why: Type.Union([messageShown(statementFaults), Type.Null()], { description: 'What is wrong with the statement.' }),
  },
  { additionalProperties: false },
);
const reconciliationExample = {
  from: '2026-06-27T04:00:00Z',
  to: '2026-07-01T04:00:00Z',
  startedAt: '2026-07-01T04:00:01Z',
  endedAt: '2026-07-01T04:00:03Z',
  state: 'agreed' as const,
  captures: 1200,
  captured: 59880,
  refunds: 14,
  refunded: 310.5,
  payouts: 4,
  paidOut: 59450.36,
  told: 0,
  found: 0,
  why: null,
};

export const listReconciliations = panelEndpoint({
  id: 'P110',
  name: 'listReconciliations',
  method: 'GET',
  path: '/panel/api/operator/reconciliations',
  access: 'operator',
  summary: 'List reconciliations',
  description: "The last comparisons with the acquirer's statement. " + 'Newest first, at most 20.',
  responses: { 200: answer({ runs: Type.Array(reconciliationShown) }) },
  example: { response: { ...doneExample, runs: [reconciliationExample] } },
});

export const startReconciliation = panelEndpoint({
  id: 'P111',
  name: 'startReconciliation',
  method: 'POST',
  path: '/panel/api/operator/reconciliations',
  access: 'operator',
  summary: 'Start a reconciliation',
  description:
    "Compare the books with the acquirer's statement now. " +
    'From three days before the end of the last period until now; in the background, one at a time.',
  responses: { 200: done },
  example: { response: doneExample },
});

export const operatorEndpoints = [
  listAccounts,
  createAccount,
  getAccount,
  changeAccount,
  listParked,
  decideParked,
  listWorks,
  getVerify,
  startVerify,
  listNodes,
  listReconciliations,
  startReconciliation,
];
