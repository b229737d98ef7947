// SQL of settling: what a result needs to know, and what it changes. Owner and tables: see recurring.ts.

import { type Price, priceColumns, readPrice } from '../../accounts/index.ts';
import type { ChargeState, LockedRows, SettlingCharge } from '../../banking/index.ts';
import {
  type Given,
  givenByKey,
  type Row,
  readBigint,
  readBoolean,
  readInstant,
  readInstantOrNull,
  readInteger,
  readText,
  readTextOrNull,
  type Sql,
} from '../../database/index.ts';
import { currencyFrom, knownId, type TransactionId } from '../../kernel/index.ts';
import type { Instrument, Progress, Recurring } from '../model.ts';
import { progress, recurringTable } from '../table.ts';
import { readPlan } from './recurring.ts';

const readProgress = progress.reader('', '');

/**
 * The columns of a charge and its recurring payment that settling needs; batches are large, so the others are not read.
 */
export interface SettlingAttempt extends SettlingCharge {
  readonly transactionId: TransactionId;
  readonly channelId: number;
  readonly iteration: number;
  readonly attempt: number;
  readonly manual: boolean;
  readonly blikModel: Instrument['blikModel'];
}

export interface SettlingFacts {
  readonly recurring: Pick<Recurring, 'id' | 'plan' | 'progress' | 'hiddenDescription' | 'callbackUrl'>;
  readonly fee: Price;
}

function readAttempt(row: Row): SettlingAttempt {
  const id = readText(row, 'charge_id');
  return {
    id,
    transactionId: knownId(id),
    iteration: readInteger(row, 'charge_iteration'),
    attempt: readInteger(row, 'attempt'),
    manual: readBoolean(row, 'charge_manual'),
    merchantId: knownId(readText(row, 'merchant_id')),
    acquirer: readText(row, 'acquirer'),
    amountMinor: readBigint(row, 'amount_minor'),
    currency: currencyFrom(readText(row, 'currency')),
    channelId: readInteger(row, 'channel_id'),
    state: readText(row, 'state') as ChargeState,
    reason: readTextOrNull(row, 'reason'),
    link: null,
    blikModel: readTextOrNull(row, 'blik_model') as Instrument['blikModel'],
    createdAt: readInstant(row, 'created_at'),
    settledAt: readInstantOrNull(row, 'settled_at'),
    nextCheckAt: null,
    checks: readInteger(row, 'checks'),
    timesNotFound: readInteger(row, 'times_not_found'),
    neverSent: readBoolean(row, 'never_sent'),
    otherAmounts: readInteger(row, 'other_amounts'),
    parkedAt: readInstantOrNull(row, 'parked_at'),
    parkedWhy: null,
  };
}

function readFacts(row: Row): SettlingFacts {
  return {
    recurring: {
      id: knownId(readText(row, 'id')),
      plan: readPlan(row),
      progress: readProgress(row),
      hiddenDescription: readTextOrNull(row, 'hidden_description'),
      callbackUrl: readText(row, 'callback_url'),
    },
    fee: readPrice(row),
  };
}

/**
 * Locks charges and their recurring payments, in the order of the latter, so that settlements, cancels and retries take
 * turns.
 */
export function lockAttempts(
  sql: Sql,
  ids: readonly string[],
  now: Temporal.Instant,
): Promise<LockedRows<SettlingAttempt, SettlingFacts>[]> {
  return sql.many((row) => ({ charge: readAttempt(row), facts: readFacts(row) }))`
    select recurring.id, recurring.merchant_id, recurring.hidden_description, recurring.callback_url,
           recurring.first_charge_at, recurring.interval, recurring.interval_type, recurring.charge_count,
           recurring.retry_intervals, recurring.status, recurring.iteration, recurring.attempts, recurring.retries_used,
           recurring.restored_after, recurring.next_iteration, recurring.passed, recurring.scheduled_at,
           recurring.last_state, recurring.last_reason, account.zone, ${priceColumns},
           charge.id as charge_id, charge.iteration as charge_iteration, charge.attempt,
           charge.manual as charge_manual, charge.acquirer, charge.amount_minor, charge.currency, charge.channel_id,
           charge.state, charge.reason, charge.blik_model, charge.created_at, charge.settled_at, charge.checks,
           charge.times_not_found, charge.never_sent, charge.other_amounts, charge.parked_at
      from charge
      join recurring on recurring.id = charge.recurring_id
      join account on account.id = recurring.merchant_id
      left join lateral price_at(recurring.merchant_id, 'payment', charge.channel_id, ${now}::timestamptz) as price on true
     where charge.id = any(${ids}::text[])
     order by recurring.id
       for update of recurring, charge`;
}

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
      from ${givenByKey(changes, progressColumns)}
     where recurring.id = given.id and recurring.id = any(${changes.map(({ id }) => id)}::text[])`;
}
