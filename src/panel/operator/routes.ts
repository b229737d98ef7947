import * as contract from '../../../contract/panel/operator.ts';
import { changeAccount, createAccount, findSettings } from '../../accounts/index.ts';
import { type Decision, DecisionFault, type Parking } from '../../banking/index.ts';
import { addOwner, done, type IdentityTools, type Person, refusingTaken } from '../../identity/index.ts';
import { type AccountId, decimalFromMinor, idFrom, refuse } from '../../kernel/index.ts';
import { on, type Route, type Work } from '../../platform/index.ts';
import type { Reconciliation, Run } from '../../reconciliation/index.ts';
import { readSettings, settingsFaults, writeSettings } from '../settings/wire.ts';
import { findLastRun, listAccountLines, listNodesOf, readServer, type VerifyRun } from './store.ts';
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

export function operatorRoutes(tools: IdentityTools, installation: Installation): Route<Person>[] {
  return [
    ...accountRoutes(tools),
    ...parkedRoutes(installation),
    ...healthRoutes(tools, installation),
    ...reconciliationRoutes(tools, installation),
  ];
}

function accountRoutes(tools: IdentityTools): Route<Person>[] {
  const { sql } = tools.db;
  const { requestsPerSecond, callbackPolicy, mode } = tools.config;
  const faults = (body: unknown) => settingsFaults(body, callbackPolicy);

  async function show(id: AccountId) {
    const settings = (await findSettings(sql, id)) ?? refuse('not_found');
    return writeSettings(id, settings, requestsPerSecond);
  }

  return [
    on(contract.listAccounts, async ({ query, requestId }) => {
      const { search = null, kind = null, status = null, before = null, limit = 50 } = query;
      const rows = await listAccountLines(sql, { search, kind, status, before, limit: limit + 1 });
      const shown = rows.slice(0, limit);
      return {
        ...done(requestId),
        accounts: shown.map(({ balanceMinor, createdAt, ...row }) => ({
          ...row,
          balance: decimalFromMinor(balanceMinor),
          createdAt: createdAt.toString(),
        })),
        nextBefore: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
      };
    }),
    on(contract.createAccount, async ({ body, requestId }) => {
      const { kind, name, email, ownerEmail, ownerName = ownerEmail } = body;
      const made = await tools.db
        .atomic(async (atom) => {
          const account = await createAccount(tools, atom, { kind, name, email, testMode: mode === 'sandbox' });
          const owner = {
            accountId: account.id,
            email: ownerEmail,
            name: ownerName,
            role: 'owner',
            language: 'en',
          } as const;
          return { accountId: account.id, invitationUrl: await addOwner(tools, atom, owner) };
        })
        .catch(refusingTaken('ownerEmail'));
      return { ...done(requestId), ...made };
    }),
    on(contract.getAccount, async ({ params, requestId }) => ({
      ...done(requestId),
      settings: await show(idFrom<AccountId>(params.accountId) ?? refuse('not_found')),
    })),
    on(
      contract.changeAccount,
      async ({ params, body, requestId }) => {
        const id = idFrom<AccountId>(params.accountId) ?? refuse('not_found');
        await changeAccount(tools, id, readSettings(body));
        return { ...done(requestId), settings: await show(id) };
      },
      faults,
    ),
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
    if (error instanceof DecisionFault) refuse('not_valid', 'amount', error.message);
    throw error;
  }
  refuse('not_found', '', 'Nothing with this id is parked.');
}

function healthRoutes(tools: IdentityTools, { works, verifies, version }: Installation): Route<Person>[] {
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

function reconciliationRoutes({ log }: IdentityTools, { reconciliation }: Installation): Route<Person>[] {
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
