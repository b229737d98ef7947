// What an attempt of the recurring engine is called, and what a result means for it. Pure: the table of money-paths 2.

import { hash } from 'node:crypto';
import type { DeclineReason } from '../../acquirer/index.ts';
import {
  type Approval,
  judgeAmount,
  type LookReason,
  otherAmountWhy,
  type Park,
  type Patience,
} from '../../banking/index.ts';
import { knownId, type TransactionId, ulid } from '../../kernel/index.ts';
import type { Progress } from '../rules.ts';
import { chargeAt } from '../schedule.ts';
import type { Recurring } from '../store.ts';
import type { AttemptState } from './store.ts';

/** What we learned of an attempt, from an answer, a callback, a look-up or an operator. */
export type Result =
  | Approval
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  /** It will never capture, even if it arrives at the bank later. */
  | { readonly kind: 'canceled' }
  | { readonly kind: 'waiting' }
  /** Nothing left our side: the same key may be sent again at once. */
  | { readonly kind: 'notReached' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'again'; readonly notFound: boolean }
  | Park;

export type Step =
  | { readonly kind: 'none' }
  | { readonly kind: 'correct' }
  | { readonly kind: 'failed'; readonly reason: DeclineReason }
  /** The recurring payment was canceled before anything of this attempt reached the bank. */
  | { readonly kind: 'canceled' }
  /** Called failed before, captured after all. */
  | { readonly kind: 'giveBack' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'look'; readonly because: LookReason }
  | Park;

export interface AttemptFacts {
  readonly state: AttemptState;
  /** How many look-ups named another amount. */
  readonly otherAmounts: number;
  readonly parked: boolean;
  /** Whether its recurring payment was canceled meanwhile. */
  readonly endedByCancel: boolean;
}

export function isOpen(state: AttemptState): boolean {
  return state === 'sent' || state === 'waiting' || state === 'unknown';
}

/** `unknown` never turns into `failed` by itself. Results of an attempt that is final change nothing, but captured money is never forgotten. */
export function afterResult(attempt: AttemptFacts, amountMinor: bigint, result: Result): Step {
  if (attempt.state === 'correct') return none;
  if (result.kind === 'approved') return afterApproval(attempt, amountMinor, result);
  if (!isOpen(attempt.state)) return afterEnd(attempt, result);
  switch (result.kind) {
    case 'declined':
      return { kind: 'failed', reason: result.reason };
    case 'canceled':
      return attempt.endedByCancel ? { kind: 'canceled' } : { kind: 'failed', reason: 'internal error' };
    case 'waiting':
      return { kind: 'wait' };
    case 'notReached':
      return { kind: 'look', because: 'neverSent' };
    case 'unknown':
      return { kind: 'look', because: 'unknown' };
    case 'again':
      return { kind: 'look', because: result.notFound ? 'notFound' : 'unknown' };
    case 'park':
      return parkOnce(attempt, result);
  }
}

const none: Step = { kind: 'none' };

function parkOnce(attempt: AttemptFacts, { why }: { readonly why: string }): Step {
  return attempt.parked ? none : { kind: 'park', why };
}

function afterApproval(attempt: AttemptFacts, amountMinor: bigint, approval: Approval): Step {
  const open = isOpen(attempt.state);
  switch (judgeAmount(amountMinor, approval, attempt.otherAmounts)) {
    case 'askAgain':
      return { kind: 'look', because: approval.lookedUp ? 'otherAmount' : open ? 'unknown' : 'doubt' };
    case 'park':
      return parkOnce(attempt, { why: otherAmountWhy });
    case 'believe':
      return { kind: open ? 'correct' : 'giveBack' };
  }
}

/** Only the look-ups of an ended attempt that the bank called approved after all go on. */
function afterEnd(attempt: AttemptFacts, result: Exclude<Result, Approval>): Step {
  if (result.kind === 'again') return { kind: 'look', because: 'unknown' };
  return result.kind === 'park' ? parkOnce(attempt, result) : none;
}

/** A request that never arrived is sent again within 20 s. What nobody confirms within a day is canceled at the bank. */
export const patience: Patience = {
  bankTime: Temporal.Duration.from({ seconds: 15 }),
  timesNotFound: 2,
  waitingAtMost: Temporal.Duration.from({ hours: 24 }),
};

/** A waiting charge hears by callback; the look-up is for callbacks that got lost. */
export const waitingLook = Temporal.Duration.from({ minutes: 10 });

/** What tells one charge from all others. */
type ChargedFor = Pick<Recurring, 'merchantId' | 'id' | 'plan'> & { readonly progress: Pick<Progress, 'iteration'> };

/**
 * The id of an attempt's transaction, which is also its key at the bank. It is drawn from what it is for, not at random: a
 * database that was restored to an earlier time asks for the same charge under the same key, and the bank, which knows it,
 * charges nobody twice. Its time is about when the iteration falls due, in UTC, because an account's zone may change.
 */
export function chargeId(
  { merchantId, id, plan, progress: { iteration } }: ChargedFor,
  attempt: number,
): TransactionId {
  const digest = hash('sha256', `${merchantId} ${id} ${iteration} ${attempt}`, 'hex');
  const dueAt = Math.max(0, chargeAt({ ...plan, zone: 'UTC' }, iteration).epochMilliseconds);
  return knownId(ulid(dueAt, Buffer.from(digest, 'hex')));
}
