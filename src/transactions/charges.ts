// Transactions of the recurring engine. They are like any other, so that they can be shown, listed and refunded; only
// their attempts are stored by recurring.

import { insertOutgoing } from '../banking/index.ts';
import { type AccountId, type Currency, instantText, type TransactionId } from '../kernel/index.ts';
import { type Capture, post, surplusJournals } from '../ledger/index.ts';
import type { Sql } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import type { Transaction } from './model.ts';
import { hasStanding, insertStanding } from './store/attempts.ts';
import {
  type DeclinedCharge,
  insertTransaction,
  type TransactionChange,
  updateChargesDeclined,
  updateTransactionsPaid,
} from './store/transactions.ts';
import { surplusOf } from './surplus.ts';

/** Inserts the transactions of charges that are about to be sent, in the caller's database transaction. */
export async function startCharges(sql: Sql, transactions: readonly Transaction[]): Promise<void> {
  await insertTransaction.write(sql, transactions);
}

export interface ChargeEnd {
  readonly transactionId: TransactionId;
  readonly merchantId: AccountId;
  readonly channelId: number;
  readonly acquirer: string;
  readonly cardToken: string | null;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly createdAt: Temporal.Instant;
  readonly endedAt: Temporal.Instant;
  readonly correct: boolean;
}

/**
 * Ends charges: after a correct one the transaction is paid; after a failed one it is canceled, because a retry is a
 * new transaction.
 */
export async function endCharges(sql: Sql, ends: readonly ChargeEnd[]): Promise<void> {
  const [correct, declined] = [ends.filter((end) => end.correct), ends.filter((end) => !end.correct)];
  if (correct.length > 0) {
    await insertStanding(
      sql,
      correct.map((end) => standingOf(end, 'correct')),
    );
    await updateTransactionsPaid(sql, correct.map(paidBy));
  }
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
    declineTold: false,
  };
}

function declinedBy({ transactionId: id, channelId, endedAt }: ChargeEnd): DeclinedCharge {
  return { id, channelId, canceledAt: instantText(endedAt) };
}

function standingOf(end: ChargeEnd, state: 'correct' | 'surplus') {
  return {
    id: end.transactionId,
    merchantId: end.merchantId,
    channelId: end.channelId,
    acquirer: end.acquirer,
    cardToken: end.cardToken,
    state,
    amountMinor: end.amountMinor,
    currency: end.currency,
    createdAt: end.createdAt,
    settledAt: end.endedAt,
  };
}

/**
 * Captured after it was reported as failed: the money belongs to the payer and is returned once, however often it is
 * reported. The caller holds the row lock of the charge.
 */
export async function giveBackCharge(tools: Tools, sql: Sql, end: ChargeEnd): Promise<void> {
  if (await hasStanding(sql, end.transactionId)) return;
  const { transactionId: source, acquirer, currency, amountMinor } = end;
  const capture: Capture = { source, acquirer, currency, amountMinor };
  await insertStanding(sql, [standingOf(end, 'surplus')]);
  await insertOutgoing(sql, [surplusOf(tools.ids.ulid(), { ...end, id: source }, end.endedAt)]);
  await post(sql, tools.ids, surplusJournals(capture), end.endedAt);
}
