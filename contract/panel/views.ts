// Searches and filters that people keep, each for themselves: P41 to P43.

import { methods } from '../methods.ts';
import { optional, shaped, Type, text } from '../schema.ts';
import { answer, done, doneExample, instantShown, panelEndpoint } from './shared.ts';

const screen = shaped('^[a-z][a-z-]{0,39}$', 'screen', {
  description: 'Such as transactions.',
});
const viewShown = Type.Object(
  { viewId: Type.String(), screen: Type.String(), name: Type.String(), query: Type.String(), createdAt: instantShown },
  { additionalProperties: false },
);
const viewExample = {
  viewId: '01JZ8D3K7R4M5N6P7Q8R9S0T1V',
  screen: 'transactions',
  name: 'Refunded by card',
  query: `status=refund&channelId=${methods.card.id}`,
  createdAt: '2026-07-01T10:00:00Z',
};

export const listViews = panelEndpoint({
  id: 'P41',
  name: 'listViews',
  method: 'GET',
  path: '/panel/api/views',
  access: 'read',
  summary: 'List saved views',
  description: 'Your saved views of this account.',
  query: Type.Object({ screen: optional(screen) }),
  responses: { 200: answer({ views: Type.Array(viewShown) }) },
  example: { query: { screen: 'transactions' }, response: { ...doneExample, views: [viewExample] } },
});

export const saveView = panelEndpoint({
  id: 'P42',
  name: 'saveView',
  method: 'POST',
  path: '/panel/api/views',
  access: 'read',
  summary: 'Save a view',
  description: 'Replaces yours of the same name. At most 100.',
  body: Type.Object({
    screen,
    name: text(60, 1),
    query: Type.String({
      maxLength: 2_000,
      description: 'What the address of the screen has after the question mark.',
    }),
  }),
  responses: { 201: answer({ view: viewShown }) },
  example: {
    request: { screen: 'transactions', name: 'Refunded by card', query: `status=refund&channelId=${methods.card.id}` },
    response: { ...doneExample, view: viewExample },
  },
});

export const deleteView = panelEndpoint({
  id: 'P43',
  name: 'deleteView',
  method: 'DELETE',
  path: '/panel/api/views/{viewId}',
  access: 'read',
  summary: 'Delete a saved view',
  params: Type.Object({ viewId: Type.String() }),
  responses: { 200: done },
  failures: [404],
  example: { response: doneExample },
});

export const viewEndpoints = [listViews, saveView, deleteView];
