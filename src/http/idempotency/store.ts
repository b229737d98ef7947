// SQL of idempotency keys. Owns: idempotency_key.

import {
  type BatchOf,
  type Given,
  given,
  type RowOf,
  readText,
  readTextOrNull,
  type Sql,
} from '../../database/index.ts';
import { idempotencyKeyTable } from './table.ts';

export type KeyRow = RowOf<typeof idempotencyKeyTable>;

const newColumns = {
  ...idempotencyKeyTable.types(
    'accountId',
    'key',
    'requestHash',
    'method',
    'path',
    'claim',
    'node',
    'startedAt',
    'leaseUntil',
  ),
  // In hex.
  seed: 'text',
};

export type NewKey = Given<KeyRow, Omit<typeof newColumns, 'seed'>> & { readonly seed: string };

/** One run's claim on a key. */
export interface Claim {
  /** Random, so that of two runs with the same key neither ends the other's claim. */
  readonly id: string;
  /** The process; null if it does not beat. */
  readonly node: string | null;
  readonly accountId: string;
  readonly key: string;
  readonly seed: Uint8Array;
  readonly startedAt: Temporal.Instant;
  readonly leaseUntil: Temporal.Instant;
  /** Whether an earlier run had the key. */
  readonly resumed: boolean;
}

/** Inserts new keys; returns for each whether it was new. Holds no lock afterwards: the row itself is the lock. */
export const insertKey: BatchOf<NewKey, boolean> = {
  name: 'idempotency key',
  showsHealth: true,
  async execute(sql, rows) {
    const seeds = await sql.many((row) => readText(row, 'seed'))`
      insert into idempotency_key (account_id, key, request_hash, method, path, seed, claim, node, started_at, lease_until)
      select account_id, key, request_hash, method, path, decode(seed, 'hex'), claim, node, started_at, lease_until
        from ${given(rows, newColumns)}
      on conflict (account_id, key) do nothing
      returning encode(seed, 'hex') as seed`;
    const inserted = new Set(seeds);
    return rows.map((row) => inserted.has(row.seed));
  },
};

/** Keys by account and name; no lock. Concurrent lookups are batched. */
export const findKey: BatchOf<{ readonly accountId: string; readonly key: string }, KeyRow | undefined> = {
  name: 'idempotency look',
  showsHealth: true,
  async execute(sql, wanted) {
    const names = wanted.map(({ accountId, key }) => ({ accountId, key }));
    const rows = await sql.many(idempotencyKeyTable.read)`
      select kept.* from idempotency_key as kept
        join ${given(names, idempotencyKeyTable.types('accountId', 'key'))}
          on kept.account_id = given.account_id and kept.key = given.key`;
    const known = new Map(rows.map((row) => [`${row.accountId} ${row.key}`, row]));
    return wanted.map(({ accountId, key }) => known.get(`${accountId} ${key}`));
  },
};

/** Takes over a run whose lease or process ended; changes nothing if another run was faster. */
export async function takeOverKey(
  sql: Sql,
  row: Pick<KeyRow, 'accountId' | 'key' | 'claim'>,
  { id, node, leaseUntil }: Pick<Claim, 'id' | 'node' | 'leaseUntil'>,
): Promise<boolean> {
  const changed = await sql.run`
    update idempotency_key set claim = ${id}, node = ${node}, lease_until = ${leaseUntil}
     where account_id = ${row.accountId} and key = ${row.key} and answered_at is null and claim = ${row.claim}`;
  return changed === 1;
}

/**
 * Locks the key's row until the end of the transaction and returns the stored result of its effect, null if there is
 * none, and the run that holds the key. Undefined if the key is gone.
 */
export function lockDone(
  sql: Sql,
  accountId: string,
  key: string,
): Promise<{ readonly done: string | null; readonly claim: string } | undefined> {
  return sql.maybeOne((found) => ({ done: readTextOrNull(found, 'done'), claim: readText(found, 'claim') }))`
    select done, claim from idempotency_key where account_id = ${accountId} and key = ${key} for update`;
}

/** In the transaction of the effect itself. */
export async function saveDone(sql: Sql, accountId: string, key: string, done: string): Promise<void> {
  await sql.run`update idempotency_key set done = ${done} where account_id = ${accountId} and key = ${key}`;
}

const answerColumns = idempotencyKeyTable.types('accountId', 'key', 'status', 'body', 'answeredAt');

export type KeptAnswer = Given<KeyRow, typeof answerColumns>;

/** Stores responses; the first response of a key is kept. */
export const keepAnswer: BatchOf<KeptAnswer, void> = {
  name: 'idempotency answer',
  async execute(sql, rows) {
    await sql.run`
      update idempotency_key as kept
         set status = given.status, body = given.body, answered_at = given.answered_at
        from ${given(rows, answerColumns)}
       where kept.account_id = given.account_id and kept.key = given.key and kept.answered_at is null`;
    return rows.map(() => undefined);
  },
};

/** Ends the leases of runs that failed on our side; returns the ids of the claims that it found. */
export async function releaseKeys(sql: Sql, claims: readonly Claim[], now: Temporal.Instant): Promise<string[]> {
  const rows = claims.map(({ accountId, key, id }) => ({ accountId, key, claim: id }));
  return sql.many((row) => readText(row, 'claim'))`
    update idempotency_key as kept set lease_until = ${now}
      from ${given(rows, idempotencyKeyTable.types('accountId', 'key', 'claim'))}
     where kept.account_id = given.account_id and kept.key = given.key and kept.claim = given.claim
       and kept.answered_at is null and kept.lease_until > ${now}
    returning kept.claim`;
}

/** Deletes a key that only this claim ever had. */
export async function deleteKey(sql: Sql, { accountId, key, id }: Claim): Promise<void> {
  await sql.run`
    delete from idempotency_key
     where account_id = ${accountId} and key = ${key} and claim = ${id} and answered_at is null and done is null`;
}

/** Deletes keys older than `before`, at most `atMost`. */
export function deleteOldKeys(sql: Sql, before: Temporal.Instant, atMost: number): Promise<number> {
  return sql.run`
    delete from idempotency_key
     where (account_id, key) in (
       select account_id, key from idempotency_key where started_at < ${before} order by started_at limit ${atMost})`;
}
