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
  readonly startedAt: Temporal.Instant;
  readonly leaseUntil: Temporal.Instant;
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
    startedAt: readInstant(row, 'started_at'),
    leaseUntil: readInstant(row, 'lease_until'),
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
  readonly startedAt: string;
  readonly leaseUntil: string;
}

/** Inserts keys that are new; answers for each whether it was. No lock is held afterwards: the row itself is the lock. */
export const insertKey: BatchOf<NewKey, boolean> = {
  name: 'idempotency key',
  async write(sql, rows) {
    const seeds = await sql.many((row) => readText(row, 'seed'))`
      insert into idempotency_key (account_id, key, request_hash, method, path, seed, started_at, lease_until)
      select "accountId", key, "requestHash", method, path, decode(seed, 'hex'), "startedAt", "leaseUntil"
        from json_to_recordset(${jsonRows(rows)}::json) as given
             ("accountId" text, key text, "requestHash" text, method text, path text, seed text,
              "startedAt" timestamptz, "leaseUntil" timestamptz)
      on conflict (account_id, key) do nothing
      returning encode(seed, 'hex') as seed`;
    const inserted = new Set(seeds);
    return rows.map((row) => inserted.has(row.seed));
  },
};

/** One key of one account; no lock. */
export function findKey(sql: Sql, accountId: string, key: string): Promise<KeyRow | undefined> {
  return sql.maybeOne(readKey)`
    select * from idempotency_key where account_id = ${accountId} and key = ${key}`;
}

/** Takes over a run whose lease is over; changes no row when another was faster. */
export async function takeOverKey(
  sql: Sql,
  row: KeyRow,
  now: Temporal.Instant,
  leaseUntil: Temporal.Instant,
): Promise<boolean> {
  const changed = await sql.run`
    update idempotency_key set lease_until = ${leaseUntil}
     where account_id = ${row.accountId} and key = ${row.key}
       and answered_at is null and lease_until = ${row.leaseUntil} and lease_until <= ${now}`;
  return changed === 1;
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

/** Ends the lease of a run that failed on our side, so that the next try need not wait for it. */
export async function releaseKey(sql: Sql, accountId: string, key: string, now: Temporal.Instant): Promise<void> {
  await sql.run`
    update idempotency_key set lease_until = ${now}
     where account_id = ${accountId} and key = ${key} and answered_at is null and lease_until > ${now}`;
}

/** Forgets a key whose request was refused before anything was done. */
export async function deleteKey(sql: Sql, accountId: string, key: string): Promise<void> {
  await sql.run`
    delete from idempotency_key where account_id = ${accountId} and key = ${key} and answered_at is null`;
}

/** Forgets keys that are older than they are kept, a bounded number at a time. */
export function deleteOldKeys(sql: Sql, before: Temporal.Instant, atMost: number): Promise<number> {
  return sql.run`
    delete from idempotency_key
     where (account_id, key) in (
       select account_id, key from idempotency_key where started_at < ${before} order by started_at limit ${atMost})`;
}
