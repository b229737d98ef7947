// What the engine runs, what the bank tells, what an operator decides.

import type { Callback } from '../acquirer/index.ts';
import { confirmAmount, type Decision, learnedOf } from '../banking/index.ts';
import type { Tools } from '../tools.ts';
import type { Result } from './attempts/rules.ts';
import { updateUnparked } from './attempts/settlements/store.ts';
import { countDueAttempts, countDueRecurring, type DueCount, findParked } from './attempts/store.ts';
import type { RecurringTools } from './tools.ts';

/** Durable once it resolves. Answers whether the key is one of ours. */
export function receiveRecurringCallback(tools: RecurringTools, callback: Callback): Promise<boolean> {
  if (callback.kind !== 'charge') return Promise.resolve(false);
  return tools.settle({ transactionId: callback.key, result: learnedOf(callback.result) });
}

/** Carries out what an operator decided about a parked charge; false when none with that id is parked. Throws for another amount. */
export async function decideParkedCharge(tools: RecurringTools, id: string, decision: Decision): Promise<boolean> {
  const parked = await findParked(tools.db.sql, id);
  if (!parked) return false;
  confirmAmount(decision, parked.amountMinor);
  const result: Result =
    decision === 'not-captured'
      ? { kind: 'declined', reason: 'internal error' }
      : { kind: 'approved', amountMinor: decision.capturedMinor, lookedUp: true };
  const settled = await tools.settle({ transactionId: id, result });
  // One that had ended, and that the bank contradicted itself about, stays as it was.
  if (decision === 'not-captured') await updateUnparked(tools.db.sql, id);
  return settled;
}

export function dueRecurring(tools: Pick<Tools, 'clock' | 'db'>): Promise<DueCount> {
  return countDueRecurring(tools.db.sql, tools.clock.now());
}

export function dueCharges(tools: Pick<Tools, 'clock' | 'db'>): Promise<DueCount> {
  return countDueAttempts(tools.db.sql, tools.clock.now());
}
