// SQL of the signing keys. Owns: signing_key.

import { type Row, readText, type Sql } from '../../platform/index.ts';

export type KeyPurpose = 'root' | 'notifications';

export interface SigningKeyRow {
  readonly id: string;
  readonly purpose: KeyPurpose;
  readonly privateKeySealed: string;
  readonly certificatePem: string;
}

function readSigningKey(row: Row): SigningKeyRow {
  return {
    id: readText(row, 'id'),
    purpose: readText(row, 'purpose') === 'root' ? 'root' : 'notifications',
    privateKeySealed: readText(row, 'private_key_sealed'),
    certificatePem: readText(row, 'certificate_pem'),
  };
}

const lockKey = 7_261_508_205;

/** One node at a time makes keys; the lock ends with the database transaction. */
export async function lockSigningKeys(sql: Sql): Promise<void> {
  await sql.run`select pg_advisory_xact_lock(${lockKey})`;
}

/** The live key of each purpose: at most two rows. */
export function listLiveKeys(sql: Sql): Promise<SigningKeyRow[]> {
  return sql.many(readSigningKey)`
    select id, purpose, private_key_sealed, certificate_pem from signing_key where retired_at is null order by purpose`;
}

export async function insertSigningKey(sql: Sql, key: SigningKeyRow, createdAt: Temporal.Instant): Promise<void> {
  await sql.run`
    insert into signing_key (id, purpose, private_key_sealed, certificate_pem, created_at)
    values (${key.id}, ${key.purpose}, ${key.privateKeySealed}, ${key.certificatePem}, ${createdAt})`;
}

export async function retireSigningKey(sql: Sql, id: string, retiredAt: Temporal.Instant): Promise<void> {
  await sql.run`update signing_key set retired_at = ${retiredAt} where id = ${id} and retired_at is null`;
}
