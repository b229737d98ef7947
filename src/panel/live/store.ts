// SQL of live updates: one query for all accounts that somebody of this node looks at. Reads only.

import { type Row, readBigint, readText, type Sql } from '../../database/index.ts';

/** What is compared to notice changes. */
export interface Marks {
  readonly accountId: string;
  /** How many transactions of the last weeks have each status. */
  readonly transactions: string;
  /** How many moves of the last days were summed up. */
  readonly money: string;
  /** Of the last numbered event. */
  readonly position: bigint;
  /** Types of the events after the given position. */
  readonly types: readonly string[];
}

const readMarks = (row: Row): Marks => ({
  accountId: readText(row, 'account_id'),
  transactions: readText(row, 'transactions'),
  money: readText(row, 'money'),
  position: readBigint(row, 'position'),
  types: readText(row, 'types').split(' '),
});

/**
 * The marks of some accounts, each with the types of at most 200 events after a position. `since` bounds what is counted:
 * what is older hardly changes, and then with an event.
 */
export function listMarks(
  sql: Sql,
  accounts: readonly { readonly accountId: string; readonly position: bigint }[],
  since: Temporal.Instant,
  recently: Temporal.PlainDate,
): Promise<Marks[]> {
  return sql.many(readMarks)`
    select wanted.account_id, counted.transactions, moved.money, coalesce(last.position, 0) as position,
           coalesce(news.types, '') as types
      from unnest(${accounts.map(({ accountId }) => accountId)}::text[],
                  ${accounts.map(({ position }) => String(position))}::bigint[]) as wanted (account_id, position)
     cross join lateral (
       select concat_ws(' ', sum(pending), sum(paid), sum(refund), sum(canceled)) as transactions from (
         select pending, paid, refund, canceled from transaction_count
          where merchant_id = wanted.account_id and six_hour_bucket >= ${since}
         union all
         select case status when 'pending' then change else 0 end, case status when 'paid' then change else 0 end,
                case status when 'refund' then change else 0 end, case status when 'canceled' then change else 0 end
           from transaction_count_change where merchant_id = wanted.account_id and six_hour_bucket >= ${since}
       ) as counts) as counted
     cross join lateral (
       select concat_ws(' ', sum(payments), sum(refunds), sum(returned), sum(disputes_minor), sum(other_minor)) as money
         from panel_day where account_id = wanted.account_id and day >= ${recently.toString()}::date) as moved
      left join lateral (
       select position from event_position where account_id = wanted.account_id
        order by position desc limit 1) as last on true
     cross join lateral (
       select string_agg(distinct type, ' ') as types from (
         select event.type
           from (select event_id from event_position
                  where account_id = wanted.account_id and event_position.position > wanted.position
                  order by event_position.position limit 200) as numbered
           join event on event.id = numbered.event_id) as latest) as news`;
}
