// From a bearer token to the merchant that a request is for. A small cache of tokens keeps the database out of the hot
// path; an entry lives for less than a second, so a revocation counts everywhere within one.

import { hash } from 'node:crypto';
import { type AccountId, idFrom, refuse } from '../kernel/index.ts';
import type { Authenticate, Caller } from '../platform/index.ts';
import type { World } from '../world.ts';
import { readBearer, writeClientId } from './rules.ts';
import { type AccountRow, findSellerOf, findToken, type TokenRow } from './store.ts';

const freshMilliseconds = 900;
const entriesAtMost = 20_000;

/** The account that a request is for, with what its handlers need to know. */
export interface Merchant extends AccountRow, Caller {
  readonly id: AccountId;
  readonly callerId: AccountId;
  readonly token: {
    readonly clientId: string;
    readonly scope: string;
    readonly issuedAt: Temporal.Instant;
    readonly expiresAt: Temporal.Instant;
  };
}

interface Entry {
  readonly merchant: Merchant;
  /** Milliseconds of the wall clock, like the next. */
  readonly askedAt: number;
  readonly expiresAt: number;
}

/** Missing, malformed, unknown, expired and revoked tokens are refused alike; a foreign X-Merchant-Id is not found. */
export function openAuthenticate(world: World): Authenticate<Merchant> {
  const fresh = new Map<string, Entry>();
  const asking = new Map<string, Promise<Merchant>>();

  async function ask(token: string, merchantId: string | undefined): Promise<Merchant> {
    const row = await findToken(world.db.sql, hash('sha256', token, 'buffer'), world.wall.now());
    if (!row) return refuse('invalid_token');
    return merchantOf(world, row, await actingAs(row, merchantId));
  }

  async function actingAs(row: TokenRow, merchantId: string | undefined): Promise<AccountRow> {
    if (merchantId === undefined || merchantId === row.account.id) return row.account;
    const id = idFrom<AccountId>(merchantId);
    if (!id || row.account.kind !== 'partner') return refuse('not_found');
    return (await findSellerOf(world.db.sql, row.account.id, id)) ?? refuse('not_found');
  }

  /** Old entries count for nothing, and tokens are not kept longer than they are of use. The oldest come first. */
  function forgetOld(now: number): void {
    for (const [key, { askedAt }] of fresh) {
      if (now - askedAt < freshMilliseconds) return;
      fresh.delete(key);
    }
  }

  /** Requests that come while one asks for the same token wait for its answer. */
  function askOnce(key: string, token: string, merchantId: string | undefined): Promise<Merchant> {
    const running = asking.get(key);
    if (running) return running;
    const askedAt = world.wall.now().epochMilliseconds;
    const promise = ask(token, merchantId)
      .then((merchant) => {
        forgetOld(askedAt);
        if (fresh.size >= entriesAtMost) fresh.clear();
        fresh.set(key, { merchant, askedAt, expiresAt: merchant.token.expiresAt.epochMilliseconds });
        return merchant;
      })
      .finally(() => asking.delete(key));
    asking.set(key, promise);
    return promise;
  }

  // No header has a line break, so no token can bring its merchant along.
  const keyOf = (authorization: string, merchantId: string | undefined) =>
    merchantId === undefined ? authorization : `${authorization}\n${merchantId}`;

  return {
    known(authorization = '', merchantId) {
      const entry = fresh.get(keyOf(authorization, merchantId));
      if (!entry) return undefined;
      const now = world.wall.now().epochMilliseconds;
      const age = now - entry.askedAt;
      // Below zero the clock was set back, and nobody knows how old the entry is.
      return age >= 0 && age < freshMilliseconds && entry.expiresAt > now ? entry.merchant : undefined;
    },
    async ask(authorization = '', merchantId) {
      const token = readBearer(authorization) ?? refuse('invalid_token');
      const key = keyOf(authorization, merchantId);
      fresh.delete(key);
      return askOnce(key, token, merchantId);
    },
  };
}

function merchantOf(world: World, row: TokenRow, account: AccountRow): Merchant {
  return {
    ...account,
    callerId: row.account.id,
    readOnly: row.credentialKind === 'read_only',
    operator: row.credentialKind === 'operator',
    requestsPerSecond: row.account.ownRequestsPerSecond ?? world.config.requestsPerSecond,
    token: {
      clientId: writeClientId(row.account.id, row.credentialId),
      scope: row.scope,
      issuedAt: row.issuedAt,
      expiresAt: row.expiresAt,
    },
  };
}
