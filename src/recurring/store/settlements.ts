// SQL of settling: what a result needs to know, and what it changes. Owner and tables: see recurring.ts.

import { currencyFrom, knownId, type TransactionId } from '../../kernel/index.ts';
import {
  type Given,
  given,
  type Row,
  readBigint,
  readBoolean,
  readInstant,
  readInteger,
  readText,
  readTextOrNull,
  type Sql,
} from '../../platform/index.ts';
import type { AttemptState, Instrument, Progress, Recurring, RecurringAttempt } from '../model.ts';
import { progress, recurringAttemptTable, recurringTable } from '../table.ts';
import { readPlan } from './recurring.ts';

const readProgress = progress.reader('', '');

/**
 * The columns of an attempt and its recurring payment that settling needs; batches are large, so the others are not
 * read.
 */
export interface Settling {
  readonly attempt: Pick<
    RecurringAttempt,
    | 'iteration'
    | 'attempt'
    | 'manual'
    | 'acquirer'
    | 'cardToken'
    | 'state'
    | 'createdAt'
    | 'checks'
    | 'timesNotFound'
    | 'neverSent'
    | 'otherAmounts'
  > & {
    readonly transactionId: TransactionId;
    readonly instrumentType: 'card_token' | 'blik_payid';
    readonly blikModel: Instrument['blikModel'];
    readonly parked: boolean;
  };
  readonly recurring: Pick<
    Recurring,
    'id' | 'merchantId' | 'amountMinor' | 'currency' | 'plan' | 'progress' | 'hiddenDescription' | 'callbackUrl'
  >;
  readonly fee: { readonly basisPoints: number; readonly fixedMinor: bigint };
}

function readSettling(row: Row): Settling {
  return {
    attempt: {
      transactionId: knownId(readText(row, 'transaction_id')),
      iteration: readInteger(row, 'attempt_iteration'),
      attempt: readInteger(row, 'attempt'),
      manual: readBoolean(row, 'attempt_manual'),
      acquirer: readText(row, 'acquirer'),
      cardToken: readTextOrNull(row, 'card_token'),
      state: readText(row, 'state') as AttemptState,
      instrumentType: readText(row, 'instrument_type') === 'blik_payid' ? 'blik_payid' : 'card_token',
      blikModel: readTextOrNull(row, 'blik_model') as Instrument['blikModel'],
      createdAt: readInstant(row, 'created_at'),
      checks: readInteger(row, 'checks'),
      timesNotFound: readInteger(row, 'times_not_found'),
      neverSent: readBoolean(row, 'never_sent'),
      otherAmounts: readInteger(row, 'other_amounts'),
      parked: readBoolean(row, 'parked'),
    },
    recurring: {
      id: knownId(readText(row, 'id')),
      merchantId: knownId(readText(row, 'merchant_id')),
      amountMinor: readBigint(row, 'amount_minor'),
      currency: currencyFrom(readText(row, 'currency')),
      plan: readPlan(row),
      progress: readProgress(row),
      hiddenDescription: readTextOrNull(row, 'hidden_description'),
      callbackUrl: readText(row, 'callback_url'),
    },
    fee: {
      basisPoints: readInteger(row, 'payment_fee_basis_points'),
      fixedMinor: readBigint(row, 'payment_fee_minor'),
    },
  };
}

/**
 * Locks attempts and their recurring payments, in the order of the latter, so that settlements, cancels and retries
 * take turns.
 */
export function lockAttempts(sql: Sql, ids: readonly string[]): Promise<Settling[]> {
  return sql.many(readSettling)`
    select recurring.id, recurring.merchant_id, recurring.amount_minor, recurring.currency, recurring.hidden_description,
           recurring.callback_url, recurring.first_charge_at, recurring.interval, recurring.interval_type,
           recurring.charge_count, recurring.retry_intervals, recurring.status, recurring.iteration, recurring.attempts,
           recurring.retries_used, recurring.restored_after, recurring.next_iteration, recurring.passed, recurring.scheduled_at, recurring.last_state, recurring.last_reason,
           account.zone, account.payment_fee_basis_points, account.payment_fee_minor,
           attempt.transaction_id, attempt.iteration as attempt_iteration, attempt.attempt,
           attempt.manual as attempt_manual, attempt.acquirer, attempt.card_token, attempt.state, attempt.instrument_type, attempt.blik_model,
           attempt.created_at, attempt.checks, attempt.times_not_found, attempt.never_sent, attempt.other_amounts,
           attempt.parked_at is not null as parked
      from recurring_attempt as attempt
      join recurring on recurring.id = attempt.recurring_id
      join account on account.id = recurring.merchant_id
     where attempt.transaction_id = any(${ids}::text[])
     order by recurring.id
       for update of recurring, attempt`;
}

const attemptColumns = recurringAttemptTable.types(
  'transactionId',
  'state',
  'reason',
  'settledAt',
  'nextCheckAt',
  'checks',
  'timesNotFound',
  'neverSent',
  'otherAmounts',
  'parkedAt',
  'parkedWhy',
);

export type AttemptChange = Given<RecurringAttempt, typeof attemptColumns>;

const progressColumns = recurringTable.types(
  'id',
  'status',
  'endedAt',
  'iteration',
  'attempts',
  'retriesUsed',
  'restoredAfter',
  'nextIteration',
  'passed',
  'scheduledAt',
  'dueAt',
  'lastState',
  'lastReason',
);

export type RecurringChange = Given<Recurring & Progress, typeof progressColumns>;

/**
 * Writes results of attempts. An open attempt changes; an ended one keeps its state, reason and time, and only its
 * lookups and parking change. Open means settled_at is null: with a condition on the state the planner scans the index
 * of live and successful attempts, which covers nearly every charge ever made.
 */
export async function updateAttempts(sql: Sql, changes: readonly AttemptChange[]): Promise<void> {
  await sql.run`
    update recurring_attempt as attempt
       set state = given.state, reason = coalesce(attempt.reason, given.reason),
           settled_at = coalesce(attempt.settled_at, given.settled_at),
           next_check_at = given.next_check_at, checks = given.checks, times_not_found = given.times_not_found,
           never_sent = given.never_sent,
           other_amounts = given.other_amounts, parked_at = given.parked_at, parked_why = given.parked_why
      from ${given(changes, attemptColumns)}
     where attempt.transaction_id = given.transaction_id
       and (attempt.settled_at is null or attempt.state = given.state)`;
}

/**
 * Writes the progress of recurring payments after an attempt: nothing is in flight, and the next charge or retry is
 * scheduled.
 */
export async function updateProgress(sql: Sql, changes: readonly RecurringChange[]): Promise<void> {
  await sql.run`
    update recurring
       set status = given.status, ended_at = coalesce(recurring.ended_at, given.ended_at), iteration = given.iteration,
           attempts = given.attempts, retries_used = given.retries_used, restored_after = given.restored_after,
           next_iteration = given.next_iteration, passed = given.passed, scheduled_at = given.scheduled_at,
           due_at = given.due_at, manual = false, live_transaction_id = null, last_state = given.last_state,
           last_reason = given.last_reason
      from ${given(changes, progressColumns)}
     where recurring.id = given.id`;
}

/**
 * Parks an attempt that cannot be settled, so that it does not affect the others and an operator sees it. Open attempts
 * only.
 */
export async function parkAttempt(sql: Sql, transactionId: string, why: string, at: Temporal.Instant): Promise<void> {
  await sql.run`
    update recurring_attempt set parked_at = ${at}, parked_why = ${why}, next_check_at = null
     where transaction_id = ${transactionId} and state in ('sent', 'waiting', 'unknown') and parked_at is null`;
}

/** Removes an ended attempt from the operator's list. */
export async function updateUnparked(sql: Sql, transactionId: string): Promise<void> {
  await sql.run`
    update recurring_attempt set parked_at = null, parked_why = null
     where transaction_id = ${transactionId} and settled_at is not null`;
}
