// Moves the clock from one due time to the next, at most a day at a time, until the target is reached and everything
// due is done.

import { tick } from '../engine/index.ts';
import { refuse, Unavailable } from '../kernel/index.ts';
import type { Work } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import { SandboxClock } from './clock.ts';
import { beginMove, endMove, saveStep } from './store.ts';

export type Move = { readonly advance: Temporal.Duration } | { readonly to: Temporal.Instant };

export interface Progress {
  readonly now: Temporal.Instant;
  readonly to: Temporal.Instant;
  /** Items done so far. */
  readonly done: number;
}

/** The maximum that the clock can be ahead of the wall clock; sandbox_clock enforces it too. */
const ceiling = Temporal.Duration.from({ years: 10 });
const day = Temporal.Duration.from({ hours: 24 });
const lease = Temporal.Duration.from({ minutes: 2 });
const roundsAtMost = 1_000_000;

/** The sandbox clock; live mode has none. */
export function sandboxClockOf(tools: Tools): SandboxClock {
  return tools.clock instanceof SandboxClock ? tools.clock : refuse('not_found');
}

/** The target of a move; refuses to go back or beyond the ceiling. */
export async function targetOf(tools: Tools, move: Move): Promise<Temporal.Instant> {
  const clock = sandboxClockOf(tools);
  await clock.refresh(tools.db);
  const start = clock.now();
  const field = 'to' in move ? 'to' : 'advance';
  const to = 'to' in move ? move.to : addedTo(start, move.advance);
  if (to && Temporal.Instant.compare(to, start) < 0) refuse('too_low', field, 'The clock only goes forward.');
  if (!to || Temporal.Instant.compare(to, laterBy(tools.wall.now(), ceiling)) > 0) {
    refuse('too_high', field, 'The clock goes ten years ahead of the wall clock at most.');
  }
  return to;
}

/**
 * Moves the business clock; resolves when everything due is done. One move at a time, across all nodes. Deterministic:
 * each row changes exactly as if the time had really passed.
 */
export async function advance(
  tools: Tools,
  works: readonly Work[],
  move: Move,
  report?: (progress: Progress) => void,
): Promise<Temporal.Instant> {
  const to = await targetOf(tools, move);
  await moveTo(tools, works, to, report);
  return to;
}

/** The same with a known target; if the clock has passed it, it stays. */
export async function moveTo(
  tools: Tools,
  works: readonly Work[],
  to: Temporal.Instant,
  report: (progress: Progress) => void = () => undefined,
): Promise<void> {
  const clock = sandboxClockOf(tools);
  await clock.refresh(tools.db);
  const wallNow = tools.wall.now();
  if (!(await beginMove(tools.db.sql, to, wallNow, wallNow.add(lease))))
    throw new Unavailable('request_in_progress', 'The clock is already being moved.');
  try {
    let done = await tick(tools, works, { roundsAtMost });
    while (Temporal.Instant.compare(clock.now(), to) < 0) {
      const step = await nextStep(works, clock.now(), to);
      clock.jumpTo(step);
      done += await doDue(tools, works, step);
      await saveStep(tools.db.sql, clock.aheadAt(step), tools.wall.now().add(lease));
      report({ now: step, to, done });
    }
    // Work without due times (numbering, sealing) follows once, at the end.
    await tick(tools, works, { roundsAtMost });
  } finally {
    clock.land();
    await endMove(tools.db.sql);
  }
}

/** Runs only works that have something due: in most steps one of a dozen. */
async function doDue(tools: Tools, works: readonly Work[], now: Temporal.Instant): Promise<number> {
  for (let done = 0; ; ) {
    const times = await Promise.all(works.map((work) => work.nextAt?.() ?? null));
    const due = works.filter((_work, index) => isDue(times[index] ?? null, now));
    const count = due.length === 0 ? 0 : await tick(tools, due, { roundsAtMost });
    if (count === 0) return done;
    done += count;
  }
}

function isDue(at: Temporal.Instant | null, now: Temporal.Instant): boolean {
  return at !== null && Temporal.Instant.compare(at, now) <= 0;
}

/** Undefined if out of range. */
function addedTo(start: Temporal.Instant, duration: Temporal.Duration): Temporal.Instant | undefined {
  try {
    return laterBy(start, duration);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function laterBy(start: Temporal.Instant, duration: Temporal.Duration): Temporal.Instant {
  return start.toZonedDateTimeISO('UTC').add(duration).toInstant();
}

/** One day after the next due time: empty stretches are skipped, and no jump covers more than a day of work. */
async function nextStep(
  works: readonly Work[],
  now: Temporal.Instant,
  to: Temporal.Instant,
): Promise<Temporal.Instant> {
  const times = await Promise.all(works.map((work) => work.nextAt?.() ?? null));
  const next = times
    .filter((at) => at !== null)
    .reduce((earliest, at) => (Temporal.Instant.compare(at, earliest) < 0 ? at : earliest), to);
  const from = Temporal.Instant.compare(next, now) < 0 ? now : next;
  const step = from.add(day);
  return Temporal.Instant.compare(step, to) < 0 ? step : to;
}
