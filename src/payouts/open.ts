import type { Sql, Verifying } from '../database/index.ts';
import type { Tools } from '../tools.ts';
import { payoutRoutes } from './routes.ts';
import { type Moved, settlePaid, settleReturned } from './step.ts';
import { payoutJournals } from './store/verify.ts';
import { verifyPayouts } from './verify.ts';

export function openPayouts(tools: Tools) {
  return {
    name: 'payouts',
    routes: payoutRoutes(tools),
    journalKinds: payoutJournals.kinds,
    /** For the room of statements: in its database transaction. */
    bank: {
      settlePaid: (sql: Sql, moved: readonly Moved[]) => settlePaid(tools, sql, moved),
      settleReturned: (sql: Sql, moved: readonly Moved[]) => settleReturned(tools, sql, moved),
    },
    verify: (verifying: Verifying) => verifyPayouts(tools, verifying),
  };
}
