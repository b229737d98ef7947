// The longest time for which any single caller stops the event loop of a node, and everybody else with it. Every kind of
// caller sends the worst that it can, many at once, to a real process, which measures the turns of its loop in CPU time
// of its main thread (test/support/turn-process.ts).

import type { Trial } from '../support/turn-trial.ts';
import { openTurnStage } from '../support/turn-trials.ts';
import { isOver, type ProveOptions, type Seen, scaled } from './figure.ts';

const millisecondsAtMost = 50;
/** Garbage of earlier requests is collected at some point: what is too long is tried again, and the least counts. */
const triesAtMost = 5;

interface Result {
  readonly trial: Trial;
  readonly milliseconds: number;
}

async function resultOf(trial: Trial): Promise<Result> {
  let milliseconds = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < triesAtMost && milliseconds > millisecondsAtMost; tries += 1) {
    milliseconds = Math.min(milliseconds, await trial.node.longestTurn(trial.run));
  }
  return { trial, milliseconds };
}

/** Of the many inputs of a kind a scaled run takes some, and of every kind one at least. */
function chosen(trials: readonly Trial[], options: ProveOptions): Trial[] {
  const kinds = Map.groupBy(trials, ({ caller, kind }) => `${caller} ${kind}`);
  return [...kinds.values()].flatMap((of) => {
    const count = Math.min(of.length, scaled(of.length, options));
    return Array.from({ length: count }, (_, index) => of[Math.floor((index * of.length) / count)] as Trial);
  });
}

export async function proveTurns(options: ProveOptions): Promise<Seen[]> {
  const trials = chosen(await openTurnStage(), options);
  const results: Result[] = [];
  for (const trial of trials) {
    if (isOver(options)) break;
    results.push(await resultOf(trial));
  }
  const longest = results.toSorted((left, right) => right.milliseconds - left.milliseconds);
  for (const { trial, milliseconds } of longest.slice(0, 20))
    options.print(`  ${milliseconds.toFixed(1)} ms, ${trial.caller}: ${trial.kind}, ${trial.name}`);
  const callers = new Set(results.map(({ trial }) => trial.caller));
  const most = longest[0]?.milliseconds ?? Number.POSITIVE_INFINITY;
  return [
    {
      figure: 'longest stop of the event loop by any single caller, in CPU time',
      goal: `at most ${millisecondsAtMost} ms`,
      seen: `${most.toFixed(1)} ms, of ${results.length} inputs of ${callers.size} kinds of callers`,
      met: most <= millisecondsAtMost && results.length === trials.length,
    },
  ];
}
