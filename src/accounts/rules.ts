// Pure decisions about credentials and tokens (docs/decisions/0001).

import { type AccountId, type CredentialId, idFrom, refuse } from '../kernel/index.ts';
import type { AccountKind } from './table.ts';

export const tokenLifetime = Temporal.Duration.from({ seconds: 7_200 });

/** `client_id` is two ULIDs joined by `-`: the account and the credential. */
export function formatClientId(accountId: AccountId, credentialId: CredentialId): string {
  return `${accountId}-${credentialId}`;
}

export function parseClientId(clientId: string): { accountId: AccountId; credentialId: CredentialId } | undefined {
  const [account = '', credential = '', ...rest] = clientId.split('-');
  const accountId = idFrom<AccountId>(account);
  const credentialId = idFrom<CredentialId>(credential);
  return accountId && credentialId && rest.length === 0 ? { accountId, credentialId } : undefined;
}

/**
 * The token of `Authorization: Bearer …`; undefined if the header has another format or cannot be one of our tokens.
 */
export function readBearer(authorization: string | undefined): string | undefined {
  return /^Bearer ([A-Za-z0-9_-]{43})$/i.exec(authorization ?? '')?.[1];
}

/** Client id and secret from HTTP Basic; undefined if the header has another format. */
export function readBasic(authorization: string | undefined): { clientId: string; clientSecret: string } | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return { clientId: unescaped(text.slice(0, colon)), clientSecret: unescaped(text.slice(colon + 1)) };
}

/** OAuth 2.0 form-encodes both parts; plain values decode to themselves. */
function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

interface PlacedSecret {
  readonly place: number;
  readonly createdAt: Temporal.Instant;
}

/** The time of a new secret: always later than the existing ones, so that it is clear which is older. */
export function timeForSecret(present: readonly PlacedSecret[], now: Temporal.Instant): Temporal.Instant {
  const after = present.map(({ createdAt }) => createdAt.add({ milliseconds: 1 }));
  return after.reduce((latest, at) => (Temporal.Instant.compare(at, latest) > 0 ? at : latest), now);
}

/** The slot of a new secret: a free one, otherwise that of the older secret. */
export function placeForSecret(present: readonly PlacedSecret[]): 1 | 2 {
  if (!present.some(({ place }) => place === 1)) return 1;
  if (!present.some(({ place }) => place === 2)) return 2;
  const [older] = [...present].sort((left, right) => Temporal.Instant.compare(left.createdAt, right.createdAt));
  return older?.place === 2 ? 2 : 1;
}

/** Refuses accounts that are not in the partner program, or have the marketplace function switched off. */
export function requireMarketplace(account: {
  readonly kind: AccountKind;
  readonly marketplaceEnabled: boolean;
}): void {
  const fix = 'Ask the operator of the service to enable it for your account.';
  if (account.kind !== 'partner') refuse('access_denied', '', 'The account is not in the partner program.', fix);
  if (!account.marketplaceEnabled)
    refuse('access_denied', '', 'The marketplace function is not enabled for the account.', fix);
}

/** What a token may do: its credential decides that, whatever scope was asked for (docs/decisions/0001). */
export function scopeOf({ readOnly, operator }: { readonly readOnly: boolean; readonly operator: boolean }): string {
  if (readOnly) return 'read';
  return operator ? 'read write operator' : 'read write';
}
