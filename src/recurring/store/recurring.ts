// SQL of recurring payments. Owns: recurring, recurring_merchant, recurring_listed, recurring_count, recurring_count_change.
// Their charges: attempts.ts.

import { type BatchOf, given, type Row, type RowOf, readText, type Sql } from '../../database/index.ts';
import type { AccountId, RecurringId } from '../../kernel/index.ts';
import type { Instrument, Plan, Progress, Recurring } from '../model.ts';
import { plan, recurringTable } from '../table.ts';

/** Reads a row joined with its account. */
export function readRecurring(row: Row): Recurring {
  const stored = recurringTable.read(row);
  return { ...stored, plan: { ...stored.plan, zone: readText(row, 'zone') } };
}

const readStoredPlan = plan.reader('', '');

export function readPlan(row: Row): Plan {
  return { ...readStoredPlan(row), zone: readText(row, 'zone') };
}

export type NewRecurring = RowOf<typeof recurringTable>;

/**
 * Inserts recurring payments whose id is new; returns for each whether it was. If an id occurs twice, the first wins.
 */
export const insertRecurring: BatchOf<NewRecurring, boolean> = {
  name: 'recurring',
  async execute(sql, rows) {
    const inserted = await sql.many((row) => `${readText(row, 'id')} ${readText(row, 'request_hash')}`)`
      with given as materialized (
        select distinct on (id) * from ${given(rows.map(recurringTable.flat), recurringTable.types())}
         order by id
      ), known as (
        insert into recurring_merchant (merchant_id) select distinct merchant_id from given order by 1
        on conflict (merchant_id) do nothing
      )
      insert into recurring (${recurringTable.names}) select ${recurringTable.names} from given
      on conflict (id) do nothing
      returning id, request_hash`;
    // If several rows of a batch have the same id, only the first one created it.
    const left = new Set(inserted);
    return rows.map((row) => left.delete(`${row.id} ${row.requestHash}`));
  },
};

/** A recurring payment of any merchant; the caller compares the merchant. */
export function findRecurring(sql: Sql, id: RecurringId): Promise<Recurring | undefined> {
  return sql.maybeOne(readRecurring)`
    select recurring.*, account.zone from recurring join account on account.id = recurring.merchant_id
     where recurring.id = ${id}`;
}

/** Recurring payments by id, in no order. */
export function listRecurring(sql: Sql, ids: readonly string[]): Promise<Recurring[]> {
  return sql.many(readRecurring)`
    select recurring.*, account.zone from recurring join account on account.id = recurring.merchant_id
     where recurring.id = any(${ids}::text[])`;
}

/**
 * Locks one row of this merchant. Charges lock the same row before they are sent, so a cancel waits for a claim and
 * never interleaves with it.
 */
export function lockRecurring(sql: Sql, merchantId: AccountId, id: RecurringId): Promise<Recurring | undefined> {
  return sql.maybeOne(readRecurring)`
    select recurring.*, account.zone from recurring join account on account.id = recurring.merchant_id
     where recurring.id = ${id} and recurring.merchant_id = ${merchantId}
       for update of recurring`;
}

/** Ends it: nothing is due any more. An attempt in flight is left alone. */
export async function updateCanceled(sql: Sql, id: RecurringId, endedAt: Temporal.Instant): Promise<void> {
  await sql.run`
    update recurring set status = 'canceled', ended_at = ${endedAt}, scheduled_at = null, due_at = null, manual = false
     where id = ${id}`;
}

/** A manual retry: due now, with the schedule unchanged. */
export async function updateRetryDue(sql: Sql, id: RecurringId, dueAt: Temporal.Instant): Promise<void> {
  await sql.run`update recurring set due_at = ${dueAt}, manual = true where id = ${id}`;
}

/** The payer's language stays, unless the new card was saved in another. */
export async function updateInstrument(
  sql: Sql,
  id: RecurringId,
  instrument: Instrument,
  language: string | null,
): Promise<void> {
  await sql.run`
    update recurring set instrument_type = ${instrument.type}, instrument_sealed = ${instrument.sealed},
                         instrument_acquirer = ${instrument.acquirer},
                         blik_model = ${instrument.blikModel}, blik_no_delay = ${instrument.blikNoDelay},
                         language = coalesce(${language}, language)
     where id = ${id}`;
}

/** A failed one is active again, and its next attempt is due when the progress says. */
export async function updateRestored(sql: Sql, id: RecurringId, restored: Progress): Promise<void> {
  await sql.run`
    update recurring set status = ${restored.status}, ended_at = null, retries_used = ${restored.retriesUsed},
                         restored_after = ${restored.restoredAfter}, next_iteration = ${restored.nextIteration},
                         scheduled_at = ${restored.scheduledAt}, due_at = ${restored.scheduledAt}, manual = false
     where id = ${id}`;
}

/** The language in which the payer paid when the card of this token was saved; undefined if it has none. */
export function findTokenLanguage(sql: Sql, merchantId: AccountId, reference: string): Promise<string | undefined> {
  return sql.maybeOne((row) => readText(row, 'lang'))`
    select transaction.lang
      from card_token
      join charge as attempt on attempt.id = card_token.attempt_id
      join transaction on transaction.id = attempt.transaction_id
     where card_token.token = ${reference} and card_token.merchant_id = ${merchantId} and transaction.lang <> ''`;
}
