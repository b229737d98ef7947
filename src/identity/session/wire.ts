// Sessions on the wire.

import type { getSession, listSessions } from '../../../contract/identity/session.ts';
import type { Static, TSchema } from '../../../contract/schema.ts';
import type { Person, Session } from '../model.ts';
import type { Passkey } from './store.ts';

/** A response without what every response has. */
type Shown<T extends TSchema> = Omit<Static<T>, 'result' | 'requestId'>;

export function serializeSession(
  { user, account, viewing, readOnly }: Person,
  {
    csrfToken,
    passkeys,
    recoveryCodesLeft,
    mode,
    status,
  }: {
    readonly csrfToken: string;
    readonly passkeys: readonly Passkey[];
    readonly recoveryCodesLeft: number;
    readonly mode: 'sandbox' | 'live';
    readonly status: 'active' | 'blocked';
  },
): Shown<(typeof getSession)['responses'][200]> {
  return {
    csrfToken,
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      role: user.role,
      language: user.language,
      secondFactor: {
        totp: user.totpSealed !== null,
        recoveryCodesLeft,
        passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({
          id,
          name,
          createdAt: createdAt.toString(),
          lastUsedAt: usedAt?.toString() ?? null,
        })),
      },
    },
    account: account
      ? {
          id: account.id,
          name: account.name,
          kind: account.kind,
          status,
          zone: account.zone,
          marketplace: account.marketplaceEnabled,
        }
      : null,
    viewing,
    readOnly,
    mode,
  };
}

export function serializeSessions(
  sessions: readonly Session[],
  current: string,
): Shown<(typeof listSessions)['responses'][200]>['sessions'] {
  return sessions.map((session) => ({
    id: session.id,
    current: session.id === current,
    createdAt: session.createdAt.toString(),
    lastSeenAt: session.seenAt.toString(),
    address: session.address,
    userAgent: session.userAgent,
  }));
}
