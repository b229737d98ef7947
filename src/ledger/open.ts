import type { Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { sealChain, sealedAtOnce, sealJournals } from './chain.ts';
import { openCommonAccounts } from './post.ts';
import { verifyLedger } from './verify.ts';

/** Opens the ledger; when it resolves, the accounts shared by all merchants exist. */
export async function openLedger(tools: Pick<Tools, 'db' | 'wall' | 'acquirer' | 'vault'>) {
  const { db, wall, acquirer } = tools;
  await openCommonAccounts(db.sql, acquirer.name, wall.now());
  return {
    name: 'ledger',
    works: [{ name: 'seal_journals', run: () => sealJournals(tools), setSize: sealedAtOnce }] satisfies Work[],
    verify: () => verifyLedger(tools),
    /** Of the chain of journals. */
    chain: sealChain(db),
  };
}
