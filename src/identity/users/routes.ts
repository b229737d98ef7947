import * as contract from '../../../contract/identity/users.ts';
import { on, type Route } from '../../http/index.ts';
import type { Person, User } from '../model.ts';
import { listPasskeys } from '../session/store.ts';
import type { IdentityTools } from '../tools.ts';
import { done } from '../wire.ts';
import { changeUser, inviteAgain, inviteUser, removeUser } from './manage.ts';
import { type ListedUser, listUsersOf } from './store.ts';

export function userRoutes(tools: IdentityTools): Route<Person>[] {
  const { sql } = tools.db;

  async function show(user: User) {
    const hasPasskey = (await listPasskeys(sql, user.id)).length > 0;
    return serializeUser({ user, hasPasskey, lastSeenAt: null });
  }

  return [
    on(contract.listUsers, async ({ caller, requestId }) => ({
      ...done(requestId),
      users: (await listUsersOf(sql, caller.user.accountId)).map(serializeUser),
    })),
    on(contract.inviteUser, async ({ caller, body, requestId }) => {
      const { email, name, role, language = caller.user.language } = body;
      return {
        ...done(requestId),
        user: await show(await inviteUser(tools, caller, { email, name, role, language })),
      };
    }),
    on(contract.changeUser, async ({ caller, params, body, requestId }) => ({
      ...done(requestId),
      user: await show(await changeUser(tools, caller, params.userId, body)),
    })),
    on(contract.inviteAgain, async ({ caller, params, requestId }) => {
      await inviteAgain(tools, caller, params.userId);
      return done(requestId);
    }),
    on(contract.removeUser, async ({ caller, params, requestId }) => {
      await removeUser(tools, caller, params.userId);
      return done(requestId);
    }),
  ];
}

function serializeUser({ user, hasPasskey, lastSeenAt }: ListedUser) {
  const status = user.blockedAt !== null ? 'blocked' : user.passwordHash === null ? 'invited' : 'active';
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    status: status as 'blocked' | 'invited' | 'active',
    secondFactor: hasPasskey || user.totpSealed !== null,
    createdAt: user.createdAt.toString(),
    lastSeenAt: lastSeenAt?.toString() ?? null,
  };
}
