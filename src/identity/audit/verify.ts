// Checks the chain of the audit log, for `grosz verify`.

import type { Finding } from '../../../contract/codes/findings.ts';
import { type ChainReader, headProblems, type Sql } from '../../database/index.ts';
import type { Tools } from '../../tools.ts';
import { auditHash, auditStart } from './rules.ts';
import { findEntryHash, findLastEntry, listChain } from './store.ts';

const readAtOnce = 1_000;

export function auditChain(sql: Sql): ChainReader {
  return { newest: () => findLastEntry(sql), hashAt: (position) => findEntryHash(sql, position) };
}

/** Each place where the chain is broken, and its end. */
export async function verifyAudit({ db, vault }: Pick<Tools, 'db' | 'vault'>): Promise<Finding[]> {
  const problems = await verifyChain(db.sql);
  return [...problems, ...(await headProblems(vault, db.sql, 'audit', auditChain(db.sql)))];
}

/** The first place. Reads in pages. */
async function verifyChain(sql: Sql): Promise<Finding[]> {
  let before: Uint8Array = auditStart;
  let position = 0n;
  for (;;) {
    const rows = await listChain(sql, position, readAtOnce);
    for (const row of rows) {
      if (row.position !== position + 1n) return wrong('audit_entry_missing', position + 1n);
      const hash = auditHash(before, row);
      if (!hash.equals(row.hash)) return wrong('audit_entry_changed', row.position);
      [before, position] = [hash, row.position];
    }
    if (rows.length < readAtOnce) return [];
  }
}

function wrong(code: 'audit_entry_missing' | 'audit_entry_changed', position: bigint): Finding[] {
  return [{ code, parameters: { position: `${position}` } }];
}
