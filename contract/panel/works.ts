// Background work and the processes that do it: P91 and P94.

import { workNames } from '../codes/works.ts';
import { nullable, Type } from '../schema.ts';
import { answer, doneExample, instantShown, panelEndpoint } from './shared.ts';

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

export const workEndpoints = [listWorks, listNodes];
