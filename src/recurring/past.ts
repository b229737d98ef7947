// What has happened on which date: attempts, and dates that were passed over. Pure.

import type { Plan, Progress } from './model.ts';
import { chargeAt } from './schedule.ts';
import type { ListedAttempt } from './store/attempts.ts';

export interface PastDate {
  readonly at: Temporal.Instant;
  readonly iteration: number;
  /** Undefined: the date passed while the recurring payment had failed, and was not charged. */
  readonly attempt: Pick<ListedAttempt, 'attempt' | 'state'> | undefined;
}

/** The latest dates, newest first, at most `limit`. `latest` are at least as many of the latest attempts. */
export function pastDates(plan: Plan, progress: Progress, latest: readonly ListedAttempt[], limit: number): PastDate[] {
  const made = latest.map((attempt): PastDate => ({ at: attempt.createdAt, iteration: attempt.iteration, attempt }));
  const passed = passedIterations(plan, progress, latest, limit).map(
    (iteration): PastDate => ({ at: chargeAt(plan, iteration), iteration, attempt: undefined }),
  );
  return [...made, ...passed].sort((one, other) => Temporal.Instant.compare(other.at, one.at)).slice(0, limit);
}

/**
 * Iterations without an attempt before the one that follows. Those before the oldest attempt given are older than all of
 * them, and left out.
 */
function passedIterations(
  { chargeCount }: Plan,
  { status, iteration, nextIteration, passed }: Progress,
  latest: readonly ListedAttempt[],
  limit: number,
): number[] {
  if (passed === 0 && nextIteration === null) return [];
  const next = status === 'finished' && chargeCount !== null ? chargeCount + 1 : (nextIteration ?? iteration);
  const tried = new Set(latest.map((attempt) => attempt.iteration));
  const oldest = latest.at(-1)?.iteration ?? iteration;
  const found: number[] = [];
  for (let candidate = next - 1; candidate > oldest && found.length < limit; candidate -= 1) {
    if (!tried.has(candidate)) found.push(candidate);
  }
  return found;
}
