// grosz verify: recomputes everything and reports the rows that are wrong.

import type { Finding } from '../../contract/codes/findings.ts';
import { type Database, headProblems } from '../database/index.ts';
import type { Tools } from '../tools.ts';
import { chainStart, changedRows, sealChain, sealHash } from './chain.ts';
import { listSealed, listStrays, listUnbalanced, listWrongBalances, type Seal, type SealableJournal } from './store.ts';

const pageRows = 2_000;
const problemsAtMost = 100;

/** Each problem with its row; empty if the ledger is correct. */
export async function verifyLedger({ db, vault }: Pick<Tools, 'db' | 'vault'>): Promise<Finding[]> {
  const problems = await verifyChain(db);
  problems.push(...(await headProblems(vault, db.sql, 'ledger', sealChain(db))));
  for (const { journalId, sum } of await listUnbalanced(db.sql, problemsAtMost)) {
    problems.push({ code: 'journal_unbalanced', parameters: { journalId, off: `${sum}` } });
  }
  for (const { account, stored, computed } of await listWrongBalances(db.sql, problemsAtMost)) {
    problems.push({ code: 'balance_wrong', parameters: { account, stored: `${stored}`, computed: `${computed}` } });
  }
  return [...problems, ...(await listStrays(db.sql, problemsAtMost))];
}

async function verifyChain(db: Database): Promise<Finding[]> {
  const problems: Finding[] = [];
  let before: Uint8Array = chainStart;
  let after = 0n;
  for (;;) {
    const page = await listSealed(db.sql, after, pageRows);
    for (const { seal, journal } of page) {
      if (seal.position !== after + 1n) {
        const missing = { from: `${after + 1n}`, to: `${seal.position - 1n}` };
        problems.push({ code: 'seals_missing', parameters: missing });
      }
      problems.push(...verifySeal(seal, journal, before));
      before = seal.hash;
      after = seal.position;
    }
    if (page.length < pageRows || problems.length >= problemsAtMost) return problems;
  }
}

function verifySeal(seal: Seal, journal: SealableJournal | undefined, before: Uint8Array): Finding[] {
  const problems: Finding[] = [];
  const { journalId } = seal;
  const sealed = { journalId, position: `${seal.position}` };
  const expected = sealHash(before, seal.position, journalId, seal.marks);
  if (!expected.equals(seal.hash)) problems.push({ code: 'seal_breaks_chain', parameters: sealed });
  if (!journal) return [...problems, { code: 'journal_missing', parameters: sealed }];
  for (const row of changedRows(journal, seal.marks)) {
    problems.push(
      row === 'row'
        ? { code: 'journal_changed', parameters: { journalId } }
        : { code: 'entry_changed', parameters: { journalId, line: row } },
    );
  }
  return problems;
}
