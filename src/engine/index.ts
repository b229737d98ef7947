// The engine: runs what is due, in rounds. It knows no room; the works are passed in.

import { type Loop, startLoop, type Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';

type EngineTools = Pick<Tools, 'clock' | 'log' | 'metrics'>;

/** Writes depth and lag of each work to the metrics; computed only when they are read. */
export async function measure(tools: EngineTools, works: readonly Work[]): Promise<void> {
  const now = tools.clock.now();
  await Promise.all(
    works.map(async ({ name, waiting }) => {
      if (!waiting) return;
      const { due, oldestAt } = await waiting();
      tools.metrics.workDue.set({ work: name }, due);
      tools.metrics.workLag.set({ work: name }, oldestAt ? Math.max(0, now.since(oldestAt).total('seconds')) : 0);
    }),
  );
}

/**
 * Runs every work until none has anything due, or the maximum number of rounds is reached; returns how many items were
 * done. One work can make another due, so it ends only after a round in which all did nothing. A work that fails is
 * logged and does not stop the others.
 */
export async function tick(tools: EngineTools, works: readonly Work[], limits: RoundLimits = {}): Promise<number> {
  return rounds(tools, works, limits);
}

export interface RoundLimits {
  readonly roundsAtMost?: number;
  readonly signal?: AbortSignal;
}

async function rounds(
  tools: EngineTools,
  works: readonly Work[],
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
    const counts = await Promise.all(due.map((work) => runOnce(tools, work, work.drain ?? work.run)));
    done += counts.reduce((sum, count) => sum + count, 0);
    due = due.filter((_work, index) => (counts[index] ?? 0) > 0);
  }
  return done;
}

async function runOnce(tools: EngineTools, work: Work, run: Work['run']): Promise<number> {
  try {
    const count = await run();
    tools.metrics.workDone.inc({ work: work.name }, count);
    return count;
  } catch (error) {
    tools.metrics.workFailed.inc({ work: work.name });
    tools.log.error({ work: work.name, err: error }, 'a round of work failed');
    return 0;
  }
}

const runsAtMost = 1_000;

async function runWhileDue(tools: EngineTools, work: Work, signal: AbortSignal): Promise<void> {
  for (let runs = 0; runs < runsAtMost && !signal.aborted; runs += 1) {
    const done = await runOnce(tools, work, work.run);
    if (done === 0 || done < (work.setSize ?? 0)) return;
  }
}

/**
 * Runs rounds until it is stopped; stopping waits for the rounds in progress. Each work has its own loop, so that a
 * slow bank does not delay deliveries. `mayRun`: a node pauses while another one moves the sandbox clock.
 */
export function startEngine(
  tools: EngineTools,
  works: readonly Work[],
  everyMilliseconds: number,
  mayRun: () => boolean = () => true,
): Loop {
  const loops = works.map((work) =>
    startLoop(
      work.everyMilliseconds ?? everyMilliseconds,
      async (signal) => {
        if (mayRun()) await runWhileDue(tools, work, signal);
      },
      (error) => tools.log.error({ work: work.name, err: error }, 'the engine failed'),
    ),
  );
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) };
}
