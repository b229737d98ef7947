-- What the marketplace adds to payments and refunds: their parts. Owners: src/transactions (transaction_part) and
-- src/refunds (refund_part, part_refund_total, line_refund_total).

-- One part of a marketplace payment: a child transaction of one seller. Never changed.
create table transaction_part (
  id ulid primary key,
  transaction_id ulid not null,
  number smallint not null check (number > 0),
  -- The seller.
  merchant_id ulid not null,
  amount_minor bigint not null check (amount_minor > 0),
  -- What the seller pays to the service and to the partner when the payment succeeds; fixed when it is created.
  fee_minor        bigint not null check (fee_minor >= 0),
  commission_minor bigint not null check (commission_minor >= 0),
  description text not null,
  hidden_description text not null,
  -- The products as JSON, in order. What was refunded of them is in line_refund_total.
  products text not null,
  constraint transaction_part_number unique (transaction_id, number),
  constraint transaction_part_covers check (fee_minor + commission_minor <= amount_minor)
);
create index transaction_part_merchant on transaction_part (merchant_id, transaction_id);
create trigger transaction_part_kept before update or delete or truncate on transaction_part
  for each statement execute function refuse_change();

-- All parts of a transaction are inserted by one statement: they sum up to it, and their sellers are its partner's. One
-- check per statement instead of a lookup per row.
create function check_transaction_parts() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  select parts.transaction_id into wrong
    from (select transaction_id, sum(amount_minor) as minor from written group by 1) as parts
   where (select amount_minor from transaction where id = parts.transaction_id and origin = 'marketplace')
         is distinct from parts.minor limit 1;
  if found then
    raise exception 'the parts of transaction % do not sum up to it', wrong
      using errcode = 'check_violation', constraint = 'transaction_part_sum';
  end if;
  select named.merchant_id into wrong
    from (select distinct transaction_id, merchant_id from written) as named
   where (select seller_id from partner_seller
           where seller_id = named.merchant_id
             and partner_id = (select merchant_id from transaction where id = named.transaction_id)) is null limit 1;
  if found then
    raise exception 'merchant % is not a seller of the partner', wrong
      using errcode = 'foreign_key_violation', constraint = 'transaction_part_seller';
  end if;
  return null;
end $$;
create trigger transaction_part_checked after insert on transaction_part
  referencing new table as written for each statement execute function check_transaction_parts();

-- Lists of the marketplace; other transactions are in neither index.
create index transaction_marketplace on transaction (merchant_id, created_at, id) include (status)
  where origin = 'marketplace';
create index transaction_marketplace_hidden on transaction (merchant_id, hidden_description, created_at)
  where origin = 'marketplace' and hidden_description <> '';

-- What a refund takes from each part. Never changed.
create table refund_part (
  refund_id ulid not null references refund,
  part_id   ulid not null references transaction_part,
  -- The seller.
  merchant_id ulid not null,
  amount_minor bigint not null check (amount_minor > 0),
  -- The seller's fee for this refund, with its first part.
  fee_minor bigint not null check (fee_minor >= 0),
  -- The commission that the partner gives back to the seller.
  commission_minor bigint not null check (commission_minor >= 0),
  -- The products as JSON: line, quantity in millionths, unit price. Empty for a refund by amount.
  lines text not null,
  primary key (refund_id, part_id)
);
create index refund_part_part on refund_part (part_id);
create trigger refund_part_kept before update or delete or truncate on refund_part
  for each statement execute function refuse_change();

-- What was refunded of a part, including refunds in progress and excluding returned ones; as refund_total.
create table part_refund_total (
  part_id ulid primary key references transaction_part,
  amount_minor     bigint not null,
  commission_minor bigint not null,
  refunded_minor   bigint not null,
  commission_returned_minor bigint not null,
  paid_late_minor  bigint not null default 0 check (paid_late_minor >= 0),
  constraint part_refund_total_limit check (refunded_minor between 0 and amount_minor),
  constraint part_refund_total_commission check (commission_returned_minor between 0 and commission_minor)
) with (fillfactor = 85);

-- The same for the quantity of a product, in millionths.
create table line_refund_total (
  part_id ulid not null references transaction_part,
  -- The place of the product in its part, from 1.
  line integer not null check (line > 0),
  quantity bigint not null check (quantity > 0),
  refunded bigint not null,
  primary key (part_id, line),
  constraint line_refund_total_limit check (refunded between 0 and quantity)
) with (fillfactor = 85);
