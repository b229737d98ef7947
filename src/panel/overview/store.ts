// SQL of the overview: sums by day, counts of transactions, and what needs attention. Reads only.

import { readMessage } from '../../../contract/codes/message.ts';
import { type ParkReason, parkReasons } from '../../../contract/codes/parking.ts';
import {
  type Row,
  readBigint,
  readInstantOrNull,
  readInteger,
  readText,
  readTextOrNull,
  type Sql,
} from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';
import type { SixHourBuckets } from '../../transactions/index.ts';
import type { DayRow } from '../counts/store.ts';
import { panelDayTable } from '../counts/table.ts';
import type { Days } from './rules.ts';

const textOf = (instant: Temporal.Instant) => instant.toString();

/** The days of an account that have moves, in order. Bounded by the period. */
export function listDays(sql: Sql, accountId: AccountId, { from, to }: Days): Promise<DayRow[]> {
  return sql.many(panelDayTable.read)`
    select * from panel_day
     where account_id = ${accountId} and day >= ${from.toString()}::date and day <= ${to.toString()}::date
     order by day`;
}

/** The balance before a day: the sum of all days before it. One row for each day of the account's life. */
export function findOpening(sql: Sql, accountId: AccountId, day: Temporal.PlainDate): Promise<bigint> {
  return sql.one((row) => readBigint(row, 'minor'))`
    select coalesce(sum(payments_minor + payment_fees_minor + refunds_minor + refund_fees_minor + returned_minor +
                        returned_fees_minor + commissions_minor + disputes_minor + other_minor), 0)::bigint as minor
      from panel_day where account_id = ${accountId} and day < ${day.toString()}::date`;
}

/** Transactions by what became of them. */
export interface StatusCounts {
  readonly pending: number;
  readonly paid: number;
  readonly refund: number;
  readonly canceled: number;
}

/**
 * How many transactions were created in a period, by status: whole six-hour buckets from the kept counts, and the rows of
 * the at most two buckets at its ends.
 */
export function countCreated(
  sql: Sql,
  merchantId: AccountId,
  { first, end, edges }: SixHourBuckets,
): Promise<StatusCounts> {
  return sql.one((row) => ({
    pending: readInteger(row, 'pending'),
    paid: readInteger(row, 'paid'),
    refund: readInteger(row, 'refund'),
    canceled: readInteger(row, 'canceled'),
  }))`
    select coalesce(sum(number) filter (where status = 'pending'), 0)::integer as pending,
           coalesce(sum(number) filter (where status = 'paid'), 0)::integer as paid,
           coalesce(sum(number) filter (where status = 'refund'), 0)::integer as refund,
           coalesce(sum(number) filter (where status = 'canceled'), 0)::integer as canceled
      from (
        select counted.status, counted.number
          from transaction_count
         cross join lateral (values ('pending', pending), ('paid', paid), ('refund', refund), ('canceled', canceled))
                 as counted (status, number)
         where merchant_id = ${merchantId} and six_hour_bucket >= ${first}::timestamptz
           and six_hour_bucket < ${end}::timestamptz
        union all
        select status, change from transaction_count_change
         where merchant_id = ${merchantId} and six_hour_bucket >= ${first}::timestamptz
           and six_hour_bucket < ${end}::timestamptz
        union all
        select counted.status, counted.number
          from unnest(${edges.map((edge) => textOf(edge.from))}::timestamptz[],
                      ${edges.map((edge) => textOf(edge.to))}::timestamptz[]) as edge ("from", "to")
         cross join lateral (
           select status, count(*)::integer as number from transaction
            where merchant_id = ${merchantId} and created_at >= edge."from" and created_at < edge."to"
            group by status) as counted
      ) as parts`;
}

export interface AttentionItem {
  readonly kind: string;
  readonly subject: string | null;
  readonly count: number;
  readonly since: Temporal.Instant | null;
  readonly until: Temporal.Instant | null;
  readonly amountMinor: bigint | null;
  /** Of what is parked. */
  readonly why: ParkReason | null;
  /** Of an endpoint: the code of its last fault. */
  readonly error: string | null;
  /** Of a certificate. */
  readonly merchantIdentifier: string | null;
  /** Of a dispute. */
  readonly reason: string | null;
}

const readItem = (row: Row): AttentionItem => ({
  kind: readText(row, 'kind'),
  subject: readTextOrNull(row, 'subject'),
  count: readInteger(row, 'count'),
  since: readInstantOrNull(row, 'since'),
  until: readInstantOrNull(row, 'until'),
  amountMinor: row.amount_minor === null ? null : readBigint(row, 'amount_minor'),
  why: row.parked_why === null ? null : readMessage(parkReasons, row.parked_why, {}),
  error: readTextOrNull(row, 'error'),
  merchantIdentifier: readTextOrNull(row, 'merchant_identifier'),
  reason: readTextOrNull(row, 'reason'),
});

/** Endpoints of the account whose last attempt failed, longest first, at most 20. */
export function listFailingEndpoints(sql: Sql, accountId: AccountId): Promise<AttentionItem[]> {
  return sql.many(readItem)`
    select 'failing_endpoint' as kind, substr(endpoint, char_length(${accountId}::text) + 2) as subject,
           least(failures_in_row, 100) as count, failing_since as since, null::timestamptz as until,
           null::bigint as amount_minor, null as parked_why, last_error as error,
           null as merchant_identifier, null as reason
      from endpoint_health
     where endpoint >= ${accountId}::text || ' ' and endpoint < ${accountId}::text || '!'
     order by failing_since limit 20`;
}

/** Disputes of the account that can still be answered, the first deadline first, at most 20. By their partial index. */
export function listDisputesToAnswer(sql: Sql, accountId: AccountId, now: Temporal.Instant): Promise<AttentionItem[]> {
  return sql.many(readItem)`
    select 'dispute_to_answer' as kind, transaction_id::text as subject, 1 as count, opened_at as since,
           respond_until as until, amount_minor, null as parked_why, null as error, null as merchant_identifier, reason
      from dispute
     where merchant_id = ${accountId} and state = 'opened' and amount_minor > 0 and coalesce(respond_until > ${now}, true)
     order by respond_until, id limit 20`;
}

/** How many notifications of the account are no longer repeated, counted up to 100. */
export function listExhausted(sql: Sql, accountId: AccountId): Promise<AttentionItem[]> {
  return sql.many(readItem)`
    select 'exhausted_notifications' as kind, null as subject, count(*)::integer as count, null::timestamptz as since,
           null::timestamptz as until, null::bigint as amount_minor, null as parked_why, null as error,
           null as merchant_identifier, null as reason
      from (select from delivery where account_id = ${accountId} and status = 'exhausted' limit 100) as found
    having count(*) > 0`;
}

/** Active certificates of the account that end before an instant, first to end first, at most 20. */
export function listExpiring(sql: Sql, accountId: AccountId, before: Temporal.Instant): Promise<AttentionItem[]> {
  return sql.many(readItem)`
    select 'expiring_certificate' as kind, id::text as subject, 1 as count, null::timestamptz as since,
           expires_at as until, null::bigint as amount_minor, null as parked_why, null as error, merchant_identifier, null as reason
      from wallet_certificate
     where merchant_id = ${accountId} and status = 'active' and expires_at < ${before}
     order by expires_at limit 20`;
}

/** How many people who can sign in do so with a password only, counted up to 100. */
export function listWithoutSecondFactor(sql: Sql, accountId: AccountId): Promise<AttentionItem[]> {
  return sql.many(readItem)`
    select 'no_second_factor' as kind, null as subject, count(*)::integer as count, null::timestamptz as since,
           null::timestamptz as until, null::bigint as amount_minor, null as parked_why, null as error,
           null as merchant_identifier, null as reason
      from (select from person
             where account_id = ${accountId} and blocked_at is null and password_hash is not null
               and totp_sealed is null and not exists (select from passkey where user_id = person.id)
             limit 100) as found
    having count(*) > 0`;
}

/**
 * What waits for the operator, oldest first, at most 50. From the partial indexes of what is parked, which are nearly
 * always empty.
 */
export function listParkedOf(sql: Sql, accountId: AccountId): Promise<AttentionItem[]> {
  return sql.many(readItem)`
    select kind, subject, 1 as count, since, null::timestamptz as until, amount_minor, parked_why, null as error,
           null as merchant_identifier, null as reason
      from (
      select case purpose when 'payment' then 'parked_payment' else 'parked_charge' end as kind,
             transaction_id::text as subject, parked_at as since, amount_minor, parked_why
        from charge where parked_at is not null and merchant_id = ${accountId}
      union all
      select 'parked_surplus', charge.transaction_id, surplus.parked_at, surplus.amount_minor, surplus.parked_why
        from outgoing_refund as surplus join charge on charge.id = surplus.subject_id
       where surplus.purpose = 'surplus' and surplus.parked_at is not null and surplus.merchant_id = ${accountId}
      union all
      select case outgoing.parked_why when 'came_back' then 'refund_came_back' else 'parked_refund' end, refund.transaction_id, outgoing.parked_at, refund.amount_minor, outgoing.parked_why
        from outgoing_refund as outgoing join refund on refund.id = outgoing.id
       where outgoing.parked_at is not null and outgoing.merchant_id = ${accountId}
    ) as parked
    order by since limit 50`;
}
