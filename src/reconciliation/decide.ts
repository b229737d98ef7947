// An operator's decision about a difference.

import {
  cancelHeld,
  type Decision,
  DecisionFault,
  insertOrRelease,
  lockUnallocated,
  type NewOutgoing,
  type ParkedItem,
  type Parking,
} from '../banking/index.ts';
import { post } from '../ledger/index.ts';
import type { Item } from './model.ts';
import { afterDecision } from './rules.ts';
import { closeItems, isBooked, listParked, lockParked, updateReturning } from './store/items.ts';
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
    // Outgoing refunds are locked before what they are for.
    await lockUnallocated(sql, [id]);
    const item = await lockParked(sql, id);
    if (!item) return false;
    const now = tools.clock.now();
    const { kind, outcome, journals } = afterDecision(item, decision);
    if (item.difference === 'not_booked' && item.kind === 'capture' && (await isBooked(sql, item.key))) {
      throw new DecisionFault({ code: 'settled_by_payment', parameters: {} });
    }
    if (kind === 'giveBack') {
      await updateReturning(sql, id);
      await insertOrRelease(sql, returnOf(tools.ids.ulid(), item, now));
    } else {
      await closeItems(sql, [id], outcome, now);
      await cancelHeld(sql, [id]);
    }
    await post(sql, tools.ids, journals, now);
    return true;
  });
}

function returnOf(id: string, item: Item, now: Temporal.Instant): NewOutgoing & { readonly purpose: 'unallocated' } {
  const { acquirer, currency, key: chargeKey, bankMinor } = item;
  const facts = { id, acquirer, merchantId: null, currency, amountMinor: bankMinor ?? 0n, chargeKey };
  return { ...facts, purpose: 'unallocated', subjectId: item.id, createdAt: now, nextTryAt: now };
}
