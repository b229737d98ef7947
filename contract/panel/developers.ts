// For the merchant's developers: requests, notifications, API keys, secrets. P60 to P72.

import { deliveryStatuses, eventTypes } from '../events.ts';
import { MerchantNumber, nullable, optional, secret, secretFields, Type, text, WebUrl } from '../schema.ts';
import { answer, done, doneExample, instantShown, panelEndpoint } from './shared.ts';

const cursor = optional(Type.String({ maxLength: 40, description: 'nextBefore of the page before.' }));
const limit = optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 }));

const requestRow = {
  id: Type.String(),
  requestId: Type.String(),
  at: instantShown,
  endpoint: Type.String({ description: 'As in the reference, such as E1.' }),
  method: Type.String(),
  path: Type.String(),
  status: Type.Integer(),
  milliseconds: Type.Integer(),
  ignoredFields: Type.String({ description: 'X-Ignored-Fields of the response.' }),
};
const requestExample = {
  id: '01JZ8D3K7R4M5N6P7Q8R9S0T1V',
  requestId: '3f2a9c0d81e47b56aa10',
  at: '2026-07-01T10:05:00Z',
  endpoint: 'E1',
  method: 'POST',
  path: '/transactions',
  status: 201,
  milliseconds: 7,
  ignoredFields: '',
};

export const listRequests = panelEndpoint({
  id: 'P60',
  name: 'listRequests',
  method: 'GET',
  path: '/panel/api/requests',
  access: 'read',
  summary: 'List API requests',
  description:
    'Requests to the API of the last seven days, newest first. ' +
    'A log for debugging: at most 20 successful and 20 refused requests of a second are kept for each process. With a filter a request looks through the newest 10,000: a page may be short, or empty, although there is more; `nextBefore` is where to go on.',
  query: Type.Object({
    before: cursor,
    limit,
    status: optional(Type.Enum(['success', 'error'], { description: 'error: from 400 up.' })),
    endpoint: optional(text(20)),
    requestId: optional(text(20)),
    subjectId: optional(
      Type.String({ maxLength: 26, description: 'Requests about it: the id of a transaction, for example.' }),
    ),
  }),
  responses: {
    200: answer({
      requests: Type.Array(Type.Object(requestRow, { additionalProperties: false })),
      nextBefore: nullable(Type.String()),
    }),
  },
  example: { query: { limit: '50' }, response: { ...doneExample, requests: [requestExample], nextBefore: null } },
});

export const getRequest = panelEndpoint({
  id: 'P61',
  name: 'getRequest',
  method: 'GET',
  path: '/panel/api/requests/{id}',
  access: 'read',
  summary: 'Get an API request',
  description: 'Card data and secrets are masked; bodies are cut after 4,000 characters.',
  params: Type.Object({ id: Type.String() }),
  responses: {
    200: answer({
      request: Type.Object(
        { ...requestRow, body: Type.String(), response: Type.String() },
        { additionalProperties: false },
      ),
    }),
  },
  failures: [404],
  example: {
    response: {
      ...doneExample,
      request: { ...requestExample, body: '{"amount":12.34}', response: '{"result":"success"}' },
    },
  },
});

const notificationFields = {
  eventId: Type.String(),
  type: Type.Enum([...eventTypes]),
  subjectId: Type.String(),
  title: nullable(Type.String({ description: 'Of the transaction.' })),
  amount: nullable(
    Type.Number({ minimum: 0, description: 'Of the refund if it is about one, else of the transaction.' }),
  ),
  currency: nullable(Type.String()),
  url: nullable(Type.String()),
  createdAt: instantShown,
  status: Type.Enum([...deliveryStatuses]),
  tries: Type.Integer(),
  nextTryAt: nullable(instantShown),
  lastStatus: nullable(Type.Integer({ description: 'HTTP status of the last try.' })),
  lastError: nullable(Type.String({ description: 'A code, such as connection_refused.' })),
};
const notificationRow = Type.Object(notificationFields, { additionalProperties: false });
const notificationExample = {
  eventId: '01JZ8D3K7R4M5N6P7Q8R9S0T1V',
  type: 'transaction',
  subjectId: '01JZ8D3K7R4M5N6P7Q8R9S0T1W',
  title: 'TR-7X2M-Q4K9ZP1',
  amount: 123.45,
  currency: 'PLN',
  url: 'https://shop.example.com/notify',
  createdAt: '2026-07-01T10:05:00Z',
  status: 'exhausted',
  tries: 12,
  nextTryAt: null,
  lastStatus: 500,
  lastError: 'wrong_status',
};

export const listNotifications = panelEndpoint({
  id: 'P62',
  name: 'listNotifications',
  method: 'GET',
  path: '/panel/api/notifications',
  access: 'read',
  summary: 'List notifications',
  description:
    'Notifications, newest first. ' +
    'With a status a request looks through the newest 10,000: a page may be short, or empty, although there is more. Tries of one: GET /events/{eventId}/deliveries. Resend: N2 and N3.',
  query: Type.Object({ before: cursor, limit, status: optional(Type.Enum([...deliveryStatuses])) }),
  responses: {
    200: answer({ notifications: Type.Array(notificationRow), nextBefore: nullable(Type.String()) }),
  },
  example: {
    query: { status: 'exhausted' },
    response: {
      ...doneExample,
      notifications: [notificationExample],
      nextBefore: null,
    },
  },
});

export const getNotification = panelEndpoint({
  id: 'P72',
  name: 'getNotification',
  method: 'GET',
  path: '/panel/api/notifications/{eventId}',
  access: 'read',
  summary: 'Get a notification',
  description: 'One notification with what is sent.',
  params: Type.Object({ eventId: Type.String() }),
  responses: {
    200: answer({
      notification: Type.Object(
        {
          ...notificationFields,
          contentType: Type.String(),
          payload: Type.String({
            ...secretFields('card_token'),
            description: 'The body, byte for byte; without the value of `card_token` for those who only read.',
          }),
        },
        { additionalProperties: false },
      ),
    }),
  },
  failures: [404],
  example: {
    response: {
      ...doneExample,
      notification: {
        ...notificationExample,
        contentType: 'application/x-www-form-urlencoded',
        payload: 'id=1&tr_id=TR-7X2M-Q4K9ZP1',
      },
    },
  },
});

export const listEndpointHealth = panelEndpoint({
  id: 'P63',
  name: 'listEndpointHealth',
  method: 'GET',
  path: '/panel/api/notifications/endpoints',
  access: 'read',
  summary: 'List failing endpoints',
  responses: {
    200: answer({
      endpoints: Type.Array(
        Type.Object(
          {
            origin: Type.String(),
            failuresInRow: Type.Integer(),
            failingSince: instantShown,
            lastFailureAt: instantShown,
            lastError: Type.String(),
          },
          { additionalProperties: false },
        ),
      ),
      pending: Type.Integer({ description: 'How many of the newest 10,000 notifications wait for delivery.' }),
      exhausted: Type.Integer({ description: 'Notifications that were given up, at most 10,000 are counted.' }),
    }),
  },
  example: { response: { ...doneExample, endpoints: [], pending: 0, exhausted: 0 } },
});

export const sendTestNotification = panelEndpoint({
  id: 'P64',
  name: 'sendTestNotification',
  method: 'POST',
  path: '/panel/api/notifications/test',
  access: 'write',
  summary: 'Send a test notification',
  description:
    'Sends the example of a paid transaction to the URL once, signed like a real one, with `test_mode` and an id that no transaction has, and shows the response.',
  body: Type.Object({ url: WebUrl }),
  responses: {
    200: answer({
      delivered: Type.Boolean({ description: 'Whether the response was accepted, as for a real one.' }),
      status: nullable(Type.Integer()),
      error: nullable(Type.String()),
      milliseconds: Type.Integer(),
      request: Type.String({ description: 'What was sent.' }),
      answer: Type.String({ description: 'The first 1 KB of the response.' }),
    }),
  },
  failures: [429],
  example: {
    request: { url: 'https://shop.example.com/notify' },
    response: {
      ...doneExample,
      delivered: true,
      status: 200,
      error: null,
      milliseconds: 41,
      request: 'id=1&tr_id=TEST',
      answer: 'TRUE',
    },
  },
});

const keyShown = Type.Object(
  {
    clientId: Type.String(),
    name: Type.String(),
    kind: Type.Enum(['full', 'read_only', 'operator']),
    createdAt: instantShown,
    revokedAt: nullable(instantShown),
    secrets: Type.Integer({ description: 'How many secrets work: two while one is being replaced.' }),
  },
  { additionalProperties: false },
);
const keyExample = {
  clientId: '01JZ8D3K7R4M5N6P7Q8R9S0T1V-01JZ8D3K7R4M5N6P7Q8R9S0T1W',
  name: 'Shop',
  kind: 'full',
  createdAt: '2026-07-01T10:05:00Z',
  revokedAt: null,
  secrets: 1,
};
const keyParams = Type.Object({ clientId: Type.String() });
const newSecret = answer({ clientId: Type.String(), clientSecret: Type.String({ description: 'Shown only now.' }) });
const newSecretExample = { ...doneExample, clientId: keyExample.clientId, clientSecret: 'k3J…' };

export const listKeys = panelEndpoint({
  id: 'P65',
  name: 'listKeys',
  method: 'GET',
  path: '/panel/api/keys',
  access: 'owner',
  summary: 'List API keys',
  responses: { 200: answer({ keys: Type.Array(keyShown) }) },
  example: { response: { ...doneExample, keys: [keyExample] } },
});

export const createKey = panelEndpoint({
  id: 'P66',
  name: 'createKey',
  method: 'POST',
  path: '/panel/api/keys',
  access: 'owner',
  summary: 'Create an API key',
  body: Type.Object({ name: text(100, 1), kind: Type.Enum(['full', 'read_only']) }),
  responses: { 201: newSecret },
  example: { request: { name: 'Shop', kind: 'full' }, response: newSecretExample },
});

export const rotateKey = panelEndpoint({
  id: 'P67',
  name: 'rotateKey',
  method: 'POST',
  path: '/panel/api/keys/{clientId}/rotate',
  access: 'owner',
  summary: 'Add a secret',
  description: 'The secret before keeps working.',
  params: keyParams,
  responses: { 200: newSecret },
  failures: [404],
  example: { response: newSecretExample },
});

export const dropOldSecret = panelEndpoint({
  id: 'P68',
  name: 'dropOldSecret',
  method: 'POST',
  path: '/panel/api/keys/{clientId}/drop-older',
  access: 'owner',
  summary: 'Remove the older secret',
  params: keyParams,
  responses: { 200: done },
  failures: [404],
  example: { response: doneExample },
});

export const revokeKey = panelEndpoint({
  id: 'P69',
  name: 'revokeKey',
  method: 'POST',
  path: '/panel/api/keys/{clientId}/revoke',
  access: 'owner',
  summary: 'Revoke an API key',
  description: 'All its tokens end too.',
  params: keyParams,
  responses: { 200: done },
  failures: [404],
  example: { response: doneExample },
});

export const getSecrets = panelEndpoint({
  id: 'P70',
  name: 'getSecrets',
  method: 'GET',
  path: '/panel/api/secrets',
  access: 'owner',
  summary: 'Get notification secrets',
  description: 'Security code and webhook secret.',
  responses: {
    200: answer({
      merchantNumber: MerchantNumber,
      securityCode: Type.String({ ...secret, description: 'For md5sum of notifications.' }),
      webhookSecret: Type.String({ ...secret, description: 'For webhook-signature.' }),
    }),
  },
  example: { response: { ...doneExample, merchantNumber: 100_001, securityCode: 'b7x…', webhookSecret: 'whsec_…' } },
});

export const rotateSecrets = panelEndpoint({
  id: 'P71',
  name: 'rotateSecrets',
  method: 'POST',
  path: '/panel/api/secrets/rotate',
  access: 'owner',
  summary: 'Replace notification secrets',
  description:
    'Replace the security code or the webhook secret. ' +
    'Notifications are signed with the new one at once, also those that were not delivered yet: until the shop has it, it refuses them, and they are tried again for days.',
  body: Type.Object({ which: Type.Enum(['securityCode', 'webhookSecret']) }),
  responses: { 200: done },
  example: { request: { which: 'webhookSecret' }, response: doneExample },
});

export const developerEndpoints = [
  listRequests,
  getRequest,
  listNotifications,
  getNotification,
  listEndpointHealth,
  sendTestNotification,
  listKeys,
  createKey,
  rotateKey,
  dropOldSecret,
  revokeKey,
  getSecrets,
  rotateSecrets,
];
