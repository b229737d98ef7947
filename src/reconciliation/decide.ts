// An operator's decision about a difference.

import { type Decision, DecisionFault, type ParkedItem, type Parking } from '../banking/index.ts';
import { post } from '../ledger/index.ts';
import type { Item } from './model.ts';
import { afterDecision } from './rules.ts';
import { closeItems, isBooked, listParked, lockParked, startReturn } from './store/items.ts';
import type { ReconciliationTools } from './tools.ts';

export function parkedDifferences(tools: ReconciliationTools): Parking {
  return {
    list: async () => (await listParked(tools.db.sql)).map(parkedOf),
    decide: (id, decision) => decide(tools, id, decision),
  };
}

function parkedOf({ id, kind, bankMinor, ourMinor, foundAt, why }: Item): ParkedItem {
  return { id, kind, amountMinor: bankMinor ?? ourMinor ?? 0n, parkedAt: foundAt, why };
}

function decide(tools: ReconciliationTools, id: string, decision: Decision): Promise<boolean> {
  return tools.db.atomic(async (sql) => {
    const item = await lockParked(sql, id);
    if (!item) return false;
    const now = tools.clock.now();
    const { kind, outcome, journals } = afterDecision(item, decision);
    if (item.difference === 'not_booked' && item.kind === 'capture' && (await isBooked(sql, item.key))) {
      throw new DecisionFault('A payment has taken it meanwhile: run grosz reconcile, which closes it.');
    }
    if (kind === 'giveBack') await startReturn(sql, id, tools.ids.ulid(), now);
    else await closeItems(sql, [id], outcome, now);
    await post(sql, tools.ids, journals, now);
    return true;
  });
}
