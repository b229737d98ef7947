// grosz verify: recomputes everything and reports the rows that are wrong.

import { type Database, headProblems } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import { chainStart, changedRows, sealChain, sealHash } from './chain.ts';
import { listSealed, listStrays, listUnbalanced, listWrongBalances, type Seal, type SealableJournal } from './store.ts';

const pageRows = 2_000;
const problemsAtMost = 100;

/** Each problem in one sentence that names its row; empty if the ledger is correct. */
export async function verifyLedger({ db, vault }: Pick<Tools, 'db' | 'vault'>): Promise<string[]> {
  const problems = await verifyChain(db);
  problems.push(...(await headProblems(vault, db.sql, 'ledger', sealChain(db))));
  for (const { journalId, sum } of await listUnbalanced(db.sql, problemsAtMost)) {
    problems.push(`Journal ${journalId} does not sum to zero: it is off by ${sum}.`);
  }
  for (const { account, stored, computed } of await listWrongBalances(db.sql, problemsAtMost)) {
    problems.push(`Balance of ${account} is ${stored}, its entries give ${computed}.`);
  }
  for (const { what, id } of await listStrays(db.sql, problemsAtMost)) problems.push(`There is ${what}: ${id}.`);
  return problems;
}

async function verifyChain(db: Database): Promise<string[]> {
  const problems: string[] = [];
  let before: Uint8Array = chainStart;
  let after = 0n;
  for (;;) {
    const page = await listSealed(db.sql, after, pageRows);
    for (const { seal, journal } of page) {
      if (seal.position !== after + 1n) problems.push(`Seals ${after + 1n} to ${seal.position - 1n} are missing.`);
      problems.push(...verifySeal(seal, journal, before));
      before = seal.hash;
      after = seal.position;
    }
    if (page.length < pageRows || problems.length >= problemsAtMost) return problems;
  }
}

function verifySeal(seal: Seal, journal: SealableJournal | undefined, before: Uint8Array): string[] {
  const problems: string[] = [];
  const { position, journalId } = seal;
  const expected = sealHash(before, position, journalId, seal.marks);
  if (!expected.equals(seal.hash)) problems.push(`Seal ${position} (journal ${journalId}) breaks the chain.`);
  if (!journal) return [...problems, `Journal ${journalId} is missing; it was sealed as ${position}.`];
  for (const row of changedRows(journal, seal.marks)) {
    problems.push(
      row === 'row'
        ? `Journal ${journalId} was changed.`
        : `Entry ${journalId} line ${row} was changed, removed or added.`,
    );
  }
  return problems;
}
