-- Accounts: merchants, partners and their sellers; points of sale; pay pages; credentials and tokens. Owner:
-- src/accounts.

-- Clients of such services read the number of an account as an integer of 32 bits.
create sequence merchant_number as integer start with 100001;

create table account (
  id    ulid primary key,
  -- `id` of notifications about transactions and the beginning of what `md5sum` signs.
  merchant_number integer not null default nextval('merchant_number')
    constraint account_merchant_number unique check (merchant_number > 0),
  kind  text not null check (kind in ('merchant', 'partner', 'seller')),
  name  text not null check (char_length(name) between 1 and 100),
  email text not null,
  phone  text not null default '',
  tax_id text not null default '',
  status text not null default 'active' check (status in ('active', 'blocked')),
  zone    text not null,
  -- Whether it was ever another one: sums by day of the former zone are made again.
  zone_changed boolean not null default false,
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- Fees: a percentage in basis points plus a fixed part per payment, and a fixed fee per refund.
  payment_fee_basis_points integer not null default 0 check (payment_fee_basis_points between 0 and 10000),
  payment_fee_minor minor_units not null default 0 check (payment_fee_minor >= 0),
  refund_fee_minor  minor_units not null default 0 check (refund_fee_minor >= 0),
  -- Of the three, by the vault, which the database does not have: every later payment is booked with them.
  fees_mac text not null check (fees_mac <> ''),
  channels integer[] not null,
  marketplace_enabled boolean not null default false check (not marketplace_enabled or kind = 'partner'),
  -- Encrypted by the vault: both must be readable, to sign notifications.
  security_code_sealed  text not null,
  webhook_secret_sealed text not null,
  requests_per_second integer check (requests_per_second > 0),
  -- Whether it wants a notification (`tr_status=FALSE`) for each declined attempt.
  decline_notifications boolean not null default false,
  -- Where notifications about its payouts and settlements go; null: nowhere, and they are no events either.
  money_url text check (length(money_url) <= 2048),
  -- Whether it gets a mail with each settlement.
  settlement_mails boolean not null default true,
  created_at  instant not null,
  modified_at instant not null
);
alter sequence merchant_number owned by account.merchant_number;
create index account_zone_changed on account (id) where zone_changed;

-- Lists of prices that accounts may have instead of prices of their own.
create table price_list (
  id   ulid primary key,
  name text not null constraint price_list_name unique check (char_length(name) between 1 and 60),
  created_at instant not null
);
create trigger price_list_kept before update or delete or truncate on price_list
  for each statement execute function refuse_change();

-- What we take: never changed, only followed by a later row. Every booked fee names the row that it was computed by.
create table price (
  id bigint generated always as identity primary key,
  -- A list, or an account whose own prices they are.
  owner_id ulid not null,
  kind text not null check (kind in ('payment', 'refund', 'payout', 'dispute')),
  -- Null: of every channel that has no row of its own.
  channel_id integer,
  valid_from instant not null,
  basis_points  integer not null check (basis_points between 0 and 10000),
  fixed_minor   minor_units not null check (fixed_minor >= 0),
  minimum_minor minor_units not null check (minimum_minor >= 0),
  -- Null: no maximum.
  maximum_minor minor_units,
  created_at instant not null,
  -- Of all of it with the id, by the vault, which the database does not have; so a copy of a row is a second one of its own.
  mac text not null constraint price_mac unique check (mac <> ''),
  check (maximum_minor >= minimum_minor),
  -- Nobody learns afterwards what something has cost.
  constraint price_ahead check (valid_from >= created_at),
  constraint price_of_channel check (channel_id is null or kind = 'payment'),
  -- The amount of a refund or a dispute is the payer's, and is divided between sellers: its fee is fixed.
  constraint price_fixed check (kind in ('payment', 'payout') or basis_points = 0 and minimum_minor = 0 and maximum_minor is null)
);
create index price_owner on price (owner_id, kind, valid_from);
create trigger price_kept before update or delete or truncate on price for each statement execute function refuse_change();

-- Which list an account has, from when: never changed, only followed.
create table account_price_list (
  id bigint generated always as identity primary key,
  account_id ulid not null references account,
  -- Null: its own prices again.
  list_id ulid references price_list,
  valid_from instant not null,
  created_at instant not null,
  -- Of all of it with the id, as that of a price.
  mac text not null constraint account_price_list_mac unique check (mac <> ''),
  constraint account_price_list_ahead check (valid_from >= created_at)
);
create index account_price_list_account on account_price_list (account_id, valid_from);
create trigger account_price_list_kept before update or delete or truncate on account_price_list
  for each statement execute function refuse_change();

-- The price of something at a time: that of the channel before that of all channels, that of the list before the account's own.
-- A function of one statement, so that the planner makes it a part of the statement that asks.
create function price_at(account ulid, what text, channel integer, at timestamptz) returns setof price
language sql stable rows 1 as $$
  select price.* from price
   where price.owner_id in (account, (select list.list_id from account_price_list as list
                                       where list.account_id = account and list.valid_from <= at
                                       order by list.valid_from desc, list.id desc limit 1))
     and price.kind = what and price.valid_from <= at and (price.channel_id is null or price.channel_id = channel)
   order by price.owner_id = account, price.channel_id is null, price.valid_from desc, price.id desc limit 1
$$;

-- The fee of an amount: a percentage, rounded half up, and a fixed part, within minimum and maximum, and at most the amount.
create function price_fee(basis_points integer, fixed_minor bigint, minimum_minor bigint, maximum_minor bigint, amount bigint)
returns bigint language sql immutable as $$
  select least(amount, maximum_minor, greatest(minimum_minor, div(amount::numeric * basis_points + 5000, 10000)::bigint + fixed_minor))
$$;

create table partner_seller (
  partner_id ulid not null references account,
  seller_id  ulid not null references account,
  primary key (partner_id, seller_id)
);
create index partner_seller_seller on partner_seller (seller_id);

create table pos (
  id         ulid primary key,
  account_id ulid not null references account,
  name text not null check (char_length(name) between 1 and 100),
  url  text not null,
  notification_url text,
  test_mode boolean not null,
  active    boolean not null default true,
  verified  boolean not null default true,
  -- The default of transactions whose credential names none.
  main boolean not null,
  created_at  instant not null,
  modified_at instant not null
);
create unique index pos_one_main on pos (account_id) where main;
create index pos_account on pos (account_id, id);

-- The domains of a point of sale's shop, as host or host:port.
create table pos_domain (
  pos_id ulid not null references pos,
  domain_name text not null check (char_length(domain_name) between 1 and 259),
  created_at instant not null,
  primary key (pos_id, domain_name)
);

-- What an account shows to payers: color and logo of its pay page, its language, and which mails go out. Accounts without
-- a row have the defaults.
create table pay_page (
  account_id ulid primary key references account,
  color text check (color ~ '^#[0-9a-f]{6}$'),
  -- Of payers whose transaction and browser name none that we have.
  language text check (language in ('pl', 'en', 'de', 'uk', 'fr', 'it', 'es', 'ru')),
  logo bytea check (octet_length(logo) between 1 and 102400),
  logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  -- SHA-256, as 64 hexadecimal digits: the logo's address.
  logo_hash text check (logo_hash ~ '^[0-9a-f]{64}$'),
  mail_paid          boolean not null default true,
  mail_charge_failed boolean not null default true,
  mail_refunded      boolean not null default true,
  mail_order         boolean not null default true,
  mail_charged       boolean not null default true,
  -- The origins whose pages may show the payment form of this account in a frame. They become part of a security policy,
  -- so nothing but an origin fits: scheme, host in ASCII, port.
  embed_origins text[] not null default '{}'
    check (cardinality(embed_origins) = 0
           or cardinality(embed_origins) <= 20
              and array_position(embed_origins, null) is null
              and array_to_string(embed_origins, ' ')
                  ~ '^https?://[a-z0-9._-]{1,253}(:[0-9]{1,5})?( https?://[a-z0-9._-]{1,253}(:[0-9]{1,5})?)*$'),
  -- Where payers change the card of a recurring payment: mails about failed charges lead there.
  card_url text check (length(card_url) <= 1000 and card_url ~ '^https?://[^[:space:]]+$'),
  modified_at instant not null,
  check ((logo is null) = (logo_hash is null) and (logo is null) = (logo_type is null))
);
create index pay_page_logo on pay_page (logo_hash) where logo_hash is not null;

create table credential (
  id         ulid primary key,
  account_id ulid not null references account,
  name text not null check (char_length(name) between 1 and 100),
  -- operator: like full, plus the sandbox tools, which act on every account.
  kind text not null check (kind in ('full', 'read_only', 'operator')),
  created_at instant not null,
  revoked_at instant
);
create index credential_account on credential (account_id, id);

-- Two slots for secrets, so that one can be rotated while the other still works.
create table credential_secret (
  credential_id ulid not null references credential,
  place smallint not null check (place in (1, 2)),
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  created_at instant not null,
  primary key (credential_id, place)
);

create table access_token (
  token_hash    bytea primary key check (octet_length(token_hash) = 32),
  credential_id ulid not null references credential,
  -- Of the client secret that it was issued with: the token ends with it.
  secret_hash bytea check (octet_length(secret_hash) = 32),
  scope      text not null,
  issued_at  instant not null,
  expires_at instant not null,
  revoked_at instant
);
create index access_token_expires on access_token (expires_at);
create index access_token_credential on access_token (credential_id);

-- Other tables refer to accounts and points of sale without foreign keys, so these rows are never deleted and keep
-- their ids.
create trigger account_kept before delete or truncate on account for each statement execute function refuse_change();
create trigger account_id_kept before update of id on account for each statement execute function refuse_change();
create trigger pos_kept before delete or truncate on pos for each statement execute function refuse_change();
create trigger pos_id_kept before update of id, account_id on pos for each statement execute function refuse_change();
-- Whoever stored the number compares with it for good.
create trigger account_merchant_number_kept before update of merchant_number on account
  for each statement execute function refuse_change();
