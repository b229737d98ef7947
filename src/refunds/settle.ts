// Settling: turns results of refunds into rows, journals, events and mail, a whole batch in one database transaction.

import { afterLook, lookDelay } from '../banking/index.ts';
import {
  type Journal,
  post,
  type RefundMoves,
  refundExecutedJournal,
  refundPaidLateJournal,
  refundReturnedJournal,
  splitRefundReturnedJournal,
} from '../ledger/index.ts';
import { insertEvents, insertMails } from '../notifications/index.ts';
import type { Sql } from '../platform/index.ts';
import { lockForRefund, type RefundableTransaction, updateTransactionsPaidAgain } from '../transactions/index.ts';
import type { Refund, RefundPart, Settled, Settlement } from './model.ts';
import { eventsOf, type Move, mailsOf, reopeningOf } from './notify.ts';
import { afterResult, hasEnded, nextWaitingLook } from './rules.ts';
import { sharesOf } from './split.ts';
import {
  deleteWork,
  insertParked,
  lockRefunds,
  lockWork,
  type RefundChange,
  type TotalChange,
  updateRefunds,
  updateTotals,
  updateWork,
  type WorkChange,
  type WorkRow,
} from './store/moves.ts';
import { listRefundParts, updatePartsPaidLate, updatePartsReturned } from './store/parts.ts';
import type { MailingTools, RefundTools } from './tools.ts';

/** Results that arrive together are settled together; each caller gets its own. */
export function openSettle(tools: MailingTools): RefundTools['settle'] {
  return tools.db.joined({
    name: 'refund settlement',
    atomic: true,
    write: (sql, settlements) => settleSet(tools, sql, settlements),
  });
}

/** Settles one result inside a larger database transaction. */
export async function settleIn(tools: MailingTools, sql: Sql, settlement: Settlement): Promise<Settled> {
  const [settled] = await settleSet(tools, sql, [settlement]);
  return settled;
}

async function settleSet(tools: MailingTools, sql: Sql, settlements: readonly Settlement[]): Promise<Settled[]> {
  const ids = [...new Set(settlements.map(({ refundId }) => refundId))].sort();
  const work = await lockWork(sql, ids);
  const known = new Map<string, Refund>((await lockRefunds(sql, ids)).map((refund) => [refund.id, refund]));
  const now = tools.clock.now();
  const moves: Move[] = [];
  const settled = settlements.map(({ refundId, result }): Settled => {
    const refund = known.get(refundId);
    if (!refund) return undefined;
    const step = afterResult({ ...refund, sent: refund.sentAt !== null, paidLate: refund.paidLateAt !== null }, result);
    if (step.kind === 'none' || step.kind === 'refused') return { refund, step };
    const after = moved(refund, step, now);
    known.set(refundId, after);
    moves.push({ refund, after, step });
    return { refund: after, step };
  });
  if (moves.length > 0) await write(tools, sql, moves, work, now);
  return settled;
}

/** The refund after its step. */
function moved(refund: Refund, step: Move['step'], now: Temporal.Instant): Refund {
  const status = step.through.at(-1) ?? refund.status;
  const taken = step.kind === 'done' || (step.kind === 'wait' && refund.processedAt === null);
  return {
    ...refund,
    status,
    steps: refund.steps + step.through.length,
    sentAt: step.kind === 'done' ? (refund.sentAt ?? now) : refund.sentAt,
    processedAt: taken ? (refund.processedAt ?? now) : refund.processedAt,
    endedAt: hasEnded(status) ? (refund.endedAt ?? now) : null,
    canceledBy: step.kind === 'returned' ? step.by : refund.canceledBy,
    paidLateAt: step.kind === 'paidLate' ? now : refund.paidLateAt,
  };
}

/** Balances are locked last, by `post`: they are the most contended rows. */
async function write(
  tools: MailingTools,
  sql: Sql,
  moves: readonly Move[],
  work: ReadonlyMap<string, WorkRow>,
  now: Temporal.Instant,
): Promise<void> {
  const transactionIds = [...new Set(moves.map(({ refund }) => refund.transactionId))];
  const merchantIds = [...new Set(moves.map(({ refund }) => refund.merchantId))];
  const refundables = new Map<string, RefundableTransaction>(
    (await lockForRefund(sql, merchantIds, transactionIds)).map((refundable) => [
      refundable.transaction.id,
      refundable,
    ]),
  );
  const reopening = reopeningOf(moves, refundables);
  const latest = [...new Map(moves.map(({ after }) => [after.id, after])).values()];
  await updateRefunds(sql, latest.map(changeOf));
  await writeWork(tools, sql, moves, work, now);
  // Before the totals: the schema refuses a total with room left while its transaction is marked as refunded.
  if (reopening.size > 0) await updateTransactionsPaidAgain(sql, [...reopening.keys()]);
  const totals = moves.flatMap(totalChangeOf);
  if (totals.length > 0) await updateTotals(sql, totals);
  const parts = await writeParts(sql, moves, refundables);
  await insertEvents(
    sql,
    tools.vault,
    moves.flatMap((move) => eventsOf(tools, move, refundables.get(move.refund.transactionId), reopening, now)),
  );
  await insertMails(sql, mailsOf(tools, moves, refundables, now));
  await post(
    sql,
    tools.ids,
    moves.flatMap((move) => journalsOf(move, parts.get(move.refund.id))),
    now,
  );
}

/** Releases the parts of refunds over several sellers, as the totals; returns the parts of those refunds. */
async function writeParts(
  sql: Sql,
  moves: readonly Move[],
  refundables: ReadonlyMap<string, RefundableTransaction>,
): Promise<ReadonlyMap<string, readonly RefundPart[]>> {
  const split = moves.filter(
    ({ refund, step }) =>
      (step.kind === 'returned' || step.kind === 'paidLate') &&
      refundables.get(refund.transactionId)?.transaction.origin === 'marketplace',
  );
  if (split.length === 0) return new Map();
  const ids = [...new Set(split.map(({ refund }) => refund.id))];
  const parts = Map.groupBy(await listRefundParts(sql, ids), ({ refundId }) => refundId);
  const partsOf = (kind: Move['step']['kind']) =>
    split.filter(({ step }) => step.kind === kind).flatMap(({ refund }) => parts.get(refund.id) ?? []);
  await updatePartsReturned(sql, partsOf('returned'));
  await updatePartsPaidLate(sql, partsOf('paidLate'));
  return parts;
}

function changeOf(refund: Refund): RefundChange {
  return {
    id: refund.id,
    status: refund.status,
    steps: refund.steps,
    sentAt: refund.sentAt?.toString() ?? null,
    processedAt: refund.processedAt?.toString() ?? null,
    endedAt: refund.endedAt?.toString() ?? null,
    canceledBy: refund.canceledBy,
    paidLateAt: refund.paidLateAt?.toString() ?? null,
  };
}

function totalChangeOf({ refund, step }: Move): TotalChange[] {
  const { transactionId, amount } = refund;
  if (step.kind === 'returned') return [{ transactionId, returnedMinor: amount.minor, paidLateMinor: 0n }];
  if (step.kind === 'paidLate') return [{ transactionId, returnedMinor: 0n, paidLateMinor: amount.minor }];
  return [];
}

const paidLateWhy = 'The bank paid out a refund that it had declined.';

async function writeWork(
  tools: MailingTools,
  sql: Sql,
  moves: readonly Move[],
  work: ReadonlyMap<string, WorkRow>,
  now: Temporal.Instant,
): Promise<void> {
  const ended = moves.filter(({ step }) => step.kind === 'done' || step.kind === 'returned');
  const late = moves.filter(({ step }) => step.kind === 'paidLate').map(({ refund }) => refund.id);
  const plans = new Map<string, WorkChange>();
  for (const { refund, step } of moves) {
    const row = work.get(refund.id);
    const plan = row && planOf(step, row, now);
    if (plan) plans.set(refund.id, plan);
  }
  if (plans.size > 0) await updateWork(sql, [...plans.values()]);
  if (ended.length > 0) {
    await deleteWork(
      sql,
      ended.map(({ refund }) => refund.id),
    );
  }
  if (late.length > 0) {
    await insertParked(sql, late, paidLateWhy, now);
    tools.log.error({ refunds: late }, paidLateWhy);
  }
}

/** When to look at the refund next; undefined if it has ended. */
function planOf(step: Move['step'], row: WorkRow, now: Temporal.Instant): WorkChange | undefined {
  const plan = (at: Temporal.Instant | null, checks: number, otherAmounts = row.otherAmounts): WorkChange => ({
    refundId: row.refundId,
    nextStepAt: at?.toString() ?? null,
    checks,
    otherAmounts,
    parkedAt: null,
    parkedWhy: null,
  });
  switch (step.kind) {
    case 'held':
      return plan(null, row.checks);
    case 'released':
      return plan(now, row.checks);
    case 'wait':
      return plan(now.add(nextWaitingLook(row.checks)), row.checks + 1);
    case 'look': {
      const looks = afterLook({ ...row, timesNotFound: 0 }, step.because);
      return plan(now.add(lookDelay(row, step.because)), looks.checks, looks.otherAmounts);
    }
    case 'park':
      return { ...plan(null, row.checks), parkedAt: now.toString(), parkedWhy: step.why };
    default:
      return undefined;
  }
}

function journalsOf({ refund, step }: Move, parts: readonly RefundPart[] | undefined): Journal[] {
  const { amount, feeMinor, acquirer, merchantId } = refund;
  const moves: RefundMoves = {
    source: refund.id,
    currency: amount.currency,
    amountMinor: amount.minor,
    feeMinor,
  };
  switch (step.kind) {
    case 'done':
      return [refundExecutedJournal({ ...moves, acquirer })];
    case 'returned':
      return [
        parts
          ? splitRefundReturnedJournal(moves, merchantId, sharesOf(parts))
          : refundReturnedJournal(moves, merchantId),
      ];
    case 'paidLate':
      return [refundPaidLateJournal({ ...moves, acquirer })];
    default:
      return [];
  }
}
