// Users of an account, or the operators: invite, change, remove. There is always an active owner.

import { commandLine } from '../../../contract/codes/actors.ts';
import { notValid } from '../../../contract/codes/english/values.ts';
import type { UserRole } from '../../../contract/identity/roles.ts';
import type { PanelLanguage } from '../../../contract/languages.ts';
import { brokenUnique, type Sql } from '../../database/index.ts';
import { type AccountId, refuse, refuseFault, type Secret } from '../../kernel/index.ts';
import { type AuditedAction, audited } from '../audit/record.ts';
import { lastOwner, userExists } from '../failures.ts';
import type { Person, User } from '../model.ts';
import { countGuess, invitationLimits } from '../session/guesses.ts';
import { mailLink, makeLink } from '../session/links.ts';
import {
  deleteLinks,
  deletePasskeys,
  deleteSessions,
  insertUser,
  lockUser,
  replaceRecoveryCodes,
  updateUser,
} from '../session/store.ts';
import type { IdentityTools } from '../tools.ts';
import { deleteUser, lockUsersOf } from './store.ts';

const usersAtMost = 500;

export interface NewUser {
  readonly accountId: AccountId | null;
  readonly email: string;
  readonly name: string;
  readonly role: UserRole;
  readonly language: PanelLanguage;
}

/** A user without a password. An address in use fails the transaction: see refuseUserExists. */
async function addUser(tools: IdentityTools, sql: Sql, given: NewUser): Promise<User> {
  if ((given.role === 'operator') !== (given.accountId === null)) refuseRole(given.accountId);
  const now = tools.wall.now();
  const user: User = {
    ...given,
    id: tools.ids.ulid(),
    email: given.email.toLowerCase(),
    passwordHash: null,
    totpSealed: null,
    totpNewSealed: null,
    totpStep: 0n,
    blockedAt: null,
    createdAt: now,
    modifiedAt: now,
  };
  await insertUser(sql, user);
  return user;
}

function refuseRole(accountId: AccountId | null): never {
  return refuseFault(notValid('role', accountId === null ? 'role_of_operators' : 'role_of_account'));
}

/** For the database transaction that adds a user: a taken address is noticed at the latest by its commit. */
export function refuseUserExists(field: 'email' | 'ownerEmail'): (error: unknown) => never {
  return (error) => {
    if (brokenUnique(error) === 'person_email') refuse(userExists, field);
    throw error;
  };
}

/** For the command line: with a password, or with a link to set one. Returns the link. */
export async function createUser(
  tools: IdentityTools,
  given: NewUser,
  password: Secret | undefined,
): Promise<{ user: User; link: string | undefined }> {
  const passwordHash = password ? await tools.passwords.hash(password, given) : null;
  return tools.db
    .atomic(async (sql) => {
      const user = await addUser(tools, sql, given);
      if (passwordHash === null) return { user, link: await makeLink(tools, sql, user, 'invitation') };
      await updateUser(sql, { ...user, passwordHash });
      return { user, link: undefined };
    })
    .catch(refuseUserExists('email'));
}

/** For the command line: writes nothing if it is the user's password already. */
export async function setPassword(tools: IdentityTools, user: User, password: Secret): Promise<void> {
  if (await tools.passwords.isRight(password, user.passwordHash)) return;
  const passwordHash = await tools.passwords.hash(password, user);
  await updateUser(tools.db.sql, { ...user, passwordHash, modifiedAt: tools.wall.now() });
}

async function countInvitation(tools: IdentityTools, { accountId }: User, invited: string): Promise<void> {
  await countGuess(tools, invitationLimits(invited.toLowerCase(), accountId));
}

/** Invites a user to the person's account by mail. */
export async function inviteUser(
  tools: IdentityTools,
  { user: owner }: Person,
  given: Omit<NewUser, 'accountId'>,
): Promise<User> {
  const { accountId } = owner;
  await countInvitation(tools, owner, given.email);
  return tools.db
    .atomic(async (sql) => {
      if ((await lockUsersOf(sql, accountId)).length >= usersAtMost) refuse('too_many');
      const user = await addUser(tools, sql, { ...given, accountId });
      await mailLink(tools, sql, user, 'invitation');
      return user;
    })
    .catch(refuseUserExists('email'));
}

/** The first owner of a new account: invited by mail; without mail the link is returned. */
export async function addOwner(tools: IdentityTools, sql: Sql, given: NewUser): Promise<string | null> {
  const user = await addUser(tools, sql, given);
  if (!tools.sendsMail) return makeLink(tools, sql, user, 'invitation');
  await mailLink(tools, sql, user, 'invitation');
  return null;
}

export async function inviteAgain(tools: IdentityTools, { user: owner }: Person, id: string): Promise<void> {
  await countInvitation(tools, owner, id);
  await tools.db.atomic(async (sql) => {
    const user = findIn(await lockUsersOf(sql, owner.accountId), id);
    if (user.passwordHash !== null || user.blockedAt !== null) refuse(userExists, '', 'The user has a password.');
    await mailLink(tools, sql, user, 'invitation');
  });
}

function findIn(users: readonly User[], id: string): User {
  return users.find((user) => user.id === id) ?? refuse('not_found');
}

const isActiveOwner = ({ role, blockedAt, passwordHash }: User) =>
  (role === 'owner' || role === 'operator') && blockedAt === null && passwordHash !== null;

/** Refuses to leave nobody who may manage the account. */
function keepOwner(users: readonly User[], changed: User, after: User | undefined): void {
  const others = users.filter(({ id }) => id !== changed.id);
  if (isActiveOwner(changed) && ![...others, ...(after ? [after] : [])].some(isActiveOwner)) refuse(lastOwner);
}

interface UserChange {
  readonly role?: UserRole | undefined;
  readonly blocked?: boolean | undefined;
}

/** Changes the role, blocks or unblocks. Blocking ends all sessions and links. */
export function changeUser(tools: IdentityTools, { user }: Person, id: string, change: UserChange): Promise<User> {
  return changeUserOf(tools, user.accountId, id, change);
}

function changeUserOf(
  tools: IdentityTools,
  accountId: AccountId | null,
  id: string,
  { role, blocked }: UserChange,
): Promise<User> {
  return tools.db.atomic(async (sql) => {
    const users = await lockUsersOf(sql, accountId);
    const user = findIn(users, id);
    if (role !== undefined && (role === 'operator') !== (accountId === null)) refuseRole(accountId);
    const now = tools.wall.now();
    const blockedAt = blocked === undefined ? user.blockedAt : blocked ? (user.blockedAt ?? now) : null;
    const after: User = { ...user, role: role ?? user.role, blockedAt, modifiedAt: now };
    keepOwner(users, user, after);
    await updateUser(sql, after);
    if (blocked) await deleteLinks(sql, id);
    if (blocked) await deleteSessions(sql, id, null);
    return after;
  });
}

export function removeUser(tools: IdentityTools, { user: owner }: Person, id: string): Promise<void> {
  return tools.db.atomic(async (sql) => {
    const users = await lockUsersOf(sql, owner.accountId);
    const user = findIn(users, id);
    keepOwner(users, user, undefined);
    await deleteUser(sql, id);
  });
}

const commandClient = { address: '', userAgent: 'grosz user', cookie: '', origin: undefined };

/** What the operator does on the command line is in the audit log too. */
function asOperator(user: User, action: string): AuditedAction {
  const actor = { userId: null, email: commandLine, accountId: user.accountId, client: commandClient };
  return { actor, action, target: user.email, subjectId: user.id };
}

/** For the command line: a link to set a new password; the second factor can be removed with it. */
export function linkFor(tools: IdentityTools, user: User, withoutSecondFactor: boolean): Promise<string> {
  return audited(tools, asOperator(user, withoutSecondFactor ? 'reset_second_factor' : 'make_link'), () =>
    tools.db.atomic(async (sql) => {
      const row = (await lockUser(sql, user.id)) ?? refuse('not_found');
      if (withoutSecondFactor) await removeSecondFactors(sql, row, tools.wall.now());
      return makeLink(tools, sql, row, row.passwordHash === null ? 'invitation' : 'reset');
    }),
  );
}

async function removeSecondFactors(sql: Sql, user: User, modifiedAt: Temporal.Instant): Promise<void> {
  await updateUser(sql, { ...user, totpSealed: null, totpNewSealed: null, modifiedAt });
  await replaceRecoveryCodes(sql, user.id, []);
  await deletePasskeys(sql, user.id);
}

/** For the command line. */
export function setUserBlocked(tools: IdentityTools, user: User, blocked: boolean): Promise<void> {
  return audited(tools, asOperator(user, blocked ? 'block_user' : 'unblock_user'), async () => {
    await changeUserOf(tools, user.accountId, user.id, { blocked });
  });
}
