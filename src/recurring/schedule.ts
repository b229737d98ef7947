// When charges are due. Pure. The n-th charge is always computed from the first (docs/decisions/0014), never from the
// previous one: 31 January, 28 February, 31 March.

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

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

function dayText(date: Temporal.ZonedDateTime): string {
  return `${date.day} ${months[date.month - 1]}`;
}

function ordinal(number: number): string {
  const tens = number % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${suffix}`;
}

function everyText(plan: Plan): string {
  const unit = plan.intervalType === 'days' ? 'day' : 'month';
  return plan.interval === 1 ? `every ${unit}` : `every ${plan.interval} ${unit}s`;
}

/** The rule behind the n-th charge, in words. */
export function chargeRule(plan: Plan, iteration: number): string {
  const first = plan.firstChargeAt.toZonedDateTimeISO(plan.zone);
  const of = plan.chargeCount === null ? '' : ` of ${plan.chargeCount}`;
  if (iteration === 1) return `Charge 1${of}: the first charge date.`;
  const at = chargeAt(plan, iteration).toZonedDateTimeISO(plan.zone);
  const notes: string[] = [];
  if (plan.intervalType === 'months' && at.day !== first.day)
    notes.push(`the ${ordinal(first.day)} clamped to ${dayText(at)}`);
  if (at.hour !== first.hour || at.minute !== first.minute) {
    notes.push(`${clockText(first)} does not exist that day, moved to ${clockText(at)}`);
  }
  const note = notes.length > 0 ? `; ${notes.join('; ')}` : '';
  return `Charge ${iteration}${of}: ${everyText(plan)} from ${dayText(first)} ${first.year}${note}.`;
}

function clockText(at: Temporal.ZonedDateTime): string {
  return `${String(at.hour).padStart(2, '0')}:${String(at.minute).padStart(2, '0')}`;
}

/** The rule behind a scheduled retry, in words. */
export function retryRule(plan: Plan, number: number): string {
  const retries = retriesOf(plan);
  const delay = retries[number - 1];
  const unit = delay && (delay.value === 1 ? delay.unit.slice(0, -1) : delay.unit);
  const policy = plan.retryIntervals === null ? 'default policy' : 'own schedule';
  return `Retry ${number} of ${retries.length}: ${delay?.value} ${unit} after the failed attempt (${policy}).`;
}
