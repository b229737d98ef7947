// SQL of creating and moving refunds. Owns: refund, refund_counter, refund_total.

import { insertOutgoing, type NewOutgoing } from '../../banking/index.ts';
import { given, type Row, type RowOf, readBigint, readInteger, readText, type Sql } from '../../database/index.ts';
import type { AccountId, RefundId } from '../../kernel/index.ts';
import type { Refund, RefundWithTitle } from '../model.ts';
import { refundCounterTable, refundTable, refundTotalTable } from '../table.ts';

/**
 * Existing refunds with these ids: a retry under an idempotency key finds its first run. One lookup per id, because for
 * a list of ids the planner scanned the table while it was small, and the plan was kept.
 */
export function listRefundsById(sql: Sql, ids: readonly string[]): Promise<Refund[]> {
  return sql.many(refundTable.read)`
    select found.* from unnest(${ids}::text[]) as wanted (id)
     cross join lateral (select * from refund where refund.id = wanted.id limit 1) as found`;
}

export type Counter = Omit<RowOf<typeof refundCounterTable>, 'merchantId'>;

/** Creates missing counters of merchants, locks them in id order and returns them by merchant. */
export async function lockCounters(
  sql: Sql,
  merchantIds: readonly string[],
  now: Temporal.Instant,
): Promise<Map<string, Counter>> {
  const lock = () => sql.many((row) => keyed(refundCounterTable.read(row)))`
    select * from refund_counter where merchant_id = any(${merchantIds}::text[]) order by merchant_id for update`;
  const locked = await lock();
  if (locked.length === merchantIds.length) return new Map(locked);
  await sql.run`
    insert into refund_counter (merchant_id, refunds, card_refunds, last_created_at)
    select id, 0, 0, ${now} from unnest(${merchantIds}::text[]) as id order by id
    on conflict (merchant_id) do nothing`;
  return new Map(await lock());
}

export interface Total {
  /** What can no longer be refunded: refunds that count, and what the bank paid out although it had declined. */
  readonly goneMinor: bigint;
  /** What payers' banks take back of it, or took: the payer has that without a refund. */
  readonly disputedMinor: bigint;
  readonly refunds: number;
}

/**
 * What was refunded of transactions so far, and what is disputed; one without either has no row. The caller holds the
 * transactions' locks.
 */
export async function listRefunded(sql: Sql, transactionIds: readonly string[]): Promise<Map<string, Total>> {
  const rows = await sql.many(
    (row) =>
      [
        readText(row, 'transaction_id'),
        {
          goneMinor: readBigint(row, 'gone_minor'),
          disputedMinor: readBigint(row, 'disputed_minor'),
          refunds: readInteger(row, 'refunds'),
        },
      ] as const,
  )`
    select wanted.id as transaction_id, coalesce(found.gone_minor, 0) as gone_minor, coalesce(found.refunds, 0) as refunds,
           coalesce(disputed.minor, 0)::bigint as disputed_minor
      from unnest(${transactionIds}::text[]) as wanted (id)
      left join lateral (
       select least(refunded_minor + paid_late_minor, paid_minor) as gone_minor, refunds
         from refund_total where transaction_id = wanted.id limit 1) as found on true
     cross join lateral (
       select sum(minor) as minor
         from (select amount_minor - returned_minor as minor from dispute where transaction_id = wanted.id
               union all
               select unclaimed.amount_minor - unclaimed.returned_minor
                 from charge
                 join dispute_unclaimed as unclaimed on unclaimed.charge_key = charge.id and unclaimed.acquirer = charge.acquirer
                where charge.transaction_id = wanted.id and unclaimed.claimed_at is null) as each) as disputed
     where found.refunds is not null or disputed.minor is not null`;
  return new Map(rows);
}

/**
 * Of which of these refunds the payer gets more than was paid, by refunds that are not held and by disputes, also by one that
 * waits to be claimed. While they change, the caller holds the locks of their transactions.
 */
export function listPaidTwice(sql: Sql, refunds: readonly { readonly id: string }[]): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select refund.id
      from refund
      join outgoing_refund as outgoing on outgoing.id = refund.id
      join refund_total as total on total.transaction_id = refund.transaction_id
     cross join lateral (
       select sum(minor) as minor
         from (select amount_minor - returned_minor as minor from dispute
                where dispute.transaction_id = refund.transaction_id
               union all
               select amount_minor - returned_minor from dispute_unclaimed as unclaimed
                where unclaimed.charge_key = outgoing.charge_key and unclaimed.acquirer = outgoing.acquirer
                  and unclaimed.claimed_at is null) as each) as disputed
     cross join lateral (
       select coalesce(sum(amount_minor), 0) as minor from refund as other
        where other.transaction_id = refund.transaction_id and other.status = 'Hold') as held
     where refund.id = any(${refunds.map(({ id }) => id)}::text[]) and disputed.minor > 0
       and total.refunded_minor + total.paid_late_minor - held.minor + disputed.minor > total.paid_minor`;
}

function keyed({ merchantId, ...counter }: RowOf<typeof refundCounterTable>): [string, Counter] {
  return [merchantId, counter];
}

export interface NewRefund {
  readonly refund: Refund;
  readonly paidMinor: bigint;
  readonly outgoing: NewOutgoing;
}

const newColumns = {
  ...refundTable.types(),
  ...refundTotalTable.types('paidMinor'),
};

/**
 * Inserts refunds with totals and counters in one statement, sent together with their outgoing refunds; the caller holds
 * the locks of the transactions and counters. Totals change by a conditional update, and the schema checks the limit
 * again. Returns whether every total had room; if not, the caller must roll back.
 */
export async function insertRefunds(sql: Sql, made: readonly NewRefund[]): Promise<boolean> {
  await insertOutgoing(
    sql,
    made.map(({ outgoing }) => outgoing),
  );
  const rows = made.map(({ refund, paidMinor }) => ({ ...refundTable.flat(refund), paidMinor }));
  return sql.one((row) => readInteger(row, 'missing') === 0)`
    with given as materialized (
      select * from ${given(rows, newColumns)}
    ), written as (
      insert into refund (${refundTable.names}) select ${refundTable.names} from given
    ), counted as (
      update refund_counter set refunds = newest.number, card_refunds = newest.card_count, last_created_at = newest.created_at
        from (select distinct on (merchant_id) * from given order by merchant_id, number desc) as newest
       where refund_counter.merchant_id = newest.merchant_id
    ), wanted as (
      select transaction_id, min(paid_minor) as paid, sum(amount_minor)::bigint as minor, count(*)::integer as count
        from given group by 1
    ), totaled as (
      insert into refund_total (transaction_id, paid_minor, refunded_minor, refunds)
      select transaction_id, paid, minor, count from wanted
      on conflict (transaction_id) do update
         set refunded_minor = refund_total.refunded_minor + excluded.refunded_minor,
             refunds = refund_total.refunds + excluded.refunds
       where refund_total.refunded_minor + refund_total.paid_late_minor + excluded.refunded_minor <= refund_total.paid_minor
      returning transaction_id
    )
    select ((select count(*) from wanted) - (select count(*) from totaled))::integer as missing`;
}

/** A refund of this merchant with the title of its transaction; undefined for another's. */
export function findRefund(sql: Sql, merchantId: AccountId, id: RefundId): Promise<RefundWithTitle | undefined> {
  return sql.maybeOne(readWithTitle)`
    select refund.*, transaction.title from refund join transaction on transaction.id = refund.transaction_id
     where refund.id = ${id} and refund.merchant_id = ${merchantId}`;
}

/** A refund of any merchant, for operators. */
export function findAnyRefund(sql: Sql, id: RefundId): Promise<RefundWithTitle | undefined> {
  return sql.maybeOne(readWithTitle)`
    select refund.*, transaction.title from refund join transaction on transaction.id = refund.transaction_id
     where refund.id = ${id}`;
}

export function readWithTitle(row: Row): RefundWithTitle {
  return { ...refundTable.read(row), title: readText(row, 'title') };
}
