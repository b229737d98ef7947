// Idempotency-Key (decisions 11): same key and body, same answer; another body 422; still running 409; kept 72 hours.
//
// The key's row is written before the request runs and carries a seed. All ids of the request come from that seed, so a
// request that runs again after a crash makes the same rows and finds what the first run left.

import { createHash } from 'node:crypto';
import { canonicalJson, Refusal, refuse, ulid } from '../../kernel/index.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import type { Ids, Random } from '../random.ts';
import type { Vault } from '../vault.ts';
import {
  deleteKey,
  deleteOldKeys,
  findKey,
  insertKey,
  type KeyRow,
  keepAnswer,
  releaseKey,
  takeOverKey,
} from './store.ts';

export const keptFor = Temporal.Duration.from({ hours: 72 });

/** Longer than any request may run; after it a retry takes over. */
const leaseFor = Temporal.Duration.from({ seconds: 60 });

/** Keyed: bodies hold BLIK codes and card data, which a plain hash would let anybody try out who reads the table. */
const hashPurpose = 'idempotent request';

const keyShape = /^[\x21-\x7e]{1,255}$/;

export interface KeyedRequest {
  readonly accountId: string;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface Idempotency {
  /** Runs the request once for its key and answers every later one with the kept answer. */
  run(request: KeyedRequest, work: (ids: Ids) => Promise<Answer>): Promise<Answer & { replayed: boolean }>;
  find(accountId: string, key: string): Promise<KeyRow | undefined>;
}

export type { KeyRow };

/** `wall`: keys are kept by the wall clock, whatever the sandbox's clock says. */
export function openIdempotency(db: Database, wall: Clock, random: Random, vault: Vault): Idempotency {
  async function begin(
    request: KeyedRequest,
    requestHash: string,
  ): Promise<KeyRow | { seed: Uint8Array; startedAt: Temporal.Instant }> {
    const startedAt = wall.now();
    const seed = random.bytes(16);
    const inserted = await db.batch(insertKey, {
      accountId: request.accountId,
      key: request.key,
      requestHash,
      method: request.method,
      path: request.path,
      seed: Buffer.from(seed).toString('hex'),
      startedAt: startedAt.toString(),
      leaseUntil: startedAt.add(leaseFor).toString(),
    });
    if (inserted) return { seed, startedAt };
    const row = await findKey(db.sql, request.accountId, request.key);
    // The row can vanish between the two statements only by its 72 hours ending just now.
    return row ?? refuse('request_in_progress');
  }

  async function answerOf(row: KeyRow, compared: string): Promise<Answer | undefined> {
    if (!vault.isMacOf(row.requestHash, compared, hashPurpose)) refuse('idempotency_key_reused');
    if (row.answeredAt !== null && row.status !== null && row.body !== null) {
      return { status: row.status, body: row.body };
    }
    const now = wall.now();
    const taken = await takeOverKey(db.sql, row, now, now.add(leaseFor));
    if (!taken) refuse('request_in_progress');
    return undefined;
  }

  return {
    async run(request, work) {
      if (!keyShape.test(request.key)) {
        refuse('not_valid', 'Idempotency-Key', 'The key must have 1 to 255 visible ASCII characters.');
      }
      const compared = `${request.method} ${request.path}\n${canonicalJson(request.body)}`;
      const begun = await begin(request, vault.mac(compared, hashPurpose));
      if ('requestHash' in begun) {
        const kept = await answerOf(begun, compared);
        if (kept) return { ...kept, replayed: true };
      }
      const { accountId, key } = request;
      let answer: Answer | undefined;
      try {
        answer = await work(seededIds(begun.seed, begun.startedAt));
        const { status, body } = answer;
        await db.batch(keepAnswer, { accountId, key, status, body, answeredAt: wall.now().toString() });
        return { ...answer, replayed: false };
      } catch (error) {
        // A refusal by the work means that nothing was done, so the mended request may use the key. Otherwise, and when
        // only the answer could not be kept, the next try goes on from the same seed.
        await (answer === undefined && error instanceof Refusal
          ? deleteKey(db.sql, accountId, key)
          : releaseKey(db.sql, accountId, key, wall.now())
        ).catch(() => undefined);
        throw error;
      }
    },
    // A key that nobody could have given is not looked for.
    find: async (accountId, key) => (keyShape.test(key) ? findKey(db.sql, accountId, key) : undefined),
  };
}

/** The same seed gives the same ids in the same order. */
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

/** Forgets what is older than 72 hours; answers how many keys went. */
export function forgetOldKeys(db: Database, wall: Clock, atMost: number): Promise<number> {
  return deleteOldKeys(db.sql, wall.now().subtract(keptFor), atMost);
}
