// The statement against the books, in pages. Read only. Each row is looked up by key in a subquery that cannot be
// flattened: a join was planned as a hash of the whole table for every page.

import { type Row, readBigint, readText, readTextOrNull, type Sql } from '../../database/index.ts';
import type { Line, Moved, Ours, Unconfirmed } from '../model.ts';
import { reconciliationLineTable } from '../table.ts';

export interface Compared {
  readonly line: Line;
  readonly ours: Ours;
}

/** The lines of a page that may differ from what we have. */
export interface Page {
  readonly runId: string;
  /** Positions after the first (exclusive) up to the second. */
  readonly after: bigint;
  readonly until: bigint;
  /** The acquirer's account in the ledger. */
  readonly receivable: string;
}

function readCompared(row: Row): Compared {
  return {
    line: reconciliationLineTable.read(row),
    ours: {
      bookedMinor: row.booked_minor === null ? null : readBigint(row, 'booked_minor'),
      askedMinor: row.asked_minor === null ? null : readBigint(row, 'asked_minor'),
      row: readTextOrNull(row, 'found') as Ours['row'],
      sameCharge: row.same_charge === true,
      whole: row.whole === true,
    },
  };
}

/**
 * Captures without a journal of the same amount or without their rows. A charge that was declined keeps that state when
 * its late capture is given back.
 */
export function listOtherCaptures(sql: Sql, { runId, after, until, receivable }: Page): Promise<Compared[]> {
  return sql.many(readCompared)`
    select other.*, null as asked_minor, true as same_charge, true as whole,
           case when moved then 'moved'
                when state in ('sent', 'waiting', 'unknown') then 'open'
                when state is not null then 'ended' end as found
      from (
      select line.*, booked.minor as booked_minor, own.moved, own.state
        from (select * from reconciliation_line
               where run_id = ${runId} and position > ${after} and position <= ${until} and kind = 'capture') as line
        left join lateral (
          select (select sum(amount_minor)::bigint from entry
                   where journal_id = journal.id and account = ${receivable}) as minor
            from journal where source = line.key and kind in ('payment', 'surplus') limit 1) as booked on true
        left join lateral (
          select charge.state,
                 case when charge.state in ('correct', 'surplus') then true
                      else exists (select from outgoing_refund where subject_id = charge.id and purpose = 'surplus') end as moved
            from charge
            join transaction on transaction.id = charge.transaction_id
           where charge.id = line.key limit 1) as own on true
       where booked.minor is distinct from line.amount_minor or not coalesce(own.moved, false)) as other
     order by position`;
}

/**
 * The same for refunds, whatever for; a surplus is booked under its charge. Another refund of a surplus than ours is not
 * the one in the books. What is for something that is gone, or was refused and is no refund, is nobody's to settle.
 */
export function listOtherRefunds(sql: Sql, { runId, after, until, receivable }: Page): Promise<Compared[]> {
  return sql.many(readCompared)`
    select * from (
      select line.*, booked.minor as booked_minor, outgoing.amount_minor as asked_minor,
             coalesce(outgoing.charge_key, line.charge_key) = line.charge_key as same_charge,
             case when not outgoing.known then null
                  when outgoing.state = 'done' then 'moved'
                  when outgoing.state not in ('refused', 'canceled') then 'open'
                  when outgoing.purpose = 'refund' then 'ended' end as found,
             coalesce(outgoing.known, false)
             and case outgoing.purpose
                      when 'refund' then exists (select from journal where source = line.key and kind = 'refund')
                      when 'surplus' then exists (select from journal
                                                   where source = line.charge_key and kind = 'surplus refund')
                      else true end as whole
        from (select * from reconciliation_line
               where run_id = ${runId} and position > ${after} and position <= ${until} and kind = 'refund') as line
        left join lateral (
          select -(select sum(amount_minor)::bigint from entry
                    where journal_id = journal.id and account = ${receivable}) as minor
            from journal
           where (source = line.key and kind in ('refund executed', 'refund paid late', 'unmatched returned'))
              or (source = line.charge_key and kind = 'refund executed'
                  and not exists (select from outgoing_refund
                                   where subject_id = line.charge_key and purpose = 'surplus' and id <> line.key))
           limit 1) as booked on true
        left join lateral (
          select state, purpose, amount_minor, charge_key,
                 case purpose when 'refund' then exists (select from refund where id = outgoing_refund.id)
                      when 'unallocated' then exists (select from reconciliation_item where id = subject_id)
                      else true end as known
            from outgoing_refund where id = line.key limit 1) as outgoing on true) as compared
     where booked_minor is distinct from amount_minor or found is distinct from 'moved' or not same_charge or not whole
     order by position`;
}

export interface Payout extends Pick<Line, 'key' | 'amountMinor' | 'feeMinor'> {
  /** What is booked for it, with the bank's fee; null: nothing yet. */
  readonly bookedMinor: bigint | null;
  readonly bookedFeeMinor: bigint;
}

/** Payouts of a page that are not booked, or differ from what is booked. `prefix` precedes their keys in the ledger; `fees` is
 * the account of the bank's fees. */
export function listOtherPayouts(
  sql: Sql,
  { runId, after, until, receivable }: Page,
  fees: string,
  prefix: string,
): Promise<Payout[]> {
  return sql.many((row) => ({
    key: readText(row, 'key'),
    amountMinor: readBigint(row, 'amount_minor'),
    feeMinor: readBigint(row, 'fee_minor'),
    bookedMinor: row.booked_minor === null ? null : readBigint(row, 'booked_minor'),
    bookedFeeMinor: readBigint(row, 'booked_fee_minor'),
  }))`
    select line.*, booked.minor as booked_minor, coalesce(booked.fee_minor, 0) as booked_fee_minor
      from (select * from reconciliation_line
             where run_id = ${runId} and position > ${after} and position <= ${until} and kind = 'payout') as line
      left join lateral (
        select -(select sum(amount_minor)::bigint from entry
                  where journal_id = journal.id and account = ${receivable}) as minor,
               (select coalesce(sum(amount_minor), 0)::bigint from entry
                 where journal_id = journal.id and account = ${fees}) as fee_minor
          from journal where source = ${prefix} || line.key and kind = 'payout' limit 1) as booked on true
     where booked.minor is distinct from line.amount_minor + line.fee_minor
        or booked.fee_minor is distinct from line.fee_minor
     order by line.position`;
}

/** Journals by id, after the first (exclusive) up to the second. */
export interface JournalPage {
  readonly runId: string;
  readonly after: string;
  readonly until: string;
  /** The acquirer's account in the ledger. */
  readonly receivable: string;
}

/** The last id of a page of journals; null: there are no more. */
export function findPageEnd(sql: Sql, after: string, until: string, limit: number): Promise<string | null> {
  return sql.one((row) => readTextOrNull(row, 'last'))`
    select max(id) as last
      from (select id from journal where id > ${after} and id <= ${until} order by id limit ${limit}) as page`;
}

/** Journals of a page that moved money at the bank and are not in the statement. Those named before are left out. */
export function listUnconfirmed(sql: Sql, { runId, after, until, receivable }: JournalPage): Promise<Unconfirmed[]> {
  return sql.many((row) => ({
    kind: readText(row, 'kind') as Moved,
    key: readTextOrNull(row, 'key'),
    source: readText(row, 'source'),
    ourMinor: readBigint(row, 'minor'),
  }))`
    with moves as materialized (
      select source, case when kind in ('payment', 'surplus') then 'capture' else 'refund' end as moved,
             (select abs(sum(amount_minor))::bigint from entry
               where journal_id = journal.id and account = ${receivable}) as minor
        from journal
       where id > ${after} and id <= ${until}
         and kind in ('payment', 'surplus', 'refund executed', 'refund paid late', 'unmatched returned')
    )
    select moves.source, moves.moved as kind, moves.minor,
           case when moves.moved = 'capture' then moves.source
                else coalesce((select id from outgoing_refund where id = moves.source),
                              (select id from outgoing_refund
                                where subject_id = moves.source and purpose = 'surplus')) end as key
      from moves
     where minor is not null
       and (select true from reconciliation_line as line
             where line.run_id = ${runId} and line.key = moves.source and line.kind = moves.moved limit 1) is null
       and (moves.moved = 'capture'
            or not exists (select from reconciliation_line as line
                            where line.run_id = ${runId} and line.charge_key = moves.source
                              and not exists (select from outgoing_refund
                                               where subject_id = moves.source and purpose = 'surplus'
                                                 and id <> line.key)))
       and not exists (select from reconciliation_item as item
                        where item.key = moves.source and item.kind = moves.moved)`;
}
