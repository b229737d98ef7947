// Who is signed in, and what they may do. The service decides; this only hides what would be refused.

import { useSuspenseQuery } from '@tanstack/react-query';
import { call, read, setCsrfToken } from './client.ts';
import type { Answer } from './endpoints.ts';

export type Session = Answer<'GET /panel/api/session'>;

export const sessionQuery = {
  ...read('GET /panel/api/session'),
  queryFn: async () => {
    const session = await call('GET /panel/api/session');
    setCsrfToken(session.csrfToken);
    return session;
  },
  staleTime: 60_000,
};

/** Everything inside the shell has a session. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/**
 * Who may use a screen or an action. account: whoever sees an account; write: who may change something in it; owner:
 * owners, and operators; accountOwner: owners with an account; marketplace: partners, and accounts that sell on a
 * marketplace; sandbox, sandboxOperator: where money is not real.
 */
export type Who =
  | 'anyone'
  | 'account'
  | 'write'
  | 'owner'
  | 'accountOwner'
  | 'marketplace'
  | 'operator'
  | 'sandbox'
  | 'sandboxOperator';

export function may(session: Session, who: Who): boolean {
  const { account, user, readOnly, viewing, mode } = session;
  switch (who) {
    case 'anyone':
      return true;
    case 'account':
      return account !== null;
    case 'write':
      return account !== null && !readOnly && user.role !== 'read_only';
    case 'owner':
      return !viewing && (user.role === 'owner' || user.role === 'operator');
    case 'accountOwner':
      return account !== null && may(session, 'owner');
    case 'marketplace':
      return account !== null && (account.marketplace || account.kind === 'partner');
    case 'operator':
      return user.role === 'operator' && !viewing;
    case 'sandbox':
      return account !== null && mode === 'sandbox';
    case 'sandboxOperator':
      return mode === 'sandbox' && may(session, 'operator');
  }
}

export function useMay(who: Who): boolean {
  return may(useSession(), who);
}
