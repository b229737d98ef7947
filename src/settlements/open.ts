import type { WorkName } from '../../contract/codes/works.ts';
import type { Verifying } from '../database/index.ts';
import type { AccountId } from '../kernel/index.ts';
import type { Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { type CutTools, cutAtOnce, cutSettlements, cutWanted } from './cut.ts';
import { cutMonths } from './month.ts';
import { settlementRoutes } from './routes.ts';
import { findWaiting } from './store/cut.ts';
import { verifySettlements } from './verify.ts';

/** `sendsMail`: whether accounts get mail. */
export function openSettlements(base: Tools, { sendsMail }: { readonly sendsMail: boolean }) {
  const tools: CutTools = { ...base, sendsMail };
  return {
    name: 'settlements',
    routes: settlementRoutes(base),
    works: [
      {
        name: 'cut_settlements',
        // One after the other, because both take the same lock.
        run: async () => (await cutWanted(tools)) + (await cutMonths(tools)),
        setSize: cutAtOnce,
        waiting: () => findWaiting(base.db.sql),
      },
    ] satisfies Work<WorkName>[],
    verify: (verifying: Verifying) => verifySettlements(verifying),
    /** As of what is sealed and read by now; undefined if another node is at it. */
    cut: (accountIds: readonly AccountId[]) => cutSettlements(tools, accountIds),
  };
}
