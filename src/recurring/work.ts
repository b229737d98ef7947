// What the engine runs, what the bank tells, what an operator decides.

import type { Callback } from '../acquirer/index.ts';
import { confirmAmount, type Decision, learnedOf } from '../banking/index.ts';
import type { World } from '../world.ts';
import type { Result } from './attempts/rules.ts';
import { settle } from './attempts/settle.ts';
import { updateUnparked } from './attempts/settlements/store.ts';
import { countDueAttempts, countDueRecurring, type DueCount, findParked } from './attempts/store.ts';

/** Durable once it resolves. Answers whether the key is one of ours. */
export function receiveRecurringCallback(world: World, callback: Callback): Promise<boolean> {
  if (callback.kind !== 'charge') return Promise.resolve(false);
  return settle(world, { transactionId: callback.key, result: learnedOf(callback.result) });
}

/** Carries out what an operator decided about a parked charge; false when none with that id is parked. Throws for another amount. */
export async function decideParkedCharge(world: World, id: string, decision: Decision): Promise<boolean> {
  const parked = await findParked(world.db.sql, id);
  if (!parked) return false;
  confirmAmount(decision, parked.amountMinor);
  const result: Result =
    decision === 'not-captured'
      ? { kind: 'declined', reason: 'internal error' }
      : { kind: 'approved', amountMinor: decision.capturedMinor, lookedUp: true };
  const settled = await settle(world, { transactionId: id, result });
  // One that had ended, and that the bank contradicted itself about, stays as it was.
  if (decision === 'not-captured') await updateUnparked(world.db.sql, id);
  return settled;
}

export function dueRecurring(world: World): Promise<DueCount> {
  return countDueRecurring(world.db.sql, world.clock.now());
}

export function dueCharges(world: World): Promise<DueCount> {
  return countDueAttempts(world.db.sql, world.clock.now());
}
