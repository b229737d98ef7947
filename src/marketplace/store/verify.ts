// SQL that checks parts against payments and refunds; read-only, a page at a time; for `grosz verify` and tests. That they
// are booked is checked with the payments and refunds.

import { type Finding, findings } from '../../../contract/codes/findings.ts';
import { messageReader, type Page, readText, type Since, type Sql } from '../../database/index.ts';

const read = messageReader(findings);

/** Marketplace transactions that were made since, and those whose money was moved since. */
export function listSplitSince(sql: Sql, { id, sources }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select transaction_id as id from transaction_part where id > ${id}
    union select transaction_id from transaction_part
           where transaction_id in (select transaction_id from charge where id = any(${sources}::text[]))
    union select transaction_id from refund where id = any(${sources}::text[])
    union select transaction_id from transaction_part where id = any(${sources}::text[])`;
}

/** Parts whose refunds were made or moved since. */
export function listRefundedPartsSince(sql: Sql, { id, sources }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select part_id as id from refund_part where refund_id > ${id}
    union select part_id from refund_part where refund_id = any(${sources}::text[])`;
}

/** Transactions of a page whose parts do not sum up to them, and refunds of those parts that do not. */
export async function listWrongParts(sql: Sql, page: Page): Promise<Finding[]> {
  return [
    ...(await sql.many(read)`
      select 'parts_differ_from_transaction' as code,
             jsonb_build_object('id', transaction.id, 'amount', amount_minor, 'parts', coalesce(parts.minor, 0)) as parameters
        from transaction
        left join (select transaction_id, sum(amount_minor) as minor from transaction_part
                    where ${page.of('transaction_id')} group by transaction_id) as parts on parts.transaction_id = transaction.id
       where ${page.of('transaction.id')}
         and (origin = 'marketplace' and parts.minor is distinct from amount_minor
              or origin <> 'marketplace' and parts.minor is not null) order by transaction.id`),
    ...(await sql.many(read)`
      select 'part_alone' as code, jsonb_build_object('partId', part.id) as parameters
        from transaction_part as part
        left join transaction on transaction.id = part.transaction_id and ${page.of('transaction.id')}
       where ${page.of('part.transaction_id')} and transaction.id is null order by part.id`),
    ...(await sql.many(read)`
      select 'fee_differs_from_price' as code, jsonb_build_object('id', part.id) as parameters
        from transaction_part as part left join price on price.id = part.price_id and price.kind = 'payment'
       where ${page.of('part.transaction_id')} and (part.price_id is not null or part.fee_minor > 0)
         and (price.id is null or part.fee_minor <> price_fee(price.basis_points, price.fixed_minor, price.minimum_minor,
                                                              price.maximum_minor, part.amount_minor))
       order by part.id`),
    ...(await sql.many(read)`
      select 'parts_differ_from_refund' as code,
             jsonb_build_object('id', refund.id, 'amount', refund.amount_minor, 'fee', refund.fee_minor,
                                'parts', coalesce(parts.minor, 0), 'partFees', coalesce(parts.fee, 0)) as parameters
        from refund
        join transaction on transaction.id = refund.transaction_id and transaction.origin = 'marketplace'
        left join lateral (
          select sum(part.amount_minor) as minor, sum(part.fee_minor) as fee,
                 bool_and(own.transaction_id is not distinct from refund.transaction_id and own.merchant_id = part.merchant_id
                          and (part.lines <> '[]' or part.products_minor = 0)) as own
            from refund_part as part left join transaction_part as own on own.id = part.part_id
           where part.refund_id = refund.id) as parts on true
       where ${page.of('refund.transaction_id')}
         and (parts.minor is distinct from refund.amount_minor or parts.fee is distinct from refund.fee_minor or parts.own is not true)
       order by refund.id`),
  ];
}

/** Totals of a page of parts, and of their lines, that differ from the refunds that count. */
export async function listWrongPartTotals(sql: Sql, page: Page): Promise<Finding[]> {
  return [
    ...(await sql.many(read)`
      with sums as (
        select part.part_id,
               coalesce(sum(part.amount_minor) filter (where refund.canceled_by is null), 0) as minor,
               coalesce(sum(part.commission_minor) filter (where refund.canceled_by is null), 0) as commission,
               coalesce(sum(part.products_minor) filter (where refund.canceled_by is null), 0) as products,
               coalesce(sum(part.amount_minor) filter (where refund.paid_late_at is not null and refund.came_back_at is null), 0) as late
          from refund_part as part join refund on refund.id = part.refund_id
         where ${page.of('part.part_id')} group by 1
      ), total as (
        select * from part_refund_total where ${page.of('part_id')}
      )
      select 'part_total_wrong' as code,
             jsonb_build_object('partId', coalesce(sums.part_id, total.part_id), 'total', total.refunded_minor,
                                'refunds', sums.minor) as parameters
        from sums full join total on total.part_id = sums.part_id
        left join transaction_part as part on part.id = coalesce(sums.part_id, total.part_id)
       where total.amount_minor is distinct from part.amount_minor or total.commission_minor is distinct from part.commission_minor
          or total.refunded_minor is distinct from sums.minor or total.commission_returned_minor is distinct from sums.commission
          or total.products_refunded_minor is distinct from sums.products or total.paid_late_minor is distinct from sums.late
       order by coalesce(sums.part_id, total.part_id)`),
    ...(await sql.many(read)`
      with sums as (
        select part.part_id, (line ->> 'line')::integer as line,
               coalesce(sum((line ->> 'quantity')::bigint) filter (where refund.canceled_by is null), 0) as quantity,
               coalesce(sum((line ->> 'quantity')::numeric * (line ->> 'unitPriceMinor')::numeric) filter (where refund.canceled_by is null), 0) as value
          from refund_part as part join refund on refund.id = part.refund_id
         cross join lateral jsonb_array_elements(part.lines::jsonb) as line
         where ${page.of('part.part_id')} group by 1, 2
      ), total as (
        select * from line_refund_total where ${page.of('part_id')}
      )
      select 'product_total_wrong' as code,
             jsonb_build_object('partId', coalesce(sums.part_id, total.part_id), 'line', coalesce(sums.line, total.line),
                                'total', total.refunded, 'refunds', sums.quantity) as parameters
        from sums full join total on total.part_id = sums.part_id and total.line = sums.line
       where total.refunded is distinct from sums.quantity or total.refunded_value is distinct from sums.value
       order by coalesce(sums.part_id, total.part_id), coalesce(sums.line, total.line)`),
  ];
}

/**
 * Products of a page of parts whose totals allow more than was sold, and parts whose totals allow more than that is
 * worth.
 */
export async function listWrongProductLimits(sql: Sql, page: Page): Promise<Finding[]> {
  return [
    ...(await sql.many(read)`
      -- The products of a part are read once, not for each of its lines.
      with sold as materialized (
        select part.id as part_id, listed.line::integer as line, (listed.product ->> 'quantity')::bigint as quantity,
               (listed.product ->> 'unitPriceMinor')::bigint as unit_price_minor
          from transaction_part as part
         cross join lateral jsonb_array_elements(part.products::jsonb) with ordinality as listed (product, line)
         where part.id in (select part_id from line_refund_total where ${page.of('part_id')})
      )
      select 'product_limit_wrong' as code,
             jsonb_build_object('partId', total.part_id, 'line', total.line, 'quantity', total.quantity,
                                'unitPrice', total.unit_price_minor, 'sold', sold.quantity,
                                'soldAt', sold.unit_price_minor) as parameters
        from line_refund_total as total
        left join sold on sold.part_id = total.part_id and sold.line = total.line
       where ${page.of('total.part_id')}
         and (total.quantity is distinct from sold.quantity or total.unit_price_minor is distinct from sold.unit_price_minor)
       order by total.part_id, total.line`),
    ...(await sql.many(read)`
      with limits as (
        select total.part_id, total.products_limit_minor, least(part.amount_minor, products.worth) as worth
          from part_refund_total as total
          join transaction_part as part on part.id = total.part_id
         cross join lateral (
           select coalesce(div(sum((product ->> 'quantity')::numeric * (product ->> 'unitPriceMinor')::numeric) * 2 + 1000000, 2000000), 0)
             from jsonb_array_elements(part.products::jsonb) as product) as products (worth)
         where ${page.of('total.part_id')}
      )
      select 'products_limit_wrong' as code,
             jsonb_build_object('partId', part_id, 'worth', worth, 'limit', products_limit_minor) as parameters
        from limits where products_limit_minor <> worth order by part_id`),
  ];
}
