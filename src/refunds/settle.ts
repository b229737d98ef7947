// What refunds add to the money that goes back: their statuses, journals, events and mail, a whole batch in the database
// transaction that settles it.

import type { Outgoing, OutgoingMove, OutgoingPurpose } from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import { knownId } from '../kernel/index.ts';
import {
  type Journal,
  lockBalances,
  post,
  type RefundMoves,
  refundCameBackJournal,
  refundExecutedJournal,
  refundPaidLateJournal,
  refundReturnedJournal,
  returnCameBackJournal,
  splitRefundCameBackJournal,
  splitRefundReturnedJournal,
} from '../ledger/index.ts';
import { insertEvents, insertMails } from '../notifications/index.ts';
import { lockForRefund, type RefundableTransaction, updateTransactionsPaidAgain } from '../transactions/index.ts';
import type { Refund, RefundPart, Step } from './model.ts';
import { eventsOf, type Move, mailsOf, reopeningOf, stepEvent } from './notify.ts';
import { afterResult, hasEnded } from './rules.ts';
import { sharesOf } from './shares.ts';
import {
  lockRefunds,
  type RefundChange,
  startRefunds,
  type TotalChange,
  updateRefunds,
  updateTotals,
} from './store/moves.ts';
import { listRefundParts, updatePartsPaidLate, updatePartsReturned } from './store/parts.ts';
import { listPaidTwice } from './store/refunds.ts';
import type { AfterRefunds, MailingTools } from './tools.ts';

/** An operator's "not captured" means that the bank declined it: amount and fee go back to the merchant. */
export function refundPurpose(tools: MailingTools, afterRefunds: AfterRefunds): OutgoingPurpose<Refund, Step> {
  return {
    purpose: 'refund',
    notPaid: { kind: 'declined' },
    find: async (sql, rows) => {
      const refunds = await lockRefunds(
        sql,
        rows.map(({ id }) => id),
      );
      return new Map(refunds.map((refund) => [refund.id, refund]));
    },
    after: ({ sentAt }, refund, result) =>
      afterResult(
        {
          ...refund,
          sent: sentAt !== null,
          paidLate: refund.paidLateAt !== null,
          cameBack: refund.cameBackAt !== null,
        },
        result,
      ),
    moved,
    applySteps: (sql, moves, now) => applySteps(tools, afterRefunds, sql, moves.map(moveOf), now),
    begin: (sql, rows, now) => begin(tools, sql, rows, now),
    listDisputed: listPaidTwice,
  };
}

function moveOf({ outgoing: { acquirer }, before: refund, after, step }: OutgoingMove<Refund, Step>): Move {
  return { acquirer, refund, after, step };
}

/** A refund that is sent becomes Pending; one of BLIK stays as it is. */
async function begin(tools: MailingTools, sql: Sql, rows: readonly Outgoing[], now: Temporal.Instant): Promise<void> {
  const begun = await startRefunds(
    sql,
    rows.map(({ id }) => knownId(id)),
  );
  const events = begun.map(({ refund, zone }) => stepEvent(tools, refund, refund.title, zone, now));
  await insertEvents(sql, tools.vault, events);
}

/** The refund after its step. */
function moved(refund: Refund, step: Move['step'], now: Temporal.Instant): Refund {
  const status = step.through.at(-1) ?? refund.status;
  const done = step.kind === 'done' || (step.kind === 'cameBack' && step.first === 'done');
  const accepted = done || (step.kind === 'wait' && refund.processedAt === null);
  return {
    ...refund,
    status,
    steps: refund.steps + step.through.length,
    processedAt: accepted ? (refund.processedAt ?? now) : refund.processedAt,
    endedAt: hasEnded(status) ? (refund.endedAt ?? now) : null,
    canceledBy: canceledBy(refund, step),
    paidLateAt: isPaidLate(step) ? now : refund.paidLateAt,
    cameBackAt: step.kind === 'cameBack' ? now : refund.cameBackAt,
  };
}

function canceledBy(refund: Refund, step: Move['step']): Refund['canceledBy'] {
  if (step.kind === 'cameBack') return refund.canceledBy ?? 'bank';
  return step.kind === 'returned' ? step.by : refund.canceledBy;
}

function isPaidLate(step: Move['step']): boolean {
  return step.kind === 'paidLate' || (step.kind === 'cameBack' && step.first === 'paidLate');
}

/** Balances are locked last, by `post`: they are the most contended rows. */
async function applySteps(
  tools: MailingTools,
  afterRefunds: AfterRefunds,
  sql: Sql,
  moves: readonly Move[],
  now: Temporal.Instant,
): Promise<void> {
  const transactionIds = [...new Set(moves.map(({ refund }) => refund.transactionId))];
  const merchantIds = [...new Set(moves.map(({ refund }) => refund.merchantId))];
  const refundables = new Map<string, RefundableTransaction>(
    (await lockForRefund(sql, merchantIds, transactionIds, null)).map((refundable) => [
      refundable.transaction.id,
      refundable,
    ]),
  );
  const reopening = reopeningOf(moves, refundables);
  const latest = [...new Map(moves.map(({ after }) => [after.id, after])).values()];
  await updateRefunds(sql, latest.map(changeOf));
  for (const { step, refund } of moves) {
    if (step.kind === 'paidLate' || step.kind === 'cameBack') {
      tools.log.error({ refund: refund.id, why: step.why }, 'the bank moved money of a refund after its end');
    }
  }
  // Before the totals: the schema refuses a total with room left while its transaction is marked as refunded.
  if (reopening.size > 0) await updateTransactionsPaidAgain(sql, [...reopening.keys()]);
  const totals = moves.flatMap(totalChangeOf);
  if (totals.length > 0) await updateTotals(sql, totals);
  const parts = await releaseParts(sql, moves, refundables);
  await insertEvents(
    sql,
    tools.vault,
    moves.flatMap((move) => eventsOf(tools, move, refundables.get(move.refund.transactionId), reopening, now)),
  );
  await insertMails(sql, mailsOf(tools, moves, refundables, now));
  const consequence = await afterRefunds(sql, unpaidOf(moves, refundables), now);
  const journals = moves.flatMap((move) => journalsOf(move, parts.get(move.refund.id)));
  if (consequence) {
    // All of them in one order, because two journals follow each other.
    const own = journals.flatMap(({ entries }) => entries.map(({ account }) => account));
    await lockBalances(sql, [...own, ...consequence.accounts]);
  }
  await post(sql, tools.ids, journals, now);
  await consequence?.post();
}

/** The transactions of which a refund ended without the payer, or whose money came back. */
function unpaidOf(
  moves: readonly Move[],
  refundables: ReadonlyMap<string, RefundableTransaction>,
): RefundableTransaction[] {
  const unpaid = moves.filter(({ step }) => step.kind === 'returned' || step.kind === 'cameBack');
  const ids = new Set(unpaid.map(({ refund }) => refund.transactionId));
  return [...refundables.values()].filter(({ transaction }) => ids.has(transaction.id));
}

/** Releases the parts of refunds over several sellers, as the totals; returns the parts of those refunds. */
async function releaseParts(
  sql: Sql,
  moves: readonly Move[],
  refundables: ReadonlyMap<string, RefundableTransaction>,
): Promise<ReadonlyMap<string, readonly RefundPart[]>> {
  const split = moves.filter(
    ({ refund, step }) =>
      (step.kind === 'returned' || step.kind === 'paidLate' || step.kind === 'cameBack') &&
      refundables.get(refund.transactionId)?.transaction.origin === 'marketplace',
  );
  if (split.length === 0) return new Map();
  const ids = [...new Set(split.map(({ refund }) => refund.id))];
  const parts = Map.groupBy(await listRefundParts(sql, ids), ({ refundId }) => refundId);
  const partsOf = (of: (change: Released) => bigint, wanted: bigint) =>
    split.filter((move) => of(releasedBy(move)) === wanted).flatMap(({ refund }) => parts.get(refund.id) ?? []);
  await updatePartsReturned(
    sql,
    partsOf(({ returned }) => returned, 1n),
  );
  for (const sign of [1n, -1n] as const) {
    await updatePartsPaidLate(
      sql,
      partsOf(({ paidLate }) => paidLate, sign),
      sign,
    );
  }
  return parts;
}

function changeOf(refund: Refund): RefundChange {
  return {
    id: refund.id,
    status: refund.status,
    steps: refund.steps,
    processedAt: refund.processedAt?.toString() ?? null,
    endedAt: refund.endedAt?.toString() ?? null,
    canceledBy: refund.canceledBy,
    paidLateAt: refund.paidLateAt?.toString() ?? null,
    cameBackAt: refund.cameBackAt?.toString() ?? null,
  };
}

/** How often the amount of a refund is given back to the limit, and counted as paid late. */
interface Released {
  readonly returned: 0n | 1n;
  readonly paidLate: 0n | 1n | -1n;
}

/** What had been paid late and came back counts neither way. */
function releasedBy({ refund, step }: Move): Released {
  if (step.kind === 'returned') return { returned: 1n, paidLate: 0n };
  if (step.kind === 'paidLate') return { returned: 0n, paidLate: 1n };
  if (step.kind !== 'cameBack' || step.first === 'paidLate') return { returned: 0n, paidLate: 0n };
  return refund.paidLateAt === null ? { returned: 1n, paidLate: 0n } : { returned: 0n, paidLate: -1n };
}

function totalChangeOf(move: Move): TotalChange[] {
  const { transactionId, amount } = move.refund;
  const { returned, paidLate } = releasedBy(move);
  if (returned === 0n && paidLate === 0n) return [];
  return [{ transactionId, returnedMinor: returned * amount.minor, paidLateMinor: paidLate * amount.minor }];
}

function journalsOf({ acquirer, refund, step }: Move, parts: readonly RefundPart[] | undefined): Journal[] {
  const { amount, feeMinor, merchantId } = refund;
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
    case 'cameBack':
      return cameBackJournals({ ...moves, acquirer }, refund, step.first, parts);
    default:
      return [];
  }
}

/** The merchant gets it back, unless it was given back before the bank paid: then it is the payer's. */
function cameBackJournals(
  moves: RefundMoves & { readonly acquirer: string },
  { merchantId, paidLateAt }: Refund,
  first: 'done' | 'paidLate' | null,
  parts: readonly RefundPart[] | undefined,
): Journal[] {
  if (first === 'paidLate' || paidLateAt !== null) {
    const back = returnCameBackJournal(moves, 'refund came back');
    return first === 'paidLate' ? [refundPaidLateJournal(moves), back] : [back];
  }
  const back = parts
    ? splitRefundCameBackJournal(moves, merchantId, sharesOf(parts))
    : refundCameBackJournal(moves, merchantId);
  return first === 'done' ? [refundExecutedJournal(moves), back] : [back];
}
