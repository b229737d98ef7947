// Signing in: the password, then the second factor if there is one. Every sign-in makes a new session with a new token.

import type { Sql } from '../../database/index.ts';
import type { Client } from '../../http/index.ts';
import { refuse, type Secret } from '../../kernel/index.ts';
import { randomText } from '../../runtime/index.ts';
import { recordAction } from '../audit/record.ts';
import { signInFailed } from '../failures.ts';
import type { Session, User } from '../model.ts';
import { hashToken } from '../person.ts';
import type { IdentityTools } from '../tools.ts';
import { knownDeviceCookie } from './devices.ts';
import { countHalfSignIn, countSignIn, guess, passwordLimits } from './guesses.ts';
import { pendingLifetime, sessionLifetime, sessionsPerUser } from './rules.ts';
import {
  deleteOldestSessions,
  deleteSession,
  findUserByEmail,
  insertSession,
  listPasskeys,
  listRecoveryCodes,
  lockUser,
} from './store.ts';

export type SecondFactor = 'totp' | 'passkey' | 'recovery';

export interface SignedIn {
  /** For the cookie. */
  readonly token: string;
  /** What the second step accepts; empty if none is needed. */
  readonly methods: readonly SecondFactor[];
  /** The cookie that makes this device a known one, unless it is. */
  readonly device: readonly string[];
}

/** A wrong address, a wrong password, a blocked user and an invitation that was not accepted look the same. */
export async function signIn(
  tools: IdentityTools,
  { email, password }: { readonly email: string; readonly password: Secret },
  client: Client,
): Promise<SignedIn> {
  const address = email.toLowerCase();
  const user = await findUserByEmail(tools.db.sql, address);
  const right = await guess(tools, passwordLimits(tools, address, client), async () => {
    if (await tools.passwords.isRight(password, user?.passwordHash)) return user;
    await recordSignIn(tools, { email: address, user, client }, 'sign_in_failed');
    return refuse(signInFailed);
  });
  if (!right || right.blockedAt) return refuse(signInFailed);
  const methods = await secondFactorsOf(tools.db.sql, right);
  if (methods.length === 0) await countSignIn(tools, address);
  else await countHalfSignIn(tools, address, client);
  const token = await tools.db.atomic(async (sql) => {
    await checkUnchanged(sql, right, methods);
    return startSession(tools, sql, right, client, methods.length === 0);
  });
  if (methods.length > 0) return { token, methods, device: [] };
  await recordSignIn(tools, { email: address, user: right, client }, 'ok');
  return { token, methods, device: knownDeviceCookie(tools, client, address) };
}

/**
 * Trying the password takes a while: refuses if the user was blocked or changed how they sign in meanwhile. Whoever adds a
 * second factor locks the user too.
 */
async function checkUnchanged(sql: Sql, user: User, methods: readonly SecondFactor[]): Promise<void> {
  const now = await lockUser(sql, user.id);
  const isSame =
    now && now.passwordHash === user.passwordHash && now.totpSealed === user.totpSealed && now.blockedAt === null;
  if (!isSame || (await secondFactorsOf(sql, now)).join() !== methods.join()) refuse(signInFailed);
}

/** An entry in the audit log: of the user if there is one, otherwise of the address that was tried. */
export function recordSignIn(
  tools: IdentityTools,
  { email, user, client }: { readonly email: string; readonly user: User | undefined; readonly client: Client },
  outcome: string,
): Promise<void> {
  const actor = { userId: user?.id ?? null, email, accountId: user?.accountId ?? null, client };
  return recordAction(tools, { actor, action: 'sign_in', target: 'session' }, outcome);
}

async function secondFactorsOf(sql: Sql, user: User): Promise<SecondFactor[]> {
  const passkeys = await listPasskeys(sql, user.id);
  const codes = user.totpSealed === null ? [] : await listRecoveryCodes(sql, user.id);
  return [
    ...(user.totpSealed === null ? [] : (['totp'] as const)),
    ...(passkeys.length === 0 ? [] : (['passkey'] as const)),
    ...(codes.length === 0 ? [] : (['recovery'] as const)),
  ];
}

const userAgentAtMost = 300;

/** Returns the token; only its hash is stored. */
async function startSession(
  { ids, wall, random }: IdentityTools,
  sql: Sql,
  user: User,
  { address, userAgent }: Client,
  complete: boolean,
): Promise<string> {
  const token = randomText(random, 32);
  const now = wall.now();
  await insertSession(sql, {
    id: ids.ulid(),
    userId: user.id,
    tokenHash: hashToken(token),
    complete,
    challenge: null,
    address,
    userAgent: userAgent.slice(0, userAgentAtMost).toWellFormed(),
    createdAt: now,
    seenAt: now,
    expiresAt: now.add(complete ? sessionLifetime : pendingLifetime),
  });
  if (complete) await deleteOldestSessions(sql, user.id, sessionsPerUser);
  return token;
}

/** After the second factor: the pending session is replaced, so that its token is of no use. */
export async function completeSignIn(
  tools: IdentityTools,
  pending: Session,
  user: User,
  client: Client,
): Promise<SignedIn> {
  await countSignIn(tools, user.email);
  const token = await tools.db.atomic(async (sql) => {
    const now = await lockUser(sql, user.id);
    if (!now || now.blockedAt !== null || !(await deleteSession(sql, user.id, pending.id))) refuse(signInFailed);
    return startSession(tools, sql, user, client, true);
  });
  await recordSignIn(tools, { email: user.email, user, client }, 'ok');
  return { token, methods: [], device: knownDeviceCookie(tools, client, user.email) };
}
