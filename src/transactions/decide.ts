// What an operator decides about a payment that nobody could resolve.

import { confirmAmount, type Decision } from '../banking/index.ts';
import { findParked, updateSurplusLater, updateUnparked } from './store/attempts.ts';
import { endSurplus } from './surplus.ts';
import type { TransactionTools } from './tools.ts';

/**
 * Carries the decision out as if the bank had said it; answers false when nothing with that id is parked, and
 * throws for another amount than was asked for.
 */
export async function decideParked(tools: TransactionTools, id: string, decision: Decision): Promise<boolean> {
  const parked = await findParked(tools.db.sql, id);
  if (!parked) return false;
  confirmAmount(decision, parked.amountMinor);
  if (parked.kind === 'surplus') {
    if (decision !== 'not-captured') return endSurplus(tools, [id]);
    const nextTryAt = tools.clock.now().toString();
    await updateSurplusLater(tools.db.sql, [{ id, nextTryAt, parkedAt: null, parkedWhy: null }]);
    return true;
  }
  const result =
    decision === 'not-captured'
      ? ({ kind: 'declined', reason: 'internal error' } as const)
      : ({ kind: 'approved', amountMinor: decision.capturedMinor, lookedUp: true } as const);
  const settled = await tools.settle({ attemptId: id, result });
  // One that had ended, and that the bank contradicted itself about, stays as it was.
  if (decision === 'not-captured') await updateUnparked(tools.db.sql, id);
  return settled !== undefined;
}
