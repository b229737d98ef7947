// When charges are due. Pure. The n-th charge is always computed from the first (docs/decisions/0014), never from the
// previous one: 31 January, 28 February, 31 March.

import type { ScheduleRule } from '../../contract/codes/schedule.ts';
import type { IntervalType, Plan, RetryInterval } from './model.ts';

const defaultRetries: readonly RetryInterval[] = Array.from({ length: 14 }, () => ({ value: 1, unit: 'days' }));

/** One retry a day for up to 14 days, unless the merchant gave its own schedule (docs/decisions/0014). */
export function retriesOf(plan: Pick<Plan, 'retryIntervals'>): readonly RetryInterval[] {
  return plan.retryIntervals ?? defaultRetries;
}

/** Nothing is due later: formats differ for five-digit years, and one such row would block its batch. */
export const endOfCalendar = Temporal.Instant.from('9999-12-31T00:00:00Z');
const lastMillisecond = endOfCalendar.epochMilliseconds;
const dayMilliseconds = 86_400_000;

/**
 * Adds days or months in local time. A month has at least 28 days, so the first line keeps Temporal within its range.
 */
function later(from: Temporal.Instant, count: number, unit: IntervalType, zone: string): Temporal.Instant {
  const atLeastDays = unit === 'days' ? count - 1 : count * 28;
  if (from.epochMilliseconds + atLeastDays * dayMilliseconds > lastMillisecond) return endOfCalendar;
  const at = from.toZonedDateTimeISO(zone).add(unit === 'days' ? { days: count } : { months: count });
  return at.epochMilliseconds > lastMillisecond ? endOfCalendar : at.toInstant();
}

/**
 * The instant of the n-th charge, n from 1, in local time of the zone. If the month is too short, its last day; a time
 * skipped by DST moves forward; a repeated time is the first.
 */
export function chargeAt(plan: Plan, iteration: number): Temporal.Instant {
  const steps = (iteration - 1) * plan.interval;
  return steps === 0 ? plan.firstChargeAt : later(plan.firstChargeAt, steps, plan.intervalType, plan.zone);
}

/** The first iteration from this one on that is not due before an instant. Found by halving: charges are in order. */
export function iterationFrom(plan: Plan, iteration: number, at: Temporal.Instant): number {
  const isBefore = (candidate: number) => Temporal.Instant.compare(chargeAt(plan, candidate), at) < 0;
  let step = 1;
  while (isBefore(iteration + step - 1)) step *= 2;
  // Those up to `low` are due before the instant; `high` is not.
  let [low, high] = [iteration - 1, iteration + step - 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isBefore(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** Delays count from the failed attempt. */
export function retryAt(failedAt: Temporal.Instant, delay: RetryInterval, zone: string): Temporal.Instant {
  if (delay.unit === 'minutes') return failedAt.add({ minutes: delay.value });
  return later(failedAt, delay.value, delay.unit, zone);
}

/** The rule behind the n-th charge. */
export function chargeRule(plan: Plan, iteration: number): ScheduleRule {
  const { chargeCount: total, interval, intervalType: unit, zone } = plan;
  if (iteration === 1) return { code: 'first_charge', parameters: { total } };
  const first = plan.firstChargeAt.toZonedDateTimeISO(zone);
  const at = chargeAt(plan, iteration).toZonedDateTimeISO(zone);
  const clampedTo = unit === 'months' && at.day !== first.day ? at.toPlainDate().toString() : null;
  const isMoved = at.hour !== first.hour || at.minute !== first.minute;
  const [skippedTime, movedTo] = isMoved ? [clockText(first), clockText(at)] : [null, null];
  const from = first.toPlainDate().toString();
  return {
    code: 'charge',
    parameters: { number: iteration, total, interval, unit, from, clampedTo, skippedTime, movedTo },
  };
}

function clockText(at: Temporal.ZonedDateTime): string {
  return `${String(at.hour).padStart(2, '0')}:${String(at.minute).padStart(2, '0')}`;
}

/** The rule behind a scheduled retry. */
export function retryRule(plan: Plan, number: number): ScheduleRule {
  const retries = retriesOf(plan);
  const { value: delay, unit } = retries[number - 1] ?? { value: 0, unit: 'days' };
  const policy = plan.retryIntervals === null ? 'default' : 'own';
  return { code: 'retry', parameters: { number, total: retries.length, delay, unit, policy } };
}
