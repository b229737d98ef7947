// The engine: runs what is due, in rounds. Knows no capability; app.ts hands it the works.

import type { Loop } from '../platform/index.ts';
import { startLoop } from '../platform/index.ts';
import type { World } from '../world.ts';

/** One kind of due work. `run` does a bounded set and answers how many items it did; 0 means that nothing is due. */
export interface Work {
  readonly name: string;
  run(world: World): Promise<number>;
  /** Where `run` only begins the work: does all that is due and waits for it. For a clock that jumps, and for tests. */
  readonly settle?: (world: World) => Promise<number>;
  /** How long its loop rests when nothing is due, when that is not as long as usual. */
  readonly everyMilliseconds?: number;
  /** How much is due and since when, for the metrics. */
  readonly waiting?: (world: World) => Promise<Waiting>;
  /** When the next item falls due by the business clock, for a clock that jumps; null when none will. */
  readonly nextAt?: (world: World) => Promise<Temporal.Instant | null>;
}

export interface Waiting {
  readonly due: number;
  readonly oldestAt: Temporal.Instant | null;
}

/** Writes depth and lag of each work into the metrics; asked when they are read, so that it costs nothing otherwise. */
export async function measure(world: World, works: readonly Work[]): Promise<void> {
  const now = world.clock.now();
  await Promise.all(
    works.map(async ({ name, waiting }) => {
      if (!waiting) return;
      const { due, oldestAt } = await waiting(world);
      world.metrics.workDue.set({ work: name }, due);
      world.metrics.workLag.set({ work: name }, oldestAt ? Math.max(0, now.since(oldestAt).total('seconds')) : 0);
    }),
  );
}

/**
 * Runs every work until none has anything due, or the rounds are used up; answers how many items were done. What one
 * work does can make another due, so it ends only with a round of all of them that did nothing. A work that fails is
 * logged and does not stop the others.
 */
export async function tick(world: World, works: readonly Work[], limits: RoundLimits = {}): Promise<number> {
  return rounds(world, works, (work) => work.settle ?? work.run, limits);
}

export interface RoundLimits {
  readonly roundsAtMost?: number;
  readonly signal?: AbortSignal;
}

async function rounds(
  world: World,
  works: readonly Work[],
  how: (work: Work) => Work['run'],
  { roundsAtMost = 1_000, signal }: RoundLimits,
): Promise<number> {
  let done = 0;
  let doneBefore = -1;
  let due: readonly Work[] = [];
  for (let round = 0; round < roundsAtMost && !signal?.aborted; round += 1) {
    if (due.length === 0) {
      if (done === doneBefore) break;
      doneBefore = done;
      due = works;
    }
    const counts = await Promise.all(due.map((work) => runOnce(world, work, how(work))));
    done += counts.reduce((sum, count) => sum + count, 0);
    due = due.filter((_work, index) => (counts[index] ?? 0) > 0);
  }
  return done;
}

async function runOnce(world: World, work: Work, run: Work['run']): Promise<number> {
  try {
    const count = await run(world);
    world.metrics.workDone.inc({ work: work.name }, count);
    return count;
  } catch (error) {
    world.metrics.workFailed.inc({ work: work.name });
    world.log.error({ work: work.name, err: error }, 'a round of work failed');
    return 0;
  }
}

/**
 * Runs rounds until it is stopped; a stop waits for the rounds in progress. Each work has a loop of its own, so that a slow
 * bank holds up no delivery. `mayRun`: a node stands still while another one moves the sandbox's clock.
 */
export function startEngine(
  world: World,
  works: readonly Work[],
  everyMilliseconds: number,
  mayRun: () => boolean = () => true,
): Loop {
  const loops = works.map((work) =>
    startLoop(
      work.everyMilliseconds ?? everyMilliseconds,
      async (signal) => {
        if (mayRun()) await rounds(world, [work], ({ run }) => run, { signal });
      },
      (error) => world.log.error({ work: work.name, err: error }, 'the engine stumbled'),
    ),
  );
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) };
}
