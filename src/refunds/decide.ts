// What an operator decides about a refund that nobody could resolve.

import { confirmAmount, type Decision } from '../banking/index.ts';
import type { Tools } from '../tools.ts';
import { hasEnded } from './rules.ts';
import { deleteWork, findParkedRow, listParkedRows, type ParkedRefund } from './store/moves.ts';
import type { RefundTools } from './tools.ts';

export function listParkedRefunds(tools: Pick<Tools, 'db'>): Promise<ParkedRefund[]> {
  return listParkedRows(tools.db.sql);
}

/**
 * Carries the decision out as if the bank had said it: captured means that the money went to the payer. Answers false when
 * nothing with that id is parked, and throws for another amount than the refund's. One that has ended was parked to be seen: deciding it takes it off the list.
 */
export async function decideParkedRefund(tools: RefundTools, id: string, decision: Decision): Promise<boolean> {
  const parked = await findParkedRow(tools.db.sql, id);
  if (!parked) return false;
  confirmAmount(decision, parked.amountMinor);
  if (hasEnded(parked.status)) await deleteWork(tools.db.sql, [id]);
  else await tools.settle({ refundId: id, result: { kind: decision === 'not-captured' ? 'declined' : 'approved' } });
  return true;
}
