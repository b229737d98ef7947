// SQL of refunds in progress. Owns: refund, refund_total, refund_work. Lock order: work, refund, transaction.

import { type ParkedItem, readParkedItem } from '../../banking/index.ts';
import {
  dueBy,
  type Given,
  given,
  type Row,
  type RowOf,
  readInteger,
  readText,
  type Sql,
} from '../../platform/index.ts';
import type { Refund, RefundStatus, RefundWithTitle } from '../model.ts';
import { refundTable, refundTotalTable, refundWorkTable } from '../table.ts';
import { readWithTitle } from './refunds.ts';

export interface DueRefund {
  /** As it was before the claim: without `sentAt` it is sent now for the first time. */
  readonly refund: RefundWithTitle;
  readonly zone: string;
  /** How many lookups reported a different amount. */
  readonly otherAmounts: number;
}

/**
 * Claims refunds to be sent or looked up, oldest first; the lease is the time of the next step. Unsent refunds count as
 * sent from here on, because the bank is called after the commit.
 */
export function claimDueRefunds(
  sql: Sql,
  now: Temporal.Instant,
  leaseUntil: Temporal.Instant,
  limit: number,
): Promise<DueRefund[]> {
  return sql.many((row) => ({
    refund: readWithTitle(row),
    zone: readText(row, 'zone'),
    otherAmounts: readInteger(row, 'other_amounts'),
  }))`
    with due as (
      select refund_id, other_amounts from refund_work where next_step_at <= ${now}
       order by next_step_at limit ${limit} for update skip locked
    ), leased as (
      update refund_work set next_step_at = ${leaseUntil} from due where refund_work.refund_id = due.refund_id
    ), sent as (
      update refund set sent_at = ${now}, status = case refund.status when 'New' then 'Pending' else refund.status end,
                        steps = refund.steps + case refund.status when 'New' then 1 else 0 end
        from due where refund.id = due.refund_id and refund.sent_at is null
    )
    select refund.*, transaction.title, account.zone, due.other_amounts
      from due
      join refund on refund.id = due.refund_id
      join transaction on transaction.id = refund.transaction_id
      join account on account.id = refund.merchant_id
     order by refund.created_at, refund.id`;
}

export type WorkRow = RowOf<typeof refundWorkTable>;

/** Locks the work rows of refunds in id order. An ended refund has none. */
export async function lockWork(sql: Sql, ids: readonly string[]): Promise<Map<string, WorkRow>> {
  const rows = await sql.many(refundWorkTable.read)`
    select * from refund_work where refund_id = any(${ids}::text[]) order by refund_id for update`;
  return new Map(rows.map((row) => [row.refundId, row]));
}

/** Locks refunds in id order; after `lockWork` and in a separate statement, so that it reads the current rows. */
export function lockRefunds(sql: Sql, ids: readonly string[]): Promise<Refund[]> {
  return sql.many(refundTable.read)`
    select * from refund where id = any(${ids}::text[]) order by id for no key update`;
}

const changeColumns = refundTable.types(
  'id',
  'status',
  'steps',
  'sentAt',
  'processedAt',
  'endedAt',
  'canceledBy',
  'paidLateAt',
);

export type RefundChange = Given<Refund, typeof changeColumns>;

/** Writes results of refunds in one statement; the caller holds their locks. */
export async function updateRefunds(sql: Sql, changes: readonly RefundChange[]): Promise<void> {
  await refundTable.update(sql, changes, changeColumns);
}

const workColumns = refundWorkTable.types('refundId', 'nextStepAt', 'checks', 'otherAmounts', 'parkedAt', 'parkedWhy');

export type WorkChange = Given<WorkRow, typeof workColumns>;

/** Schedules the next step of refunds, or parks them. */
export async function updateWork(sql: Sql, changes: readonly WorkChange[]): Promise<void> {
  await refundWorkTable.update(sql, changes, workColumns);
}

/** Ended refunds have no work left. */
export async function deleteWork(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.run`delete from refund_work where refund_id = any(${ids}::text[])`;
}

/** Parks an ended refund, so that an operator sees it. */
export async function insertParked(
  sql: Sql,
  ids: readonly string[],
  why: string,
  parkedAt: Temporal.Instant,
): Promise<void> {
  await sql.run`
    insert into refund_work (refund_id, parked_at, parked_why)
    select id, ${parkedAt}, ${why} from unnest(${ids}::text[]) as id
    on conflict (refund_id) do update set next_step_at = null, parked_at = excluded.parked_at, parked_why = excluded.parked_why`;
}

const totalColumns = { ...refundTotalTable.types('transactionId', 'paidLateMinor'), returnedMinor: 'bigint' };

export interface TotalChange {
  readonly transactionId: string;
  /** The amount that was returned to the merchant. */
  readonly returnedMinor: bigint;
  /** The amount that the bank paid out after it was returned. */
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

export interface ParkedRefund extends ParkedItem {
  readonly status: RefundStatus;
}

function readParked(row: Row): ParkedRefund {
  return { ...readParkedItem(row), status: readText(row, 'status') as RefundStatus };
}

/** Refunds waiting for an operator, oldest first, at most 1,000. */
export function listParked(sql: Sql): Promise<ParkedRefund[]> {
  return sql.many(readParked)`
    select refund.id, 'refund' as kind, refund.status, refund.amount_minor, work.parked_why, work.parked_at
      from refund_work as work join refund on refund.id = work.refund_id
     where work.parked_at is not null order by work.parked_at, refund.id limit 1000`;
}

/** One parked refund by id, however many there are. */
export function findParked(sql: Sql, id: string): Promise<ParkedRefund | undefined> {
  return sql.maybeOne(readParked)`
    select refund.id, 'refund' as kind, refund.status, refund.amount_minor, work.parked_why, work.parked_at
      from refund_work as work join refund on refund.id = work.refund_id
     where work.refund_id = ${id} and work.parked_at is not null`;
}

export const refundsDue = dueBy('refund_work', 'next_step_at');
