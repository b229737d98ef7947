// What contradicts the records. Read only; each at most `limit` rows.

import { type Finding, findings } from '../../../contract/codes/findings.ts';
import { messageReader, readBigint, readBoolean, readInstantOrNull, readText, type Sql } from '../../database/index.ts';
import { ownKinds, takenKinds } from '../kinds.ts';
import type { Item, Payout, Run, StepRecord, Total } from '../model.ts';
import { acquirerPayoutTable, reconciliationRecordTable, reconciliationTotalTable } from '../table.ts';
import { readItem } from './items.ts';
import { readRun } from './runs.ts';

/** A page of runs by id, with their sums. */
export async function listRunsAfter(sql: Sql, after: string, limit: number): Promise<{ run: Run; totals: Total[] }[]> {
  const runs = await sql.many(readRun)`
    select * from reconciliation_run where id > ${after} order by id limit ${limit}`;
  const totals = await sql.many(reconciliationTotalTable.read)`
    select * from reconciliation_total where run_id = any(${runs.map(({ id }) => id)}::text[])`;
  const byRun = Map.groupBy(totals, ({ runId }) => runId);
  return runs.map((run) => ({ run, totals: byRun.get(run.id) ?? [] }));
}

/** The last record about each of these runs. */
export function listLastOfRuns(sql: Sql, ids: readonly string[]): Promise<StepRecord[]> {
  return sql.many(reconciliationRecordTable.read)`
    select distinct on (run_id) * from reconciliation_record
     where run_id = any(${ids}::text[]) and item_id is null and step in ('run_started', 'run_ended')
     order by run_id, position desc`;
}

/** A page of differences by id. */
export function listItemsAfter(sql: Sql, after: string, limit: number): Promise<Item[]> {
  return sql.many(readItem)`select * from reconciliation_item where id > ${after} order by id limit ${limit}`;
}

/** The last record about each of these differences. */
export function listLastOfItems(sql: Sql, ids: readonly string[]): Promise<StepRecord[]> {
  return sql.many(reconciliationRecordTable.read)`
    select distinct on (item_id) * from reconciliation_record
     where item_id = any(${ids}::text[]) order by item_id, position desc`;
}

/** A page of payouts by key. */
export function listPayoutsAfter(sql: Sql, after: Pick<Payout, 'acquirer' | 'key'>, limit: number): Promise<Payout[]> {
  return sql.many(acquirerPayoutTable.read)`
    select * from acquirer_payout where (acquirer, key) > (${after.acquirer}, ${after.key})
     order by acquirer, key limit ${limit}`;
}

/** The records that booked or amended these lines of the acquirer's own. */
export function listLineBookings(sql: Sql, keys: readonly string[]): Promise<StepRecord[]> {
  return sql.many(reconciliationRecordTable.read)`
    select * from reconciliation_record where key = any(${keys}::text[]) and step in ('line_booked', 'line_amended') order by position`;
}

/** The records that booked these payouts. */
export function listBookings(sql: Sql, keys: readonly string[]): Promise<StepRecord[]> {
  return sql.many(reconciliationRecordTable.read)`
    select * from reconciliation_record where key = any(${keys}::text[]) and step = 'payout_booked' order by position`;
}

/** What goes back, or went, of these differences. By the index of subjects; what was withdrawn or refused moved nothing. */
export function listReturns(sql: Sql, itemIds: readonly string[]): Promise<Return[]> {
  return sql.many((row) => ({
    id: readText(row, 'id'),
    subjectId: readText(row, 'subject_id'),
    acquirer: readText(row, 'acquirer'),
    amountMinor: readBigint(row, 'amount_minor'),
    chargeKey: readText(row, 'charge_key'),
  }))`
    select id, subject_id, acquirer, amount_minor, charge_key from outgoing_refund
     where subject_id = any(${itemIds}::text[]) and purpose = 'unallocated' and state not in ('refused', 'canceled')
     order by id`;
}

interface Return {
  readonly id: string;
  readonly subjectId: string;
  readonly acquirer: string;
  readonly amountMinor: bigint;
  readonly chargeKey: string;
}

/** The acquirers in the books, each with the time of its newest journal, leaving out those of comparisons and decisions. */
export function listOwing(sql: Sql, ownKinds: readonly string[]): Promise<Owing[]> {
  return sql.many((row) => ({ acquirer: readText(row, 'acquirer'), newestAt: readInstantOrNull(row, 'newest_at') }))`
    select split_part(account.name, ':', 2) as acquirer, newest.posted_at as newest_at
      from ledger_account as account
      left join lateral (
        select journal.posted_at from entry join journal on journal.id = entry.journal_id
         where entry.account = account.name and journal.kind <> all (${ownKinds}::text[])
         order by entry.journal_id desc limit 1) as newest on true
     where account.name like 'acquirer:%:receivable' order by acquirer`;
}

export interface Owing {
  readonly acquirer: string;
  /** Null: nothing was ever captured there. */
  readonly newestAt: Temporal.Instant | null;
}

/** Whether any comparison with the acquirer ever began. */
export function hasRuns(sql: Sql, acquirer: string): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'has'))`
    select exists (select from reconciliation_run where acquirer = ${acquirer}) as has`;
}

/** Rows whose records or runs are there and they are not, or the reverse. */
export function listLost(sql: Sql, limit: number): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    (select 'reconciliation_row_missing' as code, jsonb_build_object('kind', 'run', 'id', run_id) as parameters
       from reconciliation_record where step = 'run_started'
        and not exists (select from reconciliation_run where id = reconciliation_record.run_id)
      order by position limit ${limit})
    union all
    (select 'reconciliation_row_missing', jsonb_build_object('kind', 'difference', 'id', item_id)
       from (select distinct item_id from reconciliation_record where item_id is not null) as named
      where not exists (select from reconciliation_item where id = named.item_id)
      order by item_id limit ${limit})
    union all
    (select 'reconciliation_row_missing', jsonb_build_object('kind', 'payout', 'id', acquirer || ':' || key)
       from reconciliation_record where step = 'payout_booked'
        and not exists (select from acquirer_payout as payout
                         where payout.acquirer = reconciliation_record.acquirer and payout.key = reconciliation_record.key)
      order by position limit ${limit})
    union all
    (select 'reconciliation_row_missing', jsonb_build_object('kind', 'line', 'id', acquirer || ':' || kind || ':' || key)
       from reconciliation_record where step = 'line_booked'
        and not exists (select from acquirer_line as line
                         where line.acquirer = reconciliation_record.acquirer and line.kind = reconciliation_record.kind
                           and line.key = reconciliation_record.key)
      order by position limit ${limit})
    union all
    (select 'reconciliation_row_missing', jsonb_build_object('kind', 'run', 'id', run_id)
       from (select distinct run_id from reconciliation_total) as summed
      where not exists (select from reconciliation_run where id = summed.run_id)
      order by run_id limit ${limit})
    union all
    (select 'reconciliation_row_changed', jsonb_build_object('kind', 'difference', 'id', item.id)
       from reconciliation_item as item left join reconciliation_run as seen on seen.id = item.seen_run_id
      -- No record says who saw it last; but not a run of another acquirer, nor one before it was found.
      where seen.id is null or seen.acquirer <> item.acquirer or seen.id < item.run_id
      order by item.id limit ${limit})`;
}

/** Records without their journal, and payouts that are booked otherwise. */
export function listMisbooked(sql: Sql, limit: number): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    (select 'difference_misbooked' as code,
            jsonb_build_object('id', record.id, 'expected', record.moved_minor, 'booked', booked.minor) as parameters
       from reconciliation_record as record
       left join lateral (
         -- A payout whose fee changed moves nothing on the acquirer's account, and has a journal all the same.
         select sum(case when entry.account = 'acquirer:' || record.acquirer || ':receivable' then entry.amount_minor else 0 end) as minor
           from journal join entry on entry.journal_id = journal.id where journal.source = record.id) as booked on true
      where record.moved_minor is not null and booked.minor is distinct from record.moved_minor
      order by record.position limit ${limit})
    union all
    (select 'payout_misbooked',
            jsonb_build_object('id', payout.acquirer || ':' || payout.key, 'paid', payout.amount_minor, 'booked', booked.minor)
       from acquirer_payout as payout
       left join lateral (
         select coalesce(sum(entry.amount_minor) filter (where entry.account = 'bank:client'), 0) as minor,
                coalesce(sum(entry.amount_minor) filter (where entry.account = 'expense:acquirer_fee'), 0) as fee
           from journal join entry on entry.journal_id = journal.id
          -- One array, so that journals are found by their index: with "or" every payout read all of them.
          where journal.source = any (array (
            select payout.acquirer || ':' || payout.key
            union all
            select id from reconciliation_record as record
             where record.key = payout.key and record.acquirer = payout.acquirer
               and record.kind = 'payout' and record.moved_minor is not null))) as booked on true
      where booked.minor <> payout.amount_minor or booked.fee <> payout.fee_minor
      order by payout.acquirer, payout.key limit ${limit})
    union all
    (select 'line_misbooked',
            jsonb_build_object('id', line.acquirer || ':' || line.kind || ':' || line.key, 'taken', line.amount_minor,
                               'booked', coalesce(booked.minor, 0))
       from acquirer_line as line
       left join (select acquirer, kind, key, sum(case when kind = any(${takenKinds}::text[]) then -moved_minor else moved_minor end) as minor
                    from reconciliation_record where kind = any(${ownKinds}::text[]) and moved_minor is not null group by acquirer, kind, key) as booked
              on booked.acquirer = line.acquirer and booked.kind = line.kind and booked.key = line.key
      where coalesce(booked.minor, 0) <> line.amount_minor
      order by line.acquirer, line.kind, line.key limit ${limit})`;
}

/** What is in suspense by the records, and waits for nobody, or the reverse. */
export function listSuspended(sql: Sql, limit: number): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with held as (
      select acquirer, kind, key, abs(sum(unallocated_minor)) as minor from reconciliation_record
       where kind in ('other_taken', 'other_given') and moved_minor is not null
       group by acquirer, kind, key having sum(unallocated_minor) <> 0
    ), waiting as (
      select acquirer, kind, key, our_minor as minor from reconciliation_item
       where difference = 'suspended' and state <> 'closed'
    )
    select 'suspense_differs' as code,
           jsonb_build_object('id', acquirer || ':' || kind || ':' || key,
                              'held', coalesce(held.minor, 0), 'waiting', coalesce(waiting.minor, 0)) as parameters
      from held full join waiting using (acquirer, kind, key)
     where held.minor is distinct from waiting.minor
     order by acquirer, kind, key limit ${limit}`;
}

/** Differences that go back to payers without an outgoing refund, and outgoing refunds that belong to no difference. */
export function listAstray(sql: Sql, limit: number): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    (select 'difference_not_returning' as code, jsonb_build_object('id', item.id) as parameters
       from reconciliation_item as item
      where item.state = 'returning'
        and not exists (select from outgoing_refund where subject_id = item.id and purpose = 'unallocated'
                                                      and state in ('new', 'sent'))
      order by item.id limit ${limit})
    union all
    (select 'return_without_difference', jsonb_build_object('id', outgoing.id)
       from outgoing_refund as outgoing
       left join reconciliation_item as item on item.id = outgoing.subject_id
      where outgoing.purpose = 'unallocated'
        and (item.id is null or item.kind <> 'capture' or item.key <> outgoing.charge_key
             or outgoing.state in ('new', 'sent') and item.state <> 'returning'
             or outgoing.state = 'done' and (item.state <> 'closed' or item.outcome <> 'returned'))
      order by outgoing.id limit ${limit})`;
}
