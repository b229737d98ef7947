-- Transactions. Owner: src/transactions.

create table transaction (
  id          ulid constraint transaction_id_unique primary key,
  merchant_id ulid not null,
  pos_id      ulid not null,
  title  text not null collate "C" constraint transaction_title_unique unique,
  status text not null check (status in ('pending', 'paid', 'refund', 'canceled')),
  created_at  timestamptz not null,
  realized_at timestamptz,
  amount_minor bigint not null check (amount_minor > 0),
  currency     text not null check (currency in ('PLN')),
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
  amount_paid_minor bigint not null default 0 check (amount_paid_minor between 0 and amount_minor),
  paid_at timestamptz,
  success_url text,
  error_url   text,
  notification_url   text,
  notification_email text,
  -- The part of the pay page's address that cannot be guessed.
  pay_key text not null
);
-- Lists of one merchant, newest first.
create index transaction_merchant on transaction (merchant_id, created_at desc, id desc);

-- In place of foreign keys, which look up two rows for each row written (13 of 32 µs of the server's time for one):
-- once for each statement, over the few points of sale that its rows name. It asks for more, too: the point of sale must be
-- the merchant's own. Accounts and points of sale are never deleted, so nothing can go missing afterwards.
create function check_transaction_owners() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct merchant_id, pos_id from written) as named
      left join pos on pos.id = named.pos_id and pos.account_id = named.merchant_id
     where pos.id is null
  ) then
    raise exception 'a transaction names a point of sale that is not its merchant''s'
      using errcode = 'foreign_key_violation', constraint = 'transaction_owners';
  end if;
  return null;
end $$;
create trigger transaction_owners after insert on transaction
  referencing new table as written for each statement execute function check_transaction_owners();
create trigger transaction_owners_changed before update of merchant_id, pos_id on transaction
  for each statement execute function refuse_change();

create trigger account_kept before delete or truncate on account for each statement execute function refuse_change();
create trigger pos_kept before delete or truncate on pos for each statement execute function refuse_change();
