// What an attempt of the recurring engine is called, and what a result means for it. Pure: the table of money-paths 2.

import { hash } from 'node:crypto';
import type { DeclineReason } from '../../acquirer/index.ts';
import { knownId, type TransactionId, ulid } from '../../kernel/index.ts';
import type { Progress } from '../rules.ts';
import { chargeAt } from '../schedule.ts';
import type { Recurring } from '../store.ts';
import type { AttemptState } from './store.ts';

/** What we learned of an attempt, from an answer, a callback, a look-up or an operator. */
export type Result =
  | { readonly kind: 'approved'; readonly amountMinor: bigint }
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  /** It will never capture, even if it arrives at the bank later. */
  | { readonly kind: 'canceled' }
  | { readonly kind: 'waiting' }
  /** Nothing left our side: the same key may be sent again at once. */
  | { readonly kind: 'notReached' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'again'; readonly notFound: boolean }
  | { readonly kind: 'park'; readonly why: string };

export type Step =
  | { readonly kind: 'none' }
  | { readonly kind: 'correct' }
  | { readonly kind: 'failed'; readonly reason: DeclineReason }
  /** The recurring payment was canceled before anything of this attempt reached the bank. */
  | { readonly kind: 'canceled' }
  /** Called failed before, captured after all. */
  | { readonly kind: 'giveBack' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'look'; readonly notFound: boolean; readonly sendAgain: boolean }
  | { readonly kind: 'park'; readonly why: string };

export interface AttemptFacts {
  readonly state: AttemptState;
  readonly checks: number;
  readonly parked: boolean;
  /** Whether its recurring payment was canceled meanwhile. */
  readonly endedByCancel: boolean;
}

export function isOpen(state: AttemptState): boolean {
  return state === 'sent' || state === 'waiting' || state === 'unknown';
}

const wrongAmountLooks = 3;

/** `unknown` never turns into `failed` by itself. Results of an attempt that is final change nothing, but captured money is never forgotten. */
export function afterResult(attempt: AttemptFacts, amountMinor: bigint, result: Result): Step {
  if (!isOpen(attempt.state)) {
    return attempt.state !== 'correct' && result.kind === 'approved' ? { kind: 'giveBack' } : { kind: 'none' };
  }
  switch (result.kind) {
    case 'approved':
      if (result.amountMinor === amountMinor) return { kind: 'correct' };
      if (attempt.checks < wrongAmountLooks) return { kind: 'look', notFound: false, sendAgain: false };
      return { kind: 'park', why: 'The bank names another amount.' };
    case 'declined':
      return { kind: 'failed', reason: result.reason };
    case 'canceled':
      return attempt.endedByCancel ? { kind: 'canceled' } : { kind: 'failed', reason: 'internal error' };
    case 'waiting':
      return { kind: 'wait' };
    case 'notReached':
      return { kind: 'look', notFound: false, sendAgain: true };
    case 'unknown':
      return { kind: 'look', notFound: false, sendAgain: false };
    case 'again':
      return { kind: 'look', notFound: result.notFound, sendAgain: false };
    case 'park':
      return attempt.parked ? { kind: 'none' } : { kind: 'park', why: result.why };
  }
}

/** "Not found" counts only when the bank has had time and was asked twice. */
export const notFoundTwice = 2;
/** In place of that count, for what never left us: it need not be looked for twice. */
export const neverLeft = 1_000;
export const bankTime = Temporal.Duration.from({ seconds: 15 });

/** Soon at first, so that a request that never arrived is sent again within 20 s; then rarely. */
export function nextLook(checks: number): Temporal.Duration {
  const seconds = [3, 3, 5, 5, 10, 30, 60][checks] ?? 300;
  return Temporal.Duration.from({ seconds });
}

/** A waiting charge hears by callback; the look-up is for callbacks that got lost. */
export const waitingLook = Temporal.Duration.from({ minutes: 10 });

/** What could not be resolved in so long is parked for an operator. */
export const unresolvedAtMost = Temporal.Duration.from({ hours: 72 });

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
