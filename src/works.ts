// The works of the engine: everything that waits for time, and what an acquirer tells by itself.

import { forgetExpiredTokens } from './accounts/index.ts';
import type { Callback } from './acquirer/index.ts';
import type { Work } from './engine/index.ts';
import { sealJournals } from './ledger/index.ts';
import {
  dueDeliveries,
  dueMails,
  forgetOldMails,
  nextDeliveryAt,
  nextMail,
  numberEvents,
  sendMails,
} from './notifications/index.ts';
import { forgetOldKeys } from './platform/index.ts';
import {
  chargeDue,
  dueCharges,
  dueRecurring,
  findNextChargeDue,
  findNextRecurringDue,
  receiveRecurringCallback,
  resolveCharges,
} from './recurring/index.ts';
import { dueRefunds, moveRefunds, nextRefundStep, receiveRefundCallback } from './refunds/index.ts';
import {
  addCounts,
  dueAttempts,
  dueSurplus,
  expireTransactions,
  nextAttemptDue,
  nextCount,
  nextExpiry,
  nextSurplusDue,
  receiveCallback,
  refundSurplus,
  resolveAttempts,
} from './transactions/index.ts';
import type { World } from './world.ts';

/** What the engine does in rounds. */
export const works: readonly Work[] = [
  {
    name: 'callbacks of the simulated bank',
    run: deliverBankCallbacks,
    nextAt: async (world) => world.bank?.nextDueAt() ?? null,
  },
  {
    name: 'charge recurring payments',
    run: chargeDue,
    waiting: dueRecurring,
    nextAt: (world) => findNextRecurringDue(world.db.sql),
  },
  {
    name: 'look up charges',
    run: resolveCharges,
    waiting: dueCharges,
    nextAt: (world) => findNextChargeDue(world.db.sql),
  },
  { name: 'look up attempts', run: resolveAttempts, waiting: dueAttempts, nextAt: nextAttemptDue },
  { name: 'send surplus back', run: refundSurplus, waiting: dueSurplus, nextAt: nextSurplusDue },
  { name: 'move refunds', run: moveRefunds, waiting: dueRefunds, nextAt: nextRefundStep },
  { name: 'send mail', run: sendMails, waiting: dueMails, nextAt: nextMail },
  { name: 'expire transactions', run: expireTransactions, nextAt: nextExpiry },
  { name: 'number events', run: numberEvents },
  {
    name: 'send notifications',
    // A merchant waits for it to show the result to the payer.
    everyMilliseconds: 200,
    run: (world) => world.sender.feed(),
    settle: (world) => world.sender.drain(),
    waiting: dueDeliveries,
    nextAt: nextDeliveryAt,
  },
  { name: 'count transactions', run: (world) => addCounts(world, 10_000), nextAt: nextCount },
  { name: 'seal journals', run: (world) => sealJournals(world.db) },
  { name: 'forget old mail', run: (world) => forgetOldMails(world, 1_000) },
  { name: 'forget expired tokens', run: (world) => forgetExpiredTokens(world, 1_000) },
  { name: 'forget old idempotency keys', run: (world) => forgetOldKeys(world.db, world.wall, 1_000) },
];

/** What the bank in this process has to tell; a real acquirer tells it over HTTP. */
async function deliverBankCallbacks(world: World): Promise<number> {
  return (await world.bank?.deliverDue((callback) => takeCallback(world, callback))) ?? 0;
}

/** Hands a callback to whoever owns its key; durable once it resolves. */
export async function takeCallback(world: World, callback: Callback): Promise<void> {
  const known =
    (await receiveRecurringCallback(world, callback)) ||
    (await receiveRefundCallback(world, callback)) ||
    (await receiveCallback(world, callback));
  if (!known) world.log.warn({ kind: callback.kind }, 'a callback for a key that is not ours');
}
