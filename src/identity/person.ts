// From the session cookie to the person, and to the account on screen.

import { hash } from 'node:crypto';
import { type AccountRow, findAccount, findSellerOf, type Merchant } from '../accounts/index.ts';
import type { Authenticate, TokenOwner } from '../http/index.ts';
import { type AccountId, idFrom, refuse } from '../kernel/index.ts';
import type { Person, Session, User } from './model.ts';
import { idleTime, seenEvery } from './session/rules.ts';
import { type FoundSession, findSession, touchSession } from './session/store.ts';
import type { IdentityTools } from './tools.ts';

/** Enough for every screen, and for a person who clicks fast. */
const requestsPerSecond = 50;

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The session of a cookie, complete or not; a blocked user has none. */
export function findSessionOf(tools: IdentityTools, token: string): Promise<FoundSession | undefined> {
  const now = tools.wall.now();
  return findSession(tools.db.sql, hashToken(token), now, now.subtract(idleTime));
}

/** An unknown, expired and incomplete session are refused alike; a foreign X-View-As is not found. */
export function openPersons(tools: IdentityTools): Authenticate<Person> {
  async function ask(token: string | undefined): Promise<TokenOwner<Person>> {
    const found = token === undefined ? undefined : await findSessionOf(tools, token);
    if (!found?.session.complete) return refuse('invalid_token', '', 'You are not signed in.', 'Sign in again.');
    const { session, user } = found;
    const now = tools.wall.now();
    if (Temporal.Instant.compare(session.seenAt.add(seenEvery), now) <= 0) {
      await touchSession(tools.db.sql, session.id, now);
    }
    return { callerId: user.id, requestsPerSecond, actAs: (accountId) => personOf(tools, session, user, accountId) };
  }

  return { known: () => undefined, isAsking: () => false, ask };
}

async function personOf(tools: IdentityTools, session: Session, user: User, viewed?: string): Promise<Person> {
  const own = user.accountId === null ? undefined : await findAccount(tools.db.sql, user.accountId);
  if (user.accountId !== null && own?.status !== 'active') refuse('invalid_token', '', 'The account is blocked.');
  const viewing = viewed !== undefined && viewed !== user.accountId;
  const shown = viewing ? await findViewed(tools, user, own?.account, viewed) : own?.account;
  const readOnly = viewing || user.role === 'read_only';
  return {
    id: shown?.id ?? user.id,
    callerId: user.id,
    requestsPerSecond,
    readOnly,
    operator: user.role === 'operator',
    owner: !viewing && (user.role === 'owner' || user.role === 'operator'),
    user,
    session,
    viewing,
    account: shown && merchantOf(shown, session, readOnly),
  };
}

/** Partners look at their sellers, operators at everybody. */
async function findViewed(
  { db }: IdentityTools,
  user: User,
  own: AccountRow | undefined,
  viewed: string,
): Promise<AccountRow> {
  const id = idFrom<AccountId>(viewed) ?? refuse('not_found');
  if (user.role === 'operator') return (await findAccount(db.sql, id))?.account ?? refuse('not_found');
  const seller = own?.kind === 'partner' ? await findSellerOf(db.sql, own.id, id) : undefined;
  return seller ?? refuse('not_found');
}

/** The account as the routes of the API see it. */
function merchantOf(account: AccountRow, session: Session, readOnly: boolean): Merchant {
  return {
    ...account,
    callerId: account.id,
    readOnly,
    operator: false,
    requestsPerSecond,
    token: { clientId: 'panel', scope: '', issuedAt: session.createdAt, expiresAt: session.expiresAt },
  };
}
