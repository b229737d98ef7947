// What happens to a recurring payment when an attempt ends, when it is canceled, when it is retried. Pure.

import type { DeclineReason } from '../acquirer/index.ts';
import { chargeAt, type Plan, retriesOf, retryAt } from './schedule.ts';

export type RecurringStatus = 'active' | 'finished' | 'failed' | 'canceled';
export type FailureReason =
  | 'insufficient funds'
  | 'instrument invalid'
  | 'instrument rejected'
  | 'payer rejected'
  | 'internal error';

/** At most so many retries of one iteration, scheduled and manual together (decisions 8). */
export const retriesAtMost = 30;

/** Where a recurring payment stands. */
export interface Progress {
  readonly status: RecurringStatus;
  readonly iteration: number;
  /** Attempts that the open iteration has had. */
  readonly attempts: number;
  /** Scheduled retries among them. */
  readonly retriesUsed: number;
  readonly scheduledAt: Temporal.Instant | null;
  readonly lastState: 'correct' | 'failed' | null;
  readonly lastReason: FailureReason | null;
}

/** `canceled`: nothing of the attempt reached the bank before its recurring payment was canceled. */
export type AttemptEnd =
  | { readonly kind: 'correct' }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  | { readonly kind: 'canceled' };

/** The bank's reasons in the words of interface 2.4. */
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

/** Where it stands after an attempt that was made at `attemptedAt`. A manual retry leaves the scheduled ones where they are. */
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
  if (progress.iteration === plan.chargeCount) return { ...correct, status: 'finished', scheduledAt: null };
  const iteration = progress.iteration + 1;
  return { ...correct, iteration, attempts: 0, retriesUsed: 0, scheduledAt: chargeAt(plan, iteration) };
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
  // The first attempt is no retry.
  const used = progress.attempts > retriesAtMost;
  if (manual && !used && progress.scheduledAt !== null) return failed;
  const delay = manual || used ? undefined : retriesOf(plan)[progress.retriesUsed];
  if (!delay) return { ...failed, status: 'failed', scheduledAt: null };
  return { ...failed, scheduledAt: retryAt(attemptedAt, delay, plan.zone) };
}

export type RetryRefusal = 'recurring_not_active' | 'last_attempt_not_failed' | 'retry_limit_reached';

/** Interface R4: performed only when active, the last attempt failed and nothing is on its way, and below the limit. */
export function retryRefusal(
  progress: Progress & { readonly live: boolean; readonly manual: boolean },
): RetryRefusal | undefined {
  if (progress.status !== 'active') return 'recurring_not_active';
  if (progress.live || progress.manual || progress.lastState !== 'failed' || progress.attempts === 0)
    return 'last_attempt_not_failed';
  return progress.attempts - 1 >= retriesAtMost ? 'retry_limit_reached' : undefined;
}

/** Interface 3: active -> canceled. Decisions 8: canceling twice repeats the answer, other ends refuse. */
export function afterCancel(status: RecurringStatus): 'changed' | 'unchanged' | 'ended' {
  if (status === 'active') return 'changed';
  return status === 'canceled' ? 'unchanged' : 'ended';
}

/** Cards go by channel 53, BLIK by 64 (decisions 4). */
export function channelOf(type: 'card_token' | 'blik_payid'): number {
  return type === 'card_token' ? 53 : 64;
}
