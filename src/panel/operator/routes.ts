import * as contract from '../../../contract/panel/operator.ts';
import { type Decision, DecisionFault, type Parking } from '../../banking/index.ts';
import { on, type Route } from '../../http/index.ts';
import { done, type Person } from '../../identity/index.ts';
import { decimalFromMinor, Refusal, refuse } from '../../kernel/index.ts';
import type { Reconciliation, Run } from '../../reconciliation/index.ts';
import type { Work } from '../../runtime/index.ts';
import type { Tools } from '../../tools.ts';
import { findLastRun, listNodesOf, readServer, type VerifyRun } from './store.ts';
import { startVerify, type Verify } from './verify.ts';

/** What operators look at of the whole installation. */
export interface Installation {
  readonly version: string;
  readonly parked: () => readonly Parking[];
  readonly works: () => readonly Work[];
  readonly verifies: () => readonly Verify[];
  readonly reconciliation: {
    runs(): Promise<Run[]>;
    reconcile(period: Reconciliation): Promise<Run | undefined>;
  };
}

export function operatorRoutes(tools: Tools, installation: Installation): Route<Person>[] {
  return [
    ...parkedRoutes(installation),
    ...healthRoutes(tools, installation),
    ...reconciliationRoutes(tools, installation),
  ];
}

function parkedRoutes({ parked }: Installation): Route<Person>[] {
  return [
    on(contract.listParked, async ({ requestId }) => {
      const items = (await Promise.all(parked().map((parking) => parking.list()))).flat();
      return {
        ...done(requestId),
        parked: items.map(({ id, kind, amountMinor, parkedAt, why }) => ({
          id,
          kind,
          amount: decimalFromMinor(amountMinor),
          parkedAt: parkedAt.toString(),
          why,
        })),
      };
    }),
    on(contract.decideParked, async ({ params, body, requestId }) => {
      await decide(parked(), params.id, decisionOf(body));
      return done(requestId);
    }),
  ];
}

function decisionOf({ decision, amount }: { decision: 'captured' | 'not_captured'; amount?: string }): Decision {
  if (decision === 'not_captured') return 'not-captured';
  return { capturedMinor: BigInt((amount ?? refuse('field_required', 'amount')).replace('.', '')) };
}

async function decide(parkings: readonly Parking[], id: string, decision: Decision): Promise<void> {
  try {
    for (const parking of parkings) if (await parking.decide(id, decision)) return;
  } catch (error) {
    if (error instanceof DecisionFault)
      throw new Refusal([{ code: 'not_valid', field: 'amount', details: { why: error.why } }]);
    throw error;
  }
  refuse('not_found', '', 'Nothing with this id is parked.');
}

function healthRoutes(tools: Tools, { works, verifies, version }: Installation): Route<Person>[] {
  const { sql } = tools.db;
  return [
    on(contract.listWorks, async ({ requestId }) => {
      const now = tools.clock.now();
      const measured = works().map(async ({ name, waiting }) => {
        if (!waiting) return { name, due: null, lagSeconds: null };
        const { due, oldestAt } = await waiting();
        return { name, due, lagSeconds: oldestAt ? Math.max(0, Math.round(now.since(oldestAt).total('seconds'))) : 0 };
      });
      return { ...done(requestId), works: await Promise.all(measured) };
    }),
    on(contract.getVerify, async ({ requestId }) => {
      const last = await findLastRun(sql);
      return { ...done(requestId), last: last ? writeRun(last) : null };
    }),
    on(contract.startVerify, async ({ caller, requestId }) => ({
      ...done(requestId),
      last: writeRun(await startVerify(tools, verifies(), caller.user.email)),
    })),
    on(contract.listNodes, async ({ requestId }) => {
      const { version: databaseVersion, bytes } = await readServer(sql);
      const nodes = await listNodesOf(sql);
      return {
        ...done(requestId),
        nodes: nodes.map((node) => ({ ...node, since: node.since.toString() })),
        version,
        databaseVersion,
        databaseBytes: Number(bytes),
      };
    }),
  ];
}

function writeRun({ startedAt, endedAt, problems, journals, entries, startedBy }: VerifyRun) {
  return {
    startedAt: startedAt.toString(),
    endedAt: endedAt?.toString() ?? null,
    problems: [...problems],
    journals: journals === null ? null : Number(journals),
    entries: entries === null ? null : Number(entries),
    startedBy,
  };
}

function reconciliationRoutes({ log }: Tools, { reconciliation }: Installation): Route<Person>[] {
  return [
    on(contract.listReconciliations, async ({ requestId }) => ({
      ...done(requestId),
      runs: (await reconciliation.runs()).map(writeReconciliation),
    })),
    on(contract.startReconciliation, async ({ requestId }) => {
      // In the background: a run may take minutes, and its result is in the list.
      reconciliation.reconcile({}).catch((error) => log.error({ err: error }, 'a reconciliation could not start'));
      return done(requestId);
    }),
  ];
}

function writeReconciliation(run: Run) {
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
    told: run.told,
    found: run.found,
    why: run.why,
  };
}
