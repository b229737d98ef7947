// The acquirers of a world: those that a test gives, in this order, under their names.

import { type Acquirer, type Acquirers, KnownRoutes, openAcquirers } from '../../src/acquirer/index.ts';
import type { Tools } from '../../src/tools.ts';

type Base = Pick<Tools, 'db' | 'wall' | 'log'>;

/** All of them take new charges. */
export function acquirersOf(world: Base, ...acquirers: readonly Acquirer[]): Acquirers {
  return acquirersWith(world, acquirers, []);
}

/** `off` are switched off: they go on with what they began. */
export function acquirersWith({ db, wall, log }: Base, on: readonly Acquirer[], off: readonly Acquirer[]): Acquirers {
  const open = (takesNew: boolean) => (acquirer: Acquirer) => ({ name: acquirer.name, acquirer, takesNew });
  const list = [...on.map(open(true)), ...off.map(open(false))];
  return openAcquirers({ log }, list, new KnownRoutes({ sql: db.sql, wall, log }));
}
