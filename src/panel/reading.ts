// What people read of their account: the routes of each screen, the works that keep their sums, and how those are
// verified.

import type { Finding } from '../../contract/codes/findings.ts';
import type { WorkName } from '../../contract/codes/works.ts';
import type { Verifying } from '../database/index.ts';
import type { Route } from '../http/index.ts';
import type { Person } from '../identity/index.ts';
import type { Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { auditRoutes } from './audit/routes.ts';
import { countedAtOnce, countMoves, unreadMoves, verifyCounts } from './counts/count.ts';
import { Downloads } from './downloads.ts';
import { ledgerRoutes } from './ledger/routes.ts';
import type { LiveFeed } from './live/feed.ts';
import { liveRoutes } from './live/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { panelRecurringRoutes } from './recurring/routes.ts';
import { settlementRoutes } from './settlements/routes.ts';
import { statementRoutes } from './statements/routes.ts';
import { filledAtOnce, fillSearchTable } from './transactions/fill.ts';
import { transactionRoutes } from './transactions/routes.ts';
import { verifySearch } from './transactions/verify.ts';
import { viewRoutes } from './views/routes.ts';

export function readingRoutes(tools: Tools, live: LiveFeed): Route<Person>[] {
  const downloads = new Downloads(tools);
  return [
    ...overviewRoutes(tools),
    ...transactionRoutes(tools, downloads),
    ...ledgerRoutes(tools, downloads),
    ...statementRoutes(tools, downloads),
    ...settlementRoutes(tools, downloads),
    ...auditRoutes(tools),
    ...liveRoutes(live),
    ...viewRoutes(tools),
    ...panelRecurringRoutes(tools),
  ];
}

export function readingWorks(tools: Tools): Work<WorkName>[] {
  return [
    {
      name: 'sum_up',
      run: () => countMoves(tools),
      setSize: countedAtOnce,
      waiting: () => unreadMoves(tools),
    },
    { name: 'fill_search', run: () => fillSearchTable(tools), setSize: filledAtOnce },
  ];
}

/** What people read is what the rows and the ledger say. */
export async function verifyReading(verifying: Verifying): Promise<Finding[]> {
  return [...(await verifyCounts(verifying)), ...(await verifySearch(verifying))];
}
