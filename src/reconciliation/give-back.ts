// Returns captures that belong to nobody to their payers, after an operator's decision: by key, retried until it
// succeeds, booked once.

import { askDue, lookDelay } from '../banking/index.ts';
import { money } from '../kernel/index.ts';
import { post } from '../ledger/index.ts';
import { givenBackJournal, returned } from './rules.ts';
import {
  claimDueItems,
  closeItems,
  type DueItem,
  isBooked,
  lockReturning,
  parkItem,
  sendItemBack,
} from './store/items.ts';
import type { ReconciliationTools } from './tools.ts';

const deadlineMilliseconds = 10_000;
const triesAtMost = 300;

/** Sends due captures back; returns how many were attempted. */
export function giveBack(tools: ReconciliationTools): Promise<number> {
  return askDue(
    tools.clock,
    (now, leaseUntil, atMost) => claimDueItems(tools.db.sql, now, leaseUntil, atMost),
    async (due) => {
      await Promise.all(due.map((item) => send(tools, item)));
    },
  );
}

/** The same key each time: the bank refunds it once, however often it is asked. */
async function send(tools: ReconciliationTools, item: DueItem): Promise<void> {
  const { sql } = tools.db;
  if (await isBooked(sql, item.key)) return parkItem(sql, item.id, 'A payment has taken it meanwhile.', false);
  const amount = money(item.bankMinor ?? 0n, item.currency);
  const [key, chargeKey] = [item.returnKey ?? item.id, item.key];
  const { kind } = await tools.acquirer.refund({ key, chargeKey, amount, deadlineMilliseconds });
  if (kind === 'approved') await endGivenBack(tools, key);
  else if (kind === 'declined') await parkItem(sql, item.id, 'The bank refused to give it back.', true);
  else if (item.tries >= triesAtMost) await parkItem(sql, item.id, 'The bank could not be reached.', false);
  else {
    const next = tools.clock.momentOf(item.dueAt).add(lookDelay({ checks: item.tries }, 'unknown'));
    await sendItemBack(sql, item.id, next);
  }
}

/** Closes an item whose money is with the payer; returns whether it was one of ours. */
export function endGivenBack(tools: ReconciliationTools, returnKey: string): Promise<boolean> {
  return tools.db.atomic(async (sql) => {
    const item = await lockReturning(sql, returnKey);
    if (!item) return false;
    const now = tools.clock.now();
    await closeItems(sql, [item.id], returned, now);
    await post(sql, tools.ids, [givenBackJournal(item)], now);
    return true;
  });
}
