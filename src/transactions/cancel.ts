// Cancels a transaction that is not paid. An attempt in flight is stopped at the bank, or its money is returned to the
// payer.

import type { Merchant } from '../accounts/index.ts';
import { updatePaymentsDue } from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import { refuse, type TransactionId } from '../kernel/index.ts';
import { insertEvents } from '../notifications/index.ts';
import type { Tools } from '../tools.ts';
import type { Transaction } from './model.ts';
import { transactionEvent } from './notify.ts';
import { refuseMarketplace, refuseUnlessPending } from './pay.ts';
import {
  cancelExpired,
  findOldestPending,
  listForNotification,
  lockTransaction,
  updateTransactionCanceled,
} from './store/transactions.ts';
import type { TransactionTools } from './tools.ts';

/** Cancels a pending transaction. Idempotent: canceling again returns the same response. */
export function cancel(
  tools: TransactionTools,
  merchant: Pick<Merchant, 'id'>,
  id: TransactionId,
  check: (transaction: Transaction) => void = refuseMarketplace,
): Promise<Transaction> {
  return tools.db.atomic(async (sql) => {
    const transaction = (await lockTransaction(sql, merchant.id, id)) ?? refuse('not_found');
    check(transaction);
    if (transaction.status === 'canceled') return transaction;
    refuseUnlessPending(transaction);
    const canceledAt = tools.clock.now();
    await updateTransactionCanceled(sql, id, canceledAt);
    await afterCancel(tools, sql, [id], canceledAt);
    return { ...transaction, status: 'canceled', canceledAt, canceledBy: 'merchant' };
  });
}

/** How long the payer has to pay (docs/decisions/0006). */
export const payableFor = Temporal.Duration.from({ months: 1 });

const expiredAtOnce = 500;

/** Cancels transactions that were not paid in time; returns how many. */
export function expireTransactions(tools: TransactionTools): Promise<number> {
  return tools.db.atomic(async (sql) => {
    const now = tools.clock.now();
    const before = now.toZonedDateTimeISO('UTC').subtract(payableFor).toInstant();
    const ids = await cancelExpired(sql, before, now, expiredAtOnce);
    if (ids.length > 0) await afterCancel(tools, sql, ids, now);
    return ids.length;
  });
}

/** When the next one expires, for moving the sandbox clock. */
export async function nextExpiry(tools: Pick<Tools, 'db'>): Promise<Temporal.Instant | null> {
  const oldest = await findOldestPending(tools.db.sql);
  return oldest?.toZonedDateTimeISO('UTC').add(payableFor).toInstant() ?? null;
}

/**
 * Open attempts are canceled at the bank immediately; the merchant is notified of a final decline, unless that decline
 * was told when it happened (docs/decisions/0006).
 */
async function afterCancel(
  tools: TransactionTools,
  sql: Sql,
  ids: readonly string[],
  now: Temporal.Instant,
): Promise<void> {
  await updatePaymentsDue(sql, ids, now);
  const canceled = await listForNotification(sql, ids);
  const events = canceled
    .filter(({ transaction: { origin, paymentStatus, declineNotified } }) => {
      return paymentStatus === 'declined' && !declineNotified && origin !== 'marketplace';
    })
    .map(({ transaction, notification }) => transactionEvent(tools, transaction, notification, 'FALSE'));
  await insertEvents(sql, tools.vault, events);
}
