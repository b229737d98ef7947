// Idempotency-Key (docs/decisions/0015): same key and body, same response; another body, 422; still running, 409; kept
// for 72 hours.
//
// The key's row is written before the request runs and contains a seed. All ids of the request are derived from that
// seed, so a request that runs again after a crash creates the same rows and finds what the first run left.
//
// A key is released in one case only: `check` refused the first run of its request, before `perform` began. Whatever
// `perform` returns is stored, including refusals; if it throws, the key is left to the next run, which continues.

import { createHash } from 'node:crypto';
import type { Database, Nodes, Sql } from '../../database/index.ts';
import { canonicalJson, Refusal, refuse, Unavailable, ulid } from '../../kernel/index.ts';
import type { Clock, Ids, Random, Vault } from '../../runtime/index.ts';
import { pause } from '../../runtime/index.ts';
import { KeyReturns } from './returns.ts';
import {
  type Claim,
  deleteKey,
  deleteOldKeys,
  findKey,
  insertKey,
  type KeyRow,
  keepAnswer,
  lockDone,
  saveDone,
  takeOverKey,
} from './store.ts';

export const keptFor = Temporal.Duration.from({ hours: 72 });

/** Longer than any request may run; after it a retry takes over, or earlier if the process of the run is dead. */
const leaseFor = Temporal.Duration.from({ seconds: 60 });

/** Keyed: bodies contain BLIK codes and card data, which could be guessed from a plain hash. */
const hashPurpose = 'idempotent request';

/** How long a repeat waits for the previous run, polling; it holds no connection meanwhile. */
const waitAtMostMilliseconds = 2_000;
const firstLookMilliseconds = 20;
const lookEveryMilliseconds = 250;

const keyShape = /^[\x21-\x7e]{1,255}$/;

export interface KeyedRequest {
  readonly accountId: string;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** A refusal that applies to new requests only, because the rules may have changed since the first run. */
  readonly refusal?: Refusal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

type Plain = string | number | boolean | null | { readonly [name: string]: Plain };

/**
 * Runs the work in one database transaction, once per key: a repeat gets what the first run committed. For effects that
 * no id makes unique; at most one per request. `prepare` runs before the transaction begins, and is skipped if an
 * earlier run did the work.
 */
export type Once = <T extends Plain, P = undefined>(
  work: (sql: Sql, prepared: P) => Promise<T>,
  prepare?: () => Promise<P>,
) => Promise<T>;

/** How a request runs: for the first time, or again after a run that may have stopped anywhere. */
export interface Run {
  readonly ids: Ids;
  readonly resumed: boolean;
  readonly once: Once;
}

/** What a request does under its key. `check` changes nothing, neither here nor at the bank. */
export interface Plan {
  check(): Promise<unknown> | unknown;
  perform(): Promise<Answer>;
}

export interface Idempotency {
  /** Runs the request once per key and returns the stored response to later ones. */
  run(request: KeyedRequest, plan: (run: Run) => Plan): Promise<Answer & { replayed: boolean }>;
  /** For requests without a key: nobody repeats them. */
  readonly once: Once;
  find(accountId: string, key: string): Promise<KeyRow | undefined>;
  /** Releases pending keys and stops. */
  close(): Promise<void>;
}

export type { KeyRow };

export interface IdempotencyTools {
  readonly db: Database;
  /** Keys expire by the wall clock, whatever the sandbox clock says. */
  readonly wall: Clock;
  readonly random: Random;
  readonly vault: Vault;
  /** Which processes are alive; without it only leases end runs. */
  readonly nodes?: Pick<Nodes, 'self' | 'isDead'>;
  /** How long a repeat waits for the previous run. */
  readonly waitMilliseconds?: number;
}

export function openIdempotency(tools: IdempotencyTools): Idempotency {
  return new Keys(tools);
}

class Keys implements Idempotency {
  readonly #tools: IdempotencyTools;
  readonly #returns: KeyReturns;
  readonly once: Once;

  constructor(tools: IdempotencyTools) {
    this.#tools = tools;
    this.#returns = new KeyReturns(tools.db, tools.wall);
    this.once = onceIn(tools.db);
  }

  async run(request: KeyedRequest, plan: (run: Run) => Plan): Promise<Answer & { replayed: boolean }> {
    if (!keyShape.test(request.key)) {
      refuse('not_valid', 'Idempotency-Key', 'Must have 1 to 255 visible ASCII characters.');
    }
    const claim = await this.#begin(request);
    if ('status' in claim) return { ...claim, replayed: true };
    let checked = claim.resumed;
    try {
      const { check, perform } = plan(runOf(this.#tools.db, claim));
      if (!checked) await check();
      checked = true;
      const answer = await perform();
      const { accountId, key } = request;
      const answeredAt = this.#tools.wall.now().toString();
      await this.#tools.db.batch(keepAnswer, { accountId, key, ...answer, answeredAt });
      return { ...answer, replayed: false };
    } catch (error) {
      if (!checked && error instanceof Refusal) await this.#forget(claim);
      else this.#returns.add(claim);
      throw error;
    }
  }

  /** A key with an invalid format is not looked up. */
  async find(accountId: string, key: string): Promise<KeyRow | undefined> {
    return keyShape.test(key) ? this.#tools.db.batch(findKey, { accountId, key }) : undefined;
  }

  close(): Promise<void> {
    return this.#returns.close();
  }

  /** Returns the response of an earlier run, or claims the key. Waits a moment for a run in progress. */
  async #begin(request: KeyedRequest): Promise<Answer | Claim> {
    const compared = textOf(request);
    const waitUntil = performance.now() + (this.#tools.waitMilliseconds ?? waitAtMostMilliseconds);
    let isNew = request.refusal === undefined;
    for (let wait = firstLookMilliseconds; ; wait = Math.min(wait * 2, lookEveryMilliseconds)) {
      const claim = this.#newClaim(request);
      if (isNew && (await this.#insert(request, compared, claim))) return claim;
      const row = await this.#tools.db.batch(findKey, request);
      const found = row && (await this.#outcomeOf(row, claim, compared, request.refusal));
      if (found) return found;
      if (!row && request.refusal) throw request.refusal;
      // Without a row, the previous run was refused and released the key.
      isNew = !row;
      if (performance.now() + wait > waitUntil) throw new Unavailable('request_in_progress');
      await pause(wait);
    }
  }

  #newClaim({ accountId, key }: KeyedRequest): Claim {
    const { wall, random, nodes } = this.#tools;
    const now = wall.now();
    return {
      id: Buffer.from(random.bytes(16)).toString('hex'),
      node: nodes?.self ?? null,
      accountId,
      key,
      seed: random.bytes(16),
      startedAt: now,
      leaseUntil: now.add(leaseFor),
      resumed: false,
    };
  }

  /** The outcome for an existing key; undefined while its run is in progress. */
  async #outcomeOf(
    row: KeyRow,
    claim: Claim,
    compared: string,
    refusal: Refusal | undefined,
  ): Promise<Answer | Claim | undefined> {
    const isSame = this.#tools.vault.isMacOf(row.requestHash, compared, hashPurpose);
    if (!isSame) throw refusal ?? refuse('idempotency_key_reused');
    if (row.status !== null && row.body !== null) return { status: row.status, body: row.body };
    // Our own, if a batch of inserts was written twice.
    if (row.claim === claim.id) return claim;
    if (!(await this.#takeOver(row, claim))) return undefined;
    return { ...claim, seed: row.seed, startedAt: row.startedAt, resumed: true };
  }

  #insert({ accountId, key, method, path }: KeyedRequest, compared: string, claim: Claim): Promise<boolean> {
    const { id, node, startedAt, leaseUntil } = claim;
    const row = {
      accountId,
      key,
      requestHash: this.#tools.vault.mac(compared, hashPurpose),
      method,
      path,
      seed: Buffer.from(claim.seed).toString('hex'),
      claim: id,
      node,
      startedAt: startedAt.toString(),
      leaseUntil: leaseUntil.toString(),
    };
    return this.#claimed(claim, this.#tools.db.batch(insertKey, row));
  }

  async #takeOver(row: KeyRow, claim: Claim): Promise<boolean> {
    const { db, wall, nodes } = this.#tools;
    const expired = Temporal.Instant.compare(row.leaseUntil, wall.now()) <= 0;
    if (!expired && !(row.node !== null && nodes?.isDead(row.node))) return false;
    return this.#claimed(claim, takeOverKey(db.sql, row, claim));
  }

  /** If it is unknown whether the claim was written, it is released. */
  async #claimed<T>(claim: Claim, claiming: Promise<T>): Promise<T> {
    try {
      return await claiming;
    } catch (error) {
      if (!(error instanceof Unavailable)) this.#returns.add(claim);
      throw error;
    }
  }

  /** Only before the first effect: see above. */
  async #forget(claim: Claim): Promise<void> {
    await deleteKey(this.#tools.db.sql, claim).catch(() => this.#returns.add(claim));
  }
}

function runOf(db: Database, { id, accountId, key, seed, startedAt, resumed }: Claim): Run {
  let used = false;
  return {
    ids: seededIds(seed, startedAt),
    resumed,
    async once<T extends Plain, P>(work: (sql: Sql, prepared: P) => Promise<T>, prepare?: () => Promise<P>) {
      if (used) throw new Error('A request has one effect of this kind.');
      used = true;
      const before = resumed ? await db.batch(findKey, { accountId, key }) : undefined;
      if (before && before.done !== null) return JSON.parse(before.done) as T;
      const prepared = (await prepare?.()) as P;
      return db.atomic(async (sql) => {
        const locked = await lockDone(sql, accountId, key);
        if (locked && locked.done !== null) return JSON.parse(locked.done) as T;
        // The process was frozen, and another one took over: the effect is the other run's.
        if (locked?.claim !== id) throw new Unavailable('request_in_progress');
        const result = await work(sql, prepared);
        await saveDone(sql, accountId, key, JSON.stringify(result));
        return result;
      });
    },
  };
}

/** For work that nobody repeats: no key remembers it. */
export function onceIn(db: Database): Once {
  return async (work, prepare) => {
    const prepared = await prepare?.();
    return db.atomic((sql) => work(sql, prepared as Parameters<typeof work>[1]));
  };
}

/** What two requests with the same key must have in common. */
function textOf({ method, path, body }: KeyedRequest): string {
  return `${method} ${path}\n${canonicalJson(body)}`;
}

/** The same seed gives the same ids in the same order, in every process. */
function seededIds(seed: Uint8Array, startedAt: Temporal.Instant): Ids {
  let drawn = 0;
  return {
    ulid() {
      drawn += 1;
      const digest = createHash('sha256').update(seed).update(String(drawn)).digest();
      return ulid(startedAt.epochMilliseconds, digest);
    },
  };
}

/** Deletes keys older than 72 hours; returns how many. */
export function forgetOldKeys(db: Database, wall: Clock, atMost: number): Promise<number> {
  return deleteOldKeys(db.sql, wall.now().subtract(keptFor), atMost);
}
