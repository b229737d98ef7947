// What comes next, and why: the schedule explained.

import type { ScheduleCondition, ScheduleEnd, ScheduleRule } from '../../contract/codes/schedule.ts';
import type { Recurring } from './model.ts';
import { followingIteration, startsIteration } from './rules.ts';
import { chargeAt, chargeRule, retriesOf, retryAt, retryRule } from './schedule.ts';

export interface Upcoming {
  readonly at: Temporal.Instant;
  readonly kind: 'charge' | 'retry';
  readonly iteration: number;
  readonly attempt: number;
  readonly rule: ScheduleRule;
  /** What must happen first; null if nothing. */
  readonly condition: ScheduleCondition | null;
}

export interface Outlook {
  readonly items: readonly Upcoming[];
  /** Why nothing (more) comes. */
  readonly end: ScheduleEnd | null;
}

/** The attempt in flight: what follows depends on its result, and delays count from when it was made. */
export interface LiveAttempt {
  readonly createdAt: Temporal.Instant;
  readonly manual: boolean;
  /** It waits for the operator. */
  readonly isParked: boolean;
}

/**
 * The upcoming charges and retries in the order in which they would happen: those of the open iteration first, then the
 * next charges. A time in the past means due immediately, so it is shown as `now`.
 */
export function upcoming(
  recurring: Recurring,
  live: LiveAttempt | undefined,
  now: Temporal.Instant,
  limit: number,
): Outlook {
  const { progress } = recurring;
  if (progress.status !== 'active') return { items: [], end: { code: progress.status, parameters: {} } };
  const items = [...openIteration(recurring, live, now), ...nextCharges(recurring, now, limit)].slice(0, limit);
  const last = recurring.plan.chargeCount;
  const ended = last !== null && items.some(({ kind, iteration }) => kind === 'charge' && iteration === last);
  return { items, end: ended ? { code: 'last_charge', parameters: { number: last } } : null };
}

function notBefore(at: Temporal.Instant, now: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(at, now) < 0 ? now : at;
}

const byHand: ScheduleRule = { code: 'retry_by_hand', parameters: {} };
const restored: ScheduleRule = { code: 'retry_with_new_instrument', parameters: {} };
const ifFails: ScheduleCondition = { code: 'if_attempt_fails', parameters: {} };
const ifDecidedFailed: ScheduleCondition = { code: 'if_decided_failed', parameters: {} };

/** The next attempt of the open iteration, and the retries that would follow if each failed. */
function openIteration(recurring: Recurring, live: LiveAttempt | undefined, now: Temporal.Instant): Upcoming[] {
  const { plan, progress } = recurring;
  const { iteration, scheduledAt } = progress;
  const retries = retriesOf(plan);
  const items: Upcoming[] = [];
  let { attempts, retriesUsed } = progress;
  function add(due: Temporal.Instant, kind: Upcoming['kind'], rule: ScheduleRule): Temporal.Instant {
    const at = notBefore(due, now);
    const first = live?.isParked ? ifDecidedFailed : live ? ifFails : null;
    const condition = items.length > 0 ? ifFails : first;
    attempts += 1;
    items.push({ at, kind, iteration, attempt: attempts, rule, condition });
    return at;
  }
  if (scheduledAt === null) return items;
  if (!live && recurring.manual) add(now, 'retry', byHand);
  // While a scheduled attempt is in flight, `scheduledAt` is its own time; otherwise that of the next one.
  let failedAt = live && !live.manual ? live.createdAt : undefined;
  if (failedAt === undefined && progress.attempts === 0) {
    failedAt = add(scheduledAt, 'charge', chargeRule(plan, iteration));
  } else if (failedAt === undefined && startsIteration(progress)) {
    failedAt = add(scheduledAt, 'retry', restored);
  } else if (failedAt === undefined) {
    retriesUsed += 1;
    failedAt = add(scheduledAt, 'retry', retryRule(plan, retriesUsed));
  }
  for (let delay = retries[retriesUsed]; failedAt && delay; delay = retries[retriesUsed]) {
    retriesUsed += 1;
    failedAt = add(retryAt(failedAt, delay, plan.zone), 'retry', retryRule(plan, retriesUsed));
  }
  return items;
}

function nextCharges(recurring: Recurring, now: Temporal.Instant, limit: number): Upcoming[] {
  const { plan, progress } = recurring;
  const items: Upcoming[] = [];
  let previous = progress.iteration;
  for (let iteration = followingIteration(progress); items.length < limit; iteration += 1) {
    if (plan.chargeCount !== null && iteration > plan.chargeCount) break;
    const at = notBefore(chargeAt(plan, iteration), now);
    const condition: ScheduleCondition = { code: 'once_charge_made', parameters: { number: previous } };
    previous = iteration;
    items.push({ at, kind: 'charge', iteration, attempt: 1, rule: chargeRule(plan, iteration), condition });
  }
  return items;
}
