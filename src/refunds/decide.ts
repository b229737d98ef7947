// What an operator decides about a refund that nobody could resolve.

import { confirmAmount, type Decision } from '../banking/index.ts';
import type { World } from '../world.ts';
import { settle } from './moving/settle.ts';
import { deleteWork, findParkedRow, listParkedRows, type ParkedRefund } from './moving/store.ts';
import { hasEnded } from './rules.ts';

export function listParkedRefunds(world: World): Promise<ParkedRefund[]> {
  return listParkedRows(world.db.sql);
}

/**
 * Carries the decision out as if the bank had said it: captured means that the money went to the payer. Answers false when
 * nothing with that id is parked, and throws for another amount than the refund's. One that has ended was parked to be seen: deciding it takes it off the list.
 */
export async function decideParkedRefund(world: World, id: string, decision: Decision): Promise<boolean> {
  const parked = await findParkedRow(world.db.sql, id);
  if (!parked) return false;
  confirmAmount(decision, parked.amountMinor);
  if (hasEnded(parked.status)) await deleteWork(world.db.sql, [id]);
  else await settle(world, { refundId: id, word: { kind: decision === 'not-captured' ? 'declined' : 'approved' } });
  return true;
}
