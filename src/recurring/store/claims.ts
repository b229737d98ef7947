// SQL of the claim: locking what is due, writing the intents. Owner and tables: see recurring.ts.

import { chargeTypes, insertCharges } from '../../banking/index.ts';
import { given, type Row, readInstant, readText, type Sql } from '../../database/index.ts';
import { knownId, type PosId } from '../../kernel/index.ts';
import type { Recurring, RecurringAttempt } from '../model.ts';
import { recurringTable } from '../table.ts';
import { readRecurring } from './recurring.ts';

/** A claimed row, with the time at which it became due and the point of sale of its transaction. */
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
 * Locks due rows, oldest first, at most `limit`, except `taken`; skips rows locked by another worker. They are claimed
 * by the attempts inserted for them in the same transaction. An index scan on recurring_due.
 */
export function lockDueRecurring(
  sql: Sql,
  now: Temporal.Instant,
  limit: number,
  except: readonly string[],
): Promise<Claimed[]> {
  return sql.many(readClaimed)`
    with due as materialized (
      select * from recurring where due_at <= ${now} and id <> all(${except}::text[])
       order by due_at limit ${limit} for update skip locked
    )
    select due.*, account.zone, pos.id as pos_id
      from due join account on account.id = due.merchant_id join pos on pos.account_id = due.merchant_id and pos.main`;
}

/** The same for these merchants, in order: the oldest of each, at most `share`. Uses recurring_due_of_merchant. */
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

/** Merchants with recurring payments, in id order, at most `limit` after this one. */
export function listMerchantsAfter(sql: Sql, after: string, limit: number): Promise<string[]> {
  return sql.many((row) => readText(row, 'merchant_id'))`
    select merchant_id from recurring_merchant where merchant_id > ${after} order by merchant_id limit ${limit}`;
}

export interface AttemptStart {
  readonly attempt: RecurringAttempt;
  /** Of its recurring payment, including this one. */
  readonly retriesUsed: number;
}

const linkColumns = {
  ...chargeTypes('transactionId', 'recurringId', 'attempt'),
  ...recurringTable.types('retriesUsed'),
};

/** Inserts the intents and links each to its recurring payment, which is then no longer due. */
export async function insertAttempts(sql: Sql, starts: readonly AttemptStart[]): Promise<void> {
  await insertCharges(
    sql,
    starts.map(({ attempt }) => attempt),
  );
  const links = starts.map(({ attempt: { transactionId, recurringId, attempt }, retriesUsed }) => {
    return { transactionId, recurringId, attempt, retriesUsed };
  });
  await sql.run`
    update recurring set due_at = null, live_transaction_id = given.transaction_id, attempts = given.attempt,
                         retries_used = given.retries_used
      from ${given(links, linkColumns)}
     where recurring.id = given.recurring_id`;
}
