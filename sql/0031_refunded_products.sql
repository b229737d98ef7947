-- Money that was refunded by products, bounded by what the products are worth: quantities alone let fractions that were
-- rounded up one by one add up to more. Owner: src/refunds.

lock table refund_part, part_refund_total, line_refund_total in access exclusive mode;

-- What of the amount was refunded by products.
alter table refund_part add column products_minor bigint not null default 0
  constraint refund_part_products check (products_minor between 0 and amount_minor);
alter table refund_part alter column products_minor drop default;
alter table refund_part disable trigger refund_part_kept;
-- As it was rounded until now: half up, once per part and refund. div() cuts off.
update refund_part as part
   set products_minor = least(part.amount_minor, div(lines.value * 2 + 1000000, 2000000)::bigint)
  from (select refund_id, part_id, sum((item ->> 1)::numeric * (item ->> 2)::numeric) as value
          from refund_part cross join lateral jsonb_array_elements(lines::jsonb) as item
         where lines <> '[]' group by 1, 2) as lines
 where part.refund_id = lines.refund_id and part.part_id = lines.part_id;
alter table refund_part enable trigger refund_part_kept;

-- The price of the product, and quantity times price of what was refunded, in millionths of a cent: exact, so that only
-- the part is rounded.
alter table line_refund_total
  add column unit_price_minor bigint check (unit_price_minor >= 0),
  add column refunded_value numeric;
update line_refund_total as total
   set unit_price_minor = (part.products::jsonb -> (total.line - 1) ->> 3)::bigint,
       refunded_value = coalesce((
         select sum((item ->> 1)::numeric * (item ->> 2)::numeric)
           from refund_part as refunded
           join refund on refund.id = refunded.refund_id and refund.canceled_by is null
          cross join lateral jsonb_array_elements(refunded.lines::jsonb) as item
          where refunded.part_id = total.part_id and (item ->> 0)::integer = total.line), 0)
  from transaction_part as part where part.id = total.part_id;
alter table line_refund_total
  alter column unit_price_minor set not null,
  alter column refunded_value set not null,
  add constraint line_refund_total_value check (refunded_value between 0 and refunded::numeric * unit_price_minor);

-- What of the part was refunded by products, and the most that it can be: what they are worth, rounded half up once, and
-- at most the part. A part whose products were refunded with more until now keeps that as its limit.
alter table part_refund_total
  add column products_limit_minor bigint,
  add column products_refunded_minor bigint;
update part_refund_total as total
   set products_refunded_minor = (
         select coalesce(sum(products_minor), 0)
           from refund_part join refund on refund.id = refund_part.refund_id and refund.canceled_by is null
          where refund_part.part_id = total.part_id),
       products_limit_minor = least(part.amount_minor, (
         select coalesce(div(sum((product ->> 2)::numeric * (product ->> 3)::numeric) * 2 + 1000000, 2000000), 0)
           from jsonb_array_elements(part.products::jsonb) as product))
  from transaction_part as part where part.id = total.part_id;
update part_refund_total set products_limit_minor = products_refunded_minor
 where products_limit_minor < products_refunded_minor;
alter table part_refund_total
  alter column products_limit_minor set not null,
  alter column products_refunded_minor set not null,
  add constraint part_refund_total_products
    check (products_refunded_minor between 0 and least(products_limit_minor, refunded_minor));
