// SQL of recurring payments themselves. Owns: recurring, recurring_merchant, recurring_attempt. Attempts: attempts.ts.

import { type AccountId, type Currency, currencyFrom, knownId, type RecurringId } from '../../kernel/index.ts';
import {
  type BatchOf,
  jsonRows,
  type Row,
  readBigint,
  readBoolean,
  readInstant,
  readInstantOrNull,
  readInteger,
  readIntegerOrNull,
  readText,
  readTextOrNull,
  type Sql,
} from '../../platform/index.ts';
import type {
  FailureReason,
  Instrument,
  IntervalType,
  Plan,
  Progress,
  Recurring,
  RecurringPayer,
  RecurringStatus,
  RetryInterval,
} from '../model.ts';

export function readRecurring(row: Row): Recurring {
  return {
    id: knownId(readText(row, 'id')),
    merchantId: knownId(readText(row, 'merchant_id')),
    requestHash: readText(row, 'request_hash'),
    description: readText(row, 'description'),
    hiddenDescription: readTextOrNull(row, 'hidden_description'),
    payer: row.payer as RecurringPayer,
    amountMinor: readBigint(row, 'amount_minor'),
    currency: currencyFrom(readText(row, 'currency')),
    plan: readPlan(row),
    instrument: {
      type: readText(row, 'instrument_type') === 'blik_payid' ? 'blik_payid' : 'card_token',
      sealed: readText(row, 'instrument_sealed'),
      blikModel: readTextOrNull(row, 'blik_model') as Instrument['blikModel'],
      blikNoDelay: row.blik_no_delay as boolean | null,
    },
    callbackUrl: readText(row, 'callback_url'),
    createdAt: readInstant(row, 'created_at'),
    progress: readProgress(row),
    manual: readBoolean(row, 'manual'),
    liveTransactionId: readTextOrNull(row, 'live_transaction_id'),
  };
}

export function readPlan(row: Row): Plan {
  return {
    firstChargeAt: readInstant(row, 'first_charge_at'),
    interval: readInteger(row, 'interval'),
    intervalType: readText(row, 'interval_type') as IntervalType,
    chargeCount: readIntegerOrNull(row, 'charge_count'),
    retryIntervals: row.retry_intervals as readonly RetryInterval[] | null,
    zone: readText(row, 'zone'),
  };
}

export function readProgress(row: Row): Progress {
  return {
    status: readText(row, 'status') as RecurringStatus,
    iteration: readInteger(row, 'iteration'),
    attempts: readInteger(row, 'attempts'),
    retriesUsed: readInteger(row, 'retries_used'),
    scheduledAt: readInstantOrNull(row, 'scheduled_at'),
    lastState: readTextOrNull(row, 'last_state') as Progress['lastState'],
    lastReason: readTextOrNull(row, 'last_reason') as FailureReason | null,
  };
}

export interface NewRecurring {
  readonly id: RecurringId;
  readonly merchant_id: AccountId;
  readonly request_hash: string;
  readonly description: string;
  readonly hidden_description: string | null;
  readonly payer: RecurringPayer;
  readonly amount_minor: string;
  readonly currency: Currency;
  readonly first_charge_at: string;
  readonly interval: number;
  readonly interval_type: IntervalType;
  readonly charge_count: number | null;
  readonly retry_intervals: readonly RetryInterval[] | null;
  readonly instrument_type: string;
  readonly instrument_sealed: string;
  readonly blik_model: string | null;
  readonly blik_no_delay: boolean | null;
  readonly callback_url: string;
  readonly created_at: string;
}

/** Inserts recurring payments whose id is new; returns for each whether it was. The first of two with one id wins. */
export const insertRecurring: BatchOf<NewRecurring, boolean> = {
  name: 'recurring',
  async write(sql, rows) {
    const inserted = await sql.many((row) => `${readText(row, 'id')} ${readText(row, 'request_hash')}`)`
      with given as materialized (
        select distinct on (id) * from json_to_recordset(${jsonRows(rows)}::json) as given
          (id text, merchant_id text, request_hash text, description text, hidden_description text, payer jsonb,
           amount_minor bigint, currency text, first_charge_at timestamptz, interval integer, interval_type text,
           charge_count integer, retry_intervals jsonb, instrument_type text, instrument_sealed text, blik_model text,
           blik_no_delay boolean, callback_url text, created_at timestamptz)
         order by id
      ), known as (
        insert into recurring_merchant (merchant_id) select distinct merchant_id from given order by 1
        on conflict (merchant_id) do nothing
      )
      insert into recurring (id, merchant_id, status, request_hash, description, hidden_description, payer, amount_minor,
                             currency, first_charge_at, interval, interval_type, charge_count, retry_intervals,
                             instrument_type, instrument_sealed, blik_model, blik_no_delay, callback_url, created_at,
                             iteration, attempts, retries_used, scheduled_at, due_at)
      select id, merchant_id, 'active', request_hash, description, hidden_description, payer, amount_minor, currency,
             first_charge_at, interval, interval_type, charge_count, nullif(retry_intervals, 'null'::jsonb),
             instrument_type, instrument_sealed, blik_model, blik_no_delay, callback_url, created_at,
             1, 0, 0, first_charge_at, first_charge_at
        from given
      on conflict (id) do nothing
      returning id, request_hash`;
    // Of several rows with one id in one set, only the first that was asked for may say that it created it.
    const left = new Set(inserted);
    return rows.map((row) => left.delete(`${row.id} ${row.request_hash}`));
  },
};

/** One recurring payment, whoever's; the caller compares the merchant. */
export function findRecurring(sql: Sql, id: RecurringId): Promise<Recurring | undefined> {
  return sql.maybeOne(readRecurring)`
    select recurring.*, account.zone from recurring join account on account.id = recurring.merchant_id
     where recurring.id = ${id}`;
}

/** Locks one row of this merchant. Charges lock the same row before they send, so a cancel queues behind a claim, never inside it. */
export function lockRecurring(sql: Sql, merchantId: AccountId, id: RecurringId): Promise<Recurring | undefined> {
  return sql.maybeOne(readRecurring)`
    select recurring.*, account.zone from recurring join account on account.id = recurring.merchant_id
     where recurring.id = ${id} and recurring.merchant_id = ${merchantId}
       for update of recurring`;
}

/** Ends it: nothing is due any more. An attempt on its way stays. */
export async function updateCanceled(sql: Sql, id: RecurringId, endedAt: Temporal.Instant): Promise<void> {
  await sql.run`
    update recurring set status = 'canceled', ended_at = ${endedAt}, scheduled_at = null, due_at = null, manual = false
     where id = ${id}`;
}

/** A manual retry: due now, while the schedule stays where it is. */
export async function updateRetryDue(sql: Sql, id: RecurringId, dueAt: Temporal.Instant): Promise<void> {
  await sql.run`update recurring set due_at = ${dueAt}, manual = true where id = ${id}`;
}

export async function updateInstrument(sql: Sql, id: RecurringId, instrument: Instrument): Promise<void> {
  await sql.run`
    update recurring set instrument_type = ${instrument.type}, instrument_sealed = ${instrument.sealed},
                         blik_model = ${instrument.blikModel}, blik_no_delay = ${instrument.blikNoDelay}
     where id = ${id}`;
}
