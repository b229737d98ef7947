import type { WorkName } from '../../contract/codes/works.ts';
import type { Sql, Verifying } from '../database/index.ts';
import type { Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { type Moved, settlePaid, settleReturned, undoMoved } from './bank.ts';
import { type GivenAccount, givePayoutAccount } from './place.ts';
import { payoutRoutes, payoutSettingsRoutes } from './routes.ts';
import { nextRunAt, runWhenDue } from './run.ts';
import { payoutJournals } from './store/verify.ts';
import { verifyPayouts } from './verify.ts';

/** Nobody waits for the second in which it begins. */
const everyMilliseconds = 10_000;

export type Payouts = ReturnType<typeof openPayouts>;

/** `sendsMail`: whether accounts get mail. */
export function openPayouts(base: Tools, { sendsMail }: { readonly sendsMail: boolean }) {
  const tools = { ...base, sendsMail };
  return {
    name: 'payouts',
    routes: [...payoutRoutes(tools), ...payoutSettingsRoutes(tools)],
    works: [
      { name: 'make_payouts', run: () => runWhenDue(tools), everyMilliseconds, nextAt: () => nextRunAt(tools) },
    ] satisfies Work<WorkName>[],
    journalKinds: payoutJournals.kinds,
    /** For the room of statements: in its database transaction. */
    bank: {
      settlePaid: (sql: Sql, moved: readonly Moved[]) => settlePaid(tools, sql, moved),
      settleReturned: (sql: Sql, moved: readonly Moved[]) => settleReturned(tools, sql, moved),
      undoMoved: (sql: Sql, undone: Pick<Moved, 'lineId' | 'payoutId'>) => undoMoved(tools, sql, undone),
    },
    /** Where the payouts of an account go; tells the account by mail. */
    givePlace: (given: GivenAccount) => givePayoutAccount(tools, given),
    verify: (verifying: Verifying) => verifyPayouts(tools, verifying),
  };
}
