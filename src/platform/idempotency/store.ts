// SQL of idempotency keys. Owns: idempotency_key.

import {
  type BatchOf,
  jsonRows,
  type Row,
  readBytes,
  readInstant,
  readInstantOrNull,
  readIntegerOrNull,
  readText,
  readTextOrNull,
  type Sql,
} from '../db/index.ts';

export interface KeyRow {
  readonly accountId: string;
  readonly key: string;
  readonly requestHash: string;
  readonly method: string;
  readonly path: string;
  /** From this seed come the ids of the request, so that a second run after a crash makes the same rows. */
  readonly seed: Uint8Array;
  /** Which run has the key, until `leaseUntil`. */
  readonly claim: string;
  readonly startedAt: Temporal.Instant;
  readonly leaseUntil: Temporal.Instant;
  /** What the request's one effect answered, as JSON; null before it. */
  readonly done: string | null;
  readonly answeredAt: Temporal.Instant | null;
  readonly status: number | null;
  readonly body: string | null;
}

function readKey(row: Row): KeyRow {
  return {
    accountId: readText(row, 'account_id'),
    key: readText(row, 'key'),
    requestHash: readText(row, 'request_hash'),
    method: readText(row, 'method'),
    path: readText(row, 'path'),
    seed: readBytes(row, 'seed'),
    claim: readText(row, 'claim'),
    startedAt: readInstant(row, 'started_at'),
    leaseUntil: readInstant(row, 'lease_until'),
    done: readTextOrNull(row, 'done'),
    answeredAt: readInstantOrNull(row, 'answered_at'),
    status: readIntegerOrNull(row, 'status'),
    body: readTextOrNull(row, 'body'),
  };
}

export interface NewKey {
  readonly accountId: string;
  readonly key: string;
  readonly requestHash: string;
  readonly method: string;
  readonly path: string;
  readonly seed: string;
  readonly claim: string;
  readonly startedAt: string;
  readonly leaseUntil: string;
}

/** One run's hold on a key. */
export interface Claim {
  /** Random: of two runs of one key each has its own, and neither ends the other's. */
  readonly id: string;
  readonly accountId: string;
  readonly key: string;
  readonly seed: Uint8Array;
  readonly startedAt: Temporal.Instant;
  readonly leaseUntil: Temporal.Instant;
  /** Whether a run before had the key. */
  readonly resumed: boolean;
}

/** Inserts keys that are new; answers for each whether it was. No lock is held afterwards: the row itself is the lock. */
export const insertKey: BatchOf<NewKey, boolean> = {
  name: 'idempotency key',
  async write(sql, rows) {
    const seeds = await sql.many((row) => readText(row, 'seed'))`
      insert into idempotency_key (account_id, key, request_hash, method, path, seed, claim, started_at, lease_until)
      select "accountId", key, "requestHash", method, path, decode(seed, 'hex'), claim, "startedAt", "leaseUntil"
        from json_to_recordset(${jsonRows(rows)}::json) as given
             ("accountId" text, key text, "requestHash" text, method text, path text, seed text, claim text,
              "startedAt" timestamptz, "leaseUntil" timestamptz)
      on conflict (account_id, key) do nothing
      returning encode(seed, 'hex') as seed`;
    const inserted = new Set(seeds);
    return rows.map((row) => inserted.has(row.seed));
  },
};

/** Keys by account and name; no lock. Repeats that wait for a run look together. */
export const findKey: BatchOf<{ readonly accountId: string; readonly key: string }, KeyRow | undefined> = {
  name: 'idempotency look',
  async write(sql, wanted) {
    const names = wanted.map(({ accountId, key }) => ({ accountId, key }));
    const rows = await sql.many(readKey)`
      select kept.* from idempotency_key as kept
        join json_to_recordset(${jsonRows(names)}::json) as given ("accountId" text, key text)
          on kept.account_id = given."accountId" and kept.key = given.key`;
    const known = new Map(rows.map((row) => [`${row.accountId} ${row.key}`, row]));
    return wanted.map(({ accountId, key }) => known.get(`${accountId} ${key}`));
  },
};

/** Takes over a run whose lease is over; changes no row when another was faster. */
export async function takeOverKey(
  sql: Sql,
  row: Pick<KeyRow, 'accountId' | 'key' | 'claim'>,
  { id, leaseUntil }: Pick<Claim, 'id' | 'leaseUntil'>,
  now: Temporal.Instant,
): Promise<boolean> {
  const changed = await sql.run`
    update idempotency_key set claim = ${id}, lease_until = ${leaseUntil}
     where account_id = ${row.accountId} and key = ${row.key}
       and answered_at is null and claim = ${row.claim} and lease_until <= ${now}`;
  return changed === 1;
}

/** Locks the key's row until the end of the transaction and reads what its effect answered; null when there was none. */
export async function lockDone(sql: Sql, accountId: string, key: string): Promise<string | null> {
  const row = await sql.maybeOne((found) => readTextOrNull(found, 'done'))`
    select done from idempotency_key where account_id = ${accountId} and key = ${key} for update`;
  return row ?? null;
}

/** In the transaction of the effect itself. */
export async function saveDone(sql: Sql, accountId: string, key: string, done: string): Promise<void> {
  await sql.run`update idempotency_key set done = ${done} where account_id = ${accountId} and key = ${key}`;
}

export interface KeptAnswer {
  readonly accountId: string;
  readonly key: string;
  readonly status: number;
  readonly body: string;
  readonly answeredAt: string;
}

/** Keeps answers; the first answer of a key stays. */
export const keepAnswer: BatchOf<KeptAnswer, void> = {
  name: 'idempotency answer',
  async write(sql, rows) {
    await sql.run`
      update idempotency_key as kept
         set status = given.status, body = given.body, answered_at = given."answeredAt"
        from json_to_recordset(${jsonRows(rows)}::json) as given
             ("accountId" text, key text, status integer, body text, "answeredAt" timestamptz)
       where kept.account_id = given."accountId" and kept.key = given.key and kept.answered_at is null`;
    return rows.map(() => undefined);
  },
};

/** Ends the leases of runs that failed on our side, and answers the ids of the claims that it found. */
export async function releaseKeys(sql: Sql, claims: readonly Claim[], now: Temporal.Instant): Promise<string[]> {
  const rows = claims.map(({ accountId, key, id }) => ({ accountId, key, id }));
  return sql.many((row) => readText(row, 'claim'))`
    update idempotency_key as kept set lease_until = ${now}
      from json_to_recordset(${jsonRows(rows)}::json) as given ("accountId" text, key text, id text)
     where kept.account_id = given."accountId" and kept.key = given.key and kept.claim = given.id
       and kept.answered_at is null and kept.lease_until > ${now}
    returning kept.claim`;
}

/** Forgets a key that nobody but this claim ever had. */
export async function deleteKey(sql: Sql, { accountId, key, id }: Claim): Promise<void> {
  await sql.run`
    delete from idempotency_key
     where account_id = ${accountId} and key = ${key} and claim = ${id} and answered_at is null and done is null`;
}

/** Forgets keys that are older than they are kept, a bounded number at a time. */
export function deleteOldKeys(sql: Sql, before: Temporal.Instant, atMost: number): Promise<number> {
  return sql.run`
    delete from idempotency_key
     where (account_id, key) in (
       select account_id, key from idempotency_key where started_at < ${before} order by started_at limit ${atMost})`;
}
