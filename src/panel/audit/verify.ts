// Checks the chain of the audit log, for `grosz verify`.

import type { Sql } from '../../platform/index.ts';
import { auditHash, auditStart } from './rules.ts';
import { listChain } from './store.ts';

const readAtOnce = 1_000;

/** One sentence if the chain is broken, with the place. Reads in pages. */
export async function verifyAudit(sql: Sql): Promise<string[]> {
  let before: Uint8Array = auditStart;
  let position = 0n;
  for (;;) {
    const rows = await listChain(sql, position, readAtOnce);
    for (const row of rows) {
      if (row.position !== position + 1n) return [`Audit log: entry ${position + 1n} is missing.`];
      const hash = auditHash(before, row);
      if (!hash.equals(row.hash)) return [`Audit log: entry ${row.position} was changed after it was written.`];
      [before, position] = [hash, row.position];
    }
    if (rows.length < readAtOnce) return [];
  }
}
