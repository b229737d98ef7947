// Transactions of the recurring engine. They are like any other, so that they can be shown, listed and refunded.

import type { Sql } from '../database/index.ts';
import { instantText, type TransactionId } from '../kernel/index.ts';
import type { Transaction } from './model.ts';
import {
  type DeclinedCharge,
  insertTransaction,
  type TransactionChange,
  updateChargesDeclined,
  updateTransactionsPaid,
} from './store/transactions.ts';

/** Inserts the transactions of charges that are about to be sent, in the caller's database transaction. */
export async function startCharges(sql: Sql, transactions: readonly Transaction[]): Promise<void> {
  await insertTransaction.execute(sql, transactions);
}

export interface ChargeEnd {
  readonly transactionId: TransactionId;
  readonly channelId: number;
  readonly amountMinor: bigint;
  readonly endedAt: Temporal.Instant;
  readonly correct: boolean;
}

/**
 * Ends charges: after a correct one the transaction is paid; after a failed one it is canceled, because a retry is a
 * new transaction.
 */
export async function endCharges(sql: Sql, ends: readonly ChargeEnd[]): Promise<void> {
  const [correct, declined] = [ends.filter((end) => end.correct), ends.filter((end) => !end.correct)];
  if (correct.length > 0) await updateTransactionsPaid(sql, correct.map(paidBy));
  if (declined.length > 0) await updateChargesDeclined(sql, declined.map(declinedBy));
}

function paidBy({ transactionId: id, channelId, endedAt, amountMinor: amountPaidMinor }: ChargeEnd): TransactionChange {
  const realizedAt = instantText(endedAt);
  return {
    id,
    status: 'paid',
    paymentStatus: 'correct',
    channelId,
    paymentMethod: 'sale',
    realizedAt,
    amountPaidMinor,
    declineNotified: false,
  };
}

function declinedBy({ transactionId: id, channelId, endedAt }: ChargeEnd): DeclinedCharge {
  return { id, channelId, canceledAt: instantText(endedAt) };
}
