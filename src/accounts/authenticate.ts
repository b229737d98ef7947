// Authenticates a bearer token and finds the merchant of a request. A small token cache keeps the database out of the
// hot path; entries live for less than a second, so a revocation takes effect everywhere within one.

import { hash } from 'node:crypto';
import type { Authenticate, Caller, TokenOwner } from '../http/index.ts';
import { type AccountId, idFrom, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { formatClientId, readBearer } from './rules.ts';
import { type AccountRow, findSellerOf, findToken, type TokenRow } from './store.ts';

const freshMilliseconds = 900;
const entriesAtMost = 20_000;

/** The account of a request, with what its handlers need. */
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

interface Entry extends TokenOwner<Merchant> {
  readonly own: Merchant;
  /** Sellers looked up so far. */
  readonly sellers: Map<string, Merchant>;
  /** Milliseconds of the wall clock, like the next. */
  readonly askedAt: number;
  readonly expiresAt: number;
}

/** The same words whether there is such an account or not. */
function refuseAccount(): never {
  const message = 'X-Merchant-Id names no account that this credential may act for.';
  return refuse(
    'not_found',
    'X-Merchant-Id',
    message,
    'Leave the header out, or send your own id; a partner may send that of a seller.',
  );
}

/** Missing, malformed, unknown, expired and revoked tokens are refused alike; a foreign X-Merchant-Id is not found. */
export function openAuthenticate(tools: Tools): Authenticate<Merchant> {
  return new KnownTokens(tools);
}

/** Tokens that were looked up a moment ago, and lookups in progress. */
class KnownTokens implements Authenticate<Merchant> {
  readonly #tools: Tools;
  readonly #fresh = new Map<string, Entry>();
  readonly #asking = new Map<string, Promise<Entry>>();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  known(authorization = '', merchantId?: string): Merchant | undefined {
    const entry = this.#freshEntry(authorization);
    if (merchantId === undefined || merchantId === entry?.own.id) return entry?.own;
    return entry?.sellers.get(merchantId);
  }

  isAsking(authorization = ''): boolean {
    return this.#asking.has(authorization);
  }

  async ask(authorization = ''): Promise<Entry> {
    const token = readBearer(authorization) ?? refuse('invalid_token');
    return this.#freshEntry(authorization) ?? this.#askOnce(authorization, token);
  }

  #freshEntry(authorization: string): Entry | undefined {
    const entry = this.#fresh.get(authorization);
    if (!entry) return undefined;
    const now = this.#tools.wall.now().epochMilliseconds;
    const age = now - entry.askedAt;
    // A negative age means that the clock was set back, so the real age is unknown.
    return age >= 0 && age < freshMilliseconds && entry.expiresAt > now ? entry : undefined;
  }

  /** Requests with a token that is being looked up share the lookup. */
  #askOnce(authorization: string, token: string): Promise<Entry> {
    const running = this.#asking.get(authorization);
    if (running) return running;
    const askedAt = this.#tools.wall.now().epochMilliseconds;
    const promise = this.#find(token, askedAt)
      .then((entry) => {
        this.#forgetOld(askedAt);
        if (this.#fresh.size >= entriesAtMost) this.#fresh.clear();
        // Reinserted at the end: the map is in order of age.
        this.#fresh.delete(authorization);
        this.#fresh.set(authorization, entry);
        return entry;
      })
      .finally(() => this.#asking.delete(authorization));
    this.#asking.set(authorization, promise);
    return promise;
  }

  async #find(token: string, askedAt: number): Promise<Entry> {
    const { db, wall } = this.#tools;
    const row = await findToken(db.sql, hash('sha256', token, 'buffer'), wall.now());
    return row ? entryOf(this.#tools, row, askedAt) : refuse('invalid_token');
  }

  /** Old entries are useless, and tokens should not be kept longer than needed. The oldest come first. */
  #forgetOld(now: number): void {
    for (const [key, { askedAt }] of this.#fresh) {
      if (now - askedAt < freshMilliseconds) return;
      this.#fresh.delete(key);
    }
  }
}

function entryOf(tools: Tools, row: TokenRow, askedAt: number): Entry {
  const own = merchantOf(tools, row, row.account);
  const { callerId, requestsPerSecond, token } = own;
  const sellers = new Map<string, Merchant>();
  return {
    callerId,
    requestsPerSecond,
    own,
    sellers,
    askedAt,
    expiresAt: token.expiresAt.epochMilliseconds,
    async actAs(merchantId) {
      if (merchantId === undefined || merchantId === own.id) return own;
      const id = row.account.kind === 'partner' ? idFrom<AccountId>(merchantId) : undefined;
      const seller = (id && (await findSellerOf(tools.db.sql, row.account.id, id))) ?? refuseAccount();
      const merchant = merchantOf(tools, row, seller);
      sellers.set(merchantId, merchant);
      return merchant;
    },
  };
}

function merchantOf(tools: Tools, row: TokenRow, account: AccountRow): Merchant {
  return {
    ...account,
    callerId: row.account.id,
    readOnly: row.credentialKind === 'read_only',
    operator: row.credentialKind === 'operator',
    requestsPerSecond: row.account.ownRequestsPerSecond ?? tools.config.requestsPerSecond,
    token: {
      clientId: formatClientId(row.account.id, row.credentialId),
      scope: row.scope,
      issuedAt: row.issuedAt,
      expiresAt: row.expiresAt,
    },
  };
}
