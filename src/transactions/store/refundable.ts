// What refunds read of transactions under a lock, and the one column that they change. Owns: transaction.

import type { ShownCard } from '../../cards/index.ts';
import { type Row, readBigint, readBoolean, readText, readTextOrNull, type Sql } from '../../database/index.ts';
import { type AccountId, knownId, type TransactionId } from '../../kernel/index.ts';
import type { Transaction } from '../model.ts';
import { transactionTable } from '../table.ts';
import {
  type MailingMerchant,
  type NotificationFacts,
  readMailingMerchant,
  readNotificationFacts,
} from './transactions.ts';

/** A transaction with everything that a refund of it needs. */
export interface RefundableTransaction {
  readonly transaction: Transaction;
  readonly notification: NotificationFacts;
  readonly merchant: MailingMerchant;
  /** Whether the merchant lets us write to payers about refunds. */
  readonly mailsRefunded: boolean;
  readonly refundFeeMinor: bigint;
  /** The price that it is. */
  readonly refundPriceId: bigint | null;
  /** The key of the charge that paid it, and the acquirer that it is with; null if nothing did. */
  readonly chargeKey: string | null;
  readonly acquirer: string | null;
  readonly cardToken: string | null;
  /** The card that was paid with, as it may be shown; null for other methods. */
  readonly card: ShownCard | null;
}

function readRefundable(row: Row): RefundableTransaction {
  return {
    transaction: transactionTable.read(row),
    notification: readNotificationFacts(row),
    merchant: readMailingMerchant(row),
    mailsRefunded: readBoolean(row, 'mail_refunded'),
    refundFeeMinor: readBigint(row, 'refund_fee_minor'),
    refundPriceId: row.refund_price_id === null ? null : readBigint(row, 'refund_price_id'),
    chargeKey: readTextOrNull(row, 'charge_key'),
    acquirer: readTextOrNull(row, 'acquirer'),
    cardToken: readTextOrNull(row, 'card_token'),
    card: readCard(row),
  };
}

function readCard(row: Row): ShownCard | null {
  const tail = readTextOrNull(row, 'card_tail');
  return tail === null ? null : { brand: readText(row, 'card_brand'), tail };
}

/**
 * Locks transactions of these merchants in id order, so that refunds of one transaction take turns, and reads them in a
 * second statement: a statement that waited for a lock sees joined rows as they were before the wait. `now`: when the fee is
 * taken; null if none is, which is then 0.
 */
export async function lockForRefund(
  sql: Sql,
  merchantIds: readonly AccountId[],
  ids: readonly TransactionId[],
  now: Temporal.Instant | null,
): Promise<RefundableTransaction[]> {
  await sql.run`
    select from transaction where id = any(${ids}::text[]) and (merchant_id = any(${merchantIds}::text[])) is true
     order by id for no key update`;
  return sql.many(readRefundable)`
    select transaction.*, account.name as merchant_name, account.email as merchant_email,
           pay_page.language as merchant_language, coalesce(pay_page.mail_refunded, true) as mail_refunded,
           coalesce(price.fixed_minor, 0) as refund_fee_minor, price.id as refund_price_id, account.merchant_number, account.security_code_sealed,
           account.webhook_secret_sealed, account.zone, pos.notification_url as pos_notification_url, pos.test_mode,
           charge.id as charge_key, charge.acquirer, charge.card_token,
           coalesce(charge.card_brand, card.brand) as card_brand, coalesce(charge.card_tail, card.tail) as card_tail
      from transaction
      join account on account.id = transaction.merchant_id
      left join pay_page on pay_page.account_id = transaction.merchant_id
      join pos on pos.id = transaction.pos_id
      left join charge on charge.transaction_id = transaction.id and charge.state = 'correct'
      left join card_token as card on card.token = charge.card_token
      left join lateral price_at(transaction.merchant_id, 'refund', null, ${now}::timestamptz) as price on true
     where transaction.id = any(${ids}::text[]) and (transaction.merchant_id = any(${merchantIds}::text[])) is true`;
}

/** paid -> refund, for transactions refunded in full; the caller holds their locks. Returns how many changed. */
export function updateTransactionsRefunded(sql: Sql, ids: readonly string[]): Promise<number> {
  return sql.run`update transaction set status = 'refund' where id = any(${ids}::text[]) and status = 'paid'`;
}

/**
 * refund -> paid, for transactions whose refund was partly undone; the caller holds their locks. Returns how many
 * changed.
 */
export function updateTransactionsPaidAgain(sql: Sql, ids: readonly string[]): Promise<number> {
  return sql.run`update transaction set status = 'paid' where id = any(${ids}::text[]) and status = 'refund'`;
}

/** The transaction of this merchant with this title. */
export function findTransactionByTitle(
  sql: Sql,
  merchantId: AccountId,
  title: string,
): Promise<TransactionId | undefined> {
  return sql.maybeOne((row) => knownId<TransactionId>(readText(row, 'id')))`
    select id from transaction where title = ${title} and merchant_id = ${merchantId}`;
}
