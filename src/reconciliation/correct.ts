// Differences that time has overtaken: what the bank names later, and what a payment takes later.

import { cancelHeld, lockUnallocated } from '../banking/index.ts';
import { post } from '../ledger/index.ts';
import type { Item } from './model.ts';
import { namedAfterAll, notMoved, returned, returnedTwice, reversed } from './rules.ts';
import {
  closeConfirmed,
  closeItems,
  listBookedSince,
  lockNamedAfterAll,
  lockParkedOf,
  lockReturnedTwice,
  updateOutcome,
} from './store/items.ts';
import type { ReconciliationTools } from './tools.ts';

const itemsAtOnce = 5_000;
const bookedLater = 'booked by its payment later';

/** Closes and corrects items after a run; returns how many decisions turned out to be wrong. */
export async function correctItems(tools: ReconciliationTools, runId: string): Promise<number> {
  const { db, clock } = tools;
  await db.atomic((sql) => closeConfirmed(sql, runId, clock.now()));
  while ((await closeBooked(tools)) === itemsAtOnce);
  return correctClosed(tools, runId);
}

/** A recurring charge that is repeated under its key after a restore takes what was booked as nobody's. */
function closeBooked({ db, clock, ids }: ReconciliationTools): Promise<number> {
  return db.atomic(async (sql) => {
    const found = await listBookedSince(sql, itemsAtOnce);
    // Outgoing refunds are locked before what they are for.
    await lockUnallocated(sql, found);
    const items = await lockParkedOf(sql, found);
    const now = clock.now();
    await closeItems(sql, idsOf(items), bookedLater, now);
    await cancelHeld(sql, idsOf(items));
    const journals = items.flatMap((item) => reversed(item, bookedLater).journals);
    await post(sql, ids, journals, now);
    return found.length;
  });
}

/** Decisions that the bank or a payment has overtaken: the books follow. */
function correctClosed({ db, clock, ids }: ReconciliationTools, runId: string): Promise<number> {
  return db.atomic(async (sql) => {
    const twice = await lockReturnedTwice(sql, returned, itemsAtOnce);
    const named = await lockNamedAfterAll(sql, runId, notMoved, itemsAtOnce);
    await updateOutcome(sql, idsOf(twice), 'returned to the payer, and booked by its payment: a loss');
    await updateOutcome(sql, idsOf(named), 'named by the bank later');
    await post(sql, ids, [...twice.map(returnedTwice), ...named.map(namedAfterAll)], clock.now());
    return twice.length + named.length;
  });
}

function idsOf(items: readonly Item[]): string[] {
  return items.map(({ id }) => id);
}
