// SQL of payouts and their runs. Owns: payout, payout_run. Lock order: run, payouts, balances.

import {
  givenByKey,
  readBoolean,
  readInteger,
  readText,
  type Sql,
  type SqlPart,
  sqlPart,
} from '../../database/index.ts';
import type { AccountId, Period } from '../../kernel/index.ts';
import type { Payout, PayoutReason, PayoutState } from '../model.ts';
import { payoutTable } from '../table.ts';

/** A row of a query that has all columns of a payout. */
export const readPayout = payoutTable.read;

/** Inserts payouts; the database refuses all of them unless each goes to a verified bank account of its account. */
export function insertPayouts(sql: Sql, payouts: readonly Payout[]): Promise<void> {
  return payoutTable.copy(sql, payouts);
}

/** What becomes of payouts. */
export interface Step {
  readonly from: readonly PayoutState[];
  /** What the bank moves is in moves.ts. */
  readonly to: Exclude<PayoutState, 'paid' | 'returned'>;
  readonly at: Temporal.Instant;
}

const timeOf: Readonly<Record<Step['to'], (at: Temporal.Instant) => SqlPart>> = {
  created: () => sqlPart``,
  approved: (at) => sqlPart`, approved_at = ${at}`,
  sent: (at) => sqlPart`, sent_at = ${at}`,
  failed: (at) => sqlPart`, ended_at = ${at}, given_back_at = ${at}`,
  canceled: (at) => sqlPart`, ended_at = ${at}, given_back_at = ${at}`,
};

/** A payout, and why it ends if it does. */
export interface Moving {
  readonly id: string;
  readonly reason: PayoutReason | null;
}

/**
 * Moves those of the payouts that are in one of these states, and returns them as they are afterwards, in id order. All of
 * them are locked in id order.
 */
export function updateStates(sql: Sql, moving: readonly Moving[], { from, to, at }: Step): Promise<Payout[]> {
  const ids = moving.map(({ id }) => id);
  return sql.many(payoutTable.read)`
    with locked as materialized (
      select id, state from payout where id = any(${ids}::text[]) order by id for update
    ), moved as (
      update payout set state = ${to}, reason = given.reason ${timeOf[to](at)}
        from locked join ${givenByKey(moving, { id: 'text', reason: 'jsonb' })} on given.id = locked.id
       where payout.id = locked.id and locked.state = any(${from}::text[])
      returning payout.*
    )
    select * from moved order by id`;
}

export function findPayout(sql: Sql, id: string): Promise<Payout | undefined> {
  return sql.maybeOne(payoutTable.read)`select * from payout where id = ${id}`;
}

export function findPayoutOf(sql: Sql, accountId: AccountId, id: string): Promise<Payout | undefined> {
  return sql.maybeOne(payoutTable.read)`
    select * from payout where id = ${id} and account_id is not distinct from ${accountId}`;
}

/** Whether one that was asked for waits for a batch. */
export function hasWaiting(sql: Sql, accountId: AccountId): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'has'))`
    select exists (select from payout where account_id = ${accountId} and run_id is null and state = 'created') as has`;
}

export interface PayoutFilter extends Period {
  readonly state: PayoutState | null;
}

const matching = (accountId: AccountId, { state, from, to }: PayoutFilter): SqlPart => sqlPart`
  account_id = ${accountId} and (${state}::text is null or state = ${state})
    and (${from}::timestamptz is null or created_at >= ${from}) and (${to}::timestamptz is null or created_at < ${to})`;

/** Newest first. */
export function listPayoutsOf(
  sql: Sql,
  accountId: AccountId,
  filter: PayoutFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Payout[]> {
  return sql.many(payoutTable.read)`
    select * from payout where ${matching(accountId, filter)} order by id desc limit ${limit} offset ${offset}`;
}

/** An account has few: about one for each bank day. */
export function countPayoutsOf(sql: Sql, accountId: AccountId, filter: PayoutFilter): Promise<number> {
  return sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count from payout where ${matching(accountId, filter)}`;
}

/** Those of an account that are in no batch. */
export function listCreatedOf(sql: Sql, accountId: AccountId): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from payout where account_id = ${accountId} and state = 'created' order by id`;
}
