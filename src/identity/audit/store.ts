// All SQL of the audit log. Owns: audit_entry.

import { type BatchOf, moveHead, readBytes, type Sql } from '../../database/index.ts';
import type { Vault } from '../../runtime/index.ts';
import { auditTable } from '../table.ts';
import { type AuditRow, auditHash, auditStart } from './rules.ts';

export type NewEntry = Omit<AuditRow, 'position' | 'hash'>;

/**
 * Appends entries to the chain and returns them as they are stored. Writers take turns until the end of their database
 * transaction; those of one process wait together, so that they hold one connection and not one each.
 */
function appending(vault: Vault): BatchOf<NewEntry, AuditRow> {
  return {
    name: 'append audit entries',
    atomic: true,
    drainsQueue: true,
    async execute(sql, rows) {
      await sql.run`select pg_advisory_xact_lock(7261508115)`;
      const last = await findLastEntry(sql);
      let before: Uint8Array = last?.hash ?? auditStart;
      let position = last?.position ?? 0n;
      const entries = rows.map((row): AuditRow => {
        position += 1n;
        const entry = { ...row, position };
        before = auditHash(before, entry);
        return { ...entry, hash: before };
      });
      await auditTable.copy(sql, entries);
      await moveHead(vault, sql, 'audit', last, { position, hash: before });
      return entries;
    },
  };
}

const batches = new WeakMap<Vault, BatchOf<NewEntry, AuditRow>>();

/** One batch for each vault, which signs the head of the chain. */
export function appendEntries(vault: Vault): BatchOf<NewEntry, AuditRow> {
  const batch = batches.get(vault) ?? appending(vault);
  batches.set(vault, batch);
  return batch;
}

/** For the reading SQL of rooms above. */
export const readAuditRow = auditTable.read;

/** The newest entry. */
export function findLastEntry(sql: Sql): Promise<AuditRow | undefined> {
  return sql.maybeOne(auditTable.read)`select * from audit_entry order by position desc limit 1`;
}

/** By the primary key. */
export function findEntryHash(sql: Sql, position: bigint): Promise<Uint8Array | undefined> {
  return sql.maybeOne((row) => readBytes(row, 'hash'))`select hash from audit_entry where position = ${position}`;
}

/** A page of the chain in order, at most `limit`. */
export function listChain(sql: Sql, after: bigint, limit: number): Promise<AuditRow[]> {
  return sql.many(auditTable.read)`
    select * from audit_entry where position > ${after} order by position limit ${limit}`;
}
