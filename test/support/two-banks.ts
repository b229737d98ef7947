// An installation with two simulated banks at once, each with its own record and its own faults.

import { join } from 'node:path';
import type { Acquirer, Callback } from '../../src/acquirer/index.ts';
import { readText } from '../../src/database/index.ts';
import { openSimulator, type Simulator } from '../../src/simulators/index.ts';
import { acquirersWith } from './acquirers.ts';
import { atEnd } from './closers.ts';
import { handleCallback, tickAll } from './rooms.ts';
import { aFolder, aWorld, type TestWorld, type WorldOptions } from './service.ts';

export interface TwoBankWorld extends TestWorld {
  /** The first in the order of ACQUIRERS is `bank`. */
  readonly second: Simulator;
  readonly otherBanks: readonly Simulator[];
}

export async function aTwoBankWorld(options: WorldOptions = {}): Promise<TwoBankWorld> {
  const world = await aWorld(options);
  const second = openSimulator({
    file: join(await aFolder(), 'second.sqlite'),
    clock: world.clock,
    random: world.random,
    log: world.log,
    pagesUrl: 'http://127.0.0.1:3010/bank',
    name: 'second',
    wait: async () => undefined,
  });
  atEnd(() => second.close());
  const both = { ...world, second, otherBanks: [second] };
  return through(both, [world.bank, second]);
}

/** The same installation with these acquirers, in this order; those of `off` are switched off. */
export function through(world: TwoBankWorld, on: readonly Acquirer[], off: readonly Acquirer[] = []): TwoBankWorld {
  return { ...world, acquirers: acquirersWith(world, on, off) };
}

/** Delivers what the second bank has to say; the first one is in the process, and its callbacks are a work. */
export async function deliverSecond(world: TwoBankWorld): Promise<void> {
  while ((await world.second.deliverDue((callback: Callback) => handleCallback(world, callback, 'second'))) > 0);
}

/** Everything that is due, at both. */
export async function settleBoth(world: TwoBankWorld): Promise<void> {
  do await deliverSecond(world);
  while ((await tickAll(world)) > 0);
}

/** `acquirer state reason` of each attempt of a transaction, in order. */
export function attemptsAt({ db }: TestWorld, id: string): Promise<string[]> {
  return db.sql.many((row) => readText(row, 'attempt'))`
    select concat_ws(' ', acquirer, state, reason) as attempt from charge where transaction_id = ${id} order by number`;
}

/** An acquirer that cannot be reached: nothing arrives there. */
export function unreached(acquirer: Acquirer): Acquirer {
  const away = async () => ({ kind: 'notReached' }) as const;
  return {
    name: acquirer.name,
    charge: away,
    refund: away,
    cancel: away,
    findCharge: away,
    findRefund: away,
    statement: away,
  };
}
