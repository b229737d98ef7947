// SQL of the kept sums. Owns: panel_move, panel_day, panel_zone.

import type { findings } from '../../../contract/codes/findings.ts';
import type { ParametersOf } from '../../../contract/codes/message.ts';
import {
  given,
  type Page,
  type Row,
  type RowOf,
  readBigint,
  readInstant,
  readInstantOrNull,
  readInteger,
  readText,
  type Sql,
  SqlText,
} from '../../database/index.ts';
import { knownId } from '../../kernel/index.ts';
import type { Waiting } from '../../runtime/index.ts';
import { panelDayTable, sumFields } from './table.ts';

/** How far the chain goes, within the next `atMost` seals. */
export function findSealedTo(sql: Sql, after: bigint, atMost: number): Promise<bigint> {
  return sql.one((row) => readBigint(row, 'position'))`
    select coalesce(max(position), ${after}::bigint) as position
      from (select position from journal_seal where position > ${after} order by position limit ${atMost}) as next`;
}

export type DayRow = RowOf<typeof panelDayTable>;

const readSumFields = sumFields.reader('', '');

/** How many sealed journals were not read yet, and when the first of them was posted. */
export function findUnread(sql: Sql): Promise<Waiting> {
  return sql.one((row) => ({ due: readInteger(row, 'due'), oldestAt: readInstantOrNull(row, 'oldest_at') }))`
    select (coalesce((select max(position) from journal_seal), 0) - progress.position)::integer as due,
           (select journal.posted_at from journal_seal as seal join journal on journal.id = seal.journal_id
             where seal.position = progress.position + 1) as oldest_at
      from panel_progress as progress where reader = 'journals'`;
}

/** Sums of the moves of one account within a quarter of an hour: time zones differ by whole quarters. */
export interface QuarterSums extends Omit<DayRow, 'day'> {
  readonly zone: string;
  readonly quarter: Temporal.Instant;
}

const readSums = (row: Row): QuarterSums => ({
  ...readSumFields(row),
  accountId: knownId(readText(row, 'account_id')),
  zone: readText(row, 'zone'),
  quarter: readInstant(row, 'quarter'),
});

/** Sums of lines, each with its signed amounts and the volume, which is always positive. */
const sums = new SqlText(`
  count(*) filter (where line.kind = 'payment')::integer as payments,
  coalesce(sum(line.amount_minor) filter (where line.kind = 'payment'), 0)::bigint as payments_minor,
  coalesce(sum(line.fee_minor) filter (where line.kind = 'payment'), 0)::bigint as payment_fees_minor,
  count(*) filter (where line.kind = 'refund')::integer as refunds,
  coalesce(sum(line.amount_minor) filter (where line.kind = 'refund'), 0)::bigint as refunds_minor,
  coalesce(sum(line.fee_minor) filter (where line.kind = 'refund'), 0)::bigint as refund_fees_minor,
  count(*) filter (where line.kind = 'refund_returned')::integer as returned,
  coalesce(sum(line.amount_minor) filter (where line.kind = 'refund_returned'), 0)::bigint as returned_minor,
  coalesce(sum(line.fee_minor) filter (where line.kind = 'refund_returned'), 0)::bigint as returned_fees_minor,
  sum(line.commission_minor)::bigint as commissions_minor,
  coalesce(sum(line.amount_minor) filter (where line.kind in ('dispute', 'dispute_returned')), 0)::bigint as disputes_minor,
  sum(line.other_minor)::bigint as other_minor,
  coalesce(sum(line.volume_minor) filter (where line.kind = 'payment'), 0)::bigint as payments_volume_minor,
  coalesce(sum(line.volume_minor) filter (where line.kind = 'refund'), 0)::bigint as refunds_volume_minor,
  coalesce(sum(line.volume_minor) filter (where line.kind = 'refund_returned'), 0)::bigint as returned_volume_minor`);

/**
 * What the journals mean for each merchant. Payments and refunds are read with what they consist of, because an
 * entry of the ledger has only the difference of amount, fee and commission; a fee may even leave no entry. A partner's
 * line has its commission, and the volume of the whole payment. A dispute is a line of everybody who bears it, with all of that
 * as its volume, also if the balance covered none of it.
 *
 * Rows of payments and entries are read by arrays of keys, one pass through an index each, and joined by hash. The
 * planner expects ten keys in any such array, also while the tables are empty; with a condition on the journals that are
 * joined it would expect one, and would compare each with each.
 */
const linesOfJournals = new SqlText(`
  attempts as materialized (
    select id, merchant_id, transaction_id, amount_minor from charge
     where id = any (array (select attempt_id from journals))
  ), fees as materialized (
    select journal_id, sum(amount_minor) filter (where account = 'income:processing_fee') as minor
      from entry
     where journal_id = any (array (select id from journals where kind = 'payment'))
     group by journal_id
  ), parts as materialized (
    select transaction_id, merchant_id, amount_minor, fee_minor, commission_minor from transaction_part
     where transaction_id = any (array (select transaction_id from attempts))
  ), paid as materialized (
    select journals.id, journals.posted_at, attempts.merchant_id, attempts.transaction_id, attempts.amount_minor,
           coalesce(fees.minor, 0)::bigint as fee_minor,
           attempts.transaction_id in (select transaction_id from parts) as split
      from journals
      join attempts on attempts.id = journals.attempt_id
      left join fees on fees.journal_id = journals.id
  ), late as materialized (
    -- What came back after it was paid late is the payer's.
    select journal_id from entry
     where journal_id = any (array (select id from journals where kind = 'refund came back')) and account = 'payer:unallocated'
  ), refunded as materialized (
    select journals.id, journals.posted_at, case journals.kind when 'refund' then 'refund' else 'refund_returned' end as kind,
           refund.merchant_id,
           refund.transaction_id, refund.id as refund_id, refund.amount_minor, refund.fee_minor,
           case journals.kind when 'refund' then -1 else 1 end as sign,
           exists (select from refund_part where refund_part.refund_id = refund.id) as split
      from journals join refund on refund.id = journals.source
     where journals.kind in ('refund', 'refund returned', 'refund came back')
       and journals.id not in (select journal_id from late)
  ), other_entries as materialized (
    select journal_id, account, amount_minor from entry
     where journal_id = any (array (select id from journals where kind not in ('payment', 'refund', 'refund returned', 'refund came back')))
  ), disputed as materialized (
    select step.id as step_id, dispute.transaction_id
      from dispute_step as step join dispute on dispute.id = step.dispute_id
     where step.id = any (array (select source from journals where kind in ('dispute', 'dispute returned')))
  ), parts_of_lines as (
    select part.merchant_id as account_id, paid.id as journal_id, paid.posted_at, 'payment' as kind,
           paid.transaction_id, part.amount_minor, -part.fee_minor as fee_minor,
           -part.commission_minor as commission_minor, 0 as other_minor, part.amount_minor as volume_minor
      from paid join parts as part on part.transaction_id = paid.transaction_id
    union all
    select paid.merchant_id, paid.id, paid.posted_at, 'payment', paid.transaction_id, 0, 0,
           (select sum(commission_minor) from transaction_part as part where part.transaction_id = paid.transaction_id),
           0, paid.amount_minor
      from paid where paid.split
    union all
    select merchant_id, id, posted_at, kind, transaction_id, sign * amount_minor, sign * fee_minor, 0, 0, amount_minor
      from refunded where not split
    union all
    select part.merchant_id, refunded.id, refunded.posted_at, refunded.kind, refunded.transaction_id,
           refunded.sign * part.amount_minor, refunded.sign * part.fee_minor, -refunded.sign * part.commission_minor, 0,
           part.amount_minor
      from refunded join refund_part as part on part.refund_id = refunded.refund_id where refunded.split
    union all
    select merchant_id, id, posted_at, kind, transaction_id, 0, 0,
           sign * (select sum(commission_minor) from refund_part as part where part.refund_id = refunded.refund_id), 0,
           amount_minor
      from refunded where split
    union all
    select split_part(entry.account, ':', 2), journals.id, journals.posted_at,
           case when journals.kind in ('opening', 'dispute') then journals.kind
                when journals.kind = 'dispute returned' then 'dispute_returned' else 'other' end,
           disputed.transaction_id,
           case when disputed.step_id is null or entry.account like '%:owed' then 0 else -entry.amount_minor end, 0, 0,
           case when disputed.step_id is null then -entry.amount_minor else 0 end,
           case when disputed.step_id is null then 0 else abs(entry.amount_minor) end
      from journals join other_entries as entry on entry.journal_id = journals.id
      left join disputed on disputed.step_id = journals.source
     where entry.account like 'merchant:%:available' or disputed.step_id is not null and entry.account like 'merchant:%:owed'
  ), lines as materialized (
    select merchant_id as account_id, id as journal_id, posted_at, 'payment' as kind, transaction_id, amount_minor,
           fee_minor, 0::bigint as commission_minor, 0::bigint as other_minor, amount_minor as volume_minor
      from paid where not split
    union all
    select account_id, journal_id, posted_at, kind, transaction_id, sum(amount_minor)::bigint, sum(fee_minor)::bigint,
           sum(commission_minor)::bigint, sum(other_minor)::bigint, sum(volume_minor)::bigint
      from parts_of_lines group by account_id, journal_id, posted_at, kind, transaction_id
  )`);

/**
 * Adds the moves of the journals that were sealed after one position up to another, and returns their sums. Only under
 * the lock of the progress.
 */
export function insertMoves(sql: Sql, after: bigint, to: bigint): Promise<QuarterSums[]> {
  return sql.many(readSums)`
    with seals as materialized (
      select journal_id, position from journal_seal where position > ${after} and position <= ${to}
    ), journals as materialized (
      select id, source, kind, posted_at, case kind when 'payment' then source end as attempt_id from journal
       where id = any (array (select journal_id from seals))
    ), ${linesOfJournals}, moved as (
      insert into panel_move (account_id, posted_at, journal_id, position, kind, transaction_id, amount_minor, fee_minor,
                              commission_minor, other_minor, volume_minor)
      select account_id, posted_at, lines.journal_id, seals.position, kind, transaction_id, amount_minor, fee_minor,
             commission_minor, other_minor, volume_minor
        from lines join seals on seals.journal_id = lines.journal_id
       order by account_id, posted_at, lines.journal_id
    ), zones as (
      insert into panel_zone (account_id, zone)
      select id, zone from account where id in (select account_id from lines)
      on conflict do nothing
    )
    select summed.*, coalesce((select zone from panel_zone where panel_zone.account_id = summed.account_id),
                              (select zone from account where account.id = summed.account_id)) as zone
      from (select line.account_id, date_bin('15 minutes', line.posted_at, timestamptz '1970-01-01 00:00Z') as quarter,
                   ${sums}
              from lines as line
             group by 1, 2) as summed`;
}

/** The next account whose days are summed in another time zone than its own; only of those that ever changed it. */
export function findZoneChange(sql: Sql): Promise<string | undefined> {
  return sql.maybeOne((row) => readText(row, 'id'))`
    select account.id from account join panel_zone on panel_zone.account_id = account.id
     where account.zone_changed and account.zone <> panel_zone.zone
     order by account.id limit 1`;
}

/**
 * Forgets the days of an account and returns the sums to make them from, in its present time zone. Only under the lock of
 * the progress.
 */
export async function resetDays(sql: Sql, accountId: string): Promise<QuarterSums[]> {
  await sql.run`delete from panel_day where account_id = ${accountId}`;
  return sql.many(readSums)`
    with changed as (
      update panel_zone set zone = account.zone from account
       where panel_zone.account_id = ${accountId} and account.id = panel_zone.account_id
      returning panel_zone.account_id, panel_zone.zone
    )
    select line.account_id, changed.zone, date_bin('15 minutes', line.posted_at, timestamptz '1970-01-01 00:00Z') as quarter,
           ${sums}
      from panel_move as line join changed on changed.account_id = line.account_id
     where line.account_id = ${accountId}
     group by 1, 2, 3`;
}

/** Adds sums to the days of accounts, in key order. Only under the lock of the progress. */
export async function addToDays(sql: Sql, days: readonly DayRow[]): Promise<void> {
  await sql.run`
    insert into panel_day as kept (${panelDayTable.names})
    select ${panelDayTable.names} from ${given(days.map(panelDayTable.flat), panelDayTable.types())}
     order by account_id, day
    on conflict (account_id, day) do update set
      payments = kept.payments + excluded.payments,
      payments_minor = kept.payments_minor + excluded.payments_minor,
      payment_fees_minor = kept.payment_fees_minor + excluded.payment_fees_minor,
      refunds = kept.refunds + excluded.refunds,
      refunds_minor = kept.refunds_minor + excluded.refunds_minor,
      refund_fees_minor = kept.refund_fees_minor + excluded.refund_fees_minor,
      returned = kept.returned + excluded.returned,
      returned_minor = kept.returned_minor + excluded.returned_minor,
      returned_fees_minor = kept.returned_fees_minor + excluded.returned_fees_minor,
      commissions_minor = kept.commissions_minor + excluded.commissions_minor,
      disputes_minor = kept.disputes_minor + excluded.disputes_minor,
      other_minor = kept.other_minor + excluded.other_minor,
      payments_volume_minor = kept.payments_volume_minor + excluded.payments_volume_minor,
      refunds_volume_minor = kept.refunds_volume_minor + excluded.refunds_volume_minor,
      returned_volume_minor = kept.returned_volume_minor + excluded.returned_volume_minor`;
}

/** Accounts whose sums differ from the entries of the journals that were read, at most `limit`. Reads every entry. */
export function listMissummed(sql: Sql, limit: number): Promise<ParametersOf<typeof findings.sums_wrong>[]> {
  return sql.many((row) => ({
    accountId: readText(row, 'account_id'),
    byDay: readText(row, 'by_day'),
    byMove: readText(row, 'by_move'),
    entries: readText(row, 'entries'),
  }))`
    with booked as (
      select split_part(entry.account, ':', 2) as account_id, -sum(entry.amount_minor) as minor
        from entry
        join journal_seal on journal_seal.journal_id = entry.journal_id
       where entry.account like 'merchant:%:available'
         and journal_seal.position <= (select position from panel_progress where reader = 'journals')
       group by 1
    ), days as (
      select account_id, sum(payments_minor + payment_fees_minor + refunds_minor + refund_fees_minor + returned_minor +
                             returned_fees_minor + commissions_minor + disputes_minor + other_minor) as minor
        from panel_day group by 1
    ), moves as (
      select account_id, sum(amount_minor + fee_minor + commission_minor + other_minor) as minor from panel_move group by 1
    )
    select coalesce(days.account_id, moves.account_id, booked.account_id) as account_id,
           coalesce(days.minor, 0)::text as by_day, coalesce(moves.minor, 0)::text as by_move,
           coalesce(booked.minor, 0)::text as entries
      from booked
      full join days on days.account_id = booked.account_id
      full join moves on moves.account_id = coalesce(days.account_id, booked.account_id)
     where coalesce(days.minor, 0) <> coalesce(booked.minor, 0) or coalesce(moves.minor, 0) <> coalesce(booked.minor, 0)
     order by 1 limit ${limit}`;
}

/** Accounts that have days or moves, with how many days. */
export function listCounted(sql: Sql): Promise<{ accountId: string; days: number }[]> {
  return sql.many((row) => ({ accountId: readText(row, 'account_id'), days: readInteger(row, 'days') }))`
    select account_id, count(day)::integer as days
      from (select account_id, day from panel_day union all select account_id, null from panel_zone) as counted
     group by account_id order by account_id`;
}

/** The days of some accounts, and the sums of their moves by quarter, both of one moment. */
export async function listDays(
  sql: Sql,
  accountIds: readonly string[],
): Promise<{ days: DayRow[]; quarters: QuarterSums[] }> {
  const rows = await sql.many((row) =>
    row.zone === null ? { days: [panelDayTable.read(row)], quarters: [] } : { days: [], quarters: [readSums(row)] },
  )`
    select account_id, null as zone, null::timestamptz as quarter, day, payments, payments_minor, payment_fees_minor, refunds,
           refunds_minor, refund_fees_minor, returned, returned_minor, returned_fees_minor, commissions_minor,
           disputes_minor, other_minor, payments_volume_minor, refunds_volume_minor, returned_volume_minor
      from panel_day where account_id = any(${accountIds}::text[])
    union all
    select line.account_id, panel_zone.zone, date_bin('15 minutes', line.posted_at, timestamptz '1970-01-01 00:00Z'), null::date, ${sums}
      from panel_move as line join panel_zone on panel_zone.account_id = line.account_id
     where line.account_id = any(${accountIds}::text[])
     group by 1, 2, 3`;
  return { days: rows.flatMap(({ days }) => days), quarters: rows.flatMap(({ quarters }) => quarters) };
}

/**
 * Moves of a page of journals that are not what the journals mean, among those that were read. Each is found by its primary
 * key.
 */
export function listMisreadMoves(sql: Sql, page: Page): Promise<ParametersOf<typeof findings.move_wrong>[]> {
  return sql.many(readMoveKey)`
    with journals as materialized (
      select id, source, kind, posted_at, case kind when 'payment' then source end as attempt_id from journal
       where ${page.of('journal.id')} and exists (
         select from journal_seal
          where journal_id = journal.id and position <= (select position from panel_progress where reader = 'journals'))
    ), ${linesOfJournals}
    select line.account_id, line.journal_id
      from lines as line
      left join panel_move as move
             on move.account_id = line.account_id and move.posted_at = line.posted_at and move.journal_id = line.journal_id
      join journal_seal as seal on seal.journal_id = line.journal_id
     where (move.position, move.kind, move.transaction_id, move.amount_minor, move.fee_minor, move.commission_minor, move.other_minor, move.volume_minor)
           is distinct from
           (seal.position, line.kind, line.transaction_id, line.amount_minor, line.fee_minor, line.commission_minor, line.other_minor, line.volume_minor)
     order by 1, 2`;
}

/** Moves without their journal, at most `limit`. Reads every move. */
export function listMovesAlone(sql: Sql, limit: number): Promise<ParametersOf<typeof findings.move_wrong>[]> {
  return sql.many(readMoveKey)`
    select move.account_id, move.journal_id
      from panel_move as move left join journal on journal.id = move.journal_id
     where journal.posted_at is distinct from move.posted_at
     order by move.account_id, move.journal_id limit ${limit}`;
}

function readMoveKey(row: Row): ParametersOf<typeof findings.move_wrong> {
  return { accountId: readText(row, 'account_id'), journalId: readText(row, 'journal_id') };
}
