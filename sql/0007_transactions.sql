-- Transactions and their parts, and counts for lists. Owner: src/transactions.

create table transaction (
  id          ulid constraint transaction_id_unique primary key,
  merchant_id ulid not null,
  pos_id      ulid not null,
  title  text not null collate "C" constraint transaction_title_unique unique,
  status text not null check (status in ('pending', 'paid', 'refund', 'canceled')),
  created_at  instant not null,
  realized_at instant,
  amount_minor minor_units not null check (amount_minor > 0),
  currency     currency_code not null,
  description  text not null,
  hidden_description text not null,
  lang text not null,
  payer_id    text not null,
  payer_email text not null,
  payer_name  text not null,
  payer_phone text not null,
  payer_address text not null,
  payer_city    text not null,
  payer_postal_code text not null,
  payer_country text not null,
  payer_tax_id  text not null,
  payer_ip      text,
  payer_user_agent text not null,
  payment_status text not null check (payment_status in ('pending', 'correct', 'declined')),
  payment_method text check (payment_method in ('pay_by_link', 'transfer', 'sale')),
  channel_id integer,
  amount_paid_minor minor_units not null default 0 check (amount_paid_minor between 0 and amount_minor),
  paid_at instant,
  canceled_at instant,
  -- merchant: by a request or in the panel. expiry: not paid in time. charge: a recurring charge that was declined.
  canceled_by text,
  -- Whether its last decline was told: then its cancellation tells nothing more.
  decline_notified boolean not null default false,
  success_url text,
  error_url   text,
  notification_url   text,
  notification_email text,
  -- The unguessable part of the pay page's URL.
  pay_key text not null,
  attempts_started integer not null default 0,
  origin text not null default 'api' check (origin in ('api', 'recurring', 'marketplace')),
  -- How often the row was changed, counted by the database itself; not of recurring ones.
  version integer not null default 0,
  constraint transaction_canceled
    check (canceled_at is null or (status = 'canceled' and canceled_by in ('merchant', 'expiry', 'charge')))
);
-- Lists of a merchant, newest first. Scanned backwards: new rows are then appended to their merchant's part, where
-- PostgreSQL fills pages instead of splitting them. It can also find an id in it, by reading all rows of the merchant, and
-- does so while the table is small, with plans that are kept: queries by id compare the merchant in a way that no index can
-- answer (`is not distinct from`, `is true`).
create index transaction_merchant on transaction (merchant_id, created_at, id);
-- Lists of the marketplace; other transactions are in neither index.
create index transaction_marketplace on transaction (merchant_id, created_at, id) include (status)
  where origin = 'marketplace';
create index transaction_marketplace_hidden on transaction (merchant_id, hidden_description, created_at)
  where origin = 'marketplace' and hidden_description <> '';

-- The point of sale must be the merchant's. Foreign keys cost 13 of 32 µs of the server's time per row.
call add_reference('transaction', '{pos_id, merchant_id}', 'pos', '{id, account_id}', shared => true);

-- A transaction with a charge stays.
create function check_transaction_without_charges() returns trigger language plpgsql as $$
begin
  if exists (select from charge where id = any (array (select id from gone)))
     or exists (select from charge where purpose = 'payment' and transaction_id = any (array (select id from gone))) then
    raise exception 'a transaction has charges' using errcode = 'foreign_key_violation', constraint = tg_name;
  end if;
  return null;
end $$;
create trigger transaction_without_charges after delete on transaction
  referencing old table as gone for each statement execute function check_transaction_without_charges();
create trigger transaction_version before update on transaction for each row when (old.origin <> 'recurring')
  execute function count_version();
create trigger transaction_id_stays before update of id on transaction
  for each statement execute function refuse_change();
create trigger transaction_kept before truncate on transaction for each statement execute function refuse_change();

-- How many transactions a merchant created in each six-hour bucket, by status: a list counts buckets instead of rows, a
-- distant page is found without reading everything before it, and unpaid transactions are found without their own
-- index. Every statement inserts its changes into transaction_count_change, where no writer waits for another; the
-- engine adds them to transaction_count now and then. Together they are exact at any time.

create table transaction_count (
  merchant_id ulid not null,
  -- Start of the bucket, in UTC.
  six_hour_bucket instant not null,
  pending  integer not null check (pending >= 0),
  paid     integer not null check (paid >= 0),
  refund   integer not null check (refund >= 0),
  canceled integer not null check (canceled >= 0),
  primary key (merchant_id, six_hour_bucket)
);
-- Where something may expire. It replaces an index over every pending transaction.
create index transaction_count_pending on transaction_count (six_hour_bucket) where pending > 0;
create table transaction_count_change (
  id bigint generated always as identity primary key,
  merchant_id ulid not null,
  six_hour_bucket instant not null,
  status text not null check (status in ('pending', 'paid', 'refund', 'canceled')),
  change integer not null check (change <> 0),
  -- Of new transactions; null where only their status changed.
  added_ids ulid[]
);
create index transaction_count_change_merchant on transaction_count_change (merchant_id, six_hour_bucket);

-- New transactions in the order in which they were counted, for rooms above that keep something about each. One node at
-- a time counts, so positions become visible in order, also those of a slow database transaction with small ids.
create table transaction_added (
  position bigint generated always as identity primary key,
  transaction_ids ulid[] not null check (cardinality(transaction_ids) between 1 and 1000)
);

create function count_new_transactions() returns trigger language plpgsql as $$
begin
  insert into transaction_count_change (merchant_id, six_hour_bucket, status, change, added_ids)
  select merchant_id, six_hour_bucket_of(created_at), status, count(*), array_agg(id::text) from new_rows group by 1, 2, 3;
  return null;
end $$;
create trigger transaction_counted after insert on transaction
  referencing new table as new_rows for each statement execute function count_new_transactions();

create function count_changed_transactions() returns trigger language plpgsql as $$
begin
  insert into transaction_count_change (merchant_id, six_hour_bucket, status, change)
  select merchant_id, six_hour_bucket_of(created_at), status, sum(change)
    from (select merchant_id, created_at, status, -1 as change from former
           union all select merchant_id, created_at, status, 1 from present) as changes
   group by 1, 2, 3 having sum(change) <> 0;
  return null;
end $$;
create trigger transaction_counted_again after update on transaction
  referencing old table as former new table as present for each statement execute function count_changed_transactions();

-- Nothing deletes a transaction today, but the counts must not depend on that.
create function count_gone_transactions() returns trigger language plpgsql as $$
begin
  insert into transaction_count_change (merchant_id, six_hour_bucket, status, change)
  select merchant_id, six_hour_bucket_of(created_at), status, -count(*) from gone group by 1, 2, 3;
  return null;
end $$;
create trigger transaction_counted_off after delete on transaction
  referencing old table as gone for each statement execute function count_gone_transactions();

-- One part of a marketplace payment: a child transaction of one seller. Never changed.
create table transaction_part (
  id ulid primary key,
  transaction_id ulid not null,
  number smallint not null check (number > 0),
  -- The seller.
  merchant_id ulid not null,
  amount_minor minor_units not null check (amount_minor > 0),
  -- What the seller pays to the service and to the partner when the payment succeeds; fixed when it is created.
  fee_minor        minor_units not null check (fee_minor >= 0),
  -- By which the fee was computed.
  price_id bigint,
  commission_minor minor_units not null check (commission_minor >= 0),
  description text not null,
  hidden_description text not null,
  -- The products in order, quantities in millionths. What was refunded of them is in line_refund_total. JSON as text: a
  -- cart may have thousands, which readers parse in several turns.
  products text not null constraint transaction_part_products check (is_list_of(products::jsonb,
    'strict $[*] ? (@.externalId.type() == "string" && @.name.type() == "string" && @.quantity >= 1 && @.unitPriceMinor >= 0)')),
  -- Of seller, amounts and products, by the vault, which the database does not have.
  mac text not null check (mac <> ''),
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
    from (select transaction_id, sum(amount_minor) as minor from new_rows group by 1) as parts
   where (select amount_minor from transaction where id = parts.transaction_id and origin = 'marketplace')
         is distinct from parts.minor limit 1;
  if found then
    raise exception 'the parts of transaction % do not sum up to it', wrong
      using errcode = 'check_violation', constraint = 'transaction_part_sum';
  end if;
  select named.merchant_id into wrong
    from (select distinct transaction_id, merchant_id from new_rows) as named
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
  referencing new table as new_rows for each statement execute function check_transaction_parts();
