import type { HandleCallback } from '../acquirer/index.ts';
import type { OutgoingRefunds } from '../banking/index.ts';
import type { Nodes, Verifying } from '../database/index.ts';
import type { Tools } from '../tools.ts';
import { listUncompared } from './behind.ts';
import { type Progress, type Reconciliation, reconcile } from './compare.ts';
import { parkedDifferences } from './decide.ts';
import { unallocatedPurpose } from './give-back.ts';
import { recordChain } from './record.ts';
import { journalKinds } from './store/founded.ts';
import { countOpen, countOpenOf } from './store/items.ts';
import { findBeginning, findLastComplete, listRuns, listTotals } from './store/runs.ts';
import type { ReconciliationTools } from './tools.ts';
import { verifyReconciliation } from './verify.ts';
import { worksOf } from './work.ts';

const listedAtMost = 20;

/** `applyResult` passes a result of the bank on to the room of its payment or refund. */
export function openReconciliation(
  base: Tools,
  { nodes, outgoing }: { readonly nodes: Nodes; readonly outgoing: Pick<OutgoingRefunds, 'add' | 'coverDisputes'> },
  applyResult: HandleCallback,
) {
  const tools: ReconciliationTools = { ...base, nodes, applyResult };
  outgoing.add(unallocatedPurpose(tools));
  const { sql } = tools.db;
  measure(tools);
  return {
    name: 'reconciliation',
    works: worksOf(tools),
    parked: parkedDifferences({ ...tools, coverDisputes: outgoing.coverDisputes }),
    journalKinds,
    verify: (verifying: Verifying) => verifyReconciliation(tools, verifying),
    /** Of the chain of records. */
    chain: recordChain(sql),
    /** Compares the books with the statement of one acquirer. */
    reconcile: (period: Reconciliation, progress?: Progress) => reconcile(tools, period, progress),
    /** When the books begin; null: they have nothing. */
    findBeginning: () => findBeginning(sql),
    /** Differences that are not closed. */
    countOpen: () => countOpen(sql),
    /** The last runs, newest first. */
    runs: () => listRuns(sql, listedAtMost),
    /** The sums of runs. */
    totals: (runIds: readonly string[]) => listTotals(sql, runIds),
  };
}

function measure({ acquirers, db, metrics, wall }: ReconciliationTools): void {
  const eachOf = async (read: (acquirer: string) => Promise<number>) => {
    const values = acquirers.list.map(async ({ acquirer: { name } }) => [name, await read(name)] as const);
    return new Map(await Promise.all(values));
  };
  const open = {
    name: 'grosz_reconciliation_open',
    help: 'Differences from the bank that are not closed, by acquirer.',
    label: 'acquirer',
  };
  metrics.measureEach(
    {
      name: 'grosz_reconciliation_uncompared_seconds',
      help: 'How much later the newest booking is than the end of what was compared, by acquirer; also for those no longer configured.',
      label: 'acquirer',
    },
    () => listUncompared(db.sql),
  );
  metrics.measureEach(open, () => eachOf((acquirer) => countOpenOf(db.sql, acquirer)));
  metrics.measureEach(
    {
      name: 'grosz_reconciliation_age_seconds',
      help: 'Time since the last run that compared a complete statement ended, by acquirer.',
      label: 'acquirer',
    },
    () =>
      eachOf(async (acquirer) => {
        const endedAt = await findLastComplete(db.sql, acquirer);
        return endedAt ? wall.now().since(endedAt).total('seconds') : -1;
      }),
  );
}
