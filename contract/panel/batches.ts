// Batches of payouts, their two signatures and their files: P160 to P168.

import { batchStates, leftOutReasons } from '../codes/batches.ts';
import { AmountShown, nullable, optional, shaped, Type, text } from '../schema.ts';
import { answer, beforeQuery, doneExample, instantShown, panelEndpoint } from './shared.ts';

const path = '/panel/api/operator/payout-batches';
const params = Type.Object({ id: Type.String() });

const signature = Type.Object(
  { by: Type.String({ description: 'An email address; command_line: a command of grosz.' }), at: instantShown },
  { additionalProperties: false },
);

const fileShown = Type.Object(
  {
    name: Type.String(),
    profile: Type.String({ description: 'How the bank takes it.' }),
    number: Type.Integer({ description: 'Of the account that pays, from 1 without gaps.' }),
    messageId: Type.String({ description: 'By which the bank names it.' }),
    executeOn: Type.String({ format: 'date', description: 'The day on which the bank shall pay.' }),
    size: nullable(Type.Integer({ description: 'In bytes; null: not written yet.' })),
    sha256: nullable(Type.String({ description: 'Of the bytes, in hex; null: not written yet.' })),
  },
  { additionalProperties: false },
);

const batchFields = {
  id: Type.String(),
  state: Type.Enum([...batchStates]),
  payouts: Type.Integer({ description: 'How many payouts are in it.' }),
  total: AmountShown,
  currency: Type.String(),
  payer: Type.String({ description: 'How the number of the account that pays ends.' }),
  first: signature,
  second: nullable(signature),
  missed: nullable(signature),
  canceled: nullable(signature),
  handedOverAt: nullable(instantShown),
  file: nullable(fileShown),
};

const batchShown = Type.Object(batchFields, { additionalProperties: false });

const batchExample = {
  id: '01JZ8D3K7R4M5N6P7Q8R9S0T1X',
  state: 'made',
  payouts: 2,
  total: 62.34,
  currency: 'PLN',
  payer: '9123',
  first: { by: 'anna@grosz.example', at: '2026-07-01T10:05:00Z' },
  second: { by: 'piotr@grosz.example', at: '2026-07-01T10:15:00Z' },
  missed: null,
  canceled: null,
  handedOverAt: null,
  file: {
    name: 'GROSZ-3456789123-000001.xml',
    profile: 'iso20022-pl',
    number: 1,
    messageId: 'GROSZ-3456789123-000001',
    executeOn: '2026-07-01',
    size: 2_048,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
};

const accountShown = Type.Object(
  {
    id: Type.String(),
    number: Type.String({ description: 'An IBAN, ours.' }),
    holder: Type.String(),
    profile: Type.String({ description: 'How its bank takes files.' }),
  },
  { additionalProperties: false },
);

export const listPayoutBatches = panelEndpoint({
  id: 'P160',
  name: 'listPayoutBatches',
  method: 'GET',
  path,
  access: 'operator',
  summary: 'List batches of payouts',
  description: 'The newest first, with what waits for the next one and our accounts that pay.',
  query: Type.Object({ ...beforeQuery }),
  responses: {
    200: answer({
      waiting: Type.Object(
        { payouts: Type.Integer(), total: AmountShown, currency: Type.String() },
        { additionalProperties: false, description: 'Payouts that are in no batch.' },
      ),
      accounts: Type.Array(accountShown),
      profiles: Type.Array(Type.String()),
      batches: Type.Array(batchShown),
      nextBefore: nullable(Type.String()),
    }),
  },
  example: {
    response: {
      ...doneExample,
      waiting: { payouts: 3, total: 120.5, currency: 'PLN' },
      accounts: [
        {
          id: '01JZ8D3K7R4M5N6P7Q8R9S0T1V',
          number: 'PL10105000997603123456789123',
          holder: 'Grosz sp. z o.o.',
          profile: 'iso20022-pl',
        },
      ],
      profiles: ['elixir0', 'iso20022-pl', 'iso20022-sepa'],
      batches: [batchExample],
      nextBefore: null,
    },
  },
});

export const getPayoutBatch = panelEndpoint({
  id: 'P161',
  name: 'getPayoutBatch',
  method: 'GET',
  path: `${path}/{id}`,
  access: 'operator',
  summary: 'Get a batch of payouts',
  description: 'With who got its file, and the payouts that come after `after` in the order of their ids.',
  params,
  query: Type.Object({ after: optional(text(200)) }),
  responses: {
    200: answer({
      batch: batchShown,
      handovers: Type.Array(
        Type.Object(
          {
            at: instantShown,
            by: Type.String({ description: 'An email address; command_line: a command of grosz.' }),
            way: Type.Enum(['panel', 'command', 'folder']),
            isCopy: Type.Boolean({ description: 'Whether somebody had it before: it must not be sent to the bank.' }),
          },
          { additionalProperties: false },
        ),
      ),
      payouts: Type.Array(
        Type.Object(
          {
            id: Type.String(),
            accountId: Type.String(),
            accountName: Type.String({ description: 'The name of that account.' }),
            holder: Type.String({ description: 'Of the bank account that gets it.' }),
            numberEnding: Type.String({ description: 'How its number ends.' }),
            amount: AmountShown,
            state: Type.String(),
          },
          { additionalProperties: false },
        ),
      ),
      nextAfter: nullable(Type.String()),
    }),
  },
  failures: [404],
  example: {
    response: {
      ...doneExample,
      batch: batchExample,
      handovers: [{ at: '2026-07-01T10:20:00Z', by: 'piotr@grosz.example', way: 'panel', isCopy: false }],
      payouts: [
        {
          id: '01JZ8D3K7R4M5N6P7Q8R9S0T1Y',
          accountId: '01JZ8D3K7R4M5N6P7Q8R9S0T1V',
          accountName: 'Tea shop',
          holder: 'Tea shop sp. z o.o.',
          numberEnding: '2874',
          amount: 12.34,
          state: 'approved',
        },
      ],
      nextAfter: null,
    },
  },
});

const confirmation = {
  password: Type.String({ minLength: 1, maxLength: 256, description: 'Of the person who signs.' }),
  code: Type.String({
    minLength: 1,
    maxLength: 40,
    description: 'Of the authenticator app, or a recovery code. Each works once.',
  }),
};
const confirmationExample = { password: 'correct horse battery staple', code: '123456' };

export const draftPayoutBatch = panelEndpoint({
  id: 'P162',
  name: 'draftPayoutBatch',
  method: 'POST',
  path,
  access: 'operator',
  summary: 'Make a batch of payouts',
  description:
    'Of all payouts that are in no batch and that the bank can take. The others go on waiting, and `leftOut` has them. Nothing ' +
    'moves until another operator signs it.',
  body: Type.Object({
    payingAccountId: optional(Type.String({ minLength: 1, maxLength: 26, description: 'Absent: the only one.' })),
  }),
  responses: {
    200: answer({
      batch: batchShown,
      leftOut: Type.Array(
        Type.Object(
          {
            payoutId: Type.String({ description: 'The payout that goes on waiting.' }),
            reason: Type.Enum([...leftOutReasons]),
            message: Type.String({ description: 'The same in a sentence, with what is wrong.' }),
          },
          { additionalProperties: false },
        ),
        { description: 'Payouts that the file of this account cannot have, the oldest 100.' },
      ),
    }),
  },
  failures: [403, 409],
  example: {
    request: {},
    response: {
      ...doneExample,
      batch: { ...batchExample, state: 'draft', second: null, file: null },
      leftOut: [
        {
          payoutId: '01JZ8D3K7R4M5N6P7Q8R9S0T1Z',
          reason: 'country',
          message: 'The account of the payee is in DE, to which files of the profile iso20022-pl make no payments.',
        },
      ],
    },
  },
});

export const approvePayoutBatch = panelEndpoint({
  id: 'P163',
  name: 'approvePayoutBatch',
  method: 'POST',
  path: `${path}/{id}/approve`,
  access: 'operator',
  summary: 'Sign a batch of payouts',
  description:
    'The second signature, by an operator who has not made it, with the number and sum that this person saw: another one is ' +
    'refused.',
  params,
  body: Type.Object({
    payouts: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How many payouts were seen in it.' }),
    total: shaped('^\\d{1,15}\\.\\d{2}$', 'amount_with_cents', { description: 'Such as 49.90.' }),
    ...confirmation,
  }),
  responses: { 200: answer({ batch: batchShown }) },
  failures: [403, 404, 409, 429],
  example: {
    request: { payouts: 2, total: '62.34', ...confirmationExample },
    response: { ...doneExample, batch: { ...batchExample, state: 'approved', file: null } },
  },
});

export const makePayoutFile = panelEndpoint({
  id: 'P164',
  name: 'makePayoutFile',
  method: 'POST',
  path: `${path}/{id}/make`,
  access: 'operator',
  summary: 'Make the payment file',
  description: 'Of a signed batch. Its bytes never change afterwards.',
  params,
  body: Type.Object({
    profile: optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'Absent: that of the account that pays.' }),
    ),
  }),
  responses: { 200: answer({ batch: batchShown }) },
  failures: [404, 409],
  example: { request: { profile: 'iso20022-pl' }, response: { ...doneExample, batch: batchExample } },
});

export const downloadPayoutFile = panelEndpoint({
  id: 'P165',
  name: 'downloadPayoutFile',
  method: 'POST',
  path: `${path}/{id}/download`,
  access: 'operator',
  summary: 'Download the payment file',
  description:
    'The first download hands it over: from then on the bank may have it. Later ones are the same bytes, with `copy` in the ' +
    'name and `X-Copy: true`.',
  params,
  responses: { 200: Type.String({ description: 'The file.' }) },
  streams: ['application/octet-stream'],
  failures: [404, 409],
  example: { response: '' },
});

export const cancelPayoutBatch = panelEndpoint({
  id: 'P166',
  name: 'cancelPayoutBatch',
  method: 'POST',
  path: `${path}/{id}/cancel`,
  access: 'operator',
  summary: 'Cancel a batch of payouts',
  description: 'Until its file was handed over. Payouts of a draft wait again; those of a signed batch are canceled.',
  params,
  responses: { 200: answer({ batch: batchShown }) },
  failures: [404, 409],
  example: { response: { ...doneExample, batch: { ...batchExample, state: 'canceled' } } },
});

export const missPayoutBatch = panelEndpoint({
  id: 'P167',
  name: 'missPayoutBatch',
  method: 'POST',
  path: `${path}/{id}/missed`,
  access: 'operator',
  summary: 'The bank never got it',
  description:
    'Of a file that was handed over. The second operator who says so cancels the batch, if a later statement has none of it.',
  params,
  body: Type.Object({ ...confirmation }),
  responses: { 200: answer({ batch: batchShown }) },
  failures: [403, 404, 409, 429],
  example: {
    request: confirmationExample,
    response: { ...doneExample, batch: { ...batchExample, state: 'canceled' } },
  },
});

export const givePayingAccount = panelEndpoint({
  id: 'P168',
  name: 'givePayingAccount',
  method: 'POST',
  path: '/panel/api/operator/paying-accounts',
  access: 'operator',
  summary: 'Give an account that pays',
  description: 'One of ours, or another holder or profile for it. Files that were begun keep what they have.',
  body: Type.Object({
    number: Type.String({ minLength: 1, maxLength: 60, description: 'An IBAN or a Polish number.' }),
    holder: Type.String({ minLength: 1, maxLength: 70, description: 'As the bank knows it.' }),
    profile: Type.String({ minLength: 1, maxLength: 40, description: 'How its bank takes files.' }),
    ...confirmation,
  }),
  responses: { 200: answer({ account: accountShown }) },
  failures: [403, 409, 429],
  example: {
    request: {
      number: 'PL10105000997603123456789123',
      holder: 'Grosz sp. z o.o.',
      profile: 'iso20022-pl',
      ...confirmationExample,
    },
    response: {
      ...doneExample,
      account: {
        id: '01JZ8D3K7R4M5N6P7Q8R9S0T1V',
        number: 'PL10105000997603123456789123',
        holder: 'Grosz sp. z o.o.',
        profile: 'iso20022-pl',
      },
    },
  },
});

export const batchEndpoints = [
  listPayoutBatches,
  getPayoutBatch,
  draftPayoutBatch,
  approvePayoutBatch,
  makePayoutFile,
  downloadPayoutFile,
  cancelPayoutBatch,
  missPayoutBatch,
  givePayingAccount,
];
