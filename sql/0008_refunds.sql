-- Refunds, and what they take from the parts of marketplace payments. Owner: src/refunds.

create table refund (
  -- Also that of its outgoing refund, and so its key at the acquirer.
  id ulid constraint refund_id_unique primary key,
  transaction_id ulid not null references transaction,
  merchant_id    ulid not null,
  -- Without gaps from 1 for each merchant, in order of creation: how many refunds there were up to this one, and how
  -- many of them by card. Refunds are never deleted, so the difference of two numbers is the count between them, and a
  -- page starts at a number: lists cost the same whatever their length.
  number     integer not null check (number > 0),
  card_count integer not null check (card_count between 0 and number),
  context text not null check (context in ('transactional', 'card')),
  form    text not null check (form in ('full', 'partial')),
  -- Which statuses it has: payment methods differ (src/methods).
  statuses text not null default 'usual' check (statuses in ('usual', 'blik')),
  status  text not null check (status in ('New', 'Pending', 'Cancel', 'Hold', 'Done', 'Processed',
                                          'BLIK_pending', 'BLIK_processed', 'BLIK_incorrect')),
  -- How many statuses it has had: events of the same instant are read in this order.
  steps   integer not null default 1 check (steps > 0),
  amount_minor minor_units not null check (amount_minor > 0),
  fee_minor    minor_units not null check (fee_minor >= 0),
  -- The price that the fee is; null of one over several sellers.
  price_id bigint,
  currency     currency_code not null,
  channel_id   integer not null,
  card_token text collate "C",
  -- In lower case: lists filter by it.
  payer_email text not null collate "C",
  -- Never earlier than that of the refund with the previous number.
  created_at   instant not null,
  processed_at instant,
  ended_at     instant,
  -- Who ended it without paying the payer.
  canceled_by text check (canceled_by in ('merchant', 'operator', 'bank')),
  -- The bank paid it out after it had declined.
  paid_late_at instant,
  -- The bank had paid it out, and the money came back: the merchant has it again.
  came_back_at instant,
  constraint refund_number unique (merchant_id, number),
  check ((ended_at is not null) = (status in ('Done', 'Cancel', 'BLIK_processed', 'BLIK_incorrect'))),
  check ((canceled_by is not null) = (status in ('Cancel', 'BLIK_incorrect'))),
  check (status not like 'BLIK%' or statuses = 'blik'),
  check (paid_late_at is null or canceled_by is not null),
  check (came_back_at is null or canceled_by is not null)
) with (fillfactor = 85);
-- The merchant must be the transaction's.
call add_reference('refund', '{transaction_id, merchant_id}', 'transaction', '{id, merchant_id}');
create index refund_transaction on refund (transaction_id, number);
create index refund_created on refund (merchant_id, created_at, number);
create index refund_card on refund (merchant_id, card_count) where context = 'card';
create index refund_transactional on refund (merchant_id, (number - card_count)) where context = 'transactional';
-- Includes the other columns that lists filter by, so that counting is an index-only scan.
create index refund_payer on refund (merchant_id, payer_email, number) include (context);
create index refund_token on refund (merchant_id, card_token, number) include (context, payer_email)
  where card_token is not null;

-- The latest numbers of a merchant. One row per merchant; locked before its balance.
create table refund_counter (
  merchant_id  ulid primary key references account,
  refunds      integer not null check (refunds >= 0),
  card_refunds integer not null check (card_refunds between 0 and refunds),
  last_created_at instant not null
) with (fillfactor = 50);

-- What was refunded of a transaction, including refunds in progress and excluding returned ones.
create table refund_total (
  transaction_id ulid primary key references transaction,
  paid_minor     minor_units not null check (paid_minor > 0),
  refunded_minor minor_units not null,
  -- Of the returned refunds: what the bank paid out after all, and what did not come back. The payer has it, so it cannot be refunded again. It is
  -- not part of the limit, because the bank may pay late what was refunded again in the meantime.
  paid_late_minor minor_units not null default 0 check (paid_late_minor >= 0),
  refunds        integer not null check (refunds >= 0),
  constraint refund_total_limit check (refunded_minor between 0 and paid_minor)
) with (fillfactor = 85);

-- Only a paid transaction can be refunded, so one with something left must not have the status refund.
create function check_refund_total_open() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  select new_rows.transaction_id into wrong
    from new_rows
   where new_rows.refunded_minor + new_rows.paid_late_minor < new_rows.paid_minor
     and (select status from transaction where id = new_rows.transaction_id) = 'refund' limit 1;
  if found then
    raise exception 'transaction % is called refunded, and something of it is left', wrong
      using errcode = 'check_violation', constraint = tg_name;
  end if;
  return null;
end $$;
create trigger refund_total_open after update on refund_total
  referencing new table as new_rows for each statement execute function check_refund_total_open();

-- Whether the status of a refund is that of its outgoing refund: one that is held is not sent, one that waits for the
-- bank was, and one that has ended has ended in the same way. `paid_at_last`: it was paid late, or it was paid and came back.
create function refund_agrees(status text, canceled_by text, paid_at_last boolean, outgoing text) returns boolean
  language sql immutable
  return case when paid_at_last then outgoing = 'done'
              when status = 'New' then outgoing = 'new'
              when status = 'Hold' then outgoing = 'held'
              when status = 'BLIK_pending' then outgoing in ('new', 'sent')
              when status in ('Pending', 'Processed') then outgoing = 'sent'
              when status in ('Done', 'BLIK_processed') then outgoing = 'done'
              when canceled_by = 'bank' then outgoing = 'refused'
              else outgoing = 'canceled' end;

-- Every refund has its outgoing refund, of the same money, and both say the same.
create function check_refund_outgoing() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  select new_rows.id into wrong
    from new_rows
   where (select outgoing.purpose = 'refund' and outgoing.merchant_id = new_rows.merchant_id
                 and outgoing.amount_minor = new_rows.amount_minor and outgoing.currency = new_rows.currency
                 and (outgoing.came_back_at is null) = (new_rows.came_back_at is null)
                 and refund_agrees(new_rows.status, new_rows.canceled_by,
                                   coalesce(new_rows.paid_late_at, new_rows.came_back_at) is not null, outgoing.state)
            from outgoing_refund as outgoing where outgoing.id = new_rows.id) is not true limit 1;
  if found then
    raise exception 'refund % and its outgoing refund disagree', wrong
      using errcode = 'check_violation', constraint = tg_name;
  end if;
  return null;
end $$;
create trigger refund_outgoing after insert on refund
  referencing new table as new_rows for each statement execute function check_refund_outgoing();
create trigger refund_outgoing_again after update on refund
  referencing new table as new_rows for each statement execute function check_refund_outgoing();

-- What a refund takes from each part. Never changed.
create table refund_part (
  refund_id ulid not null references refund,
  part_id   ulid not null,
  -- The seller.
  merchant_id ulid not null,
  amount_minor minor_units not null check (amount_minor > 0),
  -- The seller's fee for this refund, with its first part.
  fee_minor minor_units not null check (fee_minor >= 0),
  -- What of the amount was refunded by products.
  products_minor minor_units not null,
  -- The commission that the partner gives back to the seller.
  commission_minor minor_units not null check (commission_minor >= 0),
  -- The products as JSON, as in transaction_part: which line, how much of it at which price, and how much was sold. Empty
  -- for a refund by amount.
  lines text not null constraint refund_part_lines check (is_list_of(lines::jsonb,
    'strict $[*] ? (@.line >= 1 && @.quantity >= 1 && @.unitPriceMinor >= 0 && @.sold >= 1)')),
  primary key (refund_id, part_id),
  constraint refund_part_products check (products_minor between 0 and amount_minor)
);
-- The seller must be that of the part.
call add_reference('refund_part', '{part_id, merchant_id}', 'transaction_part', '{id, merchant_id}');
create index refund_part_part on refund_part (part_id);
create trigger refund_part_kept before update or delete or truncate on refund_part
  for each statement execute function refuse_change();

-- What was refunded of a part, including refunds in progress and excluding returned ones; as refund_total.
create table part_refund_total (
  part_id ulid primary key references transaction_part,
  amount_minor     minor_units not null,
  commission_minor minor_units not null,
  refunded_minor   minor_units not null,
  commission_returned_minor minor_units not null,
  paid_late_minor  minor_units not null default 0 check (paid_late_minor >= 0),
  -- What of the part was refunded by products, and the most that it can be: what they are worth, rounded half up once, and
  -- at most the part. Quantities alone let fractions that were rounded up one by one add up to more.
  products_limit_minor    minor_units not null,
  products_refunded_minor minor_units not null,
  constraint part_refund_total_limit check (refunded_minor between 0 and amount_minor),
  constraint part_refund_total_commission check (commission_returned_minor between 0 and commission_minor),
  constraint part_refund_total_products
    check (products_refunded_minor between 0 and least(products_limit_minor, refunded_minor))
) with (fillfactor = 85);

-- The same for the quantity of a product, in millionths.
create table line_refund_total (
  part_id ulid not null references transaction_part,
  -- The place of the product in its part, from 1.
  line integer not null check (line > 0),
  quantity bigint not null check (quantity > 0),
  refunded bigint not null,
  -- The price of the product, and quantity times price of what was refunded, in millionths of a cent: exact, so that only
  -- the part is rounded.
  unit_price_minor minor_units not null check (unit_price_minor >= 0),
  refunded_value   numeric not null,
  primary key (part_id, line),
  constraint line_refund_total_limit check (refunded between 0 and quantity),
  constraint line_refund_total_value check (refunded_value between 0 and refunded::numeric * unit_price_minor)
) with (fillfactor = 85);
