// grosz clock: the sandbox clock on the command line.

import { Refusal, Unavailable } from '../kernel/index.ts';
import type { Service } from '../open.ts';
import { StartFault } from '../runtime/index.ts';
import { advance, clockShown, type Move } from '../sandbox/index.ts';
import { withService } from './books.ts';
import { changing } from './changing.ts';
import type { Command } from './command.ts';

function readMove(words: readonly string[]): Move | undefined {
  const [action, value = ''] = words;
  try {
    if (action === 'advance') return { advance: Temporal.Duration.from(value) };
    if (action === 'to') return { to: Temporal.Instant.from(value) };
  } catch {
    throw new StartFault(
      action === 'to'
        ? 'Specify a time such as 2027-01-31T10:00:00Z.'
        : 'Specify a duration such as P1D, P1M or PT36H.',
    );
  }
  return undefined;
}

export const clock: Command = {
  name: 'clock',
  summary: 'Shows or moves the sandbox clock.',
  usage: '[advance DURATION | to TIME]',
  details: `  grosz clock                 shows it
  grosz clock advance P1M     moves it forward and does everything that becomes due on the way
  grosz clock to 2027-01-31T10:00:00Z
Running nodes pause until the move is done, and go on with it if this command is ended before. Live mode has no such
clock.`,
  options: {},
  words: { advance: 1, to: 1 },
  run(invocation) {
    const move = readMove(invocation.words);
    const work = async ({ tools, rooms }: Service) => {
      if (tools.config.mode === 'live') throw new StartFault('The clock cannot be moved in live mode.');
      if (move) {
        const change = { command: 'clock', action: 'S2', accountId: null };
        const run = () =>
          advance(tools, rooms.works, move, ({ now, done }) => invocation.print(`${now}  ${done} done`));
        await changing(tools, invocation, change, run).catch((error) => {
          if (error instanceof Refusal) throw new StartFault(error.faults[0].message ?? error.code);
          throw error instanceof Unavailable ? new StartFault(error.sentence ?? error.code) : error;
        });
      }
      const { now, movingTo, done } = await clockShown(tools);
      invocation.print(
        movingTo === null ? now : `${now}, being moved to ${movingTo} by another process: ${done ?? 0} done`,
      );
    };
    return withService(invocation, 'clock', work, { charges: move !== undefined });
  },
};
