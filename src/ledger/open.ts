import type { WorkName } from '../../contract/codes/works.ts';
import type { Verifying } from '../database/index.ts';
import type { Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { sealAll, sealChain, sealedAtOnce, sealJournals } from './chain.ts';
import { openCommonAccounts } from './post.ts';
import { balanceOf, SafeguardingReader } from './safeguarding.ts';
import { readLedger } from './verify.ts';

/** Opens the ledger; when it resolves, the accounts shared by all merchants and those of every acquirer in use exist. */
export async function openLedger(tools: Pick<Tools, 'acquirers' | 'config' | 'db' | 'metrics' | 'vault' | 'wall'>) {
  const { db, wall, acquirers } = tools;
  const names = acquirers.list.flatMap(({ acquirer, isNew }) => (isNew ? [] : acquirer.name));
  await openCommonAccounts(db.sql, names, wall.now());
  const safeguarding = new SafeguardingReader(tools);
  tools.metrics.measure(
    'grosz_safeguarding_shortfall_minor',
    'By how much what is held for clients does not cover what is owed to them, in minor units.',
    async () => Number(balanceOf(await safeguarding.read()).shortfallMinor),
  );
  return {
    name: 'ledger',
    works: [
      { name: 'seal_journals', run: () => sealJournals(tools), setSize: sealedAtOnce },
    ] satisfies Work<WorkName>[],
    /** Its part of verify, which comes first. */
    read: (verifying: Verifying, sinceId?: string) => readLedger(tools, verifying, sinceId),
    /** Seals everything that waits for it. */
    seal: () => sealAll(tools),
    /** What is held for clients against what is owed to them, as of the last sealed journal. */
    safeguarding: () => safeguarding.read(),
    /** Of the chain of journals. */
    chain: sealChain(db),
  };
}
