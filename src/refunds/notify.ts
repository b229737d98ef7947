// The events about the progress of a refund. They are read at GET /events and never sent: the only notification about a
// refund is the transaction's own (CHARGEBACK).

import type { TransactionId } from '../kernel/index.ts';
import { type NewEvent, type NewMail, refundNotification } from '../notifications/index.ts';
import type { Tools } from '../tools.ts';
import { type RefundableTransaction, transactionEvent } from '../transactions/index.ts';
import { refundLetter } from './letter.ts';
import type { Refund, Step } from './model.ts';
import type { MailingTools } from './tools.ts';

/**
 * The step that the refund has just made. Steps of one instant are read in their order: each is told as many microseconds
 * later as there were before it.
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

/** One step of one refund: `refund` as it was before, `after` as it is then. */
export interface Move {
  readonly refund: Refund;
  readonly after: Refund;
  readonly step: Exclude<Step, { kind: 'none' | 'refused' }>;
}

/**
 * Transactions that are refunded no longer, each with the move that did it. Any refund that comes back leaves something
 * to refund, also a part that was refused after the rest had been refunded.
 */
export function reopeningOf(
  moves: readonly Move[],
  refundables: ReadonlyMap<string, RefundableTransaction>,
): ReadonlyMap<TransactionId, Move> {
  const reopening = new Map<TransactionId, Move>();
  for (const move of moves) {
    const { transactionId } = move.refund;
    const refunded = refundables.get(transactionId)?.transaction.status === 'refund';
    if (refunded && move.step.kind === 'returned' && !reopening.has(transactionId)) reopening.set(transactionId, move);
  }
  return reopening;
}

/** One event for each status that the refund came to; and a transaction that is paid again says so, as it said CHARGEBACK. */
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

/** The payer is notified only when the money is on its way back. */
export function mailsOf(
  tools: MailingTools,
  moves: readonly Move[],
  refundables: ReadonlyMap<string, RefundableTransaction>,
  now: Temporal.Instant,
): NewMail[] {
  if (!tools.sendsMail) return [];
  return moves.flatMap(({ refund, step }) => {
    const refundable = refundables.get(refund.transactionId);
    if (step.kind !== 'done' || !refundable || refundable.transaction.payer.email === '') return [];
    return [refundLetter(tools.ids.ulid(), refund, refundable, now)];
  });
}
