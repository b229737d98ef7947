// SQL that checks parts against payments, refunds and the ledger; read-only, full table scans; for `grosz verify` and
// tests.

import { type Finding, findings } from '../../../contract/codes/findings.ts';
import { messageReader, type Sql } from '../../database/index.ts';

const read = messageReader(findings);

/** Transactions whose parts do not sum up to them, and refunds whose parts do not; at most `limit` of each. */
export async function listWrongParts(sql: Sql, limit: number): Promise<Finding[]> {
  return [
    ...(await sql.many(read)`
      select 'parts_differ_from_transaction' as code,
             jsonb_build_object('id', transaction.id, 'amount', amount_minor, 'parts', coalesce(parts.minor, 0)) as parameters
        from transaction
        left join lateral (
          select sum(part.amount_minor) as minor from transaction_part as part where part.transaction_id = transaction.id) as parts on true
       where origin = 'marketplace' and parts.minor is distinct from amount_minor order by transaction.id limit ${limit}`),
    ...(await sql.many(read)`
      select 'parts_differ_from_refund' as code,
             jsonb_build_object('id', refund.id, 'amount', refund.amount_minor, 'fee', refund.fee_minor,
                                'parts', coalesce(parts.minor, 0), 'partFees', coalesce(parts.fee, 0)) as parameters
        from refund
        join transaction on transaction.id = refund.transaction_id and transaction.origin = 'marketplace'
        left join lateral (
          select sum(part.amount_minor) as minor, sum(part.fee_minor) as fee from refund_part as part where part.refund_id = refund.id) as parts on true
       where parts.minor is distinct from refund.amount_minor or parts.fee is distinct from refund.fee_minor
       order by refund.id limit ${limit}`),
  ];
}

/** Totals of parts and lines that differ from the refunds that count; at most `limit` of each. */
export async function listWrongPartTotals(sql: Sql, limit: number): Promise<Finding[]> {
  return [
    ...(await sql.many(read)`
      with sums as (
        select part.part_id,
               coalesce(sum(part.amount_minor) filter (where refund.canceled_by is null), 0) as minor,
               coalesce(sum(part.commission_minor) filter (where refund.canceled_by is null), 0) as commission,
               coalesce(sum(part.products_minor) filter (where refund.canceled_by is null), 0) as products,
               coalesce(sum(part.amount_minor) filter (where refund.paid_late_at is not null), 0) as late
          from refund_part as part join refund on refund.id = part.refund_id group by 1
      )
      select 'part_total_wrong' as code,
             jsonb_build_object('partId', coalesce(sums.part_id, total.part_id), 'total', total.refunded_minor,
                                'refunds', sums.minor) as parameters
        from sums full join part_refund_total as total on total.part_id = sums.part_id
       where total.refunded_minor is distinct from sums.minor or total.commission_returned_minor is distinct from sums.commission
          or total.products_refunded_minor is distinct from sums.products or total.paid_late_minor is distinct from sums.late
       order by coalesce(sums.part_id, total.part_id) limit ${limit}`),
    ...(await sql.many(read)`
      with sums as (
        select part.part_id, (line ->> 'line')::integer as line,
               coalesce(sum((line ->> 'quantity')::bigint) filter (where refund.canceled_by is null), 0) as quantity,
               coalesce(sum((line ->> 'quantity')::numeric * (line ->> 'unitPriceMinor')::numeric) filter (where refund.canceled_by is null), 0) as value
          from refund_part as part join refund on refund.id = part.refund_id
         cross join lateral jsonb_array_elements(part.lines::jsonb) as line group by 1, 2
      )
      select 'product_total_wrong' as code,
             jsonb_build_object('partId', coalesce(sums.part_id, total.part_id), 'line', coalesce(sums.line, total.line),
                                'total', total.refunded, 'refunds', sums.quantity) as parameters
        from sums full join line_refund_total as total on total.part_id = sums.part_id and total.line = sums.line
       where total.refunded is distinct from sums.quantity or total.refunded_value is distinct from sums.value
       order by coalesce(sums.part_id, total.part_id), coalesce(sums.line, total.line) limit ${limit}`),
  ];
}

/**
 * Products whose totals allow more than was sold, and parts whose totals allow more than their products are worth; at
 * most `limit` of each.
 */
export async function listWrongProductLimits(sql: Sql, limit: number): Promise<Finding[]> {
  return [
    ...(await sql.many(read)`
      -- The products of a part are read once, not for each of its lines.
      with sold as materialized (
        select part.id as part_id, listed.line::integer as line, (listed.product ->> 'quantity')::bigint as quantity,
               (listed.product ->> 'unitPriceMinor')::bigint as unit_price_minor
          from transaction_part as part
         cross join lateral jsonb_array_elements(part.products::jsonb) with ordinality as listed (product, line)
         where part.id in (select part_id from line_refund_total)
      )
      select 'product_limit_wrong' as code,
             jsonb_build_object('partId', total.part_id, 'line', total.line, 'quantity', total.quantity,
                                'unitPrice', total.unit_price_minor, 'sold', sold.quantity,
                                'soldAt', sold.unit_price_minor) as parameters
        from line_refund_total as total
        left join sold on sold.part_id = total.part_id and sold.line = total.line
       where total.quantity is distinct from sold.quantity or total.unit_price_minor is distinct from sold.unit_price_minor
       order by total.part_id, total.line limit ${limit}`),
    ...(await sql.many(read)`
      with limits as (
        select total.part_id, total.products_limit_minor, least(part.amount_minor, products.worth) as worth
          from part_refund_total as total
          join transaction_part as part on part.id = total.part_id
         cross join lateral (
           select coalesce(div(sum((product ->> 'quantity')::numeric * (product ->> 'unitPriceMinor')::numeric) * 2 + 1000000, 2000000), 0)
             from jsonb_array_elements(part.products::jsonb) as product) as products (worth)
      )
      select 'products_limit_wrong' as code,
             jsonb_build_object('partId', part_id, 'worth', worth, 'limit', products_limit_minor) as parameters
        from limits where products_limit_minor <> worth order by part_id limit ${limit}`),
  ];
}

/** Sellers and partners whose entries of a payment or refund are not what its parts say; at most `limit`. */
export function listMisbookedShares(sql: Sql, limit: number): Promise<Finding[]> {
  return sql.many(read)`
    with shares as (
      select attempt.id as source, 'payment' as kind, part.merchant_id, part.fee_minor + part.commission_minor - part.amount_minor as minor
        from charge as attempt join transaction_part as part on part.transaction_id = attempt.transaction_id
       where attempt.state = 'correct'
      union all
      select attempt.id, 'payment', attempt.merchant_id, -part.commission_minor
        from charge as attempt join transaction_part as part on part.transaction_id = attempt.transaction_id
       where attempt.state = 'correct'
      union all
      select refund.id, kind, moved.merchant_id, case kind when 'refund' then moved.minor else -moved.minor end
        from refund_part as part join refund on refund.id = part.refund_id
       cross join lateral (values (part.merchant_id, part.amount_minor + part.fee_minor - part.commission_minor),
                                  (refund.merchant_id, part.commission_minor)) as moved (merchant_id, minor)
       cross join lateral (select unnest(case when refund.canceled_by is null then array['refund'] else array['refund', 'refund returned'] end)) as kinds (kind)
    ), expected as (
      select source, kind, 'merchant:' || merchant_id || ':available' as account, sum(minor) as minor from shares group by 1, 2, 3
    ), booked as (
      select journal.source, journal.kind, entry.account, sum(entry.amount_minor) as minor
        from journal join entry on entry.journal_id = journal.id
       where (journal.source, journal.kind) in (select source, kind from expected) and entry.account like 'merchant:%'
       group by 1, 2, 3
    )
    select 'share_misbooked' as code,
           jsonb_build_object('kind', coalesce(expected.kind, booked.kind), 'source', coalesce(expected.source, booked.source),
                              'account', coalesce(expected.account, booked.account),
                              'booked', coalesce(booked.minor, 0), 'expected', coalesce(expected.minor, 0)) as parameters
      from expected full join booked
        on booked.source = expected.source and booked.kind = expected.kind and booked.account = expected.account
     where coalesce(booked.minor, 0) <> coalesce(expected.minor, 0)
     order by coalesce(expected.kind, booked.kind), coalesce(expected.source, booked.source),
              coalesce(expected.account, booked.account) limit ${limit}`;
}
