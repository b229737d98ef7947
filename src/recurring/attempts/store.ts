// SQL of the attempts: claiming what is due, settling, looking up. Owner and tables: see ../store.ts.

import type { PosId } from '../../kernel/index.ts';
import { knownId } from '../../kernel/index.ts';
import {
  jsonRows,
  type Row,
  readBigint,
  readBoolean,
  readInstant,
  readInstantOrNull,
  readInteger,
  readText,
  readTextOrNull,
  type Sql,
} from '../../platform/index.ts';
import { type Instrument, type Recurring, readRecurring } from '../store.ts';

/** A claimed row, with the time at which it fell due and the point of sale that its transaction is booked under. */
export interface Claimed {
  readonly recurring: Recurring;
  readonly dueAt: Temporal.Instant;
  readonly posId: PosId;
}

function readClaimed(row: Row): Claimed {
  return {
    recurring: readRecurring(row),
    dueAt: readInstant(row, 'due_at'),
    posId: knownId(readText(row, 'pos_id')),
  };
}

/**
 * Locks what is due, oldest first, at most `limit`, and none of `taken`; rows that another worker holds are skipped. They
 * are claimed by the attempts that are written for them in the same transaction. Cost: one walk along recurring_due.
 */
export function lockDueRecurring(
  sql: Sql,
  now: Temporal.Instant,
  limit: number,
  taken: readonly string[],
): Promise<Claimed[]> {
  return sql.many(readClaimed)`
    with due as materialized (
      select * from recurring where due_at <= ${now} and id <> all(${taken}::text[])
       order by due_at limit ${limit} for update skip locked
    )
    select due.*, account.zone, pos.id as pos_id
      from due join account on account.id = due.merchant_id join pos on pos.account_id = due.merchant_id and pos.main`;
}

/** The same for these merchants, in their order: of each its oldest, at most `share`. Along recurring_due_of_merchant. */
export function lockDueOfMerchants(
  sql: Sql,
  merchantIds: readonly string[],
  now: Temporal.Instant,
  share: number,
  limit: number,
): Promise<Claimed[]> {
  return sql.many(readClaimed)`
    with due as materialized (
      select mine.*
        from unnest(${merchantIds}::text[]) with ordinality as merchant (id, place)
        cross join lateral (
          select * from recurring where recurring.merchant_id = merchant.id and due_at <= ${now}
           order by due_at limit ${share} for update skip locked) as mine
       order by merchant.place limit ${limit}
    )
    select due.*, account.zone, pos.id as pos_id
      from due join account on account.id = due.merchant_id join pos on pos.account_id = due.merchant_id and pos.main
     order by due.merchant_id`;
}

/** Merchants with recurring payments, in the order of their ids, at most `limit` after this one. */
export function listMerchantsAfter(sql: Sql, after: string, limit: number): Promise<string[]> {
  return sql.many((row) => readText(row, 'merchant_id'))`
    select merchant_id from recurring_merchant where merchant_id > ${after} order by merchant_id limit ${limit}`;
}

export interface AttemptStart {
  readonly transaction_id: string;
  readonly recurring_id: string;
  readonly iteration: number;
  readonly attempt: number;
  readonly manual: boolean;
  readonly retries_used: number;
  readonly acquirer: string;
  readonly instrument_type: string;
  readonly instrument_sealed: string;
  readonly blik_model: string | null;
  readonly blik_no_delay: boolean | null;
  readonly created_at: string;
  readonly next_check_at: string;
}

/** Writes the intents and ties each to its recurring payment, which is due no more; in one statement, inside the claim's transaction. */
export async function insertAttempts(sql: Sql, rows: readonly AttemptStart[]): Promise<void> {
  await sql.run`
    with given as materialized (
      select * from json_to_recordset(${jsonRows(rows)}::json) as given
        (transaction_id text, recurring_id text, iteration integer, attempt integer, manual boolean,
         retries_used integer, acquirer text, instrument_type text, instrument_sealed text, blik_model text,
         blik_no_delay boolean, created_at timestamptz, next_check_at timestamptz)
    ), tied as (
      update recurring set due_at = null, live_transaction_id = given.transaction_id, attempts = given.attempt,
                           retries_used = given.retries_used
        from given where recurring.id = given.recurring_id
    )
    insert into recurring_attempt (transaction_id, recurring_id, iteration, attempt, manual, acquirer, state,
                                   instrument_type, instrument_sealed, blik_model, blik_no_delay, created_at, next_check_at)
    select transaction_id, recurring_id, iteration, attempt, manual, acquirer, 'sent', instrument_type,
           instrument_sealed, blik_model, blik_no_delay, created_at, next_check_at from given`;
}

export type AttemptState = 'sent' | 'waiting' | 'unknown' | 'correct' | 'failed' | 'canceled';

export interface RecurringAttempt {
  readonly transactionId: string;
  readonly recurringId: string;
  readonly iteration: number;
  readonly attempt: number;
  readonly manual: boolean;
  readonly acquirer: string;
  readonly state: AttemptState;
  readonly reason: string | null;
  readonly instrument: Instrument;
  readonly createdAt: Temporal.Instant;
  readonly settledAt: Temporal.Instant | null;
  readonly checks: number;
  readonly timesNotFound: number;
  readonly parkedAt: Temporal.Instant | null;
}

function readAttempt(row: Row): RecurringAttempt {
  return {
    transactionId: readText(row, 'transaction_id'),
    recurringId: readText(row, 'recurring_id'),
    iteration: readInteger(row, 'attempt_iteration'),
    attempt: readInteger(row, 'attempt'),
    manual: readBoolean(row, 'attempt_manual'),
    acquirer: readText(row, 'acquirer'),
    state: readText(row, 'state') as AttemptState,
    reason: readTextOrNull(row, 'reason'),
    instrument: {
      type: readText(row, 'attempt_instrument_type') === 'blik_payid' ? 'blik_payid' : 'card_token',
      sealed: readText(row, 'attempt_instrument_sealed'),
      blikModel: readTextOrNull(row, 'attempt_blik_model') as Instrument['blikModel'],
      blikNoDelay: row.attempt_blik_no_delay as boolean | null,
    },
    createdAt: readInstant(row, 'attempt_created_at'),
    settledAt: readInstantOrNull(row, 'settled_at'),
    checks: readInteger(row, 'checks'),
    timesNotFound: readInteger(row, 'times_not_found'),
    parkedAt: readInstantOrNull(row, 'parked_at'),
  };
}

export interface AttemptInFull {
  readonly attempt: RecurringAttempt;
  readonly recurring: Recurring;
  readonly fee: { readonly basisPoints: number; readonly fixedMinor: bigint };
}

function readInFull(row: Row): AttemptInFull {
  return {
    attempt: readAttempt(row),
    recurring: readRecurring(row),
    fee: {
      basisPoints: readInteger(row, 'payment_fee_basis_points'),
      fixedMinor: readBigint(row, 'payment_fee_minor'),
    },
  };
}

/** Locks attempts and their recurring payments, in the order of these, so that settlements, cancels and retries take turns. */
export function lockAttempts(sql: Sql, ids: readonly string[]): Promise<AttemptInFull[]> {
  return sql.many(readInFull)`
    select recurring.*, account.zone, account.payment_fee_basis_points, account.payment_fee_minor,
           attempt.transaction_id, attempt.recurring_id, attempt.iteration as attempt_iteration, attempt.attempt,
           attempt.manual as attempt_manual, attempt.acquirer, attempt.state, attempt.reason,
           attempt.instrument_type as attempt_instrument_type, attempt.instrument_sealed as attempt_instrument_sealed,
           attempt.blik_model as attempt_blik_model, attempt.blik_no_delay as attempt_blik_no_delay,
           attempt.created_at as attempt_created_at, attempt.settled_at, attempt.checks, attempt.times_not_found,
           attempt.parked_at
      from recurring_attempt as attempt
      join recurring on recurring.id = attempt.recurring_id
      join account on account.id = recurring.merchant_id
     where attempt.transaction_id = any(${ids}::text[])
     order by recurring.id
       for update of recurring, attempt`;
}

export interface AttemptChange {
  readonly transaction_id: string;
  readonly state: AttemptState;
  readonly reason: string | null;
  readonly settled_at: string | null;
  readonly next_check_at: string | null;
  readonly checks: number;
  readonly times_not_found: number;
  readonly parked_at: string | null;
  readonly parked_why: string | null;
}

export interface RecurringChange {
  readonly id: string;
  readonly status: string;
  readonly ended_at: string | null;
  readonly iteration: number;
  readonly attempts: number;
  readonly retries_used: number;
  readonly scheduled_at: string | null;
  readonly due_at: string | null;
  readonly last_state: string | null;
  readonly last_reason: string | null;
}

/** Writes what became of attempts; only open ones change. */
export async function updateAttempts(sql: Sql, changes: readonly AttemptChange[]): Promise<void> {
  await sql.run`
    update recurring_attempt as attempt
       set state = given.state, reason = given.reason, settled_at = given.settled_at,
           next_check_at = given.next_check_at, checks = given.checks, times_not_found = given.times_not_found,
           parked_at = given.parked_at, parked_why = given.parked_why
      from json_to_recordset(${jsonRows(changes)}::json) as given
           (transaction_id text, state text, reason text, settled_at timestamptz, next_check_at timestamptz,
            checks integer, times_not_found integer, parked_at timestamptz, parked_why text)
     where attempt.transaction_id = given.transaction_id and attempt.state in ('sent', 'waiting', 'unknown')`;
}

/** Writes where recurring payments stand after an attempt: nothing is on its way, and what comes next is due in its time. */
export async function updateProgress(sql: Sql, changes: readonly RecurringChange[]): Promise<void> {
  await sql.run`
    update recurring
       set status = given.status, ended_at = coalesce(recurring.ended_at, given.ended_at), iteration = given.iteration,
           attempts = given.attempts, retries_used = given.retries_used, scheduled_at = given.scheduled_at,
           due_at = given.due_at, manual = false, live_transaction_id = null, last_state = given.last_state,
           last_reason = given.last_reason
      from json_to_recordset(${jsonRows(changes)}::json) as given
           (id text, status text, ended_at timestamptz, iteration integer, attempts integer, retries_used integer,
            scheduled_at timestamptz, due_at timestamptz, last_state text, last_reason text)
     where recurring.id = given.id`;
}

/** Parks an attempt that cannot be settled, so that it harms no other and an operator sees it. Only an open one changes. */
export async function parkAttempt(sql: Sql, transactionId: string, why: string, at: Temporal.Instant): Promise<void> {
  await sql.run`
    update recurring_attempt set parked_at = ${at}, parked_why = ${why}, next_check_at = null
     where transaction_id = ${transactionId} and state in ('sent', 'waiting', 'unknown') and parked_at is null`;
}

/** Claims open attempts whose time to be looked up has come, oldest first; the lease is the next look. */
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
    returning recurring.*, account.zone, account.payment_fee_basis_points, account.payment_fee_minor,
              attempt.transaction_id, attempt.recurring_id, attempt.iteration as attempt_iteration, attempt.attempt,
              attempt.manual as attempt_manual, attempt.acquirer, attempt.state, attempt.reason,
              attempt.instrument_type as attempt_instrument_type,
              attempt.instrument_sealed as attempt_instrument_sealed, attempt.blik_model as attempt_blik_model,
              attempt.blik_no_delay as attempt_blik_no_delay, attempt.created_at as attempt_created_at,
              attempt.settled_at, attempt.checks, attempt.times_not_found, attempt.parked_at`;
}

/** The attempts of one recurring payment, oldest first, along its unique key. */
export function listAttempts(
  sql: Sql,
  recurringId: string,
  limit: number | null,
  offset: number,
): Promise<RecurringAttempt[]> {
  return sql.many(readAttempt)`
    select transaction_id, recurring_id, iteration as attempt_iteration, attempt, manual as attempt_manual, acquirer,
           state, reason, instrument_type as attempt_instrument_type, instrument_sealed as attempt_instrument_sealed,
           blik_model as attempt_blik_model, blik_no_delay as attempt_blik_no_delay,
           created_at as attempt_created_at, settled_at, checks, times_not_found, parked_at
      from recurring_attempt where recurring_id = ${recurringId}
     order by iteration, attempt limit ${limit} offset ${offset}`;
}

/** When the attempt on its way was made, and by whom. */
export function findLive(
  sql: Sql,
  transactionId: string,
): Promise<{ createdAt: Temporal.Instant; manual: boolean } | undefined> {
  return sql.maybeOne((row) => ({ createdAt: readInstant(row, 'created_at'), manual: readBoolean(row, 'manual') }))`
    select created_at, manual from recurring_attempt where transaction_id = ${transactionId}`;
}

export interface DueCount {
  readonly due: number;
  readonly oldestAt: Temporal.Instant | null;
}

function readDueCount(row: Row): DueCount {
  return { due: readInteger(row, 'due'), oldestAt: readInstantOrNull(row, 'oldest_at') };
}

export function countDueRecurring(sql: Sql, now: Temporal.Instant): Promise<DueCount> {
  return sql.one(readDueCount)`
    select count(*)::integer as due, min(due_at) as oldest_at from recurring where due_at <= ${now}`;
}

export function countDueAttempts(sql: Sql, now: Temporal.Instant): Promise<DueCount> {
  return sql.one(readDueCount)`
    select count(*)::integer as due, min(next_check_at) as oldest_at from recurring_attempt where next_check_at <= ${now}`;
}

/** When the next charge falls due, for a clock that jumps. */
export function findNextRecurringDue(sql: Sql): Promise<Temporal.Instant | null> {
  return sql.one((row) => readInstantOrNull(row, 'next_at'))`
    select min(due_at) as next_at from recurring where due_at is not null`;
}

/** When the next open attempt is to be looked up. */
export function findNextChargeDue(sql: Sql): Promise<Temporal.Instant | null> {
  return sql.one((row) => readInstantOrNull(row, 'next_at'))`
    select min(next_check_at) as next_at from recurring_attempt where next_check_at is not null`;
}

export interface Parked {
  readonly transactionId: string;
  readonly recurringId: string;
  readonly why: string;
  readonly parkedAt: Temporal.Instant;
  readonly amountMinor: bigint;
}

function readParked(row: Row): Parked {
  return {
    transactionId: readText(row, 'transaction_id'),
    recurringId: readText(row, 'recurring_id'),
    why: readText(row, 'parked_why'),
    parkedAt: readInstant(row, 'parked_at'),
    amountMinor: readBigint(row, 'amount_minor'),
  };
}

export function findParked(sql: Sql, transactionId: string): Promise<Parked | undefined> {
  return sql.maybeOne(readParked)`
    select attempt.transaction_id, attempt.recurring_id, attempt.parked_why, attempt.parked_at, recurring.amount_minor
      from recurring_attempt as attempt join recurring on recurring.id = attempt.recurring_id
     where attempt.transaction_id = ${transactionId} and attempt.parked_at is not null`;
}

/** What waits for an operator, oldest first, bounded. */
export function listParked(sql: Sql): Promise<Parked[]> {
  return sql.many(readParked)`
    select attempt.transaction_id, attempt.recurring_id, attempt.parked_why, attempt.parked_at, recurring.amount_minor
      from recurring_attempt as attempt join recurring on recurring.id = attempt.recurring_id
     where attempt.parked_at is not null order by attempt.parked_at limit 1000`;
}
