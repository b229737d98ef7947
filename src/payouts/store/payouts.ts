// SQL of payouts and their runs. Owns: payout, payout_run. Lock order: run, payouts, balances.

import { givenByKey, readText, type Sql, type SqlPart, sqlPart } from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';
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
       where payout.id = locked.id and payout.id = any(${ids}::text[]) and locked.state = any(${from}::text[])
      returning payout.*
    )
    select * from moved order by id`;
}

export function findPayout(sql: Sql, id: string): Promise<Payout | undefined> {
  return sql.maybeOne(payoutTable.read)`select * from payout where id = ${id}`;
}

/** Those of an account that are in no batch. */
export function listCreatedOf(sql: Sql, accountId: AccountId): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from payout where account_id = ${accountId} and state = 'created' order by id`;
}
