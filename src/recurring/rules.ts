// What happens to a recurring payment when an attempt ends, when it is canceled, and when it is retried. Pure.

import { hash } from 'node:crypto';
import type { DeclineReason } from '../acquirer/index.ts';
import {
  afterChargeResult,
  type ChargeFacts,
  type ChargeResult,
  type ChargeStep,
  isOpen,
  type Patience,
} from '../banking/index.ts';
import { type FailureKind, knownId, type TransactionId, ulid } from '../kernel/index.ts';
import { methodOfRecurring } from '../methods/index.ts';
import { lastAttemptNotFailed, recurringNotActive, retryLimitReached } from './failures.ts';
import type { FailureReason, Instrument, Plan, Progress, Recurring, RecurringStatus } from './model.ts';
import { chargeAt, iterationFrom, retriesOf, retryAt } from './schedule.ts';

/** Maximum number of manual retries of an iteration, apart from the scheduled ones (docs/decisions/0014). */
export const manualRetriesAtMost = 30;

/** `canceled`: no request reached the bank before the recurring payment was canceled. */
export type AttemptEnd =
  | { readonly kind: 'correct' }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  | { readonly kind: 'canceled' };

/** Maps the bank's reasons to those of R2. */
export function failureReason(reason: DeclineReason): FailureReason {
  switch (reason) {
    case 'wrong code':
    case 'authentication failed':
      return 'instrument rejected';
    case 'timed out':
      return 'payer rejected';
    default:
      return reason;
  }
}

/** The progress after an attempt made at `attemptedAt`. A failed manual retry changes neither schedule nor status. */
export function afterAttempt(
  plan: Plan,
  progress: Progress,
  end: AttemptEnd,
  attemptedAt: Temporal.Instant,
  manual: boolean,
): Progress {
  switch (end.kind) {
    case 'correct':
      return afterSuccess(plan, progress);
    case 'failed':
      return afterFailure(plan, progress, end.reason, attemptedAt, manual);
    case 'canceled':
      return progress;
  }
}

function afterSuccess(plan: Plan, progress: Progress): Progress {
  const correct = { ...progress, lastState: 'correct' as const, lastReason: null };
  if (progress.status !== 'active') return { ...correct, scheduledAt: null };
  const iteration = followingIteration(progress);
  if (plan.chargeCount !== null && iteration > plan.chargeCount) {
    const passed = progress.passed + plan.chargeCount - progress.iteration;
    return { ...correct, status: 'finished', passed, scheduledAt: null };
  }
  return {
    ...correct,
    ...atFirst,
    iteration,
    passed: progress.passed + iteration - progress.iteration - 1,
    scheduledAt: chargeAt(plan, iteration),
  };
}

/** Of an iteration without attempts. */
export const atFirst = { attempts: 0, retriesUsed: 0, restoredAfter: 0, nextIteration: null } as const;

/** Which of so many acquirers makes the next attempt: the attempts of an iteration take them in turn. */
export function turnOf({ attempts }: Pick<Progress, 'attempts'>, acquirers: number): number {
  return attempts % acquirers;
}

/** Which iteration follows the open one. */
export function followingIteration({ iteration, nextIteration }: Progress): number {
  return nextIteration ?? iteration + 1;
}

/**
 * The progress of a failed one that gets a new instrument: its iteration is tried at once and has all its retries again.
 * Dates before now are not charged and count as passed.
 */
export function afterRestore(plan: Plan, progress: Progress, now: Temporal.Instant): Progress {
  const next = iterationFrom(plan, progress.iteration + 1, now);
  return {
    ...progress,
    status: 'active',
    retriesUsed: 0,
    restoredAfter: progress.attempts,
    nextIteration: next === progress.iteration + 1 ? null : next,
    scheduledAt: now,
  };
}

/** Whether the next scheduled attempt is the first of its iteration, or the first since that was restored: no retry. */
export function startsIteration({ attempts, restoredAfter }: Progress): boolean {
  return attempts === restoredAfter;
}

/** When the next scheduled attempt is: the date of its iteration, or a retry after the last scheduled one. */
export function nextOf(
  plan: Plan,
  progress: Progress,
  attemptedAt: Temporal.Instant | null,
): Temporal.Instant | undefined {
  if (startsIteration(progress)) return chargeAt(plan, progress.iteration);
  const delay = retriesOf(plan)[progress.retriesUsed];
  return delay && attemptedAt ? retryAt(attemptedAt, delay, plan.zone) : undefined;
}

function afterFailure(
  plan: Plan,
  progress: Progress,
  reason: FailureReason,
  attemptedAt: Temporal.Instant,
  manual: boolean,
): Progress {
  const failed = { ...progress, lastState: 'failed' as const, lastReason: reason };
  if (progress.status !== 'active') return { ...failed, scheduledAt: null };
  if (manual) return failed;
  const delay = retriesOf(plan)[progress.retriesUsed];
  if (!delay) return { ...failed, status: 'failed', scheduledAt: null };
  return { ...failed, scheduledAt: retryAt(attemptedAt, delay, plan.zone) };
}

/**
 * Which mail an ended attempt leads to: every payment is confirmed. Of the failed attempts of a charge the first is told,
 * also the first since it was restored, and the one after which it is not tried again; not those between, which may be
 * minutes apart.
 */
export function mailAfter(
  { attempt }: { readonly attempt: number },
  before: Pick<Progress, 'status' | 'restoredAfter'>,
  next: Pick<Progress, 'status'>,
  end: AttemptEnd,
): 'charged' | 'failed' | undefined {
  if (end.kind === 'correct') return 'charged';
  if (end.kind === 'canceled') return undefined;
  const isLast = before.status === 'active' && next.status === 'failed';
  return attempt === before.restoredAfter + 1 || isLast ? 'failed' : undefined;
}

export interface RetryFacts {
  readonly progress: Progress;
  readonly live: boolean;
  /** Whether a manual retry was requested that is not made yet. */
  readonly manual: boolean;
  /** How many were made in the open iteration. */
  readonly manualRetries: number;
}

/**
 * R4: allowed only if active, the last attempt failed, none is in flight or requested already (by R4, or by a new
 * instrument that restored it), and below the limit.
 */
export function retryRefusal({ progress, live, manual, manualRetries }: RetryFacts): FailureKind | undefined {
  if (progress.status !== 'active') return recurringNotActive;
  if (live || manual || progress.lastState !== 'failed' || startsIteration(progress)) return lastAttemptNotFailed;
  return manualRetries >= manualRetriesAtMost ? retryLimitReached : undefined;
}

/** active or failed -> canceled. Canceling twice repeats the response; a finished one refuses. */
export function afterCancel(status: RecurringStatus): 'changed' | 'unchanged' | 'ended' {
  if (status === 'finished') return 'ended';
  return status === 'canceled' ? 'unchanged' : 'changed';
}

export function channelOf(type: 'card_token' | 'blik_payid'): number {
  return methodOfRecurring(type).id;
}

export interface AttemptFacts extends ChargeFacts {
  /** Whether its recurring payment was canceled meanwhile. */
  readonly endedByCancel: boolean;
}

/** With BLIK model M the payer confirms each charge; anything else that waits, waits for the bank. */
export function confirmedByPayer({ blikModel }: Pick<Instrument, 'blikModel'>): boolean {
  return blikModel === 'M';
}

/**
 * `unknown` never becomes `failed` by itself. `canceled`: no request of this attempt reached the bank before the recurring
 * payment was canceled.
 */
export function afterResult(attempt: AttemptFacts, result: ChargeResult): ChargeStep {
  const news = afterChargeResult(attempt, result);
  switch (news.kind) {
    case 'captured':
      return isOpen(attempt.state) ? { kind: 'correct' } : { kind: 'giveBack', final: undefined };
    case 'declined':
      return { kind: 'failed', reason: failureReason(news.reason) };
    case 'canceled':
      return attempt.endedByCancel ? news : { kind: 'failed', reason: failureReason('internal error') };
    case 'notSent':
      return { kind: 'look', because: 'neverSent' };
    case 'wait':
      return { kind: 'wait', link: null };
    default:
      return news;
  }
}

/**
 * A request that never arrived is sent again within 20 s. A charge not confirmed within a day is canceled at the bank.
 */
export const patience: Patience = {
  bankTime: Temporal.Duration.from({ seconds: 15 }),
  timesNotFound: 2,
  waitingAtMost: Temporal.Duration.from({ hours: 24 }),
};

/** A waiting charge is settled by callback; lookups are for lost callbacks. */
export const waitingLook = Temporal.Duration.from({ minutes: 10 });

/** What identifies a charge. */
type ChargedFor = Pick<Recurring, 'merchantId' | 'id' | 'plan'> & { readonly progress: Pick<Progress, 'iteration'> };

/**
 * The id of an attempt's transaction, which is also its key at the bank. It is derived from what it is for, not random:
 * a database restored to an earlier time requests the same charge with the same key, and the bank, which knows the key,
 * does not charge twice. Its timestamp is about the due time of the iteration, in UTC, because an account's time zone
 * may change.
 */
export function chargeId(
  { merchantId, id, plan, progress: { iteration } }: ChargedFor,
  attempt: number,
): TransactionId {
  const digest = hash('sha256', `${merchantId} ${id} ${iteration} ${attempt}`, 'hex');
  const dueAt = Math.max(0, chargeAt({ ...plan, zone: 'UTC' }, iteration).epochMilliseconds);
  return knownId(ulid(dueAt, Buffer.from(digest, 'hex')));
}
