// Events about the progress of a refund. They are read at GET /events and never sent: the only notification about a
// refund is that of the transaction (CHARGEBACK).

import type { Change } from '../banking/index.ts';
import type { TransactionId } from '../kernel/index.ts';
import { composeMails, type NewEvent, refundNotification, type SealedMail } from '../notifications/index.ts';
import type { Tools } from '../tools.ts';
import { type RefundableTransaction, transactionEvent } from '../transactions/index.ts';
import { cameBackMail } from './came-back-mail.ts';
import { refundMail } from './mail.ts';
import type { Refund, Step } from './model.ts';
import type { MailingTools } from './tools.ts';

/**
 * The event for the refund's latest step. Steps at the same instant must be read in order, so each is dated as many
 * microseconds later as there were steps before it.
 */
export function stepEvent(tools: Tools, refund: Refund, title: string, zone: string, at: Temporal.Instant): NewEvent {
  const { id, merchantId, transactionId, status, amount } = refund;
  return {
    id: tools.ids.ulid(),
    accountId: merchantId,
    type: 'refund',
    subjectId: id,
    url: null,
    payload: refundNotification({ merchantId, refundId: id, transactionId, title, status, amount, at, zone }),
    createdAt: at.add({ microseconds: refund.steps - 1 }),
  };
}

/** One step of a refund: `refund` before and `after` it. */
export interface Move {
  readonly acquirer: string;
  readonly refund: Refund;
  readonly after: Refund;
  readonly step: Change<Step>;
}

/**
 * Transactions that are no longer refunded, each with the step that caused it. Any refund that is returned leaves
 * something to refund, even a part that was declined after the rest was refunded.
 */
export function reopeningOf(
  moves: readonly Move[],
  refundables: ReadonlyMap<string, RefundableTransaction>,
): ReadonlyMap<TransactionId, Move> {
  const reopening = new Map<TransactionId, Move>();
  for (const move of moves) {
    const { transactionId } = move.refund;
    const refunded = refundables.get(transactionId)?.transaction.status === 'refund';
    if (refunded && isUndone(move.step) && !reopening.has(transactionId)) reopening.set(transactionId, move);
  }
  return reopening;
}

/** Something of the transaction can be refunded again. */
function isUndone(step: Move['step']): boolean {
  return step.kind === 'returned' || (step.kind === 'cameBack' && step.first !== 'paidLate');
}

/**
 * One event per status that the refund passed; and one for a transaction that is paid again, matching its CHARGEBACK.
 */
export function eventsOf(
  tools: MailingTools,
  move: Move,
  refundable: RefundableTransaction | undefined,
  reopening: ReadonlyMap<TransactionId, Move>,
  now: Temporal.Instant,
): NewEvent[] {
  if (!refundable) return [];
  const { refund, after, step } = move;
  const { transaction, notification } = refundable;
  const events = step.through.map((status, index) =>
    stepEvent(tools, { ...after, status, steps: refund.steps + index + 1 }, transaction.title, notification.zone, now),
  );
  if (reopening.get(transaction.id) !== move) return events;
  return [...events, transactionEvent(tools, { ...transaction, status: 'paid' }, notification, 'TRUE')];
}

/** The payer is told only when the money is on its way back, the merchant when it came back. */
export function mailsOf(
  tools: MailingTools,
  moves: readonly Move[],
  refundables: ReadonlyMap<string, RefundableTransaction>,
  now: Temporal.Instant,
): SealedMail[] {
  if (!tools.sendsMail) return [];
  const mailed = moves.flatMap(({ refund, step }) => {
    const refundable = refundables.get(refund.transactionId);
    if (step.kind !== 'done' || !refundable?.mailsRefunded || refundable.transaction.payer.email === '') return [];
    return [{ refund, refundable }];
  });
  const back = moves.flatMap(({ refund, step }) => {
    const refundable = refundables.get(refund.transactionId);
    const isTold = step.kind === 'cameBack' && step.first !== 'paidLate' && refund.paidLateAt === null;
    return isTold && refundable ? [{ refund, refundable }] : [];
  });
  return [
    ...composeMails(tools, mailed, ({ refund, refundable }) => refundMail(tools.ids.ulid(), refund, refundable, now)),
    ...composeMails(tools, back, ({ refund, refundable }) => cameBackMail(tools.ids.ulid(), refund, refundable, now)),
  ];
}
