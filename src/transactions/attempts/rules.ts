// What a result means for an attempt and its transaction. Pure: every way of money-paths 2 for a payment is a line here.

import type { DeclineReason } from '../../acquirer/index.ts';
import type { TransactionStatus } from '../store.ts';

export type OpenState = 'sent' | 'waiting' | 'unknown';
export type FinalState = 'correct' | 'surplus' | 'failed' | 'canceled';
export type AttemptState = OpenState | FinalState;

/** What we learned of an attempt, from an answer, a callback, a look-up or an operator. */
export type Result =
  | { readonly kind: 'approved'; readonly amountMinor: bigint }
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'waiting'; readonly link: string | null }
  /** Nothing left our side. */
  | { readonly kind: 'notReached' }
  | { readonly kind: 'unknown' }
  /** Looked up in vain; to be asked again. */
  | { readonly kind: 'again'; readonly notFound: boolean }
  | { readonly kind: 'park'; readonly why: string };

export interface AttemptFacts {
  readonly state: AttemptState;
  readonly amountMinor: bigint;
  /** Whether the money of this attempt was booked as the payer's already. */
  readonly surplusBooked: boolean;
  readonly checks: number;
  readonly parked: boolean;
}

/** What is to be done; `none` when the result says nothing new. */
export type Step =
  | { readonly kind: 'none' }
  | { readonly kind: 'stand' }
  /** Captured, but nobody takes it: book it for the payer and send it back. `final` is the attempt's new state, if it was open. */
  | { readonly kind: 'giveBack'; readonly final: 'surplus' | undefined }
  | { readonly kind: 'fail'; readonly reason: DeclineReason }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'wait'; readonly link: string | null }
  | { readonly kind: 'look'; readonly notFound: boolean }
  | { readonly kind: 'park'; readonly why: string };

const openStates: readonly AttemptState[] = ['sent', 'waiting', 'unknown'];

export function isOpen(state: AttemptState): state is OpenState {
  return openStates.includes(state);
}

/** Decides what a result does. Repeats and results that come too late change nothing, except that captured money is never forgotten. */
export function afterResult(attempt: AttemptFacts, transaction: TransactionStatus, result: Result): Step {
  if (result.kind === 'approved') return afterApproval(attempt, transaction, result.amountMinor);
  // A final state is never left. That the bank contradicts itself about an ended one is for an operator.
  if (!isOpen(attempt.state)) return result.kind === 'park' && isEnded(attempt) ? parkOnce(attempt, result) : none;
  switch (result.kind) {
    case 'declined':
      return { kind: 'fail', reason: result.reason };
    case 'notReached':
      return { kind: 'fail', reason: 'internal error' };
    case 'canceled':
      return { kind: 'cancel' };
    case 'waiting':
      return { kind: 'wait', link: result.link };
    case 'unknown':
      return { kind: 'look', notFound: false };
    case 'again':
      return { kind: 'look', notFound: result.notFound };
    case 'park':
      return parkOnce(attempt, result);
  }
}

const none: Step = { kind: 'none' };

/** Without the payer's money, for all that we know. */
function isEnded({ state, surplusBooked }: AttemptFacts): boolean {
  return (state === 'failed' || state === 'canceled') && !surplusBooked;
}

function parkOnce(attempt: AttemptFacts, { why }: { readonly why: string }): Step {
  return attempt.parked ? none : { kind: 'park', why };
}

/** Whether an approval must be asked about again: of an attempt that had ended, and with another amount. */
export function isDoubtful(
  { state, amountMinor }: Pick<AttemptFacts, 'state' | 'amountMinor'>,
  minor: bigint,
): boolean {
  return (state === 'failed' || state === 'canceled') && minor !== amountMinor;
}

function afterApproval(attempt: AttemptFacts, transaction: TransactionStatus, amountMinor: bigint): Step {
  // An answer that names another amount is not believed: the bank is asked again, and then an operator.
  if (amountMinor !== attempt.amountMinor) {
    if (!isOpen(attempt.state)) return none;
    return attempt.checks < 3
      ? { kind: 'look', notFound: false }
      : { kind: 'park', why: 'The bank names another amount.' };
  }
  if (attempt.state === 'correct' || attempt.state === 'surplus' || attempt.surplusBooked) return none;
  if (isOpen(attempt.state))
    return transaction === 'pending' ? { kind: 'stand' } : { kind: 'giveBack', final: 'surplus' };
  // Failed or canceled for us, captured for the bank: the state stays, the money goes back.
  return { kind: 'giveBack', final: undefined };
}

/** How long to wait before the next look: soon at first, then rarely. */
export function nextLook(checks: number): Temporal.Duration {
  const seconds = [5, 10, 20, 40, 80, 160, 300][Math.min(checks, 6)] ?? 300;
  return Temporal.Duration.from({ seconds });
}

/** A waiting attempt hears by callback; the look-up is for callbacks that got lost. */
export const waitingLook = Temporal.Duration.from({ minutes: 5 });

/** Until then the request itself has the answer, or is dead; the money of a dead one is found within 20 s (design/proof.md). */
export const ownTime = Temporal.Duration.from({ seconds: 15 });

/** How long a node that looks keeps the others away. A second look does no harm, so it may be shorter than a slow bank. */
export const lookLease = Temporal.Duration.from({ seconds: 15 });

/** After so long the payer will not come back, and the bank is told to forget it. */
export const waitingAtMost = Temporal.Duration.from({ hours: 24 });

/** "Not found" counts only when the bank has had time and was asked twice. */
export const bankTime = Temporal.Duration.from({ seconds: 30 });
export const notFoundTwice = 2;

/** What could not be resolved in so long is parked for an operator. */
export const unresolvedAtMost = Temporal.Duration.from({ hours: 72 });
