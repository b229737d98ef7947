// The part of this room in settling a payment: what it locks, the step after a result, what it writes and tells.

import {
  type ChargeRoom,
  captureOf,
  type LockedCharge,
  type LockedRows,
  type Settled,
  type Settlement,
} from '../banking/index.ts';
import { activateTokens, describeTokens, type SavedCard } from '../cards/index.ts';
import type { Sql } from '../database/index.ts';
import { type Journal, paymentFee, paymentJournal, splitPaymentJournal } from '../ledger/index.ts';
import { composeMails, type Handover, insertEvents, insertMails, type SealedMail } from '../notifications/index.ts';
import type { Tools } from '../tools.ts';
import { declineOf } from './declines.ts';
import { findForLookUp } from './look-up.ts';
import { paidMail, paidWith } from './mail.ts';
import type { Attempt, PaymentRows, Transaction } from './model.ts';
import { transactionEvent } from './notify.ts';
import { afterResult, isDecline, methodPaid, patience, waitingLook } from './rules.ts';
import { findPayments, type LockedAttempt, lockAttempts } from './store/attempts.ts';
import { listShares } from './store/parts.ts';
import { type TransactionChange, updateTransactionsPaid } from './store/transactions.ts';

export interface SettleTools extends Tools {
  /** Sends the notifications of successful payments. */
  readonly handover: Handover;
  /** Whether a mail transport is configured; without one no mail is written. */
  readonly sendsMail: boolean;
}

/** What settling needs to know about an attempt. */
export interface PaymentFacts extends LockedAttempt {
  /** As the last result of the batch left it: attempts of the same transaction see the changes made before. */
  readonly transactions: Map<string, Transaction>;
  /** As this attempt left it. */
  readonly transaction: Transaction;
}

export type PaymentRoom = ChargeRoom<Attempt, PaymentFacts, PaymentRows>;
type LockedPayment = LockedCharge<Attempt, PaymentFacts>;
type SettledPayment = Settled<Attempt, PaymentFacts>;

export function paymentRoom(tools: SettleTools): PaymentRoom {
  return {
    patience,
    waitingLook,
    lock: (sql, settlements) => lock(tools, sql, settlements),
    after: ({ charge, surplusBooked, facts }, result) =>
      afterResult({ ...charge, surplusBooked, parked: charge.parkedAt !== null }, presentOf(facts).status, result),
    endedAt: (_charge, now) => now,
    // The payer may no longer pay.
    unwanted: ({ facts }) => presentOf(facts).status !== 'pending',
    priceOf: ({ transaction, fee }) => (transaction.origin === 'marketplace' ? null : fee.priceId),
    next: (settled) => next(settled),
    applySteps: (sql, settled, now) => applySteps(tools, sql, settled, now),
    findForLookUp: (charges) => findForLookUp(tools, charges),
  };
}

/** The rows after a result. */
export function rowsOf({ charge: attempt, facts }: LockedPayment): PaymentRows {
  return { attempt, transaction: presentOf(facts) };
}

function presentOf({ transactions, transaction }: PaymentFacts): Transaction {
  return transactions.get(transaction.id) ?? transaction;
}

/**
 * Locks the attempts, then reads them: a separate statement sees what the previous holder of the lock wrote. Rows that
 * nobody has changed since the caller inserted them are not read.
 */
async function lock(
  { clock }: Pick<Tools, 'clock'>,
  sql: Sql,
  settlements: readonly Settlement<PaymentRows>[],
): Promise<LockedRows<Attempt, PaymentFacts>[]> {
  const ids = [...new Set(settlements.map(({ chargeId }) => chargeId))].sort();
  const locked = await lockAttempts(sql, ids, clock.now());
  const known = unchangedOf(locked, settlements);
  const changed = locked.flatMap(({ id }) => (known.has(id) ? [] : [id]));
  const read = changed.length > 0 ? await findPayments(sql, changed) : [];
  for (const rows of read) known.set(rows.attempt.id, rows);
  const transactions = new Map<string, Transaction>();
  return locked.flatMap((facts) => {
    const rows = known.get(facts.id);
    if (rows?.attempt.purpose !== 'payment') return [];
    const { attempt: charge, transaction } = rows;
    transactions.set(transaction.id, transaction);
    return [{ charge, facts: { ...facts, transaction, transactions } }];
  });
}

/** The rows of those that the caller inserted and nobody has changed since. */
function unchangedOf(
  locked: readonly LockedAttempt[],
  settlements: readonly Settlement<PaymentRows>[],
): Map<string, PaymentRows> {
  const unchanged = new Set(locked.filter((attempt) => attempt.unchanged).map(({ id }) => id));
  return new Map(
    settlements.flatMap(({ chargeId, known }) =>
      known && unchanged.has(chargeId) ? [[chargeId, known] as const] : [],
    ),
  );
}

/** The transaction after a step of one of its attempts. */
function next({ charge, facts, step }: SettledPayment): PaymentFacts {
  const transaction = presentOf(facts);
  const changed = changeTransaction(transaction, charge, facts, step);
  if (changed) facts.transactions.set(changed.id, changed);
  return { ...facts, transaction: changed ?? transaction };
}

function changeTransaction(
  transaction: Transaction,
  attempt: Attempt,
  facts: PaymentFacts,
  step: SettledPayment['step'],
): Transaction | undefined {
  if (step.kind === 'correct') return paidBy(transaction, attempt);
  if (!isDecline(step) || transaction.status !== 'pending') return undefined;
  return { ...transaction, paymentStatus: 'declined', declineNotified: isDeclineNotified(facts, transaction) };
}

function paidBy(transaction: Transaction, { channelId, settledAt, amountMinor }: Attempt): Transaction {
  return {
    ...transaction,
    status: 'paid',
    paymentStatus: 'correct',
    paymentMethod: methodPaid(transaction.paymentMethod, channelId),
    channelId,
    realizedAt: settledAt,
    paidAt: settledAt,
    amountPaidMinor: amountMinor,
  };
}

/**
 * No event says `FALSE` after one that says `TRUE`; a retried delivery of an earlier one may still arrive after it, which
 * docs/api.md tells receivers. The marketplace is told only of success.
 */
function isDeclineNotified({ notifiesDeclines }: PaymentFacts, { status, origin }: Transaction): boolean {
  return notifiesDeclines && origin !== 'marketplace' && (status === 'pending' || status === 'canceled');
}

async function applySteps(
  tools: SettleTools,
  sql: Sql,
  settled: readonly SettledPayment[],
  now: Temporal.Instant,
): Promise<Journal[]> {
  const changes = transactionChanges(settled);
  if (changes.length > 0) await updateTransactionsPaid(sql, changes);
  const declined = settled.filter(({ step, facts }) => isDecline(step) && isDeclineNotified(facts, facts.transaction));
  if (declined.length > 0) await notifyDeclined(tools, sql, declined);
  const paid = settled.filter(({ step }) => step.kind === 'correct');
  if (paid.length > 0) await notifyPaid(tools, sql, paid, now);
  return journalsOf(sql, paid);
}

/** Each changed transaction once, as the last result of the batch left it. */
function transactionChanges(settled: readonly SettledPayment[]): TransactionChange[] {
  const changed = settled.filter(
    ({ step, facts }) => step.kind === 'correct' || (isDecline(step) && facts.transaction.status === 'pending'),
  );
  const last = new Map(changed.map(({ facts }) => [facts.transaction.id, presentOf(facts)]));
  return [...last.values()].map(transactionChange);
}

function transactionChange(transaction: Transaction): TransactionChange {
  const { id, status, paymentStatus, channelId, paymentMethod, amountPaidMinor, declineNotified } = transaction;
  return {
    id,
    status,
    paymentStatus,
    channelId,
    paymentMethod,
    amountPaidMinor,
    declineNotified,
    realizedAt: transaction.realizedAt?.toString() ?? null,
  };
}

async function journalsOf(sql: Sql, paid: readonly SettledPayment[]): Promise<Journal[]> {
  const [split, whole] = [paid.filter(isSplit), paid.filter((one) => !isSplit(one))];
  const journals = whole.map(({ charge, facts }) =>
    paymentJournal(captureOf(charge), charge.merchantId, paymentFee(charge.amountMinor, facts.fee)),
  );
  return split.length === 0 ? journals : [...journals, ...(await splitJournals(sql, split))];
}

function isSplit({ facts }: SettledPayment): boolean {
  return facts.transaction.origin === 'marketplace';
}

/** One journal for each marketplace payment: every seller's share, the fees and the partner's commission. */
async function splitJournals(sql: Sql, split: readonly SettledPayment[]): Promise<Journal[]> {
  const shares = await listShares(
    sql,
    split.map(({ charge }) => charge.transactionId),
  );
  const byTransaction = Map.groupBy(shares, ({ transactionId }) => transactionId);
  return split.map(({ charge }) =>
    splitPaymentJournal(captureOf(charge), charge.merchantId, byTransaction.get(charge.transactionId) ?? []),
  );
}

/** Payers whose address is known get a confirmation, unless the merchant does not want that. */
function mailsOf(tools: Tools, paid: readonly SettledPayment[], now: Temporal.Instant): SealedMail[] {
  const mailed = paid.filter(({ facts }) => facts.mailsPaid && facts.transaction.payer.email !== '');
  return composeMails(tools, mailed, ({ charge, facts: { transaction, merchant, notification } }) =>
    paidMail(tools.ids.ulid(), transaction, { ...merchant, zone: notification.zone }, paidWith(charge), now),
  );
}

/** One event per declined attempt, written with its result; it names the channel of that attempt. */
async function notifyDeclined(tools: SettleTools, sql: Sql, declined: readonly SettledPayment[]): Promise<void> {
  const events = declined.map(({ charge: { channelId, reason }, facts: { transaction, notification } }) =>
    transactionEvent(tools, { ...transaction, channelId }, notification, 'FALSE', { error: declineOf(reason).word }),
  );
  await insertEvents(sql, tools.vault, events, tools.handover);
}

/** One event per successful payment, written with the change that it reports. */
async function notifyPaid(
  tools: SettleTools,
  sql: Sql,
  paid: readonly SettledPayment[],
  now: Temporal.Instant,
): Promise<void> {
  const tokens = paid.flatMap(({ charge }) => charge.cardToken ?? []);
  await activateTokens(sql, tokens, now);
  const cards: Map<string, SavedCard> = await describeTokens(tools, sql, tokens);
  const events = paid.map(({ charge, facts: { transaction, notification } }) => {
    const card = charge.cardToken === null ? undefined : cards.get(charge.cardToken);
    return transactionEvent(tools, transaction, notification, 'TRUE', { card });
  });
  await insertEvents(sql, tools.vault, events, tools.handover);
  if (tools.sendsMail) await insertMails(sql, mailsOf(tools, paid, now));
}
