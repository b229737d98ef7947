// SQL of the signing keys. Owns: signing_key.

import type { RowOf, Sql } from '../../database/index.ts';
import { signingKeyTable } from '../table.ts';

export type { KeyPurpose } from '../table.ts';
export type SigningKeyRow = RowOf<typeof signingKeyTable>;

const lockKey = 7_261_508_205;

/** One node at a time creates keys; the lock is held until the end of the database transaction. */
export async function lockSigningKeys(sql: Sql): Promise<void> {
  await sql.run`select pg_advisory_xact_lock(${lockKey})`;
}

/** The live key of each purpose: at most two rows. */
export function listLiveKeys(sql: Sql): Promise<SigningKeyRow[]> {
  return sql.many(signingKeyTable.read)`select * from signing_key where retired_at is null order by purpose`;
}

export function insertSigningKey(sql: Sql, key: SigningKeyRow): Promise<void> {
  return signingKeyTable.copy(sql, [key]);
}

export async function retireSigningKey(sql: Sql, id: string, retiredAt: Temporal.Instant): Promise<void> {
  await sql.run`update signing_key set retired_at = ${retiredAt} where id = ${id} and retired_at is null`;
}
