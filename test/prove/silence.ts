// The figure: open database connections go silent while clients write.

import { type SilentSeen, writeThroughSilence } from '../support/silent-load.ts';
import { silences } from '../support/silent-proxy.ts';
import { figureText, isOver, type ProveOptions, type Seen, scaled } from './figure.ts';

const goalRounds = 10;
const goalSeconds = 15;

export async function proveSilence(options: ProveOptions): Promise<Seen[]> {
  const all: SilentSeen[] = [];
  const rounds = scaled(goalRounds, options);
  for (let round = 1; round <= rounds && (round === 1 || !isOver(options)); round += 1) {
    all.push(...(await Promise.all(silences.map(writeThroughSilence))));
    options.print(`silence ${round} of ${rounds}`);
  }
  const sum = (of: (seen: SilentSeen) => number) => all.reduce((total, seen) => total + of(seen), 0);
  const hanging = sum((seen) => seen.hanging);
  const astray = sum((seen) => Math.abs(seen.orders - seen.transactions));
  const slowest = Math.max(...all.map((seen) => seen.resumedMilliseconds / 1_000));
  return [
    {
      figure: 'writes hanging longer than 20 s while open database connections are silent; writes go on',
      goal: `0; within ${goalSeconds} s`,
      seen: `${hanging} of ${figureText(sum((seen) => seen.requests))}; within ${Math.ceil(slowest)} s`,
      met: hanging === 0 && slowest <= goalSeconds,
    },
    {
      figure: 'writes lost or doubled meanwhile; works of the engine that stood still',
      goal: '0; 0',
      seen: `${astray} of ${figureText(sum((seen) => seen.orders))}; ${sum((seen) => seen.stalled.length)}`,
      met: astray === 0 && all.every((seen) => seen.stalled.length === 0),
    },
  ];
}
