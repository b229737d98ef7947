import * as contract from '../../../contract/panel/reconciliations.ts';
import { on, type Route } from '../../http/index.ts';
import { done, type Person } from '../../identity/index.ts';
import { decimalFromMinor } from '../../kernel/index.ts';
import type { Reconciliation, Run, Total } from '../../reconciliation/index.ts';
import type { Tools } from '../../tools.ts';

export interface Reconciliations {
  runs(): Promise<Run[]>;
  totals(runIds: readonly string[]): Promise<Total[]>;
  reconcile(period: Reconciliation): Promise<Run | undefined>;
}

export function reconciliationRoutes({ acquirers, log }: Tools, reconciliation: Reconciliations): Route<Person>[] {
  return [
    on(contract.listReconciliations, async ({ requestId }) => {
      const runs = await reconciliation.runs();
      const totals = Map.groupBy(await reconciliation.totals(runs.map(({ id }) => id)), ({ runId }) => runId);
      return {
        ...done(requestId),
        runs: runs.map((run) => serializeReconciliation(run, totals.get(run.id) ?? [])),
      };
    }),
    on(contract.startReconciliation, async ({ requestId }) => {
      // In the background: a run may take minutes, and its result is in the list.
      for (const { acquirer } of acquirers.list) {
        reconciliation
          .reconcile({ acquirer: acquirer.name })
          .catch((error) => log.error({ err: error }, 'a reconciliation could not start'));
      }
      return done(requestId);
    }),
  ];
}

function serializeReconciliation(run: Run, totals: readonly Total[]) {
  return {
    acquirer: run.acquirer,
    from: run.fromAt.toString(),
    to: run.toAt.toString(),
    startedAt: run.startedAt.toString(),
    endedAt: run.endedAt?.toString() ?? null,
    state: run.state,
    captures: Number(run.captures),
    captured: decimalFromMinor(run.capturedMinor),
    refunds: Number(run.refunds),
    refunded: decimalFromMinor(run.refundedMinor),
    payouts: Number(run.payouts),
    paidOut: decimalFromMinor(run.paidOutMinor),
    fees: decimalFromMinor(run.feesMinor),
    applied: run.applied,
    found: run.found,
    open: run.open,
    totals: totals.map(serializeTotal),
    why: run.why,
  };
}

function serializeTotal({ kind, bankMinor, ourMinor, elsewhereMinor, namedMinor, unexplainedMinor }: Total) {
  return {
    kind,
    bank: decimalFromMinor(bankMinor),
    books: decimalFromMinor(ourMinor),
    elsewhere: decimalFromMinor(elsewhereMinor),
    named: decimalFromMinor(namedMinor),
    unexplained: decimalFromMinor(unexplainedMinor),
  };
}
