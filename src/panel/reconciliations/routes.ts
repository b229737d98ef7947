import * as contract from '../../../contract/panel/reconciliations.ts';
import { on, type Route } from '../../http/index.ts';
import { done, type Person } from '../../identity/index.ts';
import { decimalFromMinor } from '../../kernel/index.ts';
import type { Reconciliation, Run } from '../../reconciliation/index.ts';
import type { Tools } from '../../tools.ts';

export interface Reconciliations {
  runs(): Promise<Run[]>;
  reconcile(period: Reconciliation): Promise<Run | undefined>;
}

export function reconciliationRoutes({ log }: Tools, reconciliation: Reconciliations): Route<Person>[] {
  return [
    on(contract.listReconciliations, async ({ requestId }) => ({
      ...done(requestId),
      runs: (await reconciliation.runs()).map(serializeReconciliation),
    })),
    on(contract.startReconciliation, async ({ requestId }) => {
      // In the background: a run may take minutes, and its result is in the list.
      reconciliation.reconcile({}).catch((error) => log.error({ err: error }, 'a reconciliation could not start'));
      return done(requestId);
    }),
  ];
}

function serializeReconciliation(run: Run) {
  return {
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
    applied: run.applied,
    found: run.found,
    why: run.why,
  };
}
