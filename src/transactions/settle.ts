// Settling: turns results of attempts into rows, journals and events, a whole batch in one database transaction.

import { afterLook, insertOutgoing, lookDelay, type NewOutgoing } from '../banking/index.ts';
import { activateTokens, describeTokens, type SavedCard } from '../cards/index.ts';
import {
  type Capture,
  type Journal,
  paymentFee,
  paymentJournal,
  post,
  splitPaymentJournal,
  surplusJournals,
} from '../ledger/index.ts';
import { composeMails, type Handover, insertEvents, insertMails, type SealedMail } from '../notifications/index.ts';
import type { Sql } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import { declineOf } from './declines.ts';
import { paidLetter, paidWith } from './letter.ts';
import type { Attempt, PaymentRows, Result, Settled, Settlement, Transaction } from './model.ts';
import { transactionEvent } from './notify.ts';
import { afterResult, isOpen, methodPaid, type Step, waitingLook } from './rules.ts';
import {
  type AttemptChange,
  type AttemptInFull,
  findPayments,
  type LockedAttempt,
  listBooked,
  lockAttempts,
  updateAttempts,
} from './store/attempts.ts';
import { listShares } from './store/parts.ts';
import { type TransactionChange, updateTransactionsPaid } from './store/transactions.ts';
import { surplusOf } from './surplus.ts';
import type { TransactionTools } from './tools.ts';

/** A locked attempt, and whether its money is already booked as surplus. */
interface Held extends AttemptInFull {
  readonly surplusBooked: boolean;
}

/** The writes of a batch of settlements, collected before they are executed. */
interface PendingWrites {
  readonly attempts: Map<string, AttemptChange>;
  readonly transactions: Map<string, TransactionChange>;
  readonly paid: AttemptInFull[];
  /** Declined attempts that the merchant wants to be told of. */
  readonly declined: AttemptInFull[];
  readonly journals: Journal[];
  readonly surpluses: NewOutgoing[];
}

interface SettleTools extends Tools {
  /** Sends the notifications of successful payments. */
  readonly handover: Handover;
  /** Whether a mail transport is configured; without one no mail is written. */
  readonly sendsMail: boolean;
}

/** Results that arrive together are settled together; each caller gets its own. */
export function openSettle(tools: SettleTools): TransactionTools['settle'] {
  return tools.db.joined({
    name: 'settlement',
    atomic: true,
    takesAll: true,
    write: (sql, settlements) => settleSet(tools, sql, settlements),
  });
}

async function settleSet(tools: SettleTools, sql: Sql, settlements: readonly Settlement[]): Promise<Settled[]> {
  const known = await hold(sql, settlements);
  const now = tools.clock.now();
  const set: PendingWrites = {
    attempts: new Map(),
    transactions: new Map(),
    paid: [],
    declined: [],
    journals: [],
    surpluses: [],
  };
  for (const { attemptId, result, lookedAt = now } of settlements) {
    const row = known.get(attemptId);
    if (row) known.set(attemptId, take(tools, set, row, result, now, lookedAt));
    // Attempts of the same transaction see the changes made by the previous one.
    const changed = row && known.get(attemptId)?.transaction;
    if (changed) shareTransaction(known, changed);
  }
  await write(tools, sql, set, now);
  return settlements.map(({ attemptId }) => known.get(attemptId));
}

/** Locks the attempts. Only one that ended without money can have been booked as surplus: the others need no query. */
async function hold(sql: Sql, settlements: readonly Settlement[]): Promise<Map<string, Held>> {
  const rows = await lock(sql, settlements);
  const ended = rows.flatMap(({ attempt: { id, state } }) => (state === 'failed' || state === 'canceled' ? [id] : []));
  const booked = new Set(ended.length > 0 ? await listBooked(sql, ended) : []);
  return new Map(rows.map((row) => [row.attempt.id, { ...row, surplusBooked: booked.has(row.attempt.id) }]));
}

/**
 * Locks the attempts, then reads them: a separate statement sees what the previous holder of the lock wrote. Rows that
 * nobody has changed since the caller inserted them are not read.
 */
async function lock(sql: Sql, settlements: readonly Settlement[]): Promise<AttemptInFull[]> {
  const ids = [...new Set(settlements.map(({ attemptId }) => attemptId))].sort();
  const locked = await lockAttempts(sql, ids);
  const known = await unchanged(locked, settlements);
  const changed = ids.filter((id) => !known.has(id));
  const read = changed.length > 0 ? await findPayments(sql, changed) : [];
  for (const rows of read) known.set(rows.attempt.id, rows);
  return locked.flatMap((facts) => {
    const rows = known.get(facts.id);
    return rows ? [{ ...facts, ...rows }] : [];
  });
}

async function unchanged(
  locked: readonly LockedAttempt[],
  settlements: readonly Settlement[],
): Promise<Map<string, PaymentRows>> {
  const xmins = new Map(locked.map(({ id, xmin }) => [id, xmin]));
  const known = new Map<string, PaymentRows>();
  for (const { attemptId, inserted } of settlements) {
    if (inserted && xmins.get(attemptId) === (await inserted.xmin)) known.set(attemptId, inserted);
  }
  return known;
}

function shareTransaction(known: Map<string, Held>, transaction: Transaction): void {
  for (const [id, row] of known) {
    if (row.transaction.id === transaction.id && row.transaction !== transaction)
      known.set(id, { ...row, transaction });
  }
}

/** Applies a result to the rows in memory and collects the writes. */
function take(
  tools: Tools,
  set: PendingWrites,
  row: Held,
  result: Result,
  now: Temporal.Instant,
  lookedAt: Temporal.Instant,
): Held {
  const { attempt, transaction } = row;
  const facts = { ...attempt, surplusBooked: row.surplusBooked, parked: attempt.parkedAt !== null };
  const step = afterResult(facts, transaction.status, result);
  if (step.kind === 'none') return row;
  if (step.kind === 'stand') return stand(set, row, now);
  if (step.kind === 'giveBack') return giveBack(tools, set, row, step, now);
  const changed = changeAttempt(attempt, step, now);
  // The payer may no longer pay: cancel at the bank immediately.
  const nextCheck =
    step.kind === 'wait' && transaction.status !== 'pending' ? now : nextCheckAfter(attempt, step, lookedAt);
  set.attempts.set(attempt.id, changeRow(changed, step, now, nextCheck));
  const ended = { ...row, attempt: changed };
  const declineTold = step.kind === 'fail' && isDeclineTold(row);
  if (declineTold) set.declined.push(ended);
  const declined = step.kind === 'fail' && transaction.status === 'pending';
  if (!declined) return ended;
  const shown: Transaction = { ...transaction, paymentStatus: 'declined', declineTold };
  set.transactions.set(shown.id, transactionChange(shown));
  return { ...ended, transaction: shown };
}

/**
 * No event says `FALSE` after one that says `TRUE`; a retried delivery of an earlier one may still arrive after it, which
 * docs/api.md tells receivers. The marketplace is told only of success.
 */
function isDeclineTold({ tellsDeclines, transaction: { status, origin } }: Held): boolean {
  return tellsDeclines && origin !== 'marketplace' && (status === 'pending' || status === 'canceled');
}

function captureOf(attempt: Attempt): Capture {
  const { id, acquirer, currency, amountMinor } = attempt;
  return { source: id, acquirer, currency, amountMinor };
}

function stand(set: PendingWrites, row: Held, now: Temporal.Instant): Held {
  const attempt: Attempt = { ...row.attempt, state: 'correct', settledAt: now };
  const transaction: Transaction = {
    ...row.transaction,
    status: 'paid',
    paymentStatus: 'correct',
    paymentMethod: methodPaid(row.transaction.paymentMethod, attempt.channelId),
    channelId: attempt.channelId,
    realizedAt: now,
    paidAt: now,
    amountPaidMinor: attempt.amountMinor,
  };
  const paid = { ...row, attempt, transaction };
  set.attempts.set(attempt.id, changeRow(attempt, { kind: 'stand' }, now));
  set.transactions.set(transaction.id, transactionChange(transaction));
  // The shares of a marketplace payment are read when all results are known: once for the batch.
  if (transaction.origin !== 'marketplace') {
    const fee = paymentFee(attempt.amountMinor, row.fee);
    set.journals.push(paymentJournal(captureOf(attempt), transaction.merchantId, fee));
  }
  set.paid.push(paid);
  return paid;
}

function giveBack(
  tools: Tools,
  set: PendingWrites,
  row: Held,
  step: Extract<Step, { kind: 'giveBack' }>,
  now: Temporal.Instant,
): Held {
  const attempt: Attempt = step.final ? { ...row.attempt, state: step.final, settledAt: now } : row.attempt;
  set.attempts.set(attempt.id, changeRow(attempt, step, now));
  set.journals.push(...surplusJournals(captureOf(attempt)));
  set.surpluses.push(surplusOf(tools.ids.ulid(), attempt, now));
  return { ...row, attempt, surplusBooked: true };
}

/** The attempt after a step that neither pays nor returns money. */
function changeAttempt(attempt: Attempt, step: Step, now: Temporal.Instant): Attempt {
  switch (step.kind) {
    case 'fail':
      return { ...attempt, state: 'failed', reason: step.reason, settledAt: now };
    case 'cancel':
      return { ...attempt, state: 'canceled', settledAt: now };
    case 'wait':
      return { ...attempt, state: 'waiting', link: step.link ?? attempt.link };
    case 'look':
      return {
        ...attempt,
        ...afterLook(attempt, step.because),
        state: isOpen(attempt.state) && attempt.state !== 'waiting' ? 'unknown' : attempt.state,
      };
    case 'park':
      return { ...attempt, parkedAt: now };
    default:
      return attempt;
  }
}

function nextCheckAfter(attempt: Attempt, step: Step, lookedAt: Temporal.Instant): Temporal.Instant | null {
  if (step.kind === 'wait') return lookedAt.add(waitingLook);
  return step.kind === 'look' ? lookedAt.add(lookDelay(attempt, step.because)) : null;
}

function changeRow(
  attempt: Attempt,
  step: Step,
  now: Temporal.Instant,
  nextCheck: Temporal.Instant | null = null,
): AttemptChange {
  return {
    id: attempt.id,
    state: attempt.state,
    reason: attempt.reason,
    link: attempt.link,
    settledAt: attempt.settledAt?.toString() ?? null,
    nextCheckAt: nextCheck?.toString() ?? null,
    checks: attempt.checks,
    timesNotFound: attempt.timesNotFound,
    otherAmounts: attempt.otherAmounts,
    parkedAt: step.kind === 'park' ? now.toString() : null,
    parkedWhy: step.kind === 'park' ? step.why : null,
  };
}

function transactionChange(transaction: Transaction): TransactionChange {
  const { id, status, paymentStatus, channelId, paymentMethod, amountPaidMinor, declineTold } = transaction;
  return {
    id,
    status,
    paymentStatus,
    channelId,
    paymentMethod,
    amountPaidMinor,
    declineTold,
    realizedAt: transaction.realizedAt?.toString() ?? null,
  };
}

/** Balances are locked last, by `post`: they are the most contended rows. */
async function write(tools: SettleTools, sql: Sql, set: PendingWrites, now: Temporal.Instant): Promise<void> {
  if (set.attempts.size > 0) await updateAttempts(sql, [...set.attempts.values()]);
  if (set.transactions.size > 0) await updateTransactionsPaid(sql, [...set.transactions.values()]);
  if (set.surpluses.length > 0) await insertOutgoing(sql, set.surpluses);
  if (set.declined.length > 0) await tellDeclined(tools, sql, set.declined);
  if (set.paid.length > 0) await tell(tools, sql, set.paid, now);
  await post(sql, tools.ids, [...set.journals, ...(await splitJournals(sql, set.paid))], now);
}

/** One journal for each marketplace payment: every seller's share, the fees and the partner's commission. */
async function splitJournals(sql: Sql, paid: readonly AttemptInFull[]): Promise<Journal[]> {
  const split = paid.filter(({ transaction }) => transaction.origin === 'marketplace');
  if (split.length === 0) return [];
  const shares = await listShares(
    sql,
    split.map(({ transaction }) => transaction.id),
  );
  const byTransaction = Map.groupBy(shares, ({ transactionId }) => transactionId);
  return split.map(({ attempt, transaction: { id, merchantId } }) =>
    splitPaymentJournal(captureOf(attempt), merchantId, byTransaction.get(id) ?? []),
  );
}

/** Payers whose address is known get a confirmation, unless the merchant does not want that. */
function mailsOf(tools: Tools, paid: readonly AttemptInFull[], now: Temporal.Instant): SealedMail[] {
  const told = paid.filter(({ transaction, mailsPaid }) => mailsPaid && transaction.payer.email !== '');
  return composeMails(tools, told, ({ transaction, attempt, merchant, notification: { zone } }) =>
    paidLetter(tools.ids.ulid(), transaction, { ...merchant, zone }, paidWith(attempt), now),
  );
}

/** One event per declined attempt, written with its result; it names the channel of that attempt. */
async function tellDeclined(tools: SettleTools, sql: Sql, declined: readonly AttemptInFull[]): Promise<void> {
  const events = declined.map(({ attempt: { channelId, reason }, transaction, notification }) =>
    transactionEvent(tools, { ...transaction, channelId }, notification, 'FALSE', { error: declineOf(reason).word }),
  );
  await insertEvents(sql, tools.vault, events, tools.handover);
}

/** One event per successful payment, written with the change that it reports. */
async function tell(
  tools: SettleTools,
  sql: Sql,
  paid: readonly AttemptInFull[],
  now: Temporal.Instant,
): Promise<void> {
  const tokens = paid.flatMap(({ attempt }) => attempt.cardToken ?? []);
  await activateTokens(sql, tokens, now);
  const cards: Map<string, SavedCard> = await describeTokens(tools, sql, tokens);
  const events = paid.map(({ attempt, transaction, notification }) => {
    const card = attempt.cardToken === null ? undefined : cards.get(attempt.cardToken);
    return transactionEvent(tools, transaction, notification, 'TRUE', { card });
  });
  await insertEvents(sql, tools.vault, events, tools.handover);
  if (tools.sendsMail) await insertMails(sql, mailsOf(tools, paid, now));
}
