// SQL of refunds in progress. Owns: refund, refund_total. Lock order: outgoing refund, refund, transaction.

import { type Given, given, readText, type Sql } from '../../database/index.ts';
import type { RefundId } from '../../kernel/index.ts';
import type { Refund, RefundWithTitle } from '../model.ts';
import { refundTable, refundTotalTable } from '../table.ts';
import { readWithTitle } from './refunds.ts';

export interface StartedRefund {
  readonly refund: RefundWithTitle;
  readonly zone: string;
}

/** Refunds that are sent now for the first time are Pending, except those of BLIK; the caller holds their outgoing ones. */
export function startRefunds(sql: Sql, ids: readonly RefundId[]): Promise<StartedRefund[]> {
  return sql.many((row) => ({ refund: readWithTitle(row), zone: readText(row, 'zone') }))`
    update refund set status = 'Pending', steps = refund.steps + 1
      from transaction, account
     where refund.id = any(${ids}::text[]) and refund.status = 'New'
       and transaction.id = refund.transaction_id and account.id = refund.merchant_id
    returning refund.*, transaction.title, account.zone`;
}

/** Locks refunds in id order; after their outgoing refunds and in a separate statement, so that it reads the current rows. */
export function lockRefunds(sql: Sql, ids: readonly string[]): Promise<Refund[]> {
  return sql.many(refundTable.read)`
    select * from refund where id = any(${ids}::text[]) order by id for no key update`;
}

const changeColumns = refundTable.types(
  'id',
  'status',
  'steps',
  'processedAt',
  'endedAt',
  'canceledBy',
  'paidLateAt',
  'cameBackAt',
);

export type RefundChange = Given<Refund, typeof changeColumns>;

/** Writes results of refunds in one statement; the caller holds their locks. */
export async function updateRefunds(sql: Sql, changes: readonly RefundChange[]): Promise<void> {
  await refundTable.update(sql, changes, changeColumns);
}

const totalColumns = { ...refundTotalTable.types('transactionId', 'paidLateMinor'), returnedMinor: 'bigint' };

export interface TotalChange {
  readonly transactionId: string;
  /** The amount that was returned to the merchant. */
  readonly returnedMinor: bigint;
  /** The amount that the bank paid out after it was returned; negative: that came back. */
  readonly paidLateMinor: bigint;
}

/**
 * Releases the part that returned refunds took, and adds what was paid late; the caller holds the transactions' locks.
 */
export async function updateTotals(sql: Sql, changes: readonly TotalChange[]): Promise<void> {
  await sql.run`
    update refund_total
       set refunded_minor = refund_total.refunded_minor - given.returned,
           paid_late_minor = refund_total.paid_late_minor + given.late
      from (select transaction_id, sum(returned_minor)::bigint as returned, sum(paid_late_minor)::bigint as late
              from ${given(changes, totalColumns)}
             group by 1) as given
     where refund_total.transaction_id = given.transaction_id`;
}
