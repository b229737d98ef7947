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
  createdAt: '2026-07-01T10:05:00Z',
};

export const listRoutes = panelEndpoint({
  id: 'P120',
  name: 'listRoutes',
  method: 'GET',
  path: '/panel/api/operator/routes',
  access: 'operator',
  summary: 'List acquirers and routes',
  description:
    'The open acquirers in the order in which new charges try them, and the routes that say otherwise. Of the routes that fit ' +
    'a charge the most specific count.',
  responses: {
    200: answer({
      acquirers: Type.Array(
        Type.Object(
          {
            name: Type.String({ description: 'As in ACQUIRERS.' }),
            ledgerName: Type.String({ description: 'In the ledger and in rows.' }),
            takesNew: Type.Boolean({ description: 'false: switched off. It goes on with what it began.' }),
          },
          { additionalProperties: false },
        ),
        { description: 'Those that take new charges in the order of ACQUIRERS, then those that are switched off.' },
      ),
      routes: Type.Array(routeShown, { description: 'The most specific first.' }),
    }),
  },
  example: {
    response: {
      ...doneExample,
      acquirers: [{ name: 'http', ledgerName: 'acquirer', takesNew: true }],
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
