// SQL of the check of settlements. Reads only.

import { type Finding, findings } from '../../../contract/codes/findings.ts';
import { messageReader, type Page, readText, type Since, type Sql } from '../../database/index.ts';

export function listSettlementsSince(sql: Sql, { id }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`select id from settlement where id > ${id}`;
}

/** Payouts that were made since, and those that are open. */
export function listPayoutsSince(sql: Sql, { id }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from payout where id > ${id}
    union select id from payout where state in ('created', 'approved', 'sent')`;
}

export function listAccountsSince(sql: Sql, { id }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'account_id'))`select distinct account_id from settlement where id > ${id}`;
}

/**
 * Settlements of a page that do not begin where the one before them ended, do not come to what their lines come to, or do not
 * end with the journal of their payout. Reads each of their lines once, in the index of their positions.
 */
export function listWrongSettlements(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with these as materialized (
      select * from settlement where ${page.of('settlement.id')}
    ), compared as (
      select these.id,
             case when these.number = 1 then these.after_position = 0 and these.opening_minor = 0
                  else (before.until_position, before.closing_minor) is not distinct from
                       (these.after_position, these.opening_minor) end as continues,
             (summed.lines, summed.amount, summed.fee, summed.commission, summed.other, summed.first_at, summed.last_at)
               is not distinct from
             (these.lines, these.amount_minor, these.fee_minor, these.commission_minor, these.other_minor, these.first_at,
              these.last_at) as agrees,
             these.payout_id is null or these.payout_id = summed.last_source as explains
        from these
        left join settlement as before on before.account_id = these.account_id and before.number = these.number - 1
        cross join lateral (
          select count(*)::integer as lines, sum(amount_minor)::bigint as amount, sum(fee_minor)::bigint as fee,
                 sum(commission_minor)::bigint as commission, sum(other_minor)::bigint as other,
                 min(move.posted_at) as first_at, max(move.posted_at) as last_at,
                 (select source from journal_seal as seal join journal on journal.id = seal.journal_id
                   where seal.position = max(move.position) and seal.position = these.until_position) as last_source
            from panel_move as move
           where move.account_id = these.account_id
             and move.position > these.after_position and move.position <= these.until_position) as summed
    )
    select 'settlement_gap' as code, jsonb_build_object('id', id) as parameters from compared where not continues
    union all
    select 'settlement_differs', jsonb_build_object('id', id) from compared where agrees is not true
    union all
    select 'settlement_without_payout', jsonb_build_object('id', id) from compared where explains is not true
     order by 1, 2`;
}

/** Accounts of a page whose last settlement is not where the next one would begin. */
export function listWrongEnds(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with last as materialized (
      select * from settlement_last where ${page.of('settlement_last.account_id')}
    ), newest as materialized (
      select distinct on (account_id) account_id, number, until_position, closing_minor, created_at from settlement
       where ${page.of('settlement.account_id')} order by account_id, number desc
    )
    select 'settlement_end_differs' as code,
           jsonb_build_object('accountId', coalesce(last.account_id, newest.account_id)) as parameters
      from last full join newest on newest.account_id = last.account_id
     where (last.number, last.until_position, last.closing_minor, last.created_at)
           is distinct from (newest.number, newest.until_position, newest.closing_minor, newest.created_at)
     order by 2`;
}

/** Payouts that have waited for their settlement since before a moment, at most `limit`. */
export function listOverdue(sql: Sql, before: Temporal.Instant, limit: number): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    select 'settlement_overdue' as code, jsonb_build_object('payoutId', payout_id) as parameters
      from settlement_wanted where created_at < ${before} order by payout_id limit ${limit}`;
}

/** Payouts of a page that have no settlement and do not wait for one. */
export function listMissing(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    select 'settlement_missing' as code, jsonb_build_object('payoutId', payout.id) as parameters
      from payout
     where ${page.of('payout.id')}
       and not exists (select from settlement where settlement.payout_id = payout.id)
       and not exists (select from settlement_wanted where settlement_wanted.payout_id = payout.id)
     order by payout.id`;
}

/**
 * Accounts of a page with a line from before the month up to which all are settled. In some zones the month begins later, so
 * this asks for the first place on earth; and an account that had another settlement in the month before has none for the month.
 */
export function listWithoutMonth(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    select 'settlement_month_missing' as code,
           jsonb_build_object('accountId', account.id, 'month', to_char(pass.month, 'YYYY-MM-DD')) as parameters
      from settlement_month as pass
     cross join lateral (select (pass.month - interval '1 month')::timestamp at time zone 'Etc/GMT-14' as month_before,
                                pass.month::timestamp at time zone 'Etc/GMT-14' as begins) as moments
      join account on ${page.of('account.id')}
      left join settlement_last as last on last.account_id = account.id
      left join settlement on settlement.account_id = last.account_id and settlement.number = last.number
     where pass.after_id is null and pass.month > pass.first_month
       and (settlement.created_at >= moments.month_before and settlement.reason <> 'month') is not true
       and not exists (select from settlement_wanted as wanted where wanted.account_id = account.id)
       and (select move.posted_at from panel_move as move
             where move.account_id = account.id and move.position > coalesce(last.until_position, 0)
             order by move.position limit 1) < moments.begins
     order by account.id`;
}

/** The month up to which all are settled, if it has not begun anywhere. */
export function listAhead(sql: Sql, now: Temporal.Instant): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    select 'settlement_month_ahead' as code, jsonb_build_object('month', to_char(month, 'YYYY-MM-DD')) as parameters
      from settlement_month where month::timestamp at time zone 'Etc/GMT-14' > ${now}`;
}
