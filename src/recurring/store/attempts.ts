// SQL of attempts: lookups, lists, parked ones. See claims.ts and settlements.ts for the rest.

import { type ParkedItem, readParkedItem } from '../../banking/index.ts';
import { knownId } from '../../kernel/index.ts';
import {
  dueBy,
  type Row,
  readBoolean,
  readInstant,
  readInteger,
  readText,
  readTextOrNull,
  type Sql,
} from '../../platform/index.ts';
import type { AttemptInFull, AttemptState, RecurringAttempt } from '../model.ts';
import { recurringAttemptTable } from '../table.ts';
import { readRecurring } from './recurring.ts';

const readAttempt = recurringAttemptTable.reader('attempt_');

function readInFull(row: Row): AttemptInFull {
  return { attempt: readAttempt(row), recurring: readRecurring(row) };
}

/** Claims attempts that are due for a lookup, oldest first; the lease is the time of the next lookup. */
export function claimDueAttempts(
  sql: Sql,
  now: Temporal.Instant,
  leaseUntil: Temporal.Instant,
  limit: number,
): Promise<AttemptInFull[]> {
  return sql.many(readInFull)`
    with due as (
      select transaction_id from recurring_attempt where next_check_at <= ${now}
       order by next_check_at limit ${limit} for update skip locked
    )
    update recurring_attempt as attempt set next_check_at = ${leaseUntil}
      from due, recurring, account
     where attempt.transaction_id = due.transaction_id and recurring.id = attempt.recurring_id
       and account.id = recurring.merchant_id
    returning recurring.*, account.zone, ${recurringAttemptTable.selected('attempt', 'attempt_')}`;
}

/** An attempt as shown in lists. */
export type ListedAttempt = Pick<
  RecurringAttempt,
  'transactionId' | 'iteration' | 'attempt' | 'state' | 'reason' | 'createdAt'
>;

function readListed(row: Row): ListedAttempt {
  return {
    transactionId: knownId(readText(row, 'transaction_id')),
    iteration: readInteger(row, 'iteration'),
    attempt: readInteger(row, 'attempt'),
    state: readText(row, 'state') as AttemptState,
    reason: readTextOrNull(row, 'reason'),
    createdAt: readInstant(row, 'created_at'),
  };
}

/** A page of the attempts of a recurring payment, oldest first, by its unique key; at most `limit`. */
export function listAttempts(sql: Sql, recurringId: string, limit: number, offset: number): Promise<ListedAttempt[]> {
  return sql.many(readListed)`
    select transaction_id, iteration, attempt, state, reason, created_at
      from recurring_attempt where recurring_id = ${recurringId}
     order by iteration, attempt limit ${limit} offset ${offset}`;
}

export interface LatestAttempt extends ListedAttempt {
  readonly recurringId: string;
  readonly manual: boolean;
}

/** The latest attempts of each of these recurring payments, newest first, at most `each`, by the same key. */
export function listLatestAttempts(sql: Sql, recurringIds: readonly string[], each: number): Promise<LatestAttempt[]> {
  return sql.many((row) => ({
    ...readListed(row),
    recurringId: readText(row, 'recurring_id'),
    manual: readBoolean(row, 'manual'),
  }))`
    select latest.*
      from unnest(${recurringIds}::text[]) as wanted (id)
     cross join lateral (
       select transaction_id, recurring_id, iteration, attempt, manual, state, reason, created_at
         from recurring_attempt where recurring_id = wanted.id
        order by iteration desc, attempt desc limit ${each}) as latest
     order by latest.recurring_id, latest.iteration desc, latest.attempt desc`;
}

/** The attempts after a given one, oldest first, by the same key; at most `limit`. */
export function listAttemptsAfter(
  sql: Sql,
  recurringId: string,
  after: Pick<ListedAttempt, 'iteration' | 'attempt'>,
  limit: number,
): Promise<ListedAttempt[]> {
  return sql.many(readListed)`
    select transaction_id, iteration, attempt, state, reason, created_at
      from recurring_attempt
     where recurring_id = ${recurringId} and (iteration, attempt) > (${after.iteration}, ${after.attempt})
     order by iteration, attempt limit ${limit}`;
}

/** The manual retries of an iteration, by the key of its attempts. */
export function countManualRetries(sql: Sql, recurringId: string, iteration: number): Promise<number> {
  return sql.one((row) => readInteger(row, 'retries'))`
    select count(*)::integer as retries from recurring_attempt
     where recurring_id = ${recurringId} and iteration = ${iteration} and manual`;
}

/** Makes a charge that waits due to be looked up now. */
export async function updateWaitingDue(sql: Sql, transactionId: string, now: Temporal.Instant): Promise<void> {
  await sql.run`
    update recurring_attempt set next_check_at = ${now}
     where transaction_id = ${transactionId} and state = 'waiting' and next_check_at > ${now}`;
}

/** A parked charge; its id is that of its transaction. */
export interface ParkedCharge extends ParkedItem {
  readonly recurringId: string;
}

function readParked(row: Row): ParkedCharge {
  return { ...readParkedItem(row), recurringId: readText(row, 'recurring_id') };
}

export function findParked(sql: Sql, transactionId: string): Promise<ParkedCharge | undefined> {
  return sql.maybeOne(readParked)`
    select attempt.transaction_id as id, 'charge' as kind, attempt.recurring_id, attempt.parked_why, attempt.parked_at, recurring.amount_minor
      from recurring_attempt as attempt join recurring on recurring.id = attempt.recurring_id
     where attempt.transaction_id = ${transactionId} and attempt.parked_at is not null`;
}

/** Charges waiting for an operator, oldest first, bounded. */
export function listParked(sql: Sql): Promise<ParkedCharge[]> {
  return sql.many(readParked)`
    select attempt.transaction_id as id, 'charge' as kind, attempt.recurring_id, attempt.parked_why, attempt.parked_at, recurring.amount_minor
      from recurring_attempt as attempt join recurring on recurring.id = attempt.recurring_id
     where attempt.parked_at is not null order by attempt.parked_at limit 1000`;
}

export const recurringDue = dueBy('recurring', 'due_at');
export const attemptsDue = dueBy('recurring_attempt', 'next_check_at');
