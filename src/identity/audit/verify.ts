// Checks the chain of the audit log, for `grosz verify`.

import type { Finding } from '../../../contract/codes/findings.ts';
import { type ChainReader, headProblems, type Sql, type Verifying } from '../../database/index.ts';
import type { Tools } from '../../tools.ts';
import { auditHash, auditStart } from './rules.ts';
import { findEntryHash, findLastEntry, listChain } from './store.ts';

const readAtOnce = 1_000;
/** How many of the newest entries are read when not everything is verified. */
const readSince = 5_000n;

export function auditChain(sql: Sql): ChainReader {
  return { newest: () => findLastEntry(sql), hashAt: (position) => findEntryHash(sql, position) };
}

/** Each place where the chain is broken, and its end. */
export async function verifyAudit({ vault }: Pick<Tools, 'vault'>, verifying: Verifying): Promise<Finding[]> {
  const { sql, since } = verifying;
  const newest = await findLastEntry(sql);
  const after = since && newest && newest.position > readSince ? newest.position - readSince : 0n;
  const problems = await verifyChain(sql, after);
  return [...problems, ...(await headProblems(vault, sql, 'audit', auditChain(sql)))];
}

/** The first place. Reads in pages. */
async function verifyChain(sql: Sql, after: bigint): Promise<Finding[]> {
  let before: Uint8Array = (after === 0n ? undefined : await findEntryHash(sql, after)) ?? auditStart;
  let position = after;
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
