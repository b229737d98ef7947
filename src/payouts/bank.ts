// What our bank moved, in sets: payouts, their movements and journals, in the caller's database transaction. The bank may pay
// after all what it had refused or what had come back, and what comes back may be less: the books follow it.

import type { Sql } from '../database/index.ts';
import {
  borneBy,
  ledgerAccounts,
  lockBalances,
  openOwedAccounts,
  type PayoutMoved,
  payoutMovedJournal,
  post,
} from '../ledger/index.ts';
import type { Tools } from '../tools.ts';
import type { Payout, PayoutMove, PayoutReason } from './model.ts';
import { type Meant, meaningOf, type Said, undoingOf } from './moves.ts';
import { findLastMove, insertMoves, lockPayouts, updateMoved } from './store/moves.ts';
import { type MailTools, mailStates, tellStates } from './tell.ts';

type BankTools = Pick<Tools, 'clock'> & MailTools;

/** A line of a statement about a payout. */
export interface Moved extends Omit<Said, 'direction'> {
  readonly lineId: string;
  readonly payoutId: string;
  /** Why the bank sent it back, if it says so. */
  readonly returnCode: string | null;
}

interface Following {
  readonly payout: Payout;
  readonly meant: Meant;
  readonly line: string;
  readonly undone: PayoutMove | null;
  readonly reason: PayoutReason | null;
}

/** Our bank has paid them: at most one line of each. Returns the lines that are so; the others change nothing. */
export const settlePaid = (tools: BankTools, sql: Sql, moved: readonly Moved[]) => settle(tools, sql, moved, 'left');

/** They came back, all of it or without a fee of the bank: the balance has all of it again. Returns their lines. */
export const settleReturned = (tools: BankTools, sql: Sql, moved: readonly Moved[]) =>
  settle(tools, sql, moved, 'back');

async function settle(
  tools: BankTools,
  sql: Sql,
  moved: readonly Moved[],
  direction: Said['direction'],
): Promise<ReadonlySet<string>> {
  if (moved.length === 0) return new Set();
  const byPayout = new Map(moved.map((one) => [one.payoutId, one]));
  const payouts = await lockPayouts(sql, [...byPayout.keys()]);
  const following = payouts.flatMap((payout): Following[] => {
    const said = byPayout.get(payout.id);
    const meant = said && meaningOf(payout, { ...said, direction });
    if (!meant) return [];
    const returned = { code: 'returned_by_bank', parameters: { code: said.returnCode, words: null } } as const;
    return [{ payout, meant, line: said.lineId, undone: null, reason: direction === 'back' ? returned : null }];
  });
  await follow(tools, sql, following);
  return new Set(following.map(({ line }) => line));
}

/** Takes back what this line did to the payout; false: it is not the last thing that the bank did to it. */
export async function undoMoved(
  tools: BankTools,
  sql: Sql,
  { lineId, payoutId }: Pick<Moved, 'lineId' | 'payoutId'>,
): Promise<boolean> {
  const [payout] = await lockPayouts(sql, [payoutId]);
  const undone = payout && (await findLastMove(sql, payoutId));
  if (!undone || undone.line !== lineId || payout.state !== undone.stateAfter) return false;
  await follow(tools, sql, [{ payout, meant: undoingOf(undone), line: lineId, undone, reason: undone.reasonBefore }]);
  return true;
}

/** Balances are locked last. What they do not cover is owed, and what comes back first pays what is owed. */
async function follow(tools: BankTools, sql: Sql, following: readonly Following[]): Promise<void> {
  const { clock, ids } = tools;
  if (following.length === 0) return;
  const at = clock.now();
  const { available, owed } = ledgerAccounts;
  const names = following.flatMap(({ payout: { accountId }, meant }) =>
    meant.takenMinor === 0n ? [] : [available(accountId), owed(accountId)],
  );
  const balances = names.length === 0 ? new Map<string, bigint>() : await lockBalances(sql, [...new Set(names)]);
  const minorOf = (name: string) => balances.get(name) ?? 0n;
  // One after the other: what the first one takes, the next one does not find.
  const moves = following.map(({ payout, meant, line, undone }): PayoutMove => {
    const [name, debt] = [available(payout.accountId), owed(payout.accountId)];
    const share = { accountId: payout.accountId, minor: meant.takenMinor };
    const { availableMinor, owedMinor } = borneBy(share, {
      availableMinor: minorOf(name),
      owedMinor: minorOf(debt),
    });
    if (meant.takenMinor !== 0n)
      balances.set(name, minorOf(name) - availableMinor).set(debt, minorOf(debt) + owedMinor);
    const { kind, to, transitMinor, feeMinor, bankMinor } = meant;
    return {
      id: ids.ulid(at),
      payoutId: payout.id,
      number: payout.moves + 1,
      kind,
      undoes: undone?.id ?? null,
      line,
      stateBefore: payout.state,
      stateAfter: to,
      paidBefore: payout.paidAt,
      endedBefore: payout.endedAt,
      reasonBefore: payout.reason,
      transitMinor,
      availableMinor,
      owedMinor,
      feeMinor,
      bankMinor,
      at,
    };
  });
  const inDebt = following.flatMap(({ payout: { accountId } }, index) =>
    (moves[index]?.owedMinor ?? 0n) > 0n ? [accountId] : [],
  );
  if (inDebt.length > 0) await openOwedAccounts(sql, [...new Set(inDebt)], at);
  await insertMoves(sql, moves);
  const payouts = following.map((one) => ({ ...one.payout, ...after(one, at) }));
  await updateMoved(sql, payouts);
  const journals = following.flatMap(({ payout }, index) => {
    const move = moves[index];
    return move ? [payoutMovedJournal(bookedAs(move, payout), payout.accountId)] : [];
  });
  await post(sql, ids, journals, at);
  await tell(tools, sql, { payouts, following, at });
}

/** No mails of what is taken back: it was a mistake, and nothing that an account waits for. */
async function tell(
  tools: BankTools,
  sql: Sql,
  {
    payouts,
    following,
    at,
  }: { readonly payouts: readonly Payout[]; readonly following: readonly Following[]; readonly at: Temporal.Instant },
): Promise<void> {
  await tellStates(tools, sql, payouts, at);
  const news = payouts.filter((_, index) => !following[index]?.undone);
  await mailStates(tools, sql, news, at);
}

function after(
  { payout, meant, undone, reason }: Following,
  at: Temporal.Instant,
): Pick<Payout, 'state' | 'reason' | 'paidAt' | 'endedAt' | 'moves'> {
  const moves = payout.moves + 1;
  if (undone) return { state: meant.to, reason, paidAt: undone.paidBefore, endedAt: undone.endedBefore, moves };
  if (meant.to === 'paid') return { state: 'paid', reason: null, paidAt: at, endedAt: null, moves };
  return { state: meant.to, reason, paidAt: payout.paidAt, endedAt: at, moves };
}

const journalKinds = {
  paid: 'payout paid',
  paid_after_all: 'payout paid after all',
  sent_back: 'payout sent back',
  undone: 'payout move undone',
} as const satisfies Record<PayoutMove['kind'], PayoutMoved['kind']>;

const bookedAs = ({ id, kind, ...amounts }: PayoutMove, { currency }: Payout): PayoutMoved => ({
  ...amounts,
  source: id,
  kind: journalKinds[kind],
  currency,
});
