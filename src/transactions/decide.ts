// An operator's decision about a parked payment or surplus.

import { type Decision, decidedResult, openParking, type ParkedItem, type Parking } from '../banking/index.ts';
import { findParked, listParked, updateSurplusLater, updateUnparked } from './store/attempts.ts';
import { endSurplus } from './surplus.ts';
import type { TransactionTools } from './tools.ts';

export function parkedPayments(tools: TransactionTools): Parking {
  const { sql } = tools.db;
  return openParking({
    list: () => listParked(sql),
    find: (id) => findParked(sql, id),
    decide: (parked, decision) => decide(tools, parked, decision),
  });
}

async function decide(tools: TransactionTools, { id, kind }: ParkedItem, decision: Decision): Promise<void> {
  if (kind === 'surplus') return decideSurplus(tools, id, decision);
  await tools.settle({ attemptId: id, result: decidedResult(decision) });
  // An ended one about which the bank contradicted itself stays as it is.
  if (decision === 'not-captured') await updateUnparked(tools.db.sql, id);
}

/** For money to be returned, captured means that it was returned; otherwise it is sent again. */
async function decideSurplus(tools: TransactionTools, id: string, decision: Decision): Promise<void> {
  if (decision !== 'not-captured') {
    await endSurplus(tools, [id]);
    return;
  }
  const nextTryAt = tools.clock.now().toString();
  await updateSurplusLater(tools.db.sql, [{ id, nextTryAt, parkedAt: null, parkedWhy: null }]);
}
