// SQL of the claim: locking what is due, writing the intents. Owner and tables: see recurring.ts.

import { knownId, type PosId } from '../../kernel/index.ts';
import { jsonRows, type Row, readInstant, readText, type Sql } from '../../platform/index.ts';
import type { Recurring } from '../model.ts';
import { readRecurring } from './recurring.ts';

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
