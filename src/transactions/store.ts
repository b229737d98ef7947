// All SQL of transactions. Owns: transaction.

import {
  type AccountId,
  type Currency,
  currencyFrom,
  instantText,
  knownId,
  type Money,
  money,
  type PosId,
  type TransactionId,
} from '../kernel/index.ts';
import {
  type BatchOf,
  type CopyColumns,
  jsonRows,
  type Row,
  readBigint,
  readBoolean,
  readInstant,
  readInstantOrNull,
  readIntegerOrNull,
  readText,
  readTextOrNull,
  type Sql,
} from '../platform/index.ts';

export type TransactionStatus = 'pending' | 'paid' | 'refund' | 'canceled';
export type TransactionOrigin = 'api' | 'recurring' | 'marketplace';
export type PaymentStatus = 'pending' | 'correct' | 'declined';
export type PaymentMethod = 'pay_by_link' | 'transfer' | 'sale';

export interface Payer {
  readonly payerId: string;
  readonly email: string;
  readonly name: string;
  readonly phone: string;
  readonly address: string;
  readonly city: string;
  readonly postalCode: string;
  readonly country: string;
  readonly taxId: string;
  readonly ip: string | null;
  readonly userAgent: string;
}

export interface Transaction {
  readonly id: TransactionId;
  /** Who makes its attempts: the payer, or the recurring engine, which nobody else may interfere with. */
  readonly origin: TransactionOrigin;
  readonly merchantId: AccountId;
  readonly posId: PosId;
  readonly title: string;
  readonly status: TransactionStatus;
  readonly createdAt: Temporal.Instant;
  readonly realizedAt: Temporal.Instant | null;
  readonly amount: Money;
  readonly description: string;
  readonly hiddenDescription: string;
  readonly lang: string;
  readonly payer: Payer;
  readonly paymentStatus: PaymentStatus;
  readonly paymentMethod: PaymentMethod | null;
  readonly channelId: number | null;
  readonly amountPaidMinor: bigint;
  readonly paidAt: Temporal.Instant | null;
  readonly successUrl: string | null;
  readonly errorUrl: string | null;
  readonly notificationUrl: string | null;
  readonly notificationEmail: string | null;
  readonly payKey: string;
}

/** The columns of a new transaction for the joined insert. */
const newColumns: CopyColumns<Transaction> = {
  id: (transaction) => transaction.id,
  merchant_id: (transaction) => transaction.merchantId,
  pos_id: (transaction) => transaction.posId,
  title: (transaction) => transaction.title,
  status: (transaction) => transaction.status,
  created_at: (transaction) => instantText(transaction.createdAt),
  amount_minor: (transaction) => Number(transaction.amount.minor),
  currency: (transaction) => transaction.amount.currency,
  description: (transaction) => transaction.description,
  hidden_description: (transaction) => transaction.hiddenDescription,
  lang: (transaction) => transaction.lang,
  payer_id: ({ payer }) => payer.payerId,
  payer_email: ({ payer }) => payer.email,
  payer_name: ({ payer }) => payer.name,
  payer_phone: ({ payer }) => payer.phone,
  payer_address: ({ payer }) => payer.address,
  payer_city: ({ payer }) => payer.city,
  payer_postal_code: ({ payer }) => payer.postalCode,
  payer_country: ({ payer }) => payer.country,
  payer_tax_id: ({ payer }) => payer.taxId,
  payer_ip: ({ payer }) => payer.ip,
  payer_user_agent: ({ payer }) => payer.userAgent,
  payment_status: (transaction) => transaction.paymentStatus,
  payment_method: (transaction) => transaction.paymentMethod,
  channel_id: (transaction) => transaction.channelId,
  amount_paid_minor: () => 0,
  success_url: (transaction) => transaction.successUrl,
  error_url: (transaction) => transaction.errorUrl,
  notification_url: (transaction) => transaction.notificationUrl,
  notification_email: (transaction) => transaction.notificationEmail,
  pay_key: (transaction) => transaction.payKey,
  attempts_started: () => 0,
  origin: (transaction) => transaction.origin,
};

/**
 * Inserts new transactions in one statement. An id or title that exists already fails the statement; the batch then
 * finds the row by splitting, and its caller sees which constraint it was.
 */
export const insertTransaction: BatchOf<Transaction, void> = {
  name: 'transaction',
  async write(sql, transactions) {
    await sql.copy('transaction', newColumns, transactions);
    return transactions.map(() => undefined);
  },
};

export function readTransaction(row: Row): Transaction {
  const currency: Currency = currencyFrom(readText(row, 'currency'));
  return {
    id: knownId(readText(row, 'id')),
    origin: readText(row, 'origin') as TransactionOrigin,
    merchantId: knownId(readText(row, 'merchant_id')),
    posId: knownId(readText(row, 'pos_id')),
    title: readText(row, 'title'),
    status: readText(row, 'status') as TransactionStatus,
    createdAt: readInstant(row, 'created_at'),
    realizedAt: readInstantOrNull(row, 'realized_at'),
    amount: money(readBigint(row, 'amount_minor'), currency),
    description: readText(row, 'description'),
    hiddenDescription: readText(row, 'hidden_description'),
    lang: readText(row, 'lang'),
    payer: {
      payerId: readText(row, 'payer_id'),
      email: readText(row, 'payer_email'),
      name: readText(row, 'payer_name'),
      phone: readText(row, 'payer_phone'),
      address: readText(row, 'payer_address'),
      city: readText(row, 'payer_city'),
      postalCode: readText(row, 'payer_postal_code'),
      country: readText(row, 'payer_country'),
      taxId: readText(row, 'payer_tax_id'),
      ip: readTextOrNull(row, 'payer_ip'),
      userAgent: readText(row, 'payer_user_agent'),
    },
    paymentStatus: readText(row, 'payment_status') as PaymentStatus,
    paymentMethod: readTextOrNull(row, 'payment_method') as PaymentMethod | null,
    channelId: readIntegerOrNull(row, 'channel_id'),
    amountPaidMinor: readBigint(row, 'amount_paid_minor'),
    paidAt: readInstantOrNull(row, 'paid_at'),
    successUrl: readTextOrNull(row, 'success_url'),
    errorUrl: readTextOrNull(row, 'error_url'),
    notificationUrl: readTextOrNull(row, 'notification_url'),
    notificationEmail: readTextOrNull(row, 'notification_email'),
    payKey: readText(row, 'pay_key'),
  };
}

/** One transaction of this merchant; another's is not found. */
export function findTransaction(sql: Sql, merchantId: AccountId, id: TransactionId): Promise<Transaction | undefined> {
  return sql.maybeOne(readTransaction)`
    select * from transaction where id = ${id} and merchant_id = ${merchantId}`;
}

export interface TransactionChange {
  readonly id: TransactionId;
  readonly status: TransactionStatus;
  readonly paymentStatus: PaymentStatus;
  readonly channelId: number | null;
  readonly paymentMethod: PaymentMethod | null;
  readonly realizedAt: string | null;
  readonly amountPaidMinor: bigint;
}

/** Writes what payments made of transactions, in one statement. The caller holds their locks. */
export async function updateTransactionsPaid(sql: Sql, changes: readonly TransactionChange[]): Promise<void> {
  await sql.run`
    update transaction
       set status = given.status, payment_status = given."paymentStatus", channel_id = given."channelId",
           payment_method = given."paymentMethod", realized_at = given."realizedAt", paid_at = given."realizedAt",
           amount_paid_minor = given."amountPaidMinor"
      from json_to_recordset(${jsonRows(changes)}::json) as given
           (id text, status text, "paymentStatus" text, "channelId" integer, "paymentMethod" text,
            "realizedAt" timestamptz, "amountPaidMinor" bigint)
     where transaction.id = given.id`;
}

/** Locks one transaction of this merchant; payments lock the same row before they start or settle. */
export function lockTransaction(sql: Sql, merchantId: AccountId, id: TransactionId): Promise<Transaction | undefined> {
  return sql.maybeOne(readTransaction)`
    select * from transaction where id = ${id} and merchant_id = ${merchantId} for update`;
}

export async function updateTransactionCanceled(sql: Sql, id: TransactionId): Promise<void> {
  await sql.run`update transaction set status = 'canceled' where id = ${id} and status = 'pending'`;
}

/**
 * Cancels pending transactions that are older than `before`, oldest first; answers their ids. They are looked for in the
 * quarters of a day whose counts say that some are pending, so that no index must follow each of them. Skips locked ones:
 * they come next time.
 */
export function cancelExpired(sql: Sql, before: Temporal.Instant, limit: number): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    with quarters as (
      select merchant_id, quarter from transaction_count where pending > 0 and quarter <= ${before}
      union
      select merchant_id, quarter from transaction_count_change
       where status = 'pending' and change > 0 and quarter <= ${before}
    ), due as (
      select found.id
        from quarters
       cross join lateral (
         select id, created_at from transaction
          where merchant_id = quarters.merchant_id and status = 'pending' and origin <> 'recurring'
            and created_at >= quarters.quarter and created_at < quarters.quarter + interval '6 hours'
            and created_at <= ${before}
          order by created_at limit ${limit}) as found
       order by found.created_at limit ${limit}
    ), expired as (
      select id from transaction where id in (select id from due) and status = 'pending' for update skip locked
    )
    update transaction set status = 'canceled' from expired where transaction.id = expired.id
    returning transaction.id`;
}

/** The oldest transaction that waits for its payer, looked for in the first quarter that has one. */
export async function findOldestPending(sql: Sql): Promise<Temporal.Instant | undefined> {
  return sql.maybeOne((row) => readInstant(row, 'created_at'))`
    with quarters as (
      select merchant_id, quarter from transaction_count where pending > 0
      union
      select merchant_id, quarter from transaction_count_change where status = 'pending' and change > 0
    )
    select found.created_at
      from quarters
     cross join lateral (
       select created_at from transaction
        where merchant_id = quarters.merchant_id and status = 'pending' and origin <> 'recurring'
          and created_at >= quarters.quarter and created_at < quarters.quarter + interval '6 hours'
        order by created_at limit 1) as found
     order by quarters.quarter, found.created_at
     limit 1`;
}

/** What a notification about a transaction needs of its account and point of sale. */
export interface NotificationFacts {
  readonly securityCodeSealed: string;
  readonly zone: string;
  readonly posNotificationUrl: string | null;
  readonly testMode: boolean;
}

export function readNotificationFacts(row: Row): NotificationFacts {
  return {
    securityCodeSealed: readText(row, 'security_code_sealed'),
    zone: readText(row, 'zone'),
    posNotificationUrl: readTextOrNull(row, 'pos_notification_url'),
    testMode: readBoolean(row, 'test_mode'),
  };
}

/** The same for transactions that no attempt leads to, by id; in the order of their ids. */
export function listForNotification(
  sql: Sql,
  ids: readonly string[],
): Promise<{ transaction: Transaction; notification: NotificationFacts }[]> {
  return sql.many((row) => ({ transaction: readTransaction(row), notification: readNotificationFacts(row) }))`
    select transaction.*, account.security_code_sealed, account.zone, pos.notification_url as pos_notification_url,
           pos.test_mode
      from transaction
      join account on account.id = transaction.merchant_id
      join pos on pos.id = transaction.pos_id
     where transaction.id = any(${ids}::text[])
     order by transaction.id`;
}
