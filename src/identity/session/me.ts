// What people change of their own: password, name, language, sessions.

import type { PanelLanguage } from '../../../contract/languages.ts';
import { refuse, Secret } from '../../kernel/index.ts';
import { wrongPassword } from '../failures.ts';
import type { Person } from '../model.ts';
import type { IdentityTools } from '../tools.ts';
import { confirmLimits, guess } from './guesses.ts';
import { deleteLinks, deleteSession, deleteSessions, lockUser, updateUser } from './store.ts';

/**
 * Asks for the password again, before something that would lock the person out or let somebody else in. `field` is
 * where the request has it.
 */
export async function confirmPassword(
  tools: IdentityTools,
  { user }: Person,
  password: string,
  field = 'password',
): Promise<void> {
  await guess(tools, confirmLimits(user.id), async () => {
    if (!(await tools.passwords.isRight(new Secret(password), user.passwordHash))) refuse(wrongPassword, field);
  });
}

/** All other sessions and all links of the user end. */
export async function changePassword(tools: IdentityTools, { user, session }: Person, password: string): Promise<void> {
  const passwordHash = await tools.passwords.hash(new Secret(password), user);
  await tools.db.atomic(async (sql) => {
    const row = (await lockUser(sql, user.id)) ?? refuse('not_found');
    await updateUser(sql, { ...row, passwordHash, modifiedAt: tools.wall.now() });
    await deleteLinks(sql, user.id);
    await deleteSessions(sql, user.id, session.id);
  });
}

export async function changeMe(
  tools: IdentityTools,
  { user }: Person,
  { name, language }: { readonly name?: string | undefined; readonly language?: PanelLanguage | undefined },
): Promise<void> {
  await tools.db.atomic(async (sql) => {
    const row = (await lockUser(sql, user.id)) ?? refuse('not_found');
    const modifiedAt = tools.wall.now();
    await updateUser(sql, { ...row, name: name ?? row.name, language: language ?? row.language, modifiedAt });
  });
}

export async function endSession({ db }: IdentityTools, { user }: Person, id: string): Promise<void> {
  if (!(await deleteSession(db.sql, user.id, id))) refuse('not_found');
}

export function endOtherSessions({ db }: IdentityTools, { user, session }: Person): Promise<void> {
  return deleteSessions(db.sql, user.id, session.id);
}
