// What an operator decides about a charge that nobody could resolve.

import { confirmAmount, type Decision } from '../banking/index.ts';
import type { Result } from './model.ts';
import { findParked } from './store/attempts.ts';
import { updateUnparked } from './store/settlements.ts';
import type { RecurringTools } from './tools.ts';

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
