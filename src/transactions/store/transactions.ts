// All SQL of transactions. Owns: transaction.

import {
  type BatchOf,
  type Given,
  given,
  givenByKey,
  type Row,
  readBoolean,
  readInstant,
  readInteger,
  readText,
  readTextOrNull,
  type Sql,
} from '../../database/index.ts';
import type { AccountId, TransactionId } from '../../kernel/index.ts';
import type { Transaction } from '../model.ts';
import { transactionTable } from '../table.ts';

/**
 * Inserts transactions in one statement. A duplicate id or title fails the statement; the batch finds the row by
 * splitting, and its caller sees which constraint it was.
 */
export const insertTransaction: BatchOf<Transaction, void> = {
  name: 'transaction',
  showsHealth: true,
  async execute(sql, transactions) {
    await transactionTable.copy(sql, transactions);
    return transactions.map(() => undefined);
  },
};

/** For the reading SQL of rooms above. */
export const readTransaction = transactionTable.read;

/**
 * One transaction of this merchant; undefined for another's. Here and below the merchant is compared with `is not distinct
 * from`, which no index can answer (see the index transaction_merchant).
 */
export function findTransaction(sql: Sql, merchantId: AccountId, id: TransactionId): Promise<Transaction | undefined> {
  return sql.maybeOne(transactionTable.read)`
    select * from transaction where id = ${id} and merchant_id is not distinct from ${merchantId}`;
}

/** Transactions of this merchant by id, in no order. */
export function findTransactions(sql: Sql, merchantId: AccountId, ids: readonly string[]): Promise<Transaction[]> {
  return sql.many(transactionTable.read)`
    select * from transaction where id = any(${ids}::text[]) and merchant_id is not distinct from ${merchantId}`;
}

/** The statuses of transactions. */
export async function listStatuses(sql: Sql, ids: readonly string[]): Promise<Map<string, Transaction['status']>> {
  const rows = await sql.many(
    (row) => [readText(row, 'id'), readText(row, 'status') as Transaction['status']] as const,
  )`select id, status from transaction where id = any(${ids}::text[])`;
  return new Map(rows);
}

const paidColumns = transactionTable.types(
  'id',
  'status',
  'paymentStatus',
  'channelId',
  'paymentMethod',
  'realizedAt',
  'amountPaidMinor',
  'declineNotified',
);

export type TransactionChange = Given<Transaction, typeof paidColumns>;

/** Writes the effects of payments on transactions in one statement. The caller holds their locks. */
export async function updateTransactionsPaid(sql: Sql, changes: readonly TransactionChange[]): Promise<void> {
  await sql.run`
    update transaction
       set status = given.status, payment_status = given.payment_status, channel_id = given.channel_id,
           payment_method = given.payment_method, realized_at = given.realized_at, paid_at = given.realized_at,
           amount_paid_minor = given.amount_paid_minor, decline_notified = given.decline_notified
      from ${givenByKey(changes, paidColumns)}
     where transaction.id = given.id and transaction.id = any(${changes.map(({ id }) => id)}::text[])`;
}

/** Locks one transaction of this merchant; payments lock the same row before they start or settle. */
export function lockTransaction(sql: Sql, merchantId: AccountId, id: TransactionId): Promise<Transaction | undefined> {
  return sql.maybeOne(transactionTable.read)`
    select * from transaction where id = ${id} and merchant_id is not distinct from ${merchantId} for update`;
}

/** Cancels one for its merchant. The caller holds its lock. */
export async function updateTransactionCanceled(sql: Sql, id: TransactionId, at: Temporal.Instant): Promise<void> {
  await sql.run`
    update transaction set status = 'canceled', canceled_at = ${at}, canceled_by = 'merchant'
     where id = ${id} and status = 'pending'`;
}

const declinedColumns = transactionTable.types('id', 'channelId', 'canceledAt');

export type DeclinedCharge = Given<Transaction, typeof declinedColumns>;

/** Cancels the transactions of declined charges in one statement. The caller holds the locks of their charges. */
export async function updateChargesDeclined(sql: Sql, declined: readonly DeclinedCharge[]): Promise<void> {
  await sql.run`
    update transaction
       set status = 'canceled', payment_status = 'declined', channel_id = given.channel_id, payment_method = 'sale',
           canceled_at = given.canceled_at, canceled_by = 'charge'
      from ${given(declined, declinedColumns)}
     where transaction.id = given.id`;
}

/**
 * Cancels pending transactions older than `before`, oldest first; returns their ids. They are searched in the six-hour
 * buckets with a pending count above zero, so that no index on the status is needed. Skips locked rows; they are
 * canceled in the next run.
 */
export function cancelExpired(
  sql: Sql,
  before: Temporal.Instant,
  now: Temporal.Instant,
  limit: number,
): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    with buckets as (
      select merchant_id, six_hour_bucket from transaction_count where pending > 0 and six_hour_bucket <= ${before}
      union
      select merchant_id, six_hour_bucket from transaction_count_change
       where status = 'pending' and change > 0 and six_hour_bucket <= ${before}
    ), due as (
      select found.id
        from buckets
       cross join lateral (
         select id, created_at from transaction
          where merchant_id = buckets.merchant_id and status = 'pending' and origin <> 'recurring'
            and created_at >= buckets.six_hour_bucket and created_at < buckets.six_hour_bucket + interval '6 hours'
            and created_at <= ${before}
          order by created_at limit ${limit}) as found
       order by found.created_at limit ${limit}
    ), expired as (
      select id from transaction where id in (select id from due) and status = 'pending' for update skip locked
    )
    update transaction set status = 'canceled', canceled_at = ${now}, canceled_by = 'expiry'
      from expired where transaction.id = expired.id
    returning transaction.id`;
}

/** The oldest pending transaction, searched in the first bucket that has one. */
export async function findOldestPending(sql: Sql): Promise<Temporal.Instant | undefined> {
  return sql.maybeOne((row) => readInstant(row, 'created_at'))`
    with buckets as (
      select merchant_id, six_hour_bucket from transaction_count where pending > 0
      union
      select merchant_id, six_hour_bucket from transaction_count_change where status = 'pending' and change > 0
    )
    select found.created_at
      from buckets
     cross join lateral (
       select created_at from transaction
        where merchant_id = buckets.merchant_id and status = 'pending' and origin <> 'recurring'
          and created_at >= buckets.six_hour_bucket and created_at < buckets.six_hour_bucket + interval '6 hours'
        order by created_at limit 1) as found
     order by buckets.six_hour_bucket, found.created_at
     limit 1`;
}

/** Data of the account and point of sale for a notification about a transaction. */
export interface NotificationFacts {
  readonly merchantNumber: number;
  readonly securityCodeSealed: string;
  readonly webhookSecretSealed: string;
  readonly zone: string;
  readonly posNotificationUrl: string | null;
  readonly testMode: boolean;
}

export function readNotificationFacts(row: Row): NotificationFacts {
  return {
    merchantNumber: readInteger(row, 'merchant_number'),
    securityCodeSealed: readText(row, 'security_code_sealed'),
    webhookSecretSealed: readText(row, 'webhook_secret_sealed'),
    zone: readText(row, 'zone'),
    posNotificationUrl: readTextOrNull(row, 'pos_notification_url'),
    testMode: readBoolean(row, 'test_mode'),
  };
}

/** What a mail to a payer says about the merchant. */
export interface MailingMerchant {
  readonly name: string;
  readonly email: string;
  /** Of its pay page, for payers whose own language is not known. */
  readonly language: string | null;
}

export function readMailingMerchant(row: Row): MailingMerchant {
  return {
    name: readText(row, 'merchant_name'),
    email: readText(row, 'merchant_email'),
    language: readTextOrNull(row, 'merchant_language'),
  };
}

/** The same for transactions without an attempt, in id order. */
export function listForNotification(
  sql: Sql,
  ids: readonly string[],
): Promise<{ transaction: Transaction; notification: NotificationFacts }[]> {
  return sql.many((row) => ({ transaction: transactionTable.read(row), notification: readNotificationFacts(row) }))`
    select transaction.*, account.merchant_number, account.security_code_sealed, account.webhook_secret_sealed, account.zone,
           pos.notification_url as pos_notification_url, pos.test_mode
      from transaction
      join account on account.id = transaction.merchant_id
      join pos on pos.id = transaction.pos_id
     where transaction.id = any(${ids}::text[])
     order by transaction.id`;
}
