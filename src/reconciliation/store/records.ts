// SQL of the chain of records. Owns: reconciliation_record.

import { readBytes, type Sql } from '../../database/index.ts';
import type { StepRecord } from '../model.ts';
import { reconciliationRecordTable } from '../table.ts';

/** Writers take turns until the end of their database transaction. Taken after all row locks. */
export async function lockChain(sql: Sql): Promise<void> {
  await sql.run`select pg_advisory_xact_lock(7261508116)`;
}

/** The newest record. */
export function findLastRecord(sql: Sql): Promise<StepRecord | undefined> {
  return sql.maybeOne(reconciliationRecordTable.read)`
    select * from reconciliation_record order by position desc limit 1`;
}

/** By the primary key. */
export function findRecordHash(sql: Sql, position: bigint): Promise<Uint8Array | undefined> {
  return sql.maybeOne((row) => readBytes(row, 'hash'))`
    select hash from reconciliation_record where position = ${position}`;
}

export async function insertRecords(sql: Sql, records: readonly StepRecord[]): Promise<void> {
  await reconciliationRecordTable.copy(sql, records);
}

/** A page of the chain in order, at most `limit`. */
export function listChain(sql: Sql, after: bigint, limit: number): Promise<StepRecord[]> {
  return sql.many(reconciliationRecordTable.read)`
    select * from reconciliation_record where position > ${after} order by position limit ${limit}`;
}

/** The last decision about each of these differences to give it back. */
export function listDecidedReturns(sql: Sql, itemIds: readonly string[]): Promise<StepRecord[]> {
  return sql.many(reconciliationRecordTable.read)`
    select distinct on (item_id) * from reconciliation_record
     where item_id = any(${itemIds}::text[]) and step = 'returning' order by item_id, position desc`;
}

const historyAtMost = 2_000;

/** What happened to these keys, oldest first, at most some thousands. */
export function listHistory(sql: Sql, keys: readonly string[]): Promise<StepRecord[]> {
  return sql.many(reconciliationRecordTable.read)`
    select * from reconciliation_record where key = any(${keys}::text[]) order by position limit ${historyAtMost}`;
}
