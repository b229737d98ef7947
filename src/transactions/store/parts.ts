// All SQL of the parts of marketplace transactions. Owns: transaction_part.

import { type Page, readBigint, readText, type Sql } from '../../database/index.ts';
import type { AccountId, TransactionId } from '../../kernel/index.ts';
import { knownId } from '../../kernel/index.ts';
import type { Transaction, TransactionPart } from '../model.ts';
import { transactionPartTable, transactionTable } from '../table.ts';

/** Inserts transactions with all their parts, in the caller's database transaction. */
export async function insertSplit(
  sql: Sql,
  transactions: readonly Transaction[],
  parts: readonly TransactionPart[],
): Promise<void> {
  await transactionTable.copy(sql, transactions);
  await transactionPartTable.copy(sql, parts);
}

/** The parts of transactions, in order. */
export function listParts(sql: Sql, transactionIds: readonly string[]): Promise<TransactionPart[]> {
  return sql.many(transactionPartTable.read)`
    select * from transaction_part where transaction_id = any(${transactionIds}::text[])
     order by transaction_id, number`;
}

/** The parts of a page of transactions, in no order; for `grosz verify`. */
export function listPartsIn(sql: Sql, page: Page): Promise<TransactionPart[]> {
  return sql.many(transactionPartTable.read)`select * from transaction_part where ${page.of('transaction_id')}`;
}

/** What a successful payment credits to a seller and, as commission, to the partner. */
export interface PaymentShare {
  readonly transactionId: TransactionId;
  readonly merchantId: AccountId;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  readonly commissionMinor: bigint;
}

/** The shares of transactions by seller, in a fixed order. Parts never change, so no lock is needed. */
export function listShares(sql: Sql, transactionIds: readonly string[]): Promise<PaymentShare[]> {
  return sql.many((row) => ({
    transactionId: knownId<TransactionId>(readText(row, 'transaction_id')),
    merchantId: knownId<AccountId>(readText(row, 'merchant_id')),
    amountMinor: readBigint(row, 'amount_minor'),
    feeMinor: readBigint(row, 'fee_minor'),
    commissionMinor: readBigint(row, 'commission_minor'),
  }))`
    select transaction_id, merchant_id, sum(amount_minor)::bigint as amount_minor, sum(fee_minor)::bigint as fee_minor,
           sum(commission_minor)::bigint as commission_minor
      from transaction_part where transaction_id = any(${transactionIds}::text[])
     group by transaction_id, merchant_id order by transaction_id, merchant_id`;
}
