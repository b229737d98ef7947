// People in tests: users of the panel, signed in over HTTP.

import assert from 'node:assert/strict';
import type { UserRole } from '../../contract/identity/roles.ts';
import { createUser } from '../../src/identity/index.ts';
import { type AccountId, Secret } from '../../src/kernel/index.ts';
import type { Answer, Asking, Service } from './service.ts';

export const aPassword = 'correct horse battery staple';

export interface TestPerson {
  readonly id: string;
  readonly email: string;
  readonly cookie: string;
  readonly csrfToken: string;
  /** A request of this person, with cookie and CSRF token. */
  ask(method: string, path: string, asking?: Asking): Promise<Answer>;
  /** The same, looking through the eyes of an account. */
  as(accountId: string): TestPerson;
}

let users = 0;

/** A user with a password, not signed in. */
export async function aUser(
  service: Service,
  role: UserRole,
  accountId: string | null,
): Promise<{ id: string; email: string }> {
  users += 1;
  const { user } = await createUser(
    service.rooms.identity.tools,
    {
      accountId: accountId as AccountId | null,
      email: `person${users}@example.com`,
      name: `Person ${users}`,
      role,
      language: 'en',
    },
    new Secret(aPassword),
  );
  return { id: user.id, email: user.email };
}

/** The session cookie that a response sets. */
export function cookieOf(answer: Answer): string {
  return answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

export function signIn(service: Service, email: string, password = aPassword): Promise<Answer> {
  return service.ask('POST', '/panel/api/sign-in', { body: { email, password } });
}

/** A person who is signed in. */
export async function aPerson(service: Service, role: UserRole, accountId: string | null): Promise<TestPerson> {
  const user = await aUser(service, role, accountId);
  const answer = await signIn(service, user.email);
  assert.equal(answer.status, 200, answer.text);
  return personWith(service, user, cookieOf(answer));
}

/** The person of a session cookie. */
export async function personWith(
  service: Service,
  user: { readonly id: string; readonly email: string },
  cookie: string,
): Promise<TestPerson> {
  const { body } = await service.ask('GET', '/panel/api/session', { headers: { cookie } });
  const withHeaders = (extra: Record<string, string>): TestPerson => ({
    ...user,
    cookie,
    csrfToken: body.csrfToken,
    ask: (method, path, asking = {}) =>
      service.ask(method, path, {
        ...asking,
        headers: { cookie, 'x-csrf-token': body.csrfToken, ...extra, ...asking.headers },
      }),
    as: (accountId) => withHeaders({ 'x-view-as': accountId }),
  });
  return withHeaders({});
}
