// SQL of payouts. Owns: acquirer_payout.

import { type Row, readBigint, readInstant, readText, type Sql } from '../../database/index.ts';
import type { Payout } from '../model.ts';
import { acquirerPayoutTable } from '../table.ts';

/** A payout at the bank, in our rows and in our journals; null: it is not there. */
export interface ComparedPayout {
  readonly key: string;
  readonly at: Temporal.Instant;
  readonly bank: Paid | null;
  readonly row: Paid | null;
  readonly booked: Paid | null;
}

/** What arrived on our bank account, and what the acquirer kept. */
export interface Paid {
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
}

function readPaid(row: Row, prefix: string): Paid | null {
  if (row[`${prefix}_amount`] === null) return null;
  return { amountMinor: readBigint(row, `${prefix}_amount`), feeMinor: readBigint(row, `${prefix}_fee`) };
}

/**
 * The payouts of a period: those of the statement, and those in the books or in open differences whose time is in it; in the
 * order of their time.
 * Plans as in compare.ts.
 */
export function listPayouts(
  sql: Sql,
  run: {
    readonly id: string;
    readonly acquirer: string;
    readonly fromAt: Temporal.Instant;
    readonly toAt: Temporal.Instant;
  },
  { bank, fees }: { readonly bank: string; readonly fees: string },
): Promise<ComparedPayout[]> {
  return sql.many((row) => ({
    key: readText(row, 'key'),
    at: readInstant(row, 'at'),
    bank: readPaid(row, 'bank'),
    row: readPaid(row, 'row'),
    booked: readPaid(row, 'booked'),
  }))`
    with line as materialized (
      select key, amount_minor, fee_minor, at from reconciliation_line where run_id = ${run.id} and kind = 'payout' and not is_repeated
    ), found as materialized (
      select key, amount_minor, fee_minor, at from acquirer_payout
       where acquirer = ${run.acquirer} and (key = any (array (select key from line)) or at >= ${run.fromAt} and at < ${run.toAt})
    ), amended as materialized (
      select key, kind, acquirer, at from acquirer_named where key = any (array (select key from found))
    ), elsewhere as materialized (
      select key from amended
       where acquirer = ${run.acquirer} and kind = 'payout' and not (at >= ${run.fromAt} and at < ${run.toAt})
    ), rows as materialized (
      select * from found where key in (select key from line) or key not in (select key from elsewhere)
    ), items as materialized (
      select key, bank_at from reconciliation_item
       where state <> 'closed' and acquirer = ${run.acquirer} and kind = 'payout' and difference <> 'repeated'
    ), open as materialized (
      select key, min(bank_at) as at from items where bank_at >= ${run.fromAt} and bank_at < ${run.toAt} group by key
    ), keys as materialized (
      select key from line union select key from rows union select key from open
    ), record as materialized (
      select id, key, kind, acquirer from reconciliation_record
       where key = any (array (select key from keys)) and moved_minor is not null
    ), sources as materialized (
      select key, ${run.acquirer} || ':' || key as source from keys
      union
      select key, id from record where kind = 'payout' and acquirer = ${run.acquirer}
    ), journals as materialized (
      select id, source, kind from journal where source = any (array (select source from sources))
    ), sums as materialized (
      select journal_id, coalesce(sum(case when account = ${bank} then amount_minor end), 0) as amount,
             coalesce(sum(case when account = ${fees} then amount_minor end), 0) as fee
        from entry where journal_id = any (array (select id from journals)) group by journal_id
    ), booked as materialized (
      select sources.key, sum(sums.amount)::bigint as amount, sum(sums.fee)::bigint as fee
        from sources join journals on journals.source = sources.source join sums on sums.journal_id = journals.id
       group by sources.key
    )
    select keys.key, coalesce(line.at, rows.at, open.at) as at, line.amount_minor as bank_amount, line.fee_minor as bank_fee,
           rows.amount_minor as row_amount, rows.fee_minor as row_fee, booked.amount as booked_amount, booked.fee as booked_fee
      from keys left join line on line.key = keys.key left join rows on rows.key = keys.key
      left join open on open.key = keys.key left join booked on booked.key = keys.key
     order by at, keys.key`;
}

export async function insertPayouts(sql: Sql, payouts: readonly Payout[]): Promise<void> {
  if (payouts.length > 0) await acquirerPayoutTable.copy(sql, payouts);
}

/** Whether a payout has its row. */
export function hasPayout(sql: Sql, acquirer: string, key: string): Promise<boolean> {
  return sql.one((row) => row.found === true)`
    select exists (select from acquirer_payout where acquirer = ${acquirer} and key = ${key}) as found`;
}

/** Those of these payouts for which something is booked. */
export async function listPaidOut(sql: Sql, acquirer: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql.many((row) => readText(row, 'key'))`
    select key from acquirer_payout
     where acquirer = ${acquirer} and key = any(${keys}::text[]) and amount_minor + fee_minor > 0`;
  return new Set(rows);
}

/** Writes what is booked for a payout now. */
export async function updatePayout(sql: Sql, { acquirer, key, amountMinor, feeMinor }: Payout): Promise<void> {
  await sql.run`
    update acquirer_payout set amount_minor = ${amountMinor}, fee_minor = ${feeMinor}
     where acquirer = ${acquirer} and key = ${key}`;
}
