// Which acquirer new charges go through: P120 to P122.

import { channelIds, methods } from '../methods.ts';
import { nullable, optional, Type } from '../schema.ts';
import { answer, done, doneExample, instantShown, panelEndpoint } from './shared.ts';

const routeShown = Type.Object(
  {
    id: Type.String(),
    acquirer: Type.String({ description: 'As in ACQUIRERS.' }),
    merchantId: nullable(Type.String({ description: 'null: every merchant.' })),
    merchantName: nullable(Type.String({ description: 'The name of that merchant.' })),
    channelId: nullable(Type.Integer({ description: 'null: every channel.' })),
    currency: nullable(Type.String({ description: 'null: every currency.' })),
    position: Type.Integer({ description: 'Of several that are equally specific, the smaller is tried first.' }),
    status: Type.Enum(['followed', 'not_offered', 'switched_off', 'not_open'], {
      description:
        'Whether its acquirer takes such charges: it offers neither this channel nor currency, is switched off, or is not open. ' +
        'Nobody takes them then.',
    }),
    createdAt: instantShown,
  },
  { additionalProperties: false },
);

const routeExample = {
  id: '01JZ8D3K7R4M5N6P7Q8R9S0T1X',
  acquirer: 'http',
  merchantId: '01JZ8D3K7R4M5N6P7Q8R9S0T1V',
  merchantName: 'Tea shop',
  channelId: methods.blik.id,
  currency: 'PLN',
  position: 1,
  status: 'followed',
  createdAt: '2026-07-01T10:05:00Z',
};

const acquirerShown = Type.Object(
  {
    name: Type.String({ description: 'As in ACQUIRERS.' }),
    ledgerName: Type.String({ description: 'In the ledger and in rows.' }),
    takesNew: Type.Boolean({ description: 'false: switched off. It goes on with what it began.' }),
    money: Type.Enum(['simulated', 'test', 'live'], { description: 'Which money it moves.' }),
    account: nullable(Type.String({ description: 'Its account or address; null: it has none.' })),
    callbacks: Type.Object(
      {
        expected: Type.Boolean({ description: 'Whether it sends any over HTTP.' }),
        lastAt: nullable(
          Type.String({ format: 'date-time', description: 'When the last genuine one came; null: never.' }),
        ),
      },
      { additionalProperties: false },
    ),
    statement: nullable(
      Type.Object(
        {
          to: instantShown,
          state: Type.Enum(['running', 'agreed', 'differs', 'incomplete']),
          open: Type.Integer({ description: 'Differences that were open when it ended.' }),
        },
        { additionalProperties: false, description: 'The last comparison; null: never.' },
      ),
    ),
    offers: nullable(
      Type.Array(
        Type.Object(
          {
            channelId: Type.Integer(),
            currency: Type.String(),
            least: Type.Number({ description: 'The smallest amount.' }),
            most: Type.Number({ description: 'The largest amount.' }),
            fields: Type.Enum(['own', 'vendor'], {
              description: 'vendor: the payer types into fields of the acquirer.',
            }),
            recurring: Type.Array(Type.String(), { description: 'card, or models of BLIK.' }),
            recurringMost: nullable(
              Type.Number({ description: 'The largest recurring charge, if it is less than `most`; null: the same.' }),
            ),
          },
          { additionalProperties: false },
        ),
        { description: 'null: every channel, currency and amount.' },
      ),
    ),
    recent: nullable(
      Type.Object(
        {
          requests: Type.Integer(),
          failed: Type.Integer({ description: 'Without an answer, or with one that says nothing.' }),
          medianMilliseconds: nullable(
            Type.Integer({ description: 'Half of them took longer; null: there were none.' }),
          ),
          slowMilliseconds: nullable(Type.Integer({ description: 'One in twenty took longer.' })),
        },
        {
          additionalProperties: false,
          description: 'Requests of the node that responds, of the last fifteen minutes; null: nobody counts them.',
        },
      ),
    ),
  },
  { additionalProperties: false },
);

const acquirerExample = {
  name: 'http',
  ledgerName: 'acquirer',
  takesNew: true,
  money: 'live',
  account: 'https://acquirer.example.com',
  callbacks: { expected: true, lastAt: '2026-07-01T10:04:58Z' },
  statement: { to: '2026-07-01T04:00:00Z', state: 'agreed', open: 0 },
  offers: null,
  recent: { requests: 412, failed: 1, medianMilliseconds: 310, slowMilliseconds: 1_240 },
};

export const listRoutes = panelEndpoint({
  id: 'P120',
  name: 'listRoutes',
  method: 'GET',
  path: '/panel/api/operator/routes',
  access: 'operator',
  summary: 'List acquirers and routes',
  description:
    'The open acquirers in the order in which new charges try them, how they behave, and the routes that say otherwise. Of the ' +
    'routes that match a charge, the most specific one decides.',
  responses: {
    200: answer({
      acquirers: Type.Array(acquirerShown, {
        description: 'Those that take new charges in the order of ACQUIRERS, then those that are switched off.',
      }),
      routes: Type.Array(routeShown, { description: 'The most specific first.' }),
    }),
  },
  example: {
    response: {
      ...doneExample,
      acquirers: [acquirerExample],
      routes: [routeExample],
    },
  },
});

export const addRoute = panelEndpoint({
  id: 'P121',
  name: 'addRoute',
  method: 'POST',
  path: '/panel/api/operator/routes',
  access: 'operator',
  summary: 'Add a route',
  description: 'The same one again gets another position.',
  body: Type.Object({
    acquirer: Type.String({ description: 'As in ACQUIRERS.' }),
    merchantId: optional(Type.String({ description: 'Absent: every merchant.' })),
    channelId: optional(Type.Integer({ enum: [...channelIds], description: 'Absent: every channel.' })),
    currency: optional(Type.String({ description: 'Absent: every currency.' })),
    position: optional(
      Type.Integer({ minimum: 1, maximum: 1_000, description: 'Absent: after those that are there.' }),
    ),
  }),
  responses: { 200: done },
  example: { request: { acquirer: 'http', channelId: methods.blik.id }, response: doneExample },
});

export const removeRoute = panelEndpoint({
  id: 'P122',
  name: 'removeRoute',
  method: 'POST',
  path: '/panel/api/operator/routes/{id}/remove',
  access: 'operator',
  summary: 'Remove a route',
  description: 'What was charged through it stays where it is.',
  params: Type.Object({ id: Type.String() }),
  responses: { 200: done },
  failures: [404],
  example: { response: doneExample },
});

export const routingEndpoints = [listRoutes, addRoute, removeRoute];
