import type { Tools } from '../tools.ts';
import { sealedAtOnce, sealJournals } from './chain.ts';
import { openCommonAccounts } from './post.ts';
import { verifyLedger } from './verify.ts';

/** Opens the ledger; when it resolves, the accounts shared by all merchants exist. */
export async function openLedger({ db, wall, acquirer }: Pick<Tools, 'db' | 'wall' | 'acquirer'>) {
  await openCommonAccounts(db.sql, acquirer.name, wall.now());
  return {
    name: 'ledger',
    works: [{ name: 'seal journals', run: () => sealJournals(db), setSize: sealedAtOnce }],
    verify: () => verifyLedger(db),
  };
}
