// Pure decisions about refunds (docs/decisions/0010).

import { afterDoubt } from '../banking/index.ts';
import { insufficientFunds } from '../ledger/index.ts';
import { methodOf } from '../methods/index.ts';
import { alreadyRefunded, type TransactionStatus, transactionCanceled } from '../transactions/index.ts';
import { cannotCreateRefund, paymentDisputed, refundExceedsPaid } from './failures.ts';
import type { Refund, RefundContext, RefundRefusal, RefundStatus, RequestedRefund, Result, Step } from './model.ts';

export function contextOf(channelId: number): RefundContext {
  return methodOf(channelId)?.refund?.context ?? 'transactional';
}

/** Which statuses the refunds of a channel have. */
export function statusesOf(channelId: number): Refund['statuses'] {
  return methodOf(channelId)?.refund?.statuses ?? 'usual';
}

function isBlik(channelId: number): boolean {
  return statusesOf(channelId) === 'blik';
}

/** The initial status of a refund, also after a release. */
export function firstStatus(channelId: number): RefundStatus {
  return isBlik(channelId) ? 'BLIK_pending' : 'New';
}

/** What a decision is based on, read under the locks of the transaction and the merchant's balance. */
export interface RefundBasis {
  readonly status: TransactionStatus;
  readonly channelId: number | null;
  readonly paidMinor: bigint;
  /** The part that can no longer be refunded. */
  readonly goneMinor: bigint;
  /** The part that payers' banks take back. */
  readonly disputedMinor: bigint;
  readonly feeMinor: bigint;
  readonly availableMinor: bigint;
}

export type Decision =
  | { readonly kind: 'granted'; readonly amountMinor: bigint; readonly feeMinor: bigint }
  | { readonly kind: 'refused'; readonly why: RefundRefusal };

function refused(why: RefundRefusal): Decision {
  return { kind: 'refused', why };
}

/** Why nothing of a transaction can be refunded; undefined if its status and channel allow it. */
export function unrefundable({
  status,
  channelId,
}: Pick<RefundBasis, 'status' | 'channelId'>): RefundRefusal | undefined {
  if (status === 'pending') return { ...cannotCreateRefund, message: 'The transaction is not paid.' };
  if (status === 'canceled') return transactionCanceled;
  if (status === 'refund') return alreadyRefunded;
  if (methodOf(channelId)?.refund) return undefined;
  return { ...cannotCreateRefund, message: 'The channel of this payment does not support refunds.' };
}

/** Whether the payer would get some of the amount by a dispute as well. */
export function isDisputed(amountMinor: bigint, leftMinor: bigint, disputedMinor: bigint): boolean {
  return disputedMinor > 0n && amountMinor > leftMinor - disputedMinor;
}

/** Whether the refund is allowed: checks the status first, then the channel, the 100 % limit and the balance. */
export function decideRefund(basis: RefundBasis, requested: RequestedRefund): Decision {
  const refusal = unrefundable(basis);
  if (refusal) return refused(refusal);
  const leftMinor = basis.paidMinor - basis.goneMinor;
  if (requested.kind === 'full' && leftMinor === 0n) return refused(alreadyRefunded);
  const amountMinor = requested.kind === 'full' ? leftMinor : requested.amountMinor;
  if (amountMinor > leftMinor) return refused(refundExceedsPaid);
  if (isDisputed(amountMinor, leftMinor, basis.disputedMinor)) return refused(paymentDisputed);
  if (amountMinor + basis.feeMinor > basis.availableMinor) return refused(insufficientFunds);
  return { kind: 'granted', amountMinor, feeMinor: basis.feeMinor };
}

export interface RefundFacts {
  readonly status: RefundStatus;
  readonly channelId: number;
  /** Whether it may have reached the bank. */
  readonly sent: boolean;
  readonly paidLate: boolean;
  readonly cameBack: boolean;
}

const none: Step = { kind: 'none', through: [] };
const tooLate: Step = { kind: 'refused', through: [] };
const paidLate: Step = {
  kind: 'paidLate',
  through: [],
  why: 'paid_after_decline',
};
const endStatuses: readonly RefundStatus[] = ['Done', 'Cancel', 'BLIK_processed', 'BLIK_incorrect'];

export function hasEnded(status: RefundStatus): boolean {
  return endStatuses.includes(status);
}

/** Decides the effect of a result. Repeated and late results change nothing, except that moved money is booked. */
export function afterResult(refund: RefundFacts, result: Result): Step {
  switch (result.kind) {
    case 'hold':
    case 'release':
    case 'cancel':
      return afterRequest(refund, result);
    case 'approved':
      return afterApproval(refund);
    case 'cameBack':
      return afterComingBack(refund);
    // What a payer gets by a dispute, its merchant has back once an operator says so.
    case 'withdraw':
      return tooLate;
    default:
      return !refund.sent || hasEnded(refund.status) ? none : afterSending(refund, result);
  }
}

function afterRequest(refund: RefundFacts, result: Extract<Result, { kind: 'hold' | 'release' | 'cancel' }>): Step {
  const { status, channelId, sent } = refund;
  const waits = !sent && !hasEnded(status);
  if (result.kind === 'hold') {
    if (status === 'Hold') return none;
    return waits ? { kind: 'held', through: ['Hold'] } : tooLate;
  }
  if (result.kind === 'release') {
    if (status === 'Hold') return { kind: 'released', through: [firstStatus(channelId)] };
    return waits ? none : tooLate;
  }
  if (status === 'Cancel') return none;
  if (status !== 'New' && status !== 'Hold') return tooLate;
  return { kind: 'returned', through: ['Cancel'], by: result.by };
}

function afterApproval(refund: RefundFacts): Step {
  const { status, channelId, sent } = refund;
  if (refund.cameBack) return none;
  if (isLost(status)) {
    return refund.paidLate ? none : paidLate;
  }
  if (hasEnded(status)) return none;
  if (isBlik(channelId)) return { kind: 'done', through: ['BLIK_processed'] };
  // Not sent as far as we know, and paid: the books are older than the bank's, after a restore. What it moved, it moved.
  if (!sent) return { kind: 'done', through: ['Pending', 'Processed', 'Done'] };
  return { kind: 'done', through: status === 'Processed' ? ['Done'] : ['Processed', 'Done'] };
}

/** Paid, perhaps unheard, and back: it ends like one that was declined (docs/decisions/0032). */
function afterComingBack(refund: RefundFacts): Step {
  if (refund.cameBack) return none;
  const paid = afterApproval(refund);
  const first = paid.kind === 'done' || paid.kind === 'paidLate' ? paid.kind : null;
  const undone: RefundStatus = isBlik(refund.channelId) ? 'BLIK_incorrect' : 'Cancel';
  const through = isLost(refund.status) ? [] : [...paid.through, undone];
  return { kind: 'cameBack', first, why: 'came_back', through };
}

function isLost(status: RefundStatus): boolean {
  return status === 'Cancel' || status === 'BLIK_incorrect';
}

function afterSending(
  { status, channelId }: RefundFacts,
  result: Extract<Result, { kind: 'declined' | 'waiting' | 'again' | 'park' }>,
): Step {
  if (result.kind === 'declined')
    return { kind: 'returned', through: [isBlik(channelId) ? 'BLIK_incorrect' : 'Cancel'], by: 'bank' };
  const through: readonly RefundStatus[] = result.kind === 'waiting' && status === 'Pending' ? ['Processed'] : [];
  return { ...afterDoubt(result), through };
}
