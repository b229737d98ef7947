// Moves the clock from one due time to the next, at most a day at a time, until the target is reached and everything
// due is done.

import type { Nodes } from '../database/index.ts';
import { tick } from '../engine/index.ts';
import { refuse, Unavailable } from '../kernel/index.ts';
import { startLoop, type Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { SandboxClock } from './clock.ts';
import { clockCannotMove } from './failures.ts';
import { beginMove, endMove, findClock, type Moving, saveLease, saveStep } from './store.ts';

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
const leaseEveryMilliseconds = 20_000;
const roundsAtMost = 1_000_000;

/** The sandbox clock; live mode has none. */
export function sandboxClockOf(tools: Tools): SandboxClock {
  return tools.clock instanceof SandboxClock ? tools.clock : refuse('not_found');
}

/**
 * The acquirers that keep their own time. What they move on a day of ours that has not come is in no statement of that day,
 * so the clock stays where it is while one of them is open, switched off or not.
 */
export function ownTimes({ acquirers }: Pick<Tools, 'acquirers'>): string[] {
  return acquirers.list.map(({ name }) => name).filter((name) => name !== 'simulator');
}

/** The target of a move; refuses to go back, beyond the ceiling, or away from the time of an acquirer. */
export async function targetOf(tools: Tools, move: Move): Promise<Temporal.Instant> {
  const clock = sandboxClockOf(tools);
  const others = ownTimes(tools);
  if (others.length > 0)
    refuse(
      clockCannotMove,
      '',
      `The clock cannot be moved while ${others.join(' and ')} is open, which keeps its own time.`,
    );
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
  await moveTo(tools, works, to, report ? { report } : {});
  return to;
}

export interface MoveOptions {
  readonly report?: (progress: Progress) => void;
  /** Which processes are alive: the lease of a dead one has ended. */
  readonly nodes?: Pick<Nodes, 'self' | 'isDead'>;
  /** Stops after the current step; the rest is left to others. */
  readonly signal?: AbortSignal;
  /** Where a move began that is continued. */
  readonly from?: Temporal.Instant | undefined;
}

/** The same with a known target; if the clock has passed it, it stays. */
export async function moveTo(
  tools: Tools,
  works: readonly Work[],
  to: Temporal.Instant,
  options: MoveOptions = {},
): Promise<void> {
  const clock = sandboxClockOf(tools);
  await clock.refresh(tools.db);
  const moving = await begin(tools, clock, to, options);
  const { claim } = moving;
  const saved = () => tools.wall.now().add(lease);
  const keeping = startLoop(
    leaseEveryMilliseconds,
    async () => void (await saveLease(tools.db.sql, claim, saved())),
    () => undefined,
  );
  try {
    await steps(tools, works, clock, moving, options);
    await endMove(tools.db.sql, claim);
  } catch (error) {
    // First: a lease that is still being saved would outlast the one below.
    await keeping.stop();
    // What is left of the move is for whoever continues it.
    await saveLease(tools.db.sql, claim, tools.wall.now().subtract({ milliseconds: 1 })).catch(() => undefined);
    throw error;
  } finally {
    clock.land();
    await keeping.stop();
  }
}

/** Refuses if another process is moving the clock, and says where to. */
async function begin(
  tools: Tools,
  clock: SandboxClock,
  to: Temporal.Instant,
  { nodes, from = clock.now() }: MoveOptions,
): Promise<Moving> {
  const claim = Buffer.from(tools.random.bytes(16)).toString('hex');
  const moving = { claim, node: nodes?.self ?? null, from, to };
  const wallNow = tools.wall.now();
  const { movingNode, movingTo } = await findClock(tools.db.sql);
  const deadNode = movingNode !== null && nodes?.isDead(movingNode) ? movingNode : null;
  if (await beginMove(tools.db.sql, moving, wallNow, wallNow.add(lease), deadNode)) return moving;
  const where = movingTo === null ? '' : ` to ${movingTo}`;
  throw new Unavailable(
    'request_in_progress',
    `The clock is already being moved${where}. GET /sandbox/clock follows it.`,
  );
}

function takenOver(): Unavailable {
  return new Unavailable('request_in_progress', 'Another process has taken over the move of the clock.');
}

async function steps(
  tools: Tools,
  works: readonly Work[],
  clock: SandboxClock,
  { claim, to }: Moving,
  { report = () => undefined, signal }: MoveOptions,
): Promise<void> {
  let done = await tick(tools, works, { roundsAtMost });
  while (Temporal.Instant.compare(clock.now(), to) < 0) {
    if (signal?.aborted) throw new Unavailable('service_unavailable', 'The process stops; another one goes on.');
    // Before anything is done: this process may have been frozen for long.
    if (!(await saveLease(tools.db.sql, claim, tools.wall.now().add(lease)))) throw takenOver();
    const step = await nextStep(works, clock.now(), to);
    clock.jumpTo(step);
    done += await doDue(tools, works, step);
    const until = tools.wall.now().add(lease);
    if (!(await saveStep(tools.db.sql, claim, clock.aheadAt(step), done, until))) throw takenOver();
    report({ now: step, to, done });
  }
  // Work without due times (numbering, sealing) follows once, at the end.
  await tick(tools, works, { roundsAtMost });
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
