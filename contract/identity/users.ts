// The users of an account: P21 to P25.

import { answer, done, doneExample, instantShown, panelEndpoint, panelLanguages } from '../panel/shared.ts';
import { Email, nullable, optional, Type, text } from '../schema.ts';
import { userRoles } from './roles.ts';

const userShown = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: Type.Enum([...userRoles]),
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
const role = Type.Enum([...userRoles], {
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

export const userEndpoints = [listUsers, inviteUser, changeUser, inviteAgain, removeUser];
