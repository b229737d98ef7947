// Keys: whose they are, what they may do, and what is said to those that may not.

import { ApiError } from './errors.ts';
import type { AccountKeys } from './ids.ts';
import type { Scope } from './model.ts';

/** What a restricted key can be allowed, each to read or to write. */
export const groups = [
  'account',
  'balance',
  'charges',
  'confirmation_tokens',
  'customers',
  'disputes',
  'events',
  'mandates',
  'payment_intents',
  'payment_methods',
  'payouts',
  'setup_intents',
] as const;

export type Group = (typeof groups)[number];
export type Level = 'read' | 'write';
export type Permissions = { readonly [Name in Group]?: Level };

/** What a connector needs, and what the restricted key of every account has. */
export const usualPermissions: Permissions = {
  account: 'read',
  balance: 'read',
  charges: 'write',
  confirmation_tokens: 'read',
  customers: 'write',
  disputes: 'read',
  events: 'read',
  mandates: 'read',
  payment_intents: 'write',
  payment_methods: 'write',
  payouts: 'read',
  setup_intents: 'write',
};

export interface Key {
  readonly text: string;
  readonly kind: 'secret' | 'restricted' | 'publishable';
  readonly scope: Scope;
  readonly permissions: Permissions;
  readonly revoked: boolean;
}

export function keysFrom(accounts: readonly AccountKeys[]): Key[] {
  return accounts.flatMap(({ account, ...keys }) => {
    const both = (kind: Key['kind'], test: string, live: string): Key[] => [
      { text: test, kind, scope: { account, live: false }, permissions: usualPermissions, revoked: false },
      { text: live, kind, scope: { account, live: true }, permissions: usualPermissions, revoked: false },
    ];
    return [
      ...both('secret', keys.secretTest, keys.secretLive),
      ...both('restricted', keys.restrictedTest, keys.restrictedLive),
      ...both('publishable', keys.publishableTest, keys.publishableLive),
    ];
  });
}

/** The key of the header: `Bearer`, or the user name of `Basic`. */
export function keyText(authorization: string | undefined): string | undefined {
  const [scheme = '', rest = ''] = (authorization ?? '').split(' ');
  if (/^bearer$/i.test(scheme)) return rest.trim() || undefined;
  if (!/^basic$/i.test(scheme)) return undefined;
  const [user = ''] = Buffer.from(rest, 'base64').toString('utf8').split(':');
  return user || undefined;
}

const unauthorized = (message: string, code?: string) =>
  new ApiError(401, { type: 'invalid_request_error', message, ...(code && { code }) });

export function identify(keys: readonly Key[], authorization: string | undefined): Key {
  const text = keyText(authorization);
  if (text === undefined) throw unauthorized('There is no API key in the request.');
  const key = keys.find((one) => one.text === text);
  if (!key) throw unauthorized(`There is no API key ${masked(text)}.`);
  if (key.revoked) throw unauthorized(`The API key ${masked(text)} has expired.`, 'api_key_expired');
  return key;
}

export function authorize(key: Key, group: Group, level: Level, publishable: boolean): void {
  if (key.kind === 'publishable') {
    if (publishable) return;
    throw unauthorized('A publishable key cannot do this: use a secret key.', 'secret_key_required');
  }
  if (key.kind === 'secret') return;
  const has = key.permissions[group];
  if (has === 'write' || (has === 'read' && level === 'read')) return;
  throw new ApiError(403, {
    type: 'invalid_request_error',
    message: `The key ${masked(key.text)} of ${key.scope.account} lacks the permission rak_${group}_${level}.`,
  });
}

function masked(text: string): string {
  return `${text.slice(0, 8)}****${text.slice(-4)}`;
}
