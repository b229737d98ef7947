import type { FastifyInstance } from 'fastify';
import type { WorkName } from '../../contract/codes/works.ts';
import type { Merchant } from '../accounts/index.ts';
import type { Parking } from '../banking/index.ts';
import type { Batches } from '../batches/index.ts';
import type { Route } from '../http/index.ts';
import type { Identity, Person } from '../identity/index.ts';
import type { Safeguarding } from '../ledger/index.ts';
import type { Signing } from '../notifications/index.ts';
import type { Payouts } from '../payouts/index.ts';
import type { Work } from '../runtime/index.ts';
import type { Statements } from '../statements/index.ts';
import type { Tools } from '../tools.ts';
import type { Wallet } from '../wallet/index.ts';
import { accountRoutes } from './accounts/routes.ts';
import { bankRoutes } from './bank/routes.ts';
import { bankAccountRoutes } from './bank-account/routes.ts';
import { batchRoutes } from './batches/routes.ts';
import { countMoves } from './counts/count.ts';
import { PanelFiles, registerPanelFiles } from './files.ts';
import { keyRoutes } from './keys/routes.ts';
import { LiveFeed } from './live/feed.ts';
import { mirrorRoutes } from './mirror.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { parkedRoutes } from './parked/routes.ts';
import { readingRoutes, readingWorks, verifyReading } from './reading.ts';
import { type Reconciliations, reconciliationRoutes } from './reconciliations/routes.ts';
import { RequestLog } from './requests/log.ts';
import { requestRoutes } from './requests/routes.ts';
import { routingRoutes } from './routing/routes.ts';
import { safeguardingRoutes } from './safeguarding/routes.ts';
import { payPageRoutes } from './settings/pay-page.ts';
import { settingsRoutes } from './settings/routes.ts';
import { type Verifications, verifyRoutes } from './verify/routes.ts';
import { panelWalletRoutes } from './wallet/routes.ts';
import { workRoutes } from './works/routes.ts';

/** What operators look at of the whole installation. */
interface Installation {
  readonly version: string;
  readonly parked: () => readonly Parking[];
  readonly works: () => readonly Work<WorkName>[];
  readonly verification: Verifications;
  readonly reconciliation: Reconciliations;
  readonly batches: Batches;
  readonly statements: Statements;
  readonly safeguarding: () => Promise<Safeguarding>;
}

function operatorRoutes(
  tools: Tools,
  { version, parked, works, verification, reconciliation, batches, statements, safeguarding }: Installation,
) {
  return [
    ...parkedRoutes(tools.db, parked),
    ...workRoutes(tools, works, version),
    ...verifyRoutes(verification),
    ...reconciliationRoutes(tools, reconciliation),
    ...routingRoutes(tools),
    ...batchRoutes(tools, batches),
    ...bankRoutes(statements, batches.confirm),
    ...safeguardingRoutes(safeguarding),
  ];
}

/** `api`: the routes of the API, which people use too. */
export function openPanel(
  tools: Tools,
  {
    identity,
    signing,
    wallet,
    payouts,
    api,
    installation,
  }: {
    readonly identity: Identity;
    readonly signing: Signing;
    readonly wallet: Pick<Wallet, 'domains'>;
    readonly payouts: Pick<Payouts, 'givePlace'>;
    readonly api: readonly Route<Merchant>[];
    readonly installation: Installation;
  },
) {
  const live = new LiveFeed(tools);
  const own: readonly Route<Person>[] = [
    ...readingRoutes(tools, live),
    ...requestRoutes(tools),
    ...notificationRoutes(tools, signing),
    ...keyRoutes(tools),
    ...settingsRoutes(tools),
    ...payPageRoutes(tools),
    ...bankAccountRoutes(identity, payouts),
    ...panelWalletRoutes(wallet),
    ...accountRoutes(identity.tools),
    ...operatorRoutes(tools, installation),
  ];
  const requests = new RequestLog(tools);
  const files = new PanelFiles(tools);
  return {
    name: 'panel',
    register: (app: FastifyInstance) => {
      // Connections that follow would keep the server from closing.
      app.addHook('preClose', async () => live.end());
      return registerPanelFiles(app, tools, files);
    },
    /** Reads everything that is sealed into the sums. */
    sumUp: async () => {
      while ((await countMoves(tools)) > 0);
    },
    /** Builds the panel's files, unless they are there; nothing waits for it. */
    prepare: () => files.prepare(),
    works: [
      { name: 'forget_requests', run: () => requests.forget() },
      ...readingWorks(tools),
    ] satisfies Work<WorkName>[],
    live,
    /** Gets the requests of the API. */
    requests,
    close: () => requests.close(),
    verify: verifyReading,
    /** Registered beside the routes of the API, with the identification of people. */
    panelRoutes: [...identity.personRoutes, ...own, ...mirrorRoutes(api)].map(identity.audited),
  };
}
