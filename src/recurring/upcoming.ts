// What is coming, and why: the schedule explained (decisions 11).

import { retriesAtMost } from './rules.ts';
import { chargeAt, chargeRule, retriesOf, retryAt, retryRule } from './schedule.ts';
import type { Recurring } from './store.ts';

export interface Upcoming {
  readonly at: Temporal.Instant;
  readonly kind: 'charge' | 'retry';
  readonly iteration: number;
  readonly attempt: number;
  readonly rule: string;
  /** What must happen before; null when nothing must. */
  readonly condition: string | null;
}

export interface Outlook {
  readonly items: readonly Upcoming[];
  /** Why nothing, or nothing more, comes. */
  readonly end: string | null;
}

const ends = {
  canceled: 'No retry and no charge: canceled.',
  finished: 'No retry and no charge: all charges were made.',
  failed: 'No retry and no charge: the last retry failed.',
} as const;

/**
 * The coming charges and retries in the order in which they would happen: first those of the open iteration, then the
 * next charges. A time that has passed already is due at once, so it shows as `now`.
 */
export function upcoming(recurring: Recurring, now: Temporal.Instant, limit: number): Outlook {
  const { progress } = recurring;
  if (progress.status !== 'active') return { items: [], end: ends[progress.status] };
  const items = [...openIteration(recurring, now), ...nextCharges(recurring, now, limit)].slice(0, limit);
  const last = recurring.plan.chargeCount;
  const ended = last !== null && items.some(({ kind, iteration }) => kind === 'charge' && iteration === last);
  return { items, end: ended ? `Charge ${last} is the last.` : null };
}

function notBefore(at: Temporal.Instant, now: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(at, now) < 0 ? now : at;
}

/** The next attempt of the open iteration, and the retries that would follow if each failed. */
function openIteration(recurring: Recurring, now: Temporal.Instant): Upcoming[] {
  const { plan, progress } = recurring;
  const items: Upcoming[] = [];
  if (progress.scheduledAt === null) return items;
  const retries = retriesOf(plan);
  // While an attempt is on its way, what follows depends on how it ends.
  const live = recurring.liveTransactionId !== null;
  const first = progress.attempts === 0;
  let at = notBefore(progress.scheduledAt, now);
  let attempt = progress.attempts + 1;
  let used = progress.retriesUsed;
  if (first) {
    items.push({
      at,
      kind: 'charge',
      iteration: progress.iteration,
      attempt,
      rule: chargeRule(plan, progress.iteration),
      condition: null,
    });
  } else if (!live) {
    used += 1;
    items.push({
      at,
      kind: 'retry',
      iteration: progress.iteration,
      attempt,
      rule: retryRule(plan, used),
      condition: null,
    });
  } else attempt -= 1;
  for (let delay = retries[used]; delay && attempt <= retriesAtMost; delay = retries[used]) {
    at = retryAt(at, delay, plan.zone);
    attempt += 1;
    used += 1;
    const condition = 'If the attempt before it fails.';
    items.push({ at, kind: 'retry', iteration: progress.iteration, attempt, rule: retryRule(plan, used), condition });
  }
  return items;
}

function nextCharges(recurring: Recurring, now: Temporal.Instant, limit: number): Upcoming[] {
  const { plan, progress } = recurring;
  const items: Upcoming[] = [];
  for (let iteration = progress.iteration + 1; items.length < limit; iteration += 1) {
    if (plan.chargeCount !== null && iteration > plan.chargeCount) break;
    const at = notBefore(chargeAt(plan, iteration), now);
    const condition = `Once charge ${iteration - 1} is made.`;
    items.push({ at, kind: 'charge', iteration, attempt: 1, rule: chargeRule(plan, iteration), condition });
  }
  return items;
}
