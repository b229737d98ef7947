// The users of an account, and the audit log: P21 to P29.

import { Email, nullable, optional, Type, text } from '../schema.ts';
import { answer, done, doneExample, instantShown, panelEndpoint, panelLanguages, panelRoles } from './shared.ts';

const userShown = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: Type.Enum([...panelRoles]),
    status: Type.Enum(['invited', 'active', 'blocked']),
    secondFactor: Type.Boolean(),
    createdAt: instantShown,
    lastSeenAt: nullable(instantShown),
  },
  { additionalProperties: false },
);
const userExample = {
  id: '01JZ8D3K7R4M5N6P7Q8R9S0T1V',
  email: 'anna@example.com',
  name: 'Anna',
  role: 'owner',
  status: 'active',
  secondFactor: true,
  createdAt: '2026-07-01T10:00:00Z',
  lastSeenAt: '2026-07-01T10:05:00Z',
};
const userParams = Type.Object({ userId: Type.String() });
const role = Type.Enum([...panelRoles], {
  description: 'owner, staff or read_only in an account; operator only by operators, who have no other role to give.',
});

export const listUsers = panelEndpoint({
  id: 'P21',
  name: 'listUsers',
  method: 'GET',
  path: '/panel/api/users',
  access: 'owner',
  summary: 'List users',
  description: 'Users of the account.',
  responses: { 200: answer({ users: Type.Array(userShown) }) },
  example: { response: { ...doneExample, users: [userExample] } },
});

export const inviteUser = panelEndpoint({
  id: 'P22',
  name: 'inviteUser',
  method: 'POST',
  path: '/panel/api/users',
  access: 'owner',
  summary: 'Invite a user',
  description: 'They get a mail with a link that works for seven days.',
  body: Type.Object({
    email: Email,
    name: text(100, 1),
    role,
    language: optional(Type.Enum([...panelLanguages])),
  }),
  responses: { 201: answer({ user: userShown }) },
  failures: [409],
  example: {
    request: { email: 'anna@example.com', name: 'Anna', role: 'staff' },
    response: { ...doneExample, user: { ...userExample, role: 'staff', status: 'invited', lastSeenAt: null } },
  },
});

export const changeUser = panelEndpoint({
  id: 'P23',
  name: 'changeUser',
  method: 'POST',
  path: '/panel/api/users/{userId}',
  access: 'owner',
  summary: 'Change a user',
  description:
    'Change the role of a user, block or unblock. The last active owner cannot be blocked, removed or given another role. Blocking ends all sessions.',
  params: userParams,
  body: Type.Object({ role: optional(role), blocked: optional(Type.Boolean()) }),
  responses: { 200: answer({ user: userShown }) },
  failures: [404, 409],
  example: {
    request: { role: 'read_only' },
    response: { ...doneExample, user: { ...userExample, role: 'read_only' } },
  },
});

export const inviteAgain = panelEndpoint({
  id: 'P24',
  name: 'inviteAgain',
  method: 'POST',
  path: '/panel/api/users/{userId}/invitation',
  access: 'owner',
  summary: 'Invite a user again',
  params: userParams,
  responses: { 200: done },
  failures: [404, 409],
  example: { response: doneExample },
});

export const removeUser = panelEndpoint({
  id: 'P25',
  name: 'removeUser',
  method: 'DELETE',
  path: '/panel/api/users/{userId}',
  access: 'owner',
  summary: 'Remove a user',
  description: 'What they did stays in the audit log.',
  params: userParams,
  responses: { 200: done },
  failures: [404, 409],
  example: { response: doneExample },
});

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
            email: Type.String(),
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

export const userEndpoints = [listUsers, inviteUser, changeUser, inviteAgain, removeUser, listAudit];
