// The audit log: P26.

import { nullable, optional, Type, text } from '../schema.ts';
import { answer, doneExample, instantShown, panelEndpoint } from './shared.ts';

export const listAudit = panelEndpoint({
  id: 'P26',
  name: 'listAudit',
  method: 'GET',
  path: '/panel/api/audit',
  access: 'owner',
  summary: 'List audit entries',
  description:
    'What people did, newest first. ' +
    'Entries are in a chain of hashes; `grosz verify` checks it. Of operators without an account: everything. ' +
    'With a filter the newest 10,000 entries before the given place are looked through: a page may be short or empty ' +
    'although there are more; `nextBefore` is where to go on.',
  query: Type.Object({
    before: optional(Type.Integer({ minimum: 1, description: 'Entries before this position.' })),
    limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    userId: optional(Type.String({ maxLength: 26 })),
    action: optional(text(60)),
    subjectId: optional(
      Type.String({ maxLength: 26, description: 'What was done to it: the id of a user, for example.' }),
    ),
  }),
  responses: {
    200: answer({
      entries: Type.Array(
        Type.Object(
          {
            position: Type.Integer(),
            at: instantShown,
            userId: nullable(Type.String()),
            email: Type.String({ description: 'command_line: a command of grosz.' }),
            action: Type.String({ description: 'The id of the endpoint, or a word such as sign_in.' }),
            target: Type.String({ description: 'Method and path of the request.' }),
            details: Type.Unknown({ description: 'What was asked for; secrets are masked.' }),
            outcome: nullable(
              Type.String({
                description: 'ok, or an error code; null while it runs, or if the service ended meanwhile.',
              }),
            ),
            address: Type.String(),
            userAgent: Type.String(),
          },
          { additionalProperties: false },
        ),
      ),
      nextBefore: nullable(Type.Integer()),
    }),
  },
  example: {
    query: { limit: '50' },
    response: {
      ...doneExample,
      entries: [
        {
          position: 17,
          at: '2026-07-01T10:05:00Z',
          userId: '01JZ8D3K7R4M5N6P7Q8R9S0T1V',
          email: 'anna@example.com',
          action: 'E4',
          target: 'POST /transactions/01JZ8D3K7R4M5N6P7Q8R9S0T1X/refunds',
          details: { amount: 10 },
          outcome: 'ok',
          address: '203.0.113.7',
          userAgent: 'Mozilla/5.0',
        },
      ],
      nextBefore: null,
    },
  },
});

export const auditEndpoints = [listAudit];
