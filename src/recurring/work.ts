// What the engine runs, what the bank tells, what an operator decides.

import type { Callback } from '../acquirer/index.ts';
import type { World } from '../world.ts';
import type { Result } from './attempts/rules.ts';
import { settle } from './attempts/settle.ts';
import { countDueAttempts, countDueRecurring, type DueCount, findParked } from './attempts/store.ts';

/** Durable once it resolves. Answers whether the key is one of ours. */
export function receiveRecurringCallback(world: World, callback: Callback): Promise<boolean> {
  if (callback.kind !== 'charge') return Promise.resolve(false);
  const { result } = callback;
  const learned: Result = result.kind === 'approved' ? { kind: 'approved', amountMinor: result.amount.minor } : result;
  return settle(world, { transactionId: callback.key, result: learned });
}

/** Carries out what an operator decided about a parked charge; false when none with that id is parked. */
export async function decideParkedCharge(
  world: World,
  id: string,
  decision: 'captured' | 'not-captured',
): Promise<boolean> {
  const parked = await findParked(world.db.sql, id);
  if (!parked) return false;
  const result: Result =
    decision === 'captured'
      ? { kind: 'approved', amountMinor: parked.amountMinor }
      : { kind: 'declined', reason: 'internal error' };
  return settle(world, { transactionId: id, result });
}

export function dueRecurring(world: World): Promise<DueCount> {
  return countDueRecurring(world.db.sql, world.clock.now());
}

export function dueCharges(world: World): Promise<DueCount> {
  return countDueAttempts(world.db.sql, world.clock.now());
}
